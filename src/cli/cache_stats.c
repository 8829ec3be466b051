/* ecotone cache stats, purge */

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/cache.h"

/* All tiles of one layer of a world of the configuration, in one state, of any seed. */
struct row {
    char name[ECO_NAME_MAX + 1];
    uint8_t layer;
    enum cache_state state;
    uint64_t seeds; /* and ways of blending */
    uint64_t tiles, images, bytes;
    int64_t oldest, newest;
};

struct table {
    struct row *rows;
    size_t count, capacity;
};

static int add_group(struct table *table, const struct eco_cache_world *world,
                     enum cache_state state, const struct eco_cache_group *group,
                     struct eco_error *error)
{
    const char *name = world->known ? world->name : "";
    struct row *row = table->rows;

    while (row < table->rows + table->count &&
           !(row->layer == group->layer && row->state == state && strcmp(row->name, name) == 0))
        row++;
    if (row == table->rows + table->count) {
        if (table->count == table->capacity) {
            size_t capacity = table->capacity ? 2 * table->capacity : 64;
            struct row *rows = realloc(table->rows, capacity * sizeof(*rows));

            if (!rows)
                return eco_error_set(error, ECO_ENOMEM, "no memory for %zu rows", capacity);
            table->rows = rows;
            table->capacity = capacity;
        }
        row = &table->rows[table->count++];
        *row = (struct row){.layer = group->layer, .state = state, .oldest = group->oldest};
        memcpy(row->name, name, strlen(name) + 1);
    }
    row->seeds++;
    row->tiles += group->tiles;
    row->images += group->images;
    row->bytes += group->bytes;
    row->oldest = group->oldest < row->oldest ? group->oldest : row->oldest;
    row->newest = group->newest > row->newest ? group->newest : row->newest;
    return 0;
}

static int compare_rows(const void *a, const void *b)
{
    const struct row *left = a, *right = b;
    int order = strcmp(left->name, right->name);

    if (order)
        return order;
    if (left->state != right->state)
        return left->state < right->state ? -1 : 1;
    return left->layer - right->layer;
}

static int fill_table(struct cache_run *run, struct table *table, struct eco_error *error)
{
    struct eco_cache_world world = {0};
    struct eco_cache_group group;
    bool begun = false;
    int code = 0;

    while (!code) {
        code = eco_cache_admin_next_group(run->admin, &begun, &group, error);
        if (!code)
            code = eco_cache_admin_world(run->admin, group.world, &world, error);
        if (!code && cache_wants(run, &world, group.layer))
            code = add_group(table, &world, cache_state_of(run->config, &world, group.layer),
                             &group, error);
    }
    if (code != ECO_ENOTFOUND)
        return code;
    if (table->count > 0)
        qsort(table->rows, table->count, sizeof(*table->rows), compare_rows);
    return 0;
}

