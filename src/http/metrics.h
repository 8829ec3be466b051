/*
 * What is measured, as Prometheus reads it. Labels take few values, all known beforehand: nothing
 * of a request becomes one. Thread rule: every function from any thread.
 */
#ifndef ECO_HTTP_METRICS_H
#define ECO_HTTP_METRICS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/buffer.h"
#include "http/url.h"
#include "serve/service.h"

#define ECO_METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"
#define ECO_METRICS_STATUSES 15
#define ECO_METRICS_CLASSES 7 /* kinds of requests that take alike long */

/* Replies by kind of request; the last kind is of URLs that could not be read. */
struct eco_metrics {
    atomic_uint_fast64_t replies[ECO_ROUTE_COUNT + 1][ECO_METRICS_STATUSES];
    atomic_uint_fast64_t reloads[2]; /* that failed; that were done */
    struct eco_histogram seconds[ECO_METRICS_CLASSES];
    atomic_uint_fast64_t limited;     /* requests over an address's rate */
    atomic_uint_fast64_t turned_away; /* connections over an address's limit */
};

void eco_metrics_init(struct eco_metrics *metrics);
/* Counts a reply; `route` is ECO_ROUTE_COUNT for a URL that could not be read. */
void eco_metrics_count(struct eco_metrics *metrics, enum eco_route route, unsigned status);

/* How long it took until the whole reply was sent. */
void eco_metrics_time(struct eco_metrics *metrics, enum eco_route route, uint64_t nanoseconds);

/* What others count. */
struct eco_metrics_state {
    unsigned connections;
    bool ready;
    uint64_t log_dropped;
};

/* Appends the text of /metrics. */
void eco_metrics_write(struct eco_metrics *metrics, const struct eco_service_stats *stats,
                       const struct eco_metrics_state *state, struct eco_buffer *out);

/* Of worlds with a quota: as many lines as the configuration has such worlds. */
void eco_metrics_write_quotas(const struct eco_cache_quota *quotas, unsigned count,
                              struct eco_buffer *out);

#endif
