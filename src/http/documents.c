#include "http/documents.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ecotone/ecotone.h"
#include "http/json.h"
#include "world/generator.h"

#define MERCATOR_LATITUDE_MAX 85.0511287798066

void eco_version_text(uint64_t version, char text[ECO_VERSION_TEXT_MAX])
{
    snprintf(text, ECO_VERSION_TEXT_MAX, "%016" PRIx64, version);
}

static json_t *version_of(const struct eco_world_config *world, int64_t seed)
{
    char text[ECO_VERSION_TEXT_MAX];

    eco_version_text(eco_service_world_version(world, seed), text);
    return json_string(text);
}

static json_t *biome_list(const struct eco_world_config *world)
{
    json_t *list = json_array();

    for (unsigned i = 0; list && i < world->biomes_count; i++) {
        if (json_array_append_new(list, eco_json_biome(&world->biomes[i].biome)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

/* Marks of a ramp, or labels with their colours. */
static json_t *legend_object(const struct eco_legend *legend)
{
    json_t *list = json_array();

    for (unsigned k = 0; list && k < legend->count; k++) {
        const struct eco_legend_stop *stop = &legend->stops[k];
        json_t *item = stop->label ? json_pack("{s:s,s:o}", "label", stop->label, "colour",
                                               eco_json_colour(stop->colour))
                                   : json_pack("{s:f,s:o}", "value", (double)stop->value, "colour",
                                               eco_json_colour(stop->colour));

        if (json_array_append_new(list, item) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return json_pack("{s:s,s:o}", "unit", legend->unit, "stops", list);
}

/* Adds to a layer of data, or its TileJSON, what its pixels mean. False: no memory. */
static bool add_formula(json_t *object, const struct eco_world_config *world, enum eco_layer layer)
{
    char formula[128];

    if (!eco_layer_is_data(layer))
        return true;
    eco_layer_formula(layer, world, formula, sizeof(formula));
    return json_object_set_new(object, "data", json_true()) == 0 &&
           json_object_set_new(object, "formula", json_string(formula)) == 0;
}

static json_t *layer_list(const struct eco_world_config *world)
{
    json_t *list = json_array();

    for (int layer = 0; list && layer < ECO_LAYER_COUNT; layer++) {
        if (!eco_layer_available((enum eco_layer)layer, world))
            continue;
        json_t *item = json_pack("{s:s,s:s}", "name", eco_layer_name((enum eco_layer)layer),
                                 "title", eco_layer_title((enum eco_layer)layer));
        const struct eco_legend *legend = eco_layer_legend((enum eco_layer)layer);
        if (item && legend)
            json_object_set_new(item, "legend", legend_object(legend));
        if ((item && !add_formula(item, world, (enum eco_layer)layer)) ||
            json_array_append_new(list, item) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

/* How the world may be blended: the configured way first, the others where they may be asked for.
 */
static json_t *method_list(const struct eco_world_config *world)
{
    json_t *list = json_pack("[s]", eco_blend_method_name(world->blend.method));

    for (int method = 0; list && world->blend.override && method < ECO_BLEND_METHODS; method++) {
        const char *name = eco_blend_method_name((enum eco_blend_method)method);

        if (method != (int)world->blend.method &&
            json_array_append_new(list, json_string(name)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

/* "any", "fixed", or the seeds as written, the world's own first. */
static json_t *seeds_of(const struct eco_world_config *world)
{
    const struct eco_seeds_config *seeds = &world->seeds;
    json_t *list;

    if (seeds->rule)
        return json_string(seeds->rule);
    list = json_array();
    if (list)
        json_array_append_new(list, json_string(world->seed_text));
    for (unsigned i = 0; list && i < seeds->count; i++) {
        if (json_array_append_new(list, json_string(seeds->texts[i])) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *world_object(const struct eco_world_config *world)
{
    const struct eco_generator *generator = eco_generator_find(world->generator);
    const struct eco_blend blend = {.frequency = world->blend.frequency,
                                    .padding = world->blend.padding};

    return json_pack(
        "{s:s,s:s,s:o,s:s,s:o,s:o,s:f,s:f,s:f,s:i,s:i,s:{s:I,s:I,s:i},s:o,s:o,s:{s:f,s:f,s:f,s:o},"
        "s:s,s:{s:i,s:i}}",
        "name", world->name, "title", world->title, "seed", eco_json_int64(world->seed),
        "seed_text", world->seed_text, "seeds", seeds_of(world), "hash",
        version_of(world, world->seed), "sea_level", world->sea_level, "height_low",
        world->height_low, "height_high", world->height_high, "minzoom", (int)world->minzoom,
        "maxzoom", ECO_ZOOM_MAX, "home", "x", (json_int_t)world->home_x, "z",
        (json_int_t)world->home_z, "zoom", (int)world->home_zoom, "biomes", biome_list(world),
        "layers", layer_list(world), "blend", "radius", eco_blend_radius(&blend), "frequency",
        blend.frequency, "padding", blend.padding, "methods", method_list(world), "generator",
        world->generator, "versions", "generator", generator ? (int)generator->revision : 0,
        "render", ECO_RENDER_REVISION);
}

static json_t *configuration_state(const char *broken)
{
    return broken ? json_pack("{s:s,s:s}", "state", "broken", "error", broken)
                  : json_pack("{s:s}", "state", "current");
}

char *eco_document_worlds(const struct eco_config *config, const char *broken)
{
    json_t *list = json_array();

    for (unsigned i = 0; list && i < config->worlds_count; i++) {
        if (json_array_append_new(list, world_object(&config->worlds[i])) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return eco_json_dump(json_pack("{s:s,s:o,s:o}", "version", ECO_VERSION, "configuration",
                                   configuration_state(broken), "worlds", list),
                         ECO_JSON_FLAGS);
}

/* Longitude and latitude at which Web Mercator shows the block. */
static json_t *centre_of(const struct eco_world_config *world)
{
    double east = (double)world->home_x / ECO_WORLD_HALF;
    /* Not negated: there is no minus zero. */
    double north = (double)(0 - world->home_z) / ECO_WORLD_HALF;

    return json_pack("[f,f,i]", east * 180.0, atan(sinh(north * M_PI)) * 180.0 / M_PI,
                     (int)world->home_zoom);
}

char *eco_document_legend(const struct eco_world_config *world)
{
    return eco_json_dump(json_pack("{s:s,s:s,s:f,s:f,s:f,s:o,s:o}", "name", world->name, "title",
                                   world->title, "sea_level", world->sea_level, "height_low",
                                   world->height_low, "height_high", world->height_high, "biomes",
                                   biome_list(world), "layers", layer_list(world)),
                         ECO_JSON_FLAGS);
}

/* The template of the tiles, with all of the question that decides their bytes. */
static void write_template(const struct eco_tilejson *ask, const char *version, char *url,
                           size_t size)
{
    char seed[32] = "", blend[32] = "";

    if (ask->seed != ask->world->seed)
        snprintf(seed, sizeof(seed), "seed=%" PRId64 "&", ask->seed);
    if (ask->blend)
        snprintf(blend, sizeof(blend), "blend=%s&",
                 eco_blend_method_name((enum eco_blend_method)(ask->blend - 1)));
    snprintf(url, size, "%s/%s/%s/%s/{z}/{x}/{y}.%s?%s%sv=%s", ask->root,
             ask->tms ? "tms" : "tiles", ask->world->name, eco_layer_name(ask->layer),
             eco_format_name(ask->format), seed, blend, version);
}

char *eco_document_tilejson(const struct eco_tilejson *ask)
{
    const struct eco_world_config *world = ask->world;
    char version[ECO_VERSION_TEXT_MAX], url[1024], legend[1024], name[512];
    const char *encoding = ask->layer == ECO_LAYER_TERRARIUM ? "terrarium"
                           : ask->layer == ECO_LAYER_MAPBOX  ? "mapbox"
                                                             : NULL;
    json_t *object;

    eco_version_text(eco_service_blend_version(world, ask->seed, ask->blend), version);
    write_template(ask, version, url, sizeof(url));
    snprintf(legend, sizeof(legend), "%s/legend/%s/%s.png", ask->root, world->name,
             eco_layer_name(ask->layer));
    snprintf(name, sizeof(name), "%s: %s", world->title, eco_layer_name(ask->layer));
    object = json_pack(
        "{s:s,s:s,s:s,s:s,s:[s],s:i,s:i,s:[f,f,f,f],s:o,s:s,s:s,s:i,s:o,s:s}", "tilejson", "3.0.0",
        "name", name, "description", eco_layer_title(ask->layer), "scheme",
        ask->tms ? "tms" : "xyz", "tiles", url, "minzoom", (int)world->minzoom, "maxzoom",
        ECO_ZOOM_MAX, "bounds", -180.0, -MERCATOR_LATITUDE_MAX, 180.0, MERCATOR_LATITUDE_MAX,
        "center", centre_of(world), "legend", legend, "format", eco_format_name(ask->format),
        "tilesize", ECO_TILE_SIZE, "seed", eco_json_int64(ask->seed), "hash", version);
    if (object &&
        (!add_formula(object, world, ask->layer) ||
         (encoding && json_object_set_new(object, "encoding", json_string(encoding)) != 0))) {
        json_decref(object);
        object = NULL;
    }
    return eco_json_dump(object, ECO_JSON_FLAGS);
}

struct weight {
    unsigned index;
    float weight;
};

/* Descending by weight, then by index. */
static int compare_weights(const void *a, const void *b)
{
    const struct weight *left = a, *right = b;

    if (left->weight != right->weight)
        return left->weight < right->weight ? 1 : -1;
    return left->index < right->index ? -1 : left->index > right->index;
}

static json_t *weight_list(const struct eco_point_answer *answer)
{
    struct weight weights[ECO_BIOMES_MAX] = {{0}};
    unsigned count = 0, total = eco_world_biome_count(answer->world);
    json_t *list = json_array();

    for (unsigned i = 0; i < total && i < ECO_BIOMES_MAX; i++) {
        if (answer->planes->weights[i] > 0.0f)
            weights[count++] = (struct weight){i, answer->planes->weights[i]};
    }
    qsort(weights, count, sizeof(weights[0]), compare_weights);
    for (unsigned i = 0; list && i < count; i++) {
        struct eco_biome biome = eco_world_biome(answer->world, weights[i].index);
        json_t *item = json_pack("{s:i,s:s,s:f}", "id", biome.id, "name", biome.name, "weight",
                                 (double)weights[i].weight);
        if (json_array_append_new(list, item) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

/* Adds the first value of a plane that was sampled. */
static bool add_float(json_t *object, const char *key, const float *plane)
{
    return !plane || (object && json_object_set_new(object, key, json_real((double)*plane)) == 0);
}

/* Adds what each of the layers shows, if any is asked. */
static bool add_colours(json_t *object, const struct eco_point_answer *answer)
{
    json_t *colours;

    if (!answer->layers)
        return true;
    colours = json_object();
    for (int layer = 0; layer < ECO_LAYER_COUNT; layer++) {
        if (answer->layers >> layer & 1 &&
            json_object_set_new(colours, eco_layer_name((enum eco_layer)layer),
                                eco_json_colour(answer->colours[layer])) != 0) {
            json_decref(colours);
            return false;
        }
    }
    return json_object_set_new(object, "colours", colours) == 0;
}

char *eco_document_point(const struct eco_point_answer *answer)
{
    struct eco_biome biome = eco_world_biome(answer->world, answer->planes->biome[0]);
    /* The sum turns -0 into 0. */
    double height = (double)answer->planes->height[0] + 0.0;
    int64_t seed = eco_world_seed(answer->world);
    json_t *object = json_pack(
        "{s:s,s:o,s:o,s:I,s:I,s:{s:I,s:I,s:I},s:o,s:f,s:o,s:o}", "world", answer->config->name,
        "seed", eco_json_int64(seed), "hash", version_of(answer->config, seed), "x",
        (json_int_t)answer->x, "z", (json_int_t)answer->z, "sampled", "x",
        (json_int_t)answer->sampled_x, "z", (json_int_t)answer->sampled_z, "step",
        (json_int_t)answer->step, "biome", eco_json_biome(&biome), "height", height, "colour",
        eco_json_colour(answer->planes->colour[0]), "weights", weight_list(answer));

    if (!add_float(object, "temperature", answer->planes->temperature) ||
        !add_float(object, "precipitation", answer->planes->precipitation) ||
        !add_float(object, "river", answer->planes->river) || !add_colours(object, answer)) {
        json_decref(object);
        object = NULL;
    }
    return eco_json_dump(object, ECO_JSON_FLOAT_FLAGS);
}

static const char *cache_state(const struct eco_service_stats *stats)
{
    return stats->store_degraded ? "degraded" : stats->store_open ? "ok" : "off";
}

char *eco_document_ready(const struct eco_service_stats *stats)
{
    return eco_json_dump(json_pack("{s:s,s:s}", "status", "ready", "cache", cache_state(stats)),
                         ECO_JSON_FLAGS);
}

char *eco_document_health(const struct eco_service_stats *stats, unsigned connections,
                          bool stopping)
{
    return eco_json_dump(
        json_pack(
            "{s:s,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:i,s:{s:s,s:I,s:I,s:I,s:I,s:I,s:I}}",
            "status", stopping ? "stopping" : "ok", "version", ECO_VERSION, "renders",
            (json_int_t)stats->renders, "memory_hits", (json_int_t)stats->memory_hits, "store_hits",
            (json_int_t)stats->store_hits, "joined", (json_int_t)stats->joined, "refused",
            (json_int_t)stats->refused, "expired", (json_int_t)stats->expired, "failed",
            (json_int_t)stats->failed, "in_flight", (json_int_t)stats->in_flight, "waiting",
            (json_int_t)stats->waiting, "memory_bytes", (json_int_t)stats->memory_bytes,
            "connections", (int)connections, "cache", "state", cache_state(stats), "stored",
            (json_int_t)stats->store_stored, "dropped", (json_int_t)stats->store_dropped, "pending",
            (json_int_t)stats->store_pending, "evicted", (json_int_t)stats->store_evicted, "bytes",
            (json_int_t)stats->store_bytes, "limit", (json_int_t)stats->store_limit),
        ECO_JSON_FLAGS);
}
