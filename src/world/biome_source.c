#include "world/biome_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "noise/grid.h"

/* Tells the streams of biome noise from those of height noise. */
#define STREAM_BIOME 1u

/* Noise values that are held at once: places times biomes. */
#define VALUES_MAX 4096
#define PLACES_MAX 256

#define SQUARE_AREA 64
#define SQUARE_SIDE 8

/* Biomes whose squares are held at once. */
#define PLANES 16

static int64_t noise_seed(const struct eco_world_config *config, int64_t seed, unsigned biome,
                          unsigned octave)
{
    if (config->noise.sequential_seeds)
        return (int64_t)((uint64_t)seed + biome + (uint64_t)config->biomes_count * octave);
    return eco_seed_derive(seed, (uint64_t)STREAM_BIOME << 32 |
                                     (uint64_t)config->biomes[biome].biome.id << 8 | octave);
}

static int init_legacy(struct eco_biome_source_state *source, const struct eco_world_config *config,
                       int64_t seed)
{
    size_t count = (size_t)source->biomes * source->octaves;

    source->legacy_noises = calloc(count, sizeof(*source->legacy_noises));
    source->legacy = calloc(count, sizeof(*source->legacy));
    if (!source->legacy_noises || !source->legacy)
        return ECO_ENOMEM;
    for (size_t k = 0; k < count; k++) {
        eco_legacy_noise_init(&source->legacy_noises[k],
                              noise_seed(config, seed, (unsigned)(k % source->biomes),
                                         (unsigned)(k / source->biomes)));
        source->legacy[k] = &source->legacy_noises[k];
    }
    return 0;
}

static int init_current(struct eco_biome_source_state *source,
                        const struct eco_world_config *config, int64_t seed)
{
    size_t count = (size_t)source->biomes * source->octaves;

    source->seeds = calloc(count, sizeof(*source->seeds));
    if (!source->seeds)
        return ECO_ENOMEM;
    for (size_t k = 0; k < count; k++)
        source->seeds[k] = noise_seed(config, seed, (unsigned)(k % source->biomes),
                                      (unsigned)(k / source->biomes));
    return 0;
}

int eco_biome_source_init(struct eco_biome_source_state *source,
                          const struct eco_world_config *config, int64_t seed)
{
    *source = (struct eco_biome_source_state){
        .biomes = config->biomes_count,
        .octaves = config->noise.octaves,
        .frequency = config->noise.frequency,
    };
    for (unsigned b = 0; b < source->biomes; b++)
        source->bias[b] = config->biomes[b].bias;
    if (config->noise.generation == ECO_NOISE_OPENSIMPLEX2S_LEGACY)
        return init_legacy(source, config, seed);
    return init_current(source, config, seed);
}

void eco_biome_source_release(struct eco_biome_source_state *source)
{
    free(source->seeds);
    free(source->legacy);
    free(source->legacy_noises);
    source->seeds = NULL;
    source->legacy = NULL;
    source->legacy_noises = NULL;
}

/* Takes the greatest of `values`, one a biome; the lower index where two are equal. */
static uint8_t greatest_of(const struct eco_biome_source_state *source, const double *values)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): each biome has a value */
    double greatest = values[0] + source->bias[0];
    uint8_t winner = 0;

    for (unsigned b = 1; b < source->biomes; b++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        if (values[b] + source->bias[b] > greatest) {
            greatest = values[b] + source->bias[b];
            winner = (uint8_t)b;
        }
    }
    return winner;
}

/*
 * The amplitude of the first octave. The older generation adds octaves undivided, as the article
 * does; the current one divides by the sum of all amplitudes.
 */
static double first_amplitude(const struct eco_biome_source_state *source)
{
    return source->legacy ? 1.0 : 1.0 / (2.0 - ldexp(1.0, 1 - (int)source->octaves));
}

/* Octaves that a step can show, but at least the first. */
static unsigned octaves_shown(const struct eco_biome_source_state *source, int64_t step)
{
    unsigned octaves = 1;

    while (octaves < source->octaves &&
           source->frequency * (double)(1u << octaves) * (double)step <= 0.5)
        octaves++;
    return octaves;
}

