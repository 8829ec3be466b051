/* Whole pictures by the tile engine, for the tests of its methods. */
#ifndef ECO_TESTS_BLEND_PICTURE_H
#define ECO_TESTS_BLEND_PICTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "biome_sources.h"
#include "blend/area.h"

#define BIOMES 5

static uint64_t random_state = 11;

static inline double random_between(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

static inline int64_t random_whole(int64_t low, int64_t high)
{
    return low + (int64_t)random_between(0, (double)(high - low + 1));
}

/* Patches of 2 to 10 blocks: borders everywhere. */
static inline uint16_t small_patches(void *context, double x, double z)
{
    int64_t cell_x = (int64_t)floor(x / 10), cell_z = (int64_t)floor(z / 7);
    uint64_t hash = (uint64_t)cell_x * 0x9E3779B97F4A7C15u ^ (uint64_t)cell_z * 0xC2B2AE3D27D4EB4Fu;

    (void)context;
    hash ^= (uint64_t)(int64_t)floor((x + z) / 9) * 0x165667B19E3779F9u;
    return (uint16_t)((hash >> 40) % BIOMES);
}

/* A grid with its weights, of `blend` and of `against`, a plane a biome each. */
struct picture {
    struct eco_grid grid;
    eco_biome_source source;
    float *weights, *against;
    uint8_t *points; /* 1 + biome of a point near the sample */
    size_t handed, asked;
};

static inline void ask(void *context, const double *x, const double *z, size_t count,
                       uint8_t *biomes)
{
    struct picture *picture = context;

    for (size_t k = 0; k < count; k++)
        biomes[k] = (uint8_t)picture->source(NULL, x[k], z[k]);
    picture->asked += count;
}

static inline void put(const struct picture *picture, const struct eco_square_place *place,
                       const struct eco_square *square, float *weights)
{
    size_t area = (size_t)picture->grid.width * picture->grid.height;

    for (int row = place->first_row; row < place->end_row; row++) {
        for (int column = place->first_column; column < place->end_column; column++) {
            size_t to =
                (size_t)(place->z + row) * picture->grid.width + (size_t)(place->x + column);

            for (unsigned b = 0; b < square->count; b++)
                weights[square->biomes[b] * area + to] =
                    square->weights ? square->weights[b][row * 8 + column] : 1.0f;
        }
    }
}

static inline void take(void *context, const struct eco_square_place *place,
                        const struct eco_square *square, const struct eco_square *against)
{
    struct picture *picture = context;

    put(picture, place, square, picture->weights);
    if (against)
        put(picture, place, against, picture->against);
    picture->handed += (size_t)(place->end_row - place->first_row) *
                       (size_t)(place->end_column - place->first_column);
}

static inline void take_point(void *context, uint32_t column, uint32_t row, uint8_t biome)
{
    struct picture *picture = context;

    assert_true(column < picture->grid.width && row < picture->grid.height);
    picture->points[(size_t)row * picture->grid.width + column] = (uint8_t)(biome + 1);
}

static inline int run_backwards(struct eco_executor *self, size_t count, eco_job job, void *context,
                                struct eco_arena *arena)
{
    int code = 0;

    (void)self;
    while (!code && count-- > 0) {
        struct eco_arena_mark mark = eco_arena_mark(arena);

        code = job(context, count, arena);
        eco_arena_rewind(arena, mark);
    }
    return code;
}

static inline struct picture blend_grid(const struct eco_blend *blend,
                                        const struct eco_blend *against, eco_biome_source source,
                                        const struct eco_grid *grid, unsigned chunk, bool backwards)
{
    struct eco_executor executor = {run_backwards};
    size_t area = (size_t)grid->width * grid->height;
    struct picture picture = {*grid, source, NULL, NULL, NULL, 0, 0};
    struct eco_blend_area work = {
        .grid = grid,
        .chunk = chunk,
        .blend = blend,
        .against = against,
        .ask = ask,
        .take = take,
        .point = take_point,
        .context = &picture,
    };
    struct eco_arena arena;
    struct eco_error error;

    picture.weights = calloc(area * BIOMES, sizeof(float));
    picture.against = calloc(area * BIOMES, sizeof(float));
    picture.points = calloc(area, 1);
    assert_true(picture.weights && picture.against && picture.points);
    eco_arena_init(&arena);
    if (eco_blend_area_run(&work, backwards ? &executor : NULL, &arena, &error))
        fail_msg("%s", error.text);
    eco_arena_release(&arena);
    assert_int_equal(picture.handed, area);
    assert_int_equal(picture.asked, work.points_asked);
    return picture;
}

static inline void free_picture(struct picture *picture)
{
    free(picture->weights);
    free(picture->against);
    free(picture->points);
}

static inline struct eco_blend blend_by(enum eco_blend_method method)
{
    struct eco_blend blend = {
        .frequency = ECO_LATTICE_SPACING_FREQUENCY / 6, .padding = 8, .seed = 3, .interval = 6};

    return eco_blend_by(&blend, method);
}

#endif
