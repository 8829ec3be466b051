/* The two biome sources of the golden files, see tests/golden/README.md. */
#ifndef ECO_TESTS_BIOME_SOURCES_H
#define ECO_TESTS_BIOME_SOURCES_H

#include <math.h>
#include <string.h>

#include "ecotone/blend.h"
#include "ecotone/noise.h"

struct demo_source {
    struct eco_legacy_noise noises[4][3];
};

static inline void demo_source_init(struct demo_source *demo, int64_t seed)
{
    for (int biome = 0; biome < 4; biome++) {
        for (int octave = 0; octave < 3; octave++)
            eco_legacy_noise_init(&demo->noises[biome][octave], seed + biome + 4 * octave);
    }
}

static inline uint16_t demo_biome(void *context, double x, double z)
{
    struct demo_source *demo = context;
    double greatest = -INFINITY;
    uint16_t winner = 0;

    for (uint16_t biome = 0; biome < 4; biome++) {
        double sum = 0.0, amplitude = 1.0, frequency = 0.002;

        for (int octave = 0; octave < 3; octave++) {
            sum += amplitude *
                   eco_legacy_noise2(&demo->noises[biome][octave], x * frequency, z * frequency);
            amplitude *= 0.5;
            frequency *= 2.0;
        }
        if (sum > greatest) {
            greatest = sum;
            winner = biome;
        }
    }
    return winner;
}

static inline uint16_t analytic_biome(void *context, double x, double z)
{
    long value = (long)floor(x / 37) + 3 * (long)floor(z / 53);

    (void)context;
    return (uint16_t)((value % 5 + 5) % 5);
}

static inline eco_biome_source source_named(const char *name)
{
    return strcmp(name, "demo") == 0 ? demo_biome : analytic_biome;
}

#endif
