#include "http/metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ecotone/ecotone.h"

/* The last place stands for all others. */
static const unsigned statuses[ECO_METRICS_STATUSES - 1] = {200, 204, 304, 308, 400, 403, 404,
                                                            405, 414, 429, 431, 500, 501, 503};

static const char *const route_names[ECO_ROUTE_COUNT + 1] = {
    [ECO_ROUTE_TILE] = "tile",         [ECO_ROUTE_STATIC] = "static",
    [ECO_ROUTE_TILEJSON] = "tilejson", [ECO_ROUTE_WMTS] = "wmts",
    [ECO_ROUTE_LEGEND] = "legend",     [ECO_ROUTE_WORLDS] = "worlds",
    [ECO_ROUTE_POINT] = "point",       [ECO_ROUTE_SCORE] = "score",
    [ECO_ROUTE_AREA] = "area",         [ECO_ROUTE_LOCATE] = "locate",
    [ECO_ROUTE_BORDER] = "border",     [ECO_ROUTE_HEALTH] = "healthz",
    [ECO_ROUTE_READY] = "readyz",      [ECO_ROUTE_METRICS] = "metrics",
    [ECO_ROUTE_ASSET] = "page",        [ECO_ROUTE_COUNT] = "unreadable"};

/* By route; what is not named is a document. */
enum class {
    CLASS_DOCUMENT,
    CLASS_TILE,
    CLASS_PICTURE,
    CLASS_QUESTION,
    CLASS_PAGE,
    CLASS_OPERATION,
    CLASS_UNREADABLE,
};

static const char *const class_names[ECO_METRICS_CLASSES] = {
    "document", "tile", "picture", "question", "page", "operation", "unreadable"};

static const unsigned char classes[ECO_ROUTE_COUNT + 1] = {
    [ECO_ROUTE_TILE] = CLASS_TILE,       [ECO_ROUTE_STATIC] = CLASS_PICTURE,
    [ECO_ROUTE_POINT] = CLASS_QUESTION,  [ECO_ROUTE_SCORE] = CLASS_QUESTION,
    [ECO_ROUTE_AREA] = CLASS_QUESTION,   [ECO_ROUTE_LOCATE] = CLASS_QUESTION,
    [ECO_ROUTE_BORDER] = CLASS_QUESTION, [ECO_ROUTE_HEALTH] = CLASS_OPERATION,
    [ECO_ROUTE_READY] = CLASS_OPERATION, [ECO_ROUTE_METRICS] = CLASS_OPERATION,
    [ECO_ROUTE_ASSET] = CLASS_PAGE,      [ECO_ROUTE_COUNT] = CLASS_UNREADABLE};

void eco_metrics_init(struct eco_metrics *metrics)
{
    atomic_init(&metrics->reloads[0], 0);
    atomic_init(&metrics->reloads[1], 0);
    atomic_init(&metrics->limited, 0);
    atomic_init(&metrics->turned_away, 0);
    for (unsigned i = 0; i < ECO_METRICS_CLASSES; i++)
        eco_histogram_init(&metrics->seconds[i]);
    for (unsigned route = 0; route <= ECO_ROUTE_COUNT; route++) {
        for (unsigned i = 0; i < ECO_METRICS_STATUSES; i++)
            atomic_init(&metrics->replies[route][i], 0);
    }
}

void eco_metrics_count(struct eco_metrics *metrics, enum eco_route route, unsigned status)
{
    unsigned place = 0;

    while (place < ECO_METRICS_STATUSES - 1 && statuses[place] != status)
        place++;
    atomic_fetch_add_explicit(&metrics->replies[route][place], 1, memory_order_relaxed);
}

void eco_metrics_time(struct eco_metrics *metrics, enum eco_route route, uint64_t nanoseconds)
{
    eco_histogram_add(&metrics->seconds[classes[route]], nanoseconds);
}

/* --- the text ----------------------------------------------------------------------------------
 */

struct number {
    const char *name, *labels, *type, *help;
    uint64_t value;
};

/* Numbers of one name follow each other; the first of them has the help. */
static void write_numbers(struct eco_buffer *out, const struct number *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct number *number = &numbers[i];

        if (number->help)
            eco_buffer_printf(out, "# HELP %s %s\n# TYPE %s %s\n", number->name, number->help,
                              number->name, number->type);
        eco_buffer_printf(out, "%s%s %" PRIu64 "\n", number->name, number->labels, number->value);
    }
}