static void show_bytes(uint64_t bytes, char out[16])
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    unsigned unit = 0;

    while (value >= 999.5 && unit < 4) {
        value /= 1000;
        unit++;
    }
    snprintf(out, 16, unit && value < 99.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

static void show_time(int64_t seconds, char out[32])
{
    time_t moment = (time_t)seconds;
    struct tm utc;

    if (!gmtime_r(&moment, &utc) || strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        snprintf(out, 32, "-");
}

static void print_table(const struct table *table)
{
    static const char format[] = "%-20s %-14s %-8s %6s %10s %10s %9s  %-21s%s\n";

    printf(format, "world", "layer", "state", "seeds", "tiles", "images", "bytes", "oldest",
           "newest");
    for (size_t i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[i];
        char seeds[24], tiles[24], images[24], bytes[16], oldest[32], newest[32], spare[16];

        snprintf(seeds, sizeof(seeds), "%llu", (unsigned long long)row->seeds);
        snprintf(tiles, sizeof(tiles), "%llu", (unsigned long long)row->tiles);
        snprintf(images, sizeof(images), "%llu", (unsigned long long)row->images);
        show_bytes(row->bytes, bytes);
        show_time(row->oldest, oldest);
        show_time(row->newest, newest);
        printf(format, row->name[0] ? row->name : "?", cache_layer_name(row->layer, spare),
               cache_state_name(row->state), seeds, tiles, images, bytes, oldest, newest);
    }
}

/* A line for each world with a quota. */
static int print_quotas(const struct cache_run *run, struct eco_error *error)
{
    int code = 0;

    for (unsigned i = 0; i < run->config->worlds_count && !code; i++) {
        const struct eco_world_config *world = &run->config->worlds[i];
        char used[16], quota[16];
        uint64_t bytes;

        if (!world->quota || (run->world && strcmp(run->world, world->name) != 0))
            continue;
        code = eco_cache_admin_counted(run->admin, world->name, &bytes, error);
        show_bytes(bytes, used);
        show_bytes(world->quota, quota);
        if (!code)
            printf("%s: %s of its quota of %s\n", world->name, used, quota);
    }
    return code;
}

static int print_stats(const struct cache_run *run, const struct table *table,
                       const struct eco_cache_extent *extent, struct eco_error *error)
{
    char bytes[16], unused[16], limit[16];

    show_bytes(extent->bytes, bytes);
    show_bytes(extent->unused, unused);
    show_bytes(run->config->cache.limit_bytes, limit);
    printf("%s: %s (%s of it unused), limit %s; %llu tiles, %llu images\n", run->path, bytes,
           unused, limit, (unsigned long long)extent->tiles, (unsigned long long)extent->images);
    if (table->count > 0)
        print_table(table);
    return print_quotas(run, error);
}

static json_t *row_json(const struct row *row)
{
    char oldest[32], newest[32], spare[16];

    show_time(row->oldest, oldest);
    show_time(row->newest, newest);
    return json_pack("{s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:s,s:s}", "world", row->name, "layer",
                     cache_layer_name(row->layer, spare), "state", cache_state_name(row->state),
                     "seeds", (json_int_t)row->seeds, "tiles", (json_int_t)row->tiles, "images",
                     (json_int_t)row->images, "bytes", (json_int_t)row->bytes, "oldest", oldest,
                     "newest", newest);
}

static int print_json(json_t *object, struct eco_error *error)
{
    int failed = object ? json_dumpf(object, stdout, JSON_COMPACT) : -1;

    json_decref(object);
    if (failed)
        return eco_error_set(error, ECO_ENOMEM,
                             "no memory for the answer, or it cannot be written");
    putchar('\n');
    return 0;
}

static json_t *quotas_json(const struct cache_run *run)
{
    json_t *object = json_object();

    for (unsigned i = 0; object && i < run->config->worlds_count; i++) {
        const struct eco_world_config *world = &run->config->worlds[i];
        uint64_t bytes;

        if (world->quota && eco_cache_admin_counted(run->admin, world->name, &bytes, NULL) == 0)
            json_object_set_new(object, world->name,
                                json_pack("{s:I,s:I}", "limit", (json_int_t)world->quota, "bytes",
                                          (json_int_t)bytes));
    }
    return object;
}

static int print_stats_json(const struct cache_run *run, const struct table *table,
                            const struct eco_cache_extent *extent, struct eco_error *error)
{
    json_t *rows = json_array();

    for (size_t i = 0; rows && i < table->count; i++)
        json_array_append_new(rows, row_json(&table->rows[i]));
    return print_json(json_pack("{s:s,s:I,s:I,s:I,s:I,s:I,s:o,s:o}", "file", run->path, "bytes",
                                (json_int_t)extent->bytes, "unused", (json_int_t)extent->unused,
                                "limit", (json_int_t)run->config->cache.limit_bytes, "tiles",
                                (json_int_t)extent->tiles, "images", (json_int_t)extent->images,
                                "quotas", quotas_json(run), "rows", rows),
                      error);
}

int cache_stats(struct cache_run *run, struct eco_error *error)
{
    struct eco_cache_extent extent = {0};
    struct table table = {0};
    int code = eco_cache_admin_extent(run->admin, &extent, error);

    if (!code)
        code = fill_table(run, &table, error);
    if (!code && run->json)
        code = print_stats_json(run, &table, &extent, error);
    else if (!code)
        code = print_stats(run, &table, &extent, error);
    free(table.rows);
    return code;
}

/* --- purge -------------------------------------------------------------------------------------
 */

/* What of one world is wanted; for the predicate of the store. */
struct purge {
    const struct cache_run *run;
    const struct eco_cache_world *world;
};

static bool takes(const void *context, const struct eco_cache_key *key)
{
    const struct purge *purge = context;

    return cache_wants(purge->run, purge->world, key->layer) && cache_takes(purge->run, key);
}

static int purge_all(struct cache_run *run, struct eco_cache_purged *purged,
                     struct eco_error *error)
{
    struct eco_cache_world world;
    struct eco_cache_group group = {0};
    bool begun = false;
    int code;

    for (;;) {
        struct purge purge = {run, &world};

        code = eco_cache_admin_next_group(run->admin, &begun, &group, error);
        if (!code)
            code = eco_cache_admin_world(run->admin, group.world, &world, error);
        if (code)
            break;
        code = eco_cache_admin_purge(run->admin, group.world, takes, &purge, purged, error);
        if (code)
            break;
        group.layer = UINT8_MAX;
    }
    return code == ECO_ENOTFOUND ? 0 : code;
}

int cache_purge(struct cache_run *run, struct eco_error *error)
{
    struct eco_cache_extent before = {0}, after = {0};
    struct eco_cache_purged purged = {0};
    char freed[16], bytes[16];
    int code = eco_cache_admin_extent(run->admin, &before, error);

    if (!code)
        code = purge_all(run, &purged, error);
    if (!code)
        code = eco_cache_admin_tidy(run->admin, &purged, error);
    if (!code)
        code = eco_cache_admin_extent(run->admin, &after, error);
    show_bytes(purged.bytes, freed);
    show_bytes(after.bytes, bytes);
    if (!code && run->json)
        return print_json(json_pack("{s:s,s:I,s:I,s:I,s:I,s:I}", "file", run->path, "tiles",
                                    (json_int_t)purged.tiles, "images", (json_int_t)purged.images,
                                    "bytes", (json_int_t)purged.bytes, "file_before",
                                    (json_int_t)before.bytes, "file_after",
                                    (json_int_t)after.bytes),
                          error);
    /* What was deleted before an error is said all the same. */
    if (!code || purged.tiles > 0)
        printf("%s: %llu tiles and %llu images deleted, %s%s%s\n", run->path,
               (unsigned long long)purged.tiles, (unsigned long long)purged.images, freed,
               code ? "" : "; the file has ", code ? "" : bytes);
    return code;
}
