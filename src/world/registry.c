#include <string.h>

#include "world/generator.h"

static const struct eco_generator *const generators[] = {
    &eco_generator_patchwork, &eco_generator_overworld, &eco_generator_relief};

#define GENERATOR_COUNT (sizeof(generators) / sizeof(generators[0]))

static const char *const generator_names[GENERATOR_COUNT + 1] = {"patchwork", "overworld", "relief",
                                                                 NULL};

const struct eco_generator *eco_generator_find(const char *name)
{
    for (size_t i = 0; i < GENERATOR_COUNT; i++) {
        if (strcmp(generators[i]->name, name) == 0)
            return generators[i];
    }
    return NULL;
}

const char *const *eco_generator_names(void)
{
    return generator_names;
}
