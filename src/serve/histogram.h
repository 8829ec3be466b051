/*
 * Durations counted by bounds, for metrics. Thread rule: eco_histogram_add from any thread; a
 * snapshot taken meanwhile may lack what is being added.
 */
#ifndef ECO_SERVE_HISTOGRAM_H
#define ECO_SERVE_HISTOGRAM_H

#include <stdatomic.h>
#include <stdint.h>

#define ECO_HISTOGRAM_BOUNDS 12

/* Upper bounds in seconds, ascending; what lies above all of them is counted in one more place. */
extern const double eco_histogram_bounds[ECO_HISTOGRAM_BOUNDS];

struct eco_histogram {
    atomic_uint_fast64_t counts[ECO_HISTOGRAM_BOUNDS + 1];
    atomic_uint_fast64_t nanoseconds; /* the sum */
};

struct eco_histogram_snapshot {
    uint64_t counts[ECO_HISTOGRAM_BOUNDS + 1]; /* of each place alone, not summed up */
    uint64_t nanoseconds;
};

void eco_histogram_init(struct eco_histogram *histogram);
void eco_histogram_add(struct eco_histogram *histogram, uint64_t nanoseconds);
void eco_histogram_read(struct eco_histogram *histogram, struct eco_histogram_snapshot *out);

#endif
