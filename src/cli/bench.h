/* The measurements of `ecotone bench`, and what they share. */
#ifndef ECO_CLI_BENCH_H
#define ECO_CLI_BENCH_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "serve/pool.h"
#include "world/biome_source.h"

#define ECO_BENCH_LIST_MAX 8

/* A list of numbers of the command line, such as "4,8". */
struct eco_bench_list {
    int64_t values[ECO_BENCH_LIST_MAX];
    unsigned count;
};

struct eco_bench_options {
    const char *config_path, *world;                /* of tiles */
    struct eco_bench_list threads, zooms;           /* zooms: of tiles */
    struct eco_bench_list intervals, radii, chunks; /* of blend; the first two also of quality */
    struct eco_bench_list methods;                  /* enum eco_blend_method, of both */
    int64_t repeats;                                /* maps or tiles a row */
    bool json;
};

/* Appends a row to `rows` for each combination. */
int eco_bench_blend(const struct eco_bench_options *options, json_t *rows, struct eco_error *error);
int eco_bench_quality(const struct eco_bench_options *options, json_t *rows,
                      struct eco_error *error);
int eco_bench_tiles(const struct eco_bench_options *options, json_t *rows, struct eco_error *error);
/* A row for each terrain and erosion. */
int eco_bench_relief(const struct eco_bench_options *options, json_t *rows,
                     struct eco_error *error);

/*
 * Runs `run` once in a worker of a new pool of `threads`, whose other workers help with its jobs.
 * Returns what it returned.
 */
int eco_bench_run(unsigned threads, int (*run)(void *context, struct eco_worker *worker),
                  void *context, struct eco_error *error);

/* The article's demonstration: four biomes, three octaves, seeds one higher from map to map. */
int eco_bench_source_init(struct eco_biome_source_state *source, int64_t map);
/* Its blending: points of this interval, a kernel of exactly this radius. ECO_EINVAL where the
 * radius does not reach over the method's gap. */
int eco_bench_blend_init(struct eco_blend *blend, enum eco_blend_method method, int64_t interval,
                         int64_t radius, int64_t map, struct eco_error *error);

/* Whether rows of this method differ by interval. */
static inline bool eco_bench_has_interval(enum eco_blend_method method)
{
    return method != ECO_BLEND_FULL && method != ECO_BLEND_NONE;
}

/* Sorts and returns the middle value. */
double eco_bench_median(double *values, unsigned count);

#endif
