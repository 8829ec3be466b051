/* The worlds of the shipped configuration, for tests: setup, teardown, and what most of them ask.
 * Included by one file a program, after cmocka. */
#ifndef ECO_TESTS_WORLD_FIXTURE_H
#define ECO_TESTS_WORLD_FIXTURE_H

#include "ecotone/ecotone.h"

static struct eco_config *config;
static struct eco_sampler *scratch; /* empty it before it is used */

static inline int load_config(void **state)
{
    struct eco_error error;

    (void)state;
    if (eco_config_load("config/ecotone.yaml", &config, &error)) {
        print_error("%s\n", error.text);
        return -1;
    }
    return eco_sampler_new(&scratch);
}

static inline int free_config(void **state)
{
    (void)state;
    eco_sampler_free(scratch);
    eco_config_free(config);
    return 0;
}

static inline struct eco_world *open_world(const char *name)
{
    struct eco_world *world;

    assert_int_equal(eco_world_open(config, name, NULL, &world, NULL), 0);
    return world;
}

static inline struct eco_sampler *new_sampler(void)
{
    struct eco_sampler *sampler;

    assert_int_equal(eco_sampler_new(&sampler), 0);
    return sampler;
}

/* The overworld of a configuration, of another seed. */
static inline struct eco_world *open_overworld(const struct eco_config *from, int64_t seed)
{
    const struct eco_world_options options = {.seed = &seed};
    struct eco_world *world;

    assert_int_equal(eco_world_open(from, "overworld", &options, &world, NULL), 0);
    return world;
}

static inline struct eco_planes sample(const struct eco_world *world, const struct eco_grid *grid,
                                       unsigned mask, struct eco_sampler *sampler)
{
    struct eco_planes planes;
    struct eco_error error;

    if (eco_world_sample(world, grid, mask, sampler, &planes, &error))
        fail_msg("%s", error.text);
    return planes;
}

#endif
