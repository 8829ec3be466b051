/*
 * Blending in a game of one's own: the biome source is the game's, libecotone says how much each
 * biome weighs in each block of a chunk. Needs include/ecotone and libecotone.a, nothing else:
 *
 *     cc -Iinclude embed.c libecotone.a -lm
 *
 * Prints, for a chunk, the biome that weighs most in each block, and the height along one row.
 */
#include <stdint.h>
#include <stdio.h>

#include <ecotone/blend.h>
#include <ecotone/lattice.h>
#include <ecotone/noise.h>

#define CHUNK 16

enum biome { MEADOW, FOREST, ROCK, BIOMES };

/* What the game's biome source needs; blending hands it through. */
struct game {
    int64_t seed;
};

/* Any pure function of the place: here two noises, at places that need not be whole. */
static uint16_t biome_at(void *context, double x, double z)
{
    const struct game *game = context;

    if (eco_os2s_noise2(game->seed, x / 90, z / 90) > 0.15F)
        return ROCK;
    return eco_os2s_noise2(game->seed + 1, x / 60, z / 60) > 0 ? FOREST : MEADOW;
}

/* The game's own height of a biome. */
static double height_of(enum biome biome, int64_t seed, double x, double z)
{
    static const double base[BIOMES] = {64, 70, 96}, rough[BIOMES] = {2, 5, 14};

    return base[biome] + rough[biome] * (double)eco_os2s_noise2(seed + 2, x / 40, z / 40);
}

/* Whole chunks of one biome come without weights: it weighs 1 everywhere. */
static double weight_of(const struct eco_blend_chunk *chunk, uint32_t biome, uint32_t x, uint32_t z)
{
    return chunk->weights ? chunk->weights[(biome * chunk->size + z) * chunk->size + x] : 1;
}

static double blended_height(const struct eco_blend_chunk *chunk, int64_t seed, int64_t x0,
                             int64_t z0, uint32_t x, uint32_t z)
{
    double height = 0;

    for (uint32_t b = 0; b < chunk->count; b++)
        height += weight_of(chunk, b, x, z) *
                  height_of((enum biome)chunk->biomes[b], seed, (double)(x0 + x), (double)(z0 + z));
    return height;
}

static char letter_of(const struct eco_blend_chunk *chunk, uint32_t x, uint32_t z)
{
    uint32_t greatest = 0;

    for (uint32_t b = 1; b < chunk->count; b++) {
        if (weight_of(chunk, b, x, z) > weight_of(chunk, greatest, x, z))
            greatest = b;
    }
    return "mFR"[chunk->biomes[greatest]];
}

static void print_chunk(const struct eco_blend_chunk *chunk, int64_t seed, int64_t x0, int64_t z0)
{
    printf("chunk at %lld, %lld: %u biomes, %u questions\n", (long long)x0, (long long)z0,
           chunk->count, chunk->points);
    for (uint32_t z = 0; z < CHUNK; z += 2) {
        for (uint32_t x = 0; x < CHUNK; x++)
            putchar(letter_of(chunk, x, z));
        putchar('\n');
    }
    for (uint32_t x = 0; x < CHUNK; x++)
        printf("%.1f%c", blended_height(chunk, seed, x0, z0, x, 8), x + 1 < CHUNK ? ' ' : '\n');
}

int main(void)
{
    struct game game = {.seed = 20};
    /* A point for 8 x 8 blocks, and transitions about as wide as 2 * 24 blocks. */
    struct eco_blend blend = {.frequency = ECO_LATTICE_SPACING_FREQUENCY / 8, .seed = game.seed};
    const int64_t places[][2] = {{-16, -64}, {16, 48}, {80, -64}};

    blend.padding = 24 - eco_blend_gap(&blend);
    for (unsigned k = 0; k < sizeof(places) / sizeof(places[0]); k++) {
        int64_t x0 = places[k][0], z0 = places[k][1];
        struct eco_blend_chunk chunk;
        struct eco_error error;

        if (eco_blend_chunk_compute(&blend, x0, z0, CHUNK, biome_at, &game, &chunk, &error) != 0) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
        print_chunk(&chunk, game.seed, x0, z0);
        eco_blend_chunk_release(&chunk);
    }
    return 0;
}