/* A reply that never was has no line, except the commonest. */
static void write_replies(struct eco_metrics *metrics, struct eco_buffer *out)
{
    eco_buffer_printf(out, "# HELP ecotone_http_requests_total Replies by kind of request.\n"
                           "# TYPE ecotone_http_requests_total counter\n");
    for (unsigned route = 0; route <= ECO_ROUTE_COUNT; route++) {
        for (unsigned i = 0; i < ECO_METRICS_STATUSES; i++) {
            uint64_t count =
                atomic_load_explicit(&metrics->replies[route][i], memory_order_relaxed);
            char status[16] = "other";

            if (count == 0 && i > 0)
                continue;
            if (i < ECO_METRICS_STATUSES - 1)
                snprintf(status, sizeof(status), "%u", statuses[i]);
            eco_buffer_printf(
                out, "ecotone_http_requests_total{route=\"%s\",status=\"%s\"} %" PRIu64 "\n",
                route_names[route] ? route_names[route] : "other", status, count);
        }
    }
}

/* `label` is empty, or a label and a comma. */
static void write_histogram(const char *name, const char *label,
                            const struct eco_histogram_snapshot *seconds, struct eco_buffer *out)
{
    int length = label[0] ? (int)strlen(label) - 1 : 0;
    const char *open = label[0] ? "{" : "", *close = label[0] ? "}" : "";
    uint64_t sum = 0;

    for (unsigned i = 0; i < ECO_HISTOGRAM_BOUNDS; i++) {
        sum += seconds->counts[i];
        eco_buffer_printf(out, "%s_bucket{%sle=\"%g\"} %" PRIu64 "\n", name, label,
                          eco_histogram_bounds[i], sum);
    }
    sum += seconds->counts[ECO_HISTOGRAM_BOUNDS];
    eco_buffer_printf(out, "%s_bucket{%sle=\"+Inf\"} %" PRIu64 "\n", name, label, sum);
    eco_buffer_printf(out, "%s_sum%s%.*s%s %.9f\n", name, open, length, label, close,
                      (double)seconds->nanoseconds * 1e-9);
    eco_buffer_printf(out, "%s_count%s%.*s%s %" PRIu64 "\n", name, open, length, label, close, sum);
}

static void write_times(struct eco_metrics *metrics, const struct eco_service_stats *stats,
                        struct eco_buffer *out)
{
    eco_buffer_printf(out, "# HELP ecotone_render_seconds Time a render worker took for a tile.\n"
                           "# TYPE ecotone_render_seconds histogram\n");
    write_histogram("ecotone_render_seconds", "", &stats->render_seconds, out);
    eco_buffer_printf(
        out, "# HELP ecotone_http_request_seconds Time from the request line to the end of "
             "the reply.\n"
             "# TYPE ecotone_http_request_seconds histogram\n");
    for (unsigned i = 0; i < ECO_METRICS_CLASSES; i++) {
        struct eco_histogram_snapshot seconds;
        char label[32];

        snprintf(label, sizeof(label), "class=\"%s\",", class_names[i]);
        eco_histogram_read(&metrics->seconds[i], &seconds);
        write_histogram("ecotone_http_request_seconds", label, &seconds, out);
    }
}

static void write_cache(const struct eco_service_stats *stats, struct eco_buffer *out)
{
    const struct number numbers[] = {
        {"ecotone_cache_hits_total", "{tier=\"memory\"}", "counter",
         "Tiles found without a render.", stats->memory_hits},
        {"ecotone_cache_hits_total", "{tier=\"file\"}", NULL, NULL, stats->store_hits},
        {"ecotone_cache_evictions_total", "{tier=\"memory\"}", "counter",
         "Tiles that had to make room.", stats->memory_evicted},
        {"ecotone_cache_evictions_total", "{tier=\"file\"}", NULL, NULL, stats->store_evicted},
        {"ecotone_cache_bytes", "{tier=\"memory\"}", "gauge", "Bytes that the cache takes.",
         stats->memory_bytes},
        {"ecotone_cache_bytes", "{tier=\"file\"}", NULL, NULL, stats->store_bytes},
        {"ecotone_cache_limit_bytes", "", "gauge", "Bytes that the cache file may take.",
         stats->store_limit},
        {"ecotone_blocks_bytes", "", "gauge", "Bytes of eroded blocks in memory.",
         stats->blocks_bytes},
        {"ecotone_blocks_total", "{from=\"erosion\"}", "counter",
         "Eroded blocks that were asked for, by where they came from.", stats->blocks_made},
        {"ecotone_blocks_total", "{from=\"memory\"}", NULL, NULL, stats->blocks_found},
        {"ecotone_blocks_total", "{from=\"file\"}", NULL, NULL, stats->blocks_read},
        {"ecotone_cache_stored_total", "", "counter", "Tiles written into the cache file.",
         stats->store_stored},
        {"ecotone_cache_dropped_total", "", "counter", "Tiles that the cache file did not take.",
         stats->store_dropped},
        {"ecotone_cache_pending", "", "gauge", "Tiles that wait for the cache file.",
         stats->store_pending},
        {"ecotone_cache_open", "", "gauge", "1 while there is a cache file.", stats->store_open},
        {"ecotone_cache_degraded", "", "gauge",
         "1 while the cache file is wanted and cannot be written.", stats->store_degraded},
    };

    write_numbers(out, numbers, sizeof(numbers) / sizeof(numbers[0]));
}

