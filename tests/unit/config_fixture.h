/* Configurations of one world, right ones to be read and broken ones with their errors.
 * Included by one file a program, after cmocka. */
#ifndef ECO_TESTS_CONFIG_FIXTURE_H
#define ECO_TESTS_CONFIG_FIXTURE_H

#include <string.h>

#include "world/config.h"

#define BIOMES "  biomes: [{id: 1, name: A, colour: \"#112233\"}]\n"
/* A right configuration with `lines` in its only world, from line 4 on. */
#define WORLD(lines) "worlds:\n- name: a\n  generator: patchwork\n" lines BIOMES
/* The same with another list of biomes. */
#define WORLD_BIOMES(biomes) "worlds:\n- name: a\n  generator: patchwork\n  biomes:\n" biomes
#define BIOME(lines) WORLD_BIOMES("  - id: 1\n    name: A\n    colour: \"#112233\"\n" lines)

static inline struct eco_config *parse(const char *text)
{
    struct eco_config *config = NULL;
    struct eco_error error = {0};

    if (eco_config_parse(text, strlen(text), "c.yaml", &config, &error) != 0)
        fail_msg("%s\n%s", error.text, text);
    return config;
}

struct broken {
    const char *text;
    const char *error;
};

static inline void check_broken(const struct broken *cases, size_t count)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < count; i++) {
        struct eco_config *config = (struct eco_config *)&config;
        struct eco_error error = {0};
        int code =
            eco_config_parse(cases[i].text, strlen(cases[i].text), "c.yaml", &config, &error);

        if (code == ECO_ECONFIG && error.code == code && !config &&
            strcmp(error.text, cases[i].error) == 0)
            continue;
        wrong++;
        print_error("%s--- gives (%d)\n%s\n--- instead of\n%s\n\n", cases[i].text, code, error.text,
                    cases[i].error);
        if (code == 0)
            eco_config_free(config);
    }
    assert_int_equal(wrong, 0);
}

#define CHECK(cases) check_broken(cases, sizeof(cases) / sizeof(cases[0]))

#endif
