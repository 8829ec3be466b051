#include "world/biome_source.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/hash.h"
#include "noise/grid.h"

/* Tells the streams of biome noise from those of height noise. */
#define STREAM_BIOME 1u

#define POINTS_A_BATCH 64

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

    source->legacy = calloc(count, sizeof(*source->legacy));
    source->legacy_list = calloc(count, sizeof(*source->legacy_list));
    if (!source->legacy || !source->legacy_list)
        return ECO_ENOMEM;
    for (unsigned octave = 0; octave < source->octaves; octave++) {
        for (unsigned b = 0; b < source->biomes; b++) {
            size_t k = (size_t)octave * source->biomes + b;

            eco_legacy_noise_init(&source->legacy[k], noise_seed(config, seed, b, octave));
            source->legacy_list[k] = &source->legacy[k];
        }
    }
    return 0;
}

static int init_current(struct eco_biome_source_state *source,
                        const struct eco_world_config *config, int64_t seed)
{
    source->fractals = calloc(source->biomes, sizeof(*source->fractals));
    if (!source->fractals)
        return ECO_ENOMEM;
    for (unsigned b = 0; b < source->biomes; b++) {
        struct eco_fractal *fractal = &source->fractals[b];

        fractal->fold = ECO_FOLD_NONE;
        fractal->octaves = source->octaves;
        fractal->frequency_x = source->frequency;
        fractal->frequency_z = source->frequency;
        for (unsigned octave = 0; octave < source->octaves; octave++)
            fractal->seeds[octave] = noise_seed(config, seed, b, octave);
    }
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
    free(source->fractals);
    free(source->legacy);
    free(source->legacy_list);
    source->fractals = NULL;
    source->legacy = NULL;
    source->legacy_list = NULL;
}

/* Takes the greatest of `values`, one a biome; the lower index where two are equal. */
static uint8_t greatest_of(const struct eco_biome_source_state *source, const double *values)
{
    double greatest = values[0] + source->bias[0];
    uint8_t winner = 0;

    for (unsigned b = 1; b < source->biomes; b++) {
        if (values[b] + source->bias[b] > greatest) {
            greatest = values[b] + source->bias[b];
            winner = (uint8_t)b;
        }
    }
    return winner;
}

/* At most POINTS_A_BATCH places. Octaves are added undivided, as the article adds them. */
static void legacy_batch(const struct eco_biome_source_state *source, unsigned octaves,
                         const double *x, const double *z, size_t count, uint8_t *biomes)
{
    double sums[POINTS_A_BATCH * ECO_BIOMES_MAX], values[POINTS_A_BATCH * ECO_BIOMES_MAX];
    double frequency = source->frequency, amplitude = 1.0;
    size_t all = count * source->biomes;

    for (size_t k = 0; k < all; k++)
        sums[k] = 0.0;
    for (unsigned octave = 0; octave < octaves; octave++) {
        eco_legacy_noise2_points(source->legacy_list + (size_t)octave * source->biomes,
                                 source->biomes, x, z, count, frequency, values);
        for (size_t k = 0; k < all; k++)
            sums[k] += values[k] * amplitude;
        frequency *= 2.0;
        amplitude *= 0.5;
    }
    for (size_t k = 0; k < count; k++)
        biomes[k] = greatest_of(source, sums + k * source->biomes);
}

static uint8_t current_biome(const struct eco_biome_source_state *source, double x, double z)
{
    double values[ECO_BIOMES_MAX];

    for (unsigned b = 0; b < source->biomes; b++)
        values[b] = (double)eco_fractal_point(&source->fractals[b], x, z);
    return greatest_of(source, values);
}

void eco_biome_source_points(const struct eco_biome_source_state *source, const double *x,
                             const double *z, size_t count, uint8_t *biomes)
{
    for (size_t k = 0; source->fractals && k < count; k++)
        biomes[k] = current_biome(source, x[k], z[k]);
    for (size_t k = 0; source->legacy && k < count; k += POINTS_A_BATCH)
        legacy_batch(source, source->octaves, x + k, z + k,
                     count - k < POINTS_A_BATCH ? count - k : POINTS_A_BATCH, biomes + k);
}

static void legacy_square(const struct eco_biome_source_state *source, int64_t x, int64_t z,
                          int64_t step, uint8_t biomes[64])
{
    double places_x[64], places_z[64];
    unsigned octaves = 1;

    while (octaves < source->octaves &&
           source->frequency * (double)(1u << octaves) * (double)step <= 0.5)
        octaves++;
    for (int k = 0; k < 64; k++) {
        places_x[k] = (double)(x + k % 8 * step);
        places_z[k] = (double)(z + k / 8 * step);
    }
    legacy_batch(source, octaves, places_x, places_z, 64, biomes);
}

void eco_biome_source_square(const struct eco_biome_source_state *source, int64_t x, int64_t z,
                             int64_t step, uint8_t biomes[64])
{
    float greatest[64], value[64];

    if (source->legacy) {
        legacy_square(source, x, z, step, biomes);
        return;
    }
    for (unsigned b = 0; b < source->biomes; b++) {
        float bias = (float)source->bias[b];

        eco_fractal_square(&source->fractals[b], x, z, step, 1, value);
        for (unsigned k = 0; k < 64; k++) {
            if (b == 0 || value[k] + bias > greatest[k]) {
                greatest[k] = value[k] + bias;
                biomes[k] = (uint8_t)b;
            }
        }
    }
}
