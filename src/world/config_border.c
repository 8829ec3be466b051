#include "world/border.h"
#include "world/config_schema.h"

#define MEMBER(member) ECO_CONFIG_MEMBER(struct eco_border, member)

static const struct eco_config_key center_keys[] = {
    {.name = "x", MEMBER(x), ECO_CONFIG_BLOCK},
    {.name = "z", MEMBER(z), ECO_CONFIG_BLOCK},
};

static const struct eco_config_section center_section =
    ECO_CONFIG_SECTION(center_keys, 0, NULL, NULL);

static const struct eco_config_key border_keys[] = {
    {.name = "center", .kind = ECO_KEY_SECTION, .section = &center_section},
    {.name = "diameter",
     .kind = ECO_KEY_NUMBER,
     MEMBER(diameter),
     .fallback = "60000000",
     .unit = "blocks",
     .low = 1,
     .high = 2.0 * ECO_WORLD_HALF},
    {.name = "target",
     .kind = ECO_KEY_NUMBER,
     MEMBER(target),
     .optional = true,
     .unit = "blocks",
     .low = 1,
     .high = 2.0 * ECO_WORLD_HALF},
    {.name = "seconds",
     .kind = ECO_KEY_NUMBER,
     MEMBER(seconds),
     .fallback = "0",
     .unit = "seconds",
     .high = 1e9},
    {.name = "warning_distance",
     .kind = ECO_KEY_NUMBER,
     MEMBER(warning_distance),
     .fallback = "5",
     .unit = "blocks",
     .high = 2.0 * ECO_WORLD_HALF},
};

static int border_finish(struct eco_config_reader *reader, yaml_node_t *mapping, void *object)
{
    struct eco_border *border = object;

    (void)reader;
    (void)mapping;
    if (border->target == 0.0)
        border->target = border->diameter;
    return 0;
}

const struct eco_config_section eco_config_section_border =
    ECO_CONFIG_SECTION(border_keys, 0, NULL, border_finish);