/* Adds one octave of every biome at each place; count * biomes is at most VALUES_MAX. */
static void add_octave(const struct eco_biome_source_state *source, unsigned octave,
                       const double *x, const double *z, size_t count, double *sums)
{
    size_t first = (size_t)octave * source->biomes, all = count * source->biomes;
    double amplitude = ldexp(first_amplitude(source), -(int)octave);
    double frequency = ldexp(source->frequency, (int)octave);

    if (source->legacy) {
        double values[VALUES_MAX];

        eco_legacy_noise2_points(source->legacy + first, source->biomes, x, z, count, frequency,
                                 values);
        for (size_t k = 0; k < all; k++)
            sums[k] += values[k] * amplitude;
    } else {
        float values[VALUES_MAX];

        eco_os2s_noise2_points(source->seeds + first, source->biomes, x, z, count, frequency,
                               values);
        for (size_t k = 0; k < all; k++)
            sums[k] += (double)values[k] * amplitude;
    }
}

static void ask_batch(const struct eco_biome_source_state *source, unsigned octaves,
                      const double *x, const double *z, size_t count, uint8_t *biomes)
{
    double sums[VALUES_MAX];

    for (size_t k = 0; k < count * source->biomes; k++)
        sums[k] = 0.0;
    for (unsigned octave = 0; octave < octaves; octave++)
        add_octave(source, octave, x, z, count, sums);
    for (size_t k = 0; k < count; k++)
        biomes[k] = greatest_of(source, sums + k * source->biomes);
}

static void ask_places(const struct eco_biome_source_state *source, unsigned octaves,
                       const double *x, const double *z, size_t count, uint8_t *biomes)
{
    size_t most =
        VALUES_MAX / source->biomes < PLACES_MAX ? VALUES_MAX / source->biomes : PLACES_MAX;

    for (size_t k = 0; k < count; k += most)
        ask_batch(source, octaves, x + k, z + k, count - k < most ? count - k : most, biomes + k);
}

void eco_biome_source_points(const struct eco_biome_source_state *source, const double *x,
                             const double *z, size_t count, uint8_t *biomes)
{
    /* What no block could show is left out, which also keeps coordinates of noise in their range.
     */
    ask_places(source, octaves_shown(source, 1), x, z, count, biomes);
}

/* Sums of the octaves of up to PLANES biomes from `first` on, a plane of the square each. */
static void sum_planes(const struct eco_biome_source_state *source, unsigned first, unsigned count,
                       int64_t x, int64_t z, int64_t step, float sums[PLANES][SQUARE_AREA])
{
    unsigned octaves = octaves_shown(source, step);
    float values[PLANES][SQUARE_AREA];

    memset(sums, 0, count * sizeof(*sums));
    for (unsigned octave = 0; octave < octaves; octave++) {
        double frequency = ldexp(source->frequency, (int)octave);
        float amplitude = (float)ldexp(first_amplitude(source), -(int)octave);

        eco_os2s_noise2_grid_many(source->seeds + (size_t)octave * source->biomes + first, count,
                                  (double)x * frequency, (double)step * frequency,
                                  (double)z * frequency, (double)step * frequency, SQUARE_SIDE,
                                  SQUARE_SIDE, values[0], SQUARE_SIDE);
        for (unsigned b = 0; b < count; b++) {
            for (unsigned k = 0; k < SQUARE_AREA; k++)
                sums[b][k] += amplitude * values[b][k];
        }
    }
}

static void current_square(const struct eco_biome_source_state *source, int64_t x, int64_t z,
                           int64_t step, uint8_t biomes[SQUARE_AREA])
{
    float greatest[SQUARE_AREA], sums[PLANES][SQUARE_AREA];

    for (unsigned k = 0; k < SQUARE_AREA; k++)
        greatest[k] = -INFINITY;
    for (unsigned first = 0; first < source->biomes; first += PLANES) {
        unsigned count = source->biomes - first < PLANES ? source->biomes - first : PLANES;

        sum_planes(source, first, count, x, z, step, sums);
        for (unsigned b = 0; b < count; b++) {
            float bias = (float)source->bias[first + b];

            for (unsigned k = 0; k < SQUARE_AREA; k++) {
                bool greater = sums[b][k] + bias > greatest[k];

                greatest[k] = greater ? sums[b][k] + bias : greatest[k];
                biomes[k] = greater ? (uint8_t)(first + b) : biomes[k];
            }
        }
    }
}

void eco_biome_source_square(const struct eco_biome_source_state *source, int64_t x, int64_t z,
                             int64_t step, uint8_t biomes[SQUARE_AREA])
{
    double places_x[SQUARE_AREA], places_z[SQUARE_AREA];

    if (source->seeds) {
        current_square(source, x, z, step, biomes);
        return;
    }
    for (int k = 0; k < SQUARE_AREA; k++) {
        places_x[k] = (double)(x + k % SQUARE_SIDE * step);
        places_z[k] = (double)(z + k / SQUARE_SIDE * step);
    }
    ask_places(source, octaves_shown(source, step), places_x, places_z, SQUARE_AREA, biomes);
}
