#include "serve/histogram.h"

const double eco_histogram_bounds[ECO_HISTOGRAM_BOUNDS] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                           0.1,   0.25,   0.5,   1.0,  2.5,   10.0};

void eco_histogram_init(struct eco_histogram *histogram)
{
    for (unsigned i = 0; i <= ECO_HISTOGRAM_BOUNDS; i++)
        atomic_init(&histogram->counts[i], 0);
    atomic_init(&histogram->nanoseconds, 0);
}

void eco_histogram_add(struct eco_histogram *histogram, uint64_t nanoseconds)
{
    double seconds = (double)nanoseconds * 1e-9;
    unsigned place = 0;

    while (place < ECO_HISTOGRAM_BOUNDS && seconds > eco_histogram_bounds[place])
        place++;
    atomic_fetch_add_explicit(&histogram->counts[place], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&histogram->nanoseconds, nanoseconds, memory_order_relaxed);
}

void eco_histogram_read(struct eco_histogram *histogram, struct eco_histogram_snapshot *out)
{
    for (unsigned i = 0; i <= ECO_HISTOGRAM_BOUNDS; i++)
        out->counts[i] = atomic_load_explicit(&histogram->counts[i], memory_order_relaxed);
    out->nanoseconds = atomic_load_explicit(&histogram->nanoseconds, memory_order_relaxed);
}
