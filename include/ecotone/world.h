/*
 * Worlds, and the one question that everything asks of them: eco_world_sample.
 *
 * Every answer is a pure function of (configuration, seed, block, step): any partition of an area,
 * any order, any number of threads gives the same bytes.
 * Coordinates: blocks, +x east, +z south; the world square is [-2^25, 2^25) both ways.
 * Thread rule: a world is constant once opened and may be used by any number of threads; samplers,
 * grids and planes belong to their caller.
 */
#ifndef ECOTONE_WORLD_H
#define ECOTONE_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ecotone/blend.h"
#include "ecotone/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ECO_WORLD_HALF 33554432    /* 2^25: half a side of the world square, blocks */
#define ECO_WORLD_GRID_MAX 1048576 /* largest width and height of a grid, samples */
#define ECO_WORLD_AREA_MAX 4194304 /* most samples of a grid */
#define ECO_WORLD_STEP_MAX 262144  /* 2^18: blocks a sample at zoom 0 */
#define ECO_ZOOM_MAX 18            /* one block a pixel */

/* Samples at x0 + k * step, z0 + l * step for 0 <= k < width, 0 <= l < height. */
struct eco_grid {
    int64_t x0, z0; /* the block of the first sample, at most 2^26 from 0 */
    int64_t step;   /* blocks between samples, 1 .. ECO_WORLD_STEP_MAX */
    uint32_t width, height;
};

/* 0, or ECO_EINVAL and a sentence for a grid outside the limits above. */
int eco_grid_check(const struct eco_grid *grid, struct eco_error *error);

enum eco_field {
    ECO_FIELD_BIOME = 1u << 0,         /* uint8_t: index into the world's biome list */
    ECO_FIELD_HEIGHT = 1u << 1,        /* float: blocks */
    ECO_FIELD_COLOUR = 1u << 2,        /* uint32_t 0xRRGGBB: biome colours mixed by weight */
    ECO_FIELD_WEIGHTS = 1u << 3,       /* float: one plane a biome, sums to 1; for small grids */
    ECO_FIELD_TEMPERATURE = 1u << 4,   /* float: degrees Celsius */
    ECO_FIELD_PRECIPITATION = 1u << 5, /* float: millimetres a year */
    ECO_FIELD_RIVER = 1u << 6,  /* float: 1 in the bed of a river, falling to 0 up its valley */
    ECO_FIELD_TREES = 1u << 7,  /* float: trees on the ground of a sample, step x step blocks: whole
                                   numbers up to step 4, what is expected from there on */
    ECO_FIELD_CELL = 1u << 8,   /* uint64_t: the number of the cell that a sample lies in */
    ECO_FIELD_BORDER = 1u << 9, /* float: 1 - the greatest weight; 0 where one biome weighs alone */
    /* float, 0 to 1: half the sum of the absolute differences of the weights to those of
     * ECO_BLEND_FULL at the same radius. */
    ECO_FIELD_BLEND_ERROR = 1u << 10,
    /* uint16_t: 1 + the biome index of a sample point of the blending that lies nearest to this
     * sample, 0 where there is none. */
    ECO_FIELD_POINTS = 1u << 11,
    ECO_FIELD_SLOPE = 1u << 16, /* float: rise over run to the neighbour that differs most */
    ECO_FIELD_USE = 1u << 17,   /* uint8_t: enum eco_use bits */
};

/* What there is room for, by the slopes of the ground. */
enum eco_use {
    ECO_USE_ACCESS = 1, /* a unit can stand here; whether it can get here, only a window tells */
    ECO_USE_BUILD = 2,  /* a building can stand over this place */
};

/*
 * One array a field that was asked for, NULL otherwise; row by row, width * height each, in memory
 * of the sampler: valid until the sampler is reset or released. The true biome of a block is the
 * one of the greatest blended weight (the lower index where two are equal).
 */
struct eco_planes {
    uint8_t *biome;
    float *height;
    uint32_t *colour;
    float *weights; /* weights[b * width * height + z * width + x], b < the world's biome count */
    float *temperature, *precipitation;
    float *river;
    float *trees;
    uint64_t *cell;
    float *slope;
    uint8_t *use;
    float *border;
    float *blend_error;
    uint16_t *points;
};

struct eco_biome {
    uint16_t id; /* the number that people and tools know the biome by */
    const char *name;
    uint32_t colour;     /* 0xRRGGBB */
    const char *name_de; /* in German; NULL where it has none */
    const char *name_ru; /* in Russian; likewise */
    const char *climate; /* ocean, snowy, cold, temperate, dry or other; NULL where not known */
};

struct eco_config;  /* a loaded configuration, see eco_config_load */
struct eco_world;   /* a world of the configuration, seeded */
struct eco_sampler; /* scratch memory and, perhaps, helpers of one caller */

/* Reads a configuration file. The error has file, line, key, what was found and what is allowed. */
int eco_config_load(const char *path, struct eco_config **out, struct eco_error *error);
void eco_config_free(struct eco_config *config);

/* What may differ from the configuration; NULL members: as configured. */
struct eco_world_options {
    const int64_t *seed;
    const enum eco_blend_method *blend; /* the radius stays that of the configuration */
};

/* Opens the world `name` of `config` (which must outlive it). NULL options: all as configured.
 * ECO_EINVAL for a method of blending that the configuration forbids. */
int eco_world_open(const struct eco_config *config, const char *name,
                   const struct eco_world_options *options, struct eco_world **out,
                   struct eco_error *error);
void eco_world_close(struct eco_world *world);

int64_t eco_world_seed(const struct eco_world *world);
enum eco_blend_method eco_world_blend(const struct eco_world *world);
unsigned eco_world_biome_count(const struct eco_world *world);
/* The biome at an index below the count; its strings live as long as the configuration. */
struct eco_biome eco_world_biome(const struct eco_world *world, unsigned index);

/* A sampler that works in the calling thread only. One a thread. */
int eco_sampler_new(struct eco_sampler **out);
void eco_sampler_reset(struct eco_sampler *sampler);
void eco_sampler_free(struct eco_sampler *sampler);

/*
 * Fills the planes of `mask` (enum eco_field bits). Planes of earlier calls stay valid until the
 * sampler is reset. Errors: ECO_EINVAL for a grid outside its limits, ECO_ENOMEM.
 */
int eco_world_sample(const struct eco_world *world, const struct eco_grid *grid, unsigned mask,
                     struct eco_sampler *sampler, struct eco_planes *planes,
                     struct eco_error *error);

/*
 * A seed as people write it: [+-]digits within int64 is that number, anything else is text hashed
 * as Java's String.hashCode over UTF-16. `text` is UTF-8; a broken sequence counts as U+FFFD.
 * *is_text (may be NULL) tells which it was.
 */
int64_t eco_seed_parse(const char *text, size_t length, bool *is_text);

#ifdef __cplusplus
}
#endif
#endif
