#include "world/biome_source.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/hash.h"

/* Tells the streams of biome noise from those of height noise. */
#define STREAM_BIOME 1u

static int init_legacy(struct eco_biome_source_state *source, const struct eco_world_config *config,
                       int64_t seed)
{
    source->legacy = calloc((size_t)source->biomes * source->octaves, sizeof(*source->legacy));
    if (!source->legacy)
        return ECO_ENOMEM;
    for (unsigned b = 0; b < source->biomes; b++) {
        for (unsigned octave = 0; octave < source->octaves; octave++) {
            uint64_t own = (uint64_t)seed + b + (uint64_t)source->biomes * octave;

            if (!config->noise.sequential_seeds)
                own = (uint64_t)eco_seed_derive(
                    seed, (uint64_t)STREAM_BIOME << 32 | (uint64_t)config->biomes[b].biome.id << 8 |
                              octave);
            eco_legacy_noise_init(&source->legacy[b * source->octaves + octave], (int64_t)own);
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
        for (unsigned octave = 0; octave < source->octaves; octave++) {
            uint64_t own = (uint64_t)seed + b + (uint64_t)source->biomes * octave;

            if (!config->noise.sequential_seeds)
                own = (uint64_t)eco_seed_derive(
                    seed, (uint64_t)STREAM_BIOME << 32 | (uint64_t)config->biomes[b].biome.id << 8 |
                              octave);
            fractal->seeds[octave] = (int64_t)own;
        }
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
    source->fractals = NULL;
    source->legacy = NULL;
}

/* The sum of a biome's first octaves, not divided, as the article adds them. */
static double legacy_value(const struct eco_biome_source_state *source, unsigned biome,
                           unsigned octaves, double x, double z)
{
    const struct eco_legacy_noise *noise = source->legacy + (size_t)biome * source->octaves;
    double amplitude = 1.0, frequency = source->frequency, sum = 0.0;

    for (unsigned octave = 0; octave < octaves; octave++) {
        sum += eco_legacy_noise2(&noise[octave], x * frequency, z * frequency) * amplitude;
        amplitude *= 0.5;
        frequency *= 2.0;
    }
    return sum;
}

static uint8_t legacy_biome(const struct eco_biome_source_state *source, unsigned octaves, double x,
                            double z)
{
    double greatest = 0.0;
    uint8_t winner = 0;

    for (unsigned b = 0; b < source->biomes; b++) {
        double value = legacy_value(source, b, octaves, x, z) + source->bias[b];

        if (b == 0 || value > greatest) {
            greatest = value;
            winner = (uint8_t)b;
        }
    }
    return winner;
}

static uint8_t current_biome(const struct eco_biome_source_state *source, double x, double z)
{
    double greatest = 0.0;
    uint8_t winner = 0;

    for (unsigned b = 0; b < source->biomes; b++) {
        double value = (double)eco_fractal_point(&source->fractals[b], x, z) + source->bias[b];

        if (b == 0 || value > greatest) {
            greatest = value;
            winner = (uint8_t)b;
        }
    }
    return winner;
}

void eco_biome_source_points(const struct eco_biome_source_state *source, const double *x,
                             const double *z, size_t count, uint8_t *biomes)
{
    for (size_t k = 0; k < count; k++)
        biomes[k] = source->legacy ? legacy_biome(source, source->octaves, x[k], z[k])
                                   : current_biome(source, x[k], z[k]);
}

static void legacy_square(const struct eco_biome_source_state *source, int64_t x, int64_t z,
                          int64_t step, uint8_t biomes[64])
{
    unsigned octaves = 1;

    while (octaves < source->octaves &&
           source->frequency * (double)(1u << octaves) * (double)step <= 0.5)
        octaves++;
    for (int row = 0; row < 8; row++) {
        for (int column = 0; column < 8; column++)
            biomes[row * 8 + column] = legacy_biome(source, octaves, (double)(x + column * step),
                                                    (double)(z + row * step));
    }
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