void eco_metrics_write(struct eco_metrics *metrics, const struct eco_service_stats *stats,
                       const struct eco_metrics_state *state, struct eco_buffer *out)
{
    const struct number numbers[] = {
        {"ecotone_renders_total", "", "counter", "Tiles that were drawn.", stats->renders},
        {"ecotone_render_errors_total", "", "counter", "Tiles that could not be drawn.",
         stats->failed},
        {"ecotone_requests_joined_total", "", "counter",
         "Requests that waited for a render under way.", stats->joined},
        {"ecotone_requests_refused_total", "", "counter", "Requests that met a full queue.",
         stats->refused},
        {"ecotone_requests_expired_total", "", "counter", "Requests let go at their deadline.",
         stats->expired},
        {"ecotone_requests_left_total", "", "counter",
         "Requests whose client went away before the tile was drawn.", stats->left},
        {"ecotone_queue_length", "", "gauge", "Jobs that no render worker has begun.",
         stats->waiting},
        {"ecotone_in_flight", "", "gauge", "Tiles being drawn or waiting.", stats->in_flight},
        {"ecotone_connections", "", "gauge", "Connections that are open.", state->connections},
        {"ecotone_connections_turned_away_total", "", "counter",
         "Connections over the limit of an address.", atomic_load(&metrics->turned_away)},
        {"ecotone_requests_limited_total", "", "counter",
         "Requests over the render rate of an address.", atomic_load(&metrics->limited)},
        {"ecotone_access_log_dropped_total", "", "counter",
         "Lines that the access log had no room for.", state->log_dropped},
        {"ecotone_config_reloads_total", "{result=\"done\"}", "counter",
         "Times that the configuration was read again.", atomic_load(&metrics->reloads[1])},
        {"ecotone_config_reloads_total", "{result=\"failed\"}", NULL, NULL,
         atomic_load(&metrics->reloads[0])},
        {"ecotone_ready", "", "gauge", "0 once the server is to end.", state->ready},
    };

    eco_buffer_printf(out, "# HELP ecotone_build_info The version that runs.\n"
                           "# TYPE ecotone_build_info gauge\n"
                           "ecotone_build_info{version=\"" ECO_VERSION "\"} 1\n");
    write_replies(metrics, out);
    write_numbers(out, numbers, sizeof(numbers) / sizeof(numbers[0]));
    write_times(metrics, stats, out);
    write_cache(stats, out);
}

void eco_metrics_write_quotas(const struct eco_cache_quota *quotas, unsigned count,
                              struct eco_buffer *out)
{
    static const char *const heads[] = {
        "# HELP ecotone_cache_world_bytes Bytes of the images of a world that has a quota.\n"
        "# TYPE ecotone_cache_world_bytes gauge\n",
        "# HELP ecotone_cache_world_limit_bytes Its quota.\n"
        "# TYPE ecotone_cache_world_limit_bytes gauge\n",
        "# HELP ecotone_cache_world_evictions_total Images that had to make room for it.\n"
        "# TYPE ecotone_cache_world_evictions_total counter\n",
    };
    static const char *const names[] = {"bytes", "limit_bytes", "evictions_total"};

    for (unsigned k = 0; count > 0 && k < sizeof(names) / sizeof(names[0]); k++) {
        eco_buffer_printf(out, "%s", heads[k]);
        for (unsigned i = 0; i < count; i++) {
            const uint64_t values[] = {quotas[i].bytes, quotas[i].limit, quotas[i].evicted};

            eco_buffer_printf(out, "ecotone_cache_world_%s{world=\"%s\"} %" PRIu64 "\n", names[k],
                              quotas[i].world, values[k]);
        }
    }
}
