/* Any bytes as a configuration: an error with a text, or worlds that keep their ranges. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "world/config.h"

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_biome(const struct eco_biome_config *biome)
{
    require(biome->biome.name[0] != '\0' && biome->biome.colour <= 0xFFFFFF);
    require(isfinite(biome->bias));
}

/* Biomes of the other generators come with heights of their own. */
static void check_height(const struct eco_height_formula *height)
{
    require(height->shape <= ECO_SHAPE_DUNES);
    require(height->octaves >= 1 && height->octaves <= ECO_OCTAVES_MAX);
    require(height->steps >= 2);
    require(height->wavelength >= ECO_WAVELENGTH_MIN && height->wavelength <= ECO_WAVELENGTH_MAX);
    require(height->base - height->amplitude >= ECO_HEIGHT_MIN);
    require(height->base + height->amplitude <= ECO_HEIGHT_MAX);
}

static void check_world(const struct eco_config *config, const struct eco_world_config *world)
{
    size_t length = strlen(world->name);

    require(length >= 1 && length <= ECO_NAME_MAX);
    require(eco_config_world(config, world->name) == world);
    require(strlen(world->title) >= 1 && strlen(world->seed_text) <= ECO_SEED_TEXT_MAX);
    require(world->height_low < world->height_high);
    require(world->minzoom <= world->home_zoom && world->home_zoom <= ECO_ZOOM_MAX);
    require(world->noise.octaves >= 1 && world->noise.octaves <= ECO_OCTAVES_MAX);
    require(world->noise.frequency > 0 && world->noise.frequency <= 0.5);
    require(world->blend.frequency > 0.0029 && world->blend.frequency < 0.38);
    require(world->blend.padding >= 0 && world->blend.padding <= ECO_PADDING_MAX);
    require(world->blend.chunk == 8 || world->blend.chunk == 16 || world->blend.chunk == 32 ||
            world->blend.chunk == 64);
    require(world->biomes_count >= 1 && world->biomes_count <= ECO_BIOMES_MAX);
    for (unsigned b = 0; b < world->biomes_count; b++)
        check_biome(&world->biomes[b]);
    for (unsigned b = 0; b < world->biomes_count && strcmp(world->generator, "patchwork") == 0; b++)
        check_height(&world->biomes[b].height);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct eco_config *config = NULL;
    struct eco_error error = {0};
    int code = eco_config_parse((const char *)data, size, "c.yaml", &config, &error);

    if (code != 0) {
        require(code == ECO_ECONFIG && error.code == code && !config);
        require(strncmp(error.text, "c.yaml:", 7) == 0 && error.text[7] != '\0');
        return 0;
    }
    require(config->worlds_count >= 1 && config->worlds_count <= ECO_WORLDS_MAX);
    require(config->server.queue >= 1 && config->server.threads <= ECO_THREADS_MAX);
    for (unsigned w = 0; w < config->worlds_count; w++)
        check_world(config, &config->worlds[w]);
    eco_config_free(config);
    return 0;
}
