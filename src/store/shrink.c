/* Keeps the file under its limit and worlds under their quotas: the oldest images go first, and
 * what they leave is given back. */

#include <stdio.h>

#include "base/clock.h"
#include "store/cache_internal.h"

#define IMAGES_A_STEP 64
#define ROWS_A_STEP 4096 /* of `map`; many keys may share one image */
#define WORLDS_A_STEP 16 /* looked at for having become empty */
#define CHECKPOINT_PAGES_MIN 8
#define CHECKPOINT_PAGES_MAX 1000

struct extent {
    uint64_t file, used; /* bytes; what is free lies between them */
};

static int ask(struct eco_cache_db *db, enum eco_cache_statement which, sqlite3_int64 *out,
               struct eco_error *error)
{
    int code = eco_cache_db_step(db, which, error);

    *out = !code && sqlite3_data_count(db->statements[which]) > 0
               ? sqlite3_column_int64(db->statements[which], 0)
               : -1;
    eco_cache_db_reset(db, which);
    return code;
}

static int measure(struct eco_cache_db *db, struct extent *extent, struct eco_error *error)
{
    sqlite3_int64 pages = 0, empty = 0, size = 0;
    int code = ask(db, ECO_CACHE_PAGE_COUNT, &pages, error);

    if (!code)
        code = ask(db, ECO_CACHE_FREELIST_COUNT, &empty, error);
    if (!code)
        code = ask(db, ECO_CACHE_PAGE_SIZE, &size, error);
    if (code)
        return code;
    extent->file = (uint64_t)(pages * size);
    extent->used = (uint64_t)((pages - empty) * size);
    return 0;
}

int eco_cache_db_measure(struct eco_cache_db *db, uint64_t *bytes, uint64_t *unused,
                         struct eco_error *error)
{
    struct extent extent = {0};
    int code = measure(db, &extent, error);

    *bytes = extent.file;
    *unused = extent.file - extent.used;
    return code;
}

/* Removes the oldest image, of one owner unless that is 0, or as many of its keys as one step may.
 * *count: images removed; *rows grows; *none: there is no image. */
static int evict_oldest(struct eco_cache_db *db, int64_t owner, uint64_t *count, int *rows,
                        bool *none, struct eco_error *error)
{
    sqlite3_stmt *keys = db->statements[ECO_CACHE_DELETE_KEYS];
    sqlite3_stmt *image = db->statements[ECO_CACHE_DELETE_IMAGE];
    sqlite3_int64 id;
    int code, removed;

    if (owner)
        sqlite3_bind_int64(db->statements[ECO_CACHE_OLDEST_OF_OWNER], 1, owner);
    code = ask(db, owner ? ECO_CACHE_OLDEST_OF_OWNER : ECO_CACHE_OLDEST_IMAGE, &id, error);
    *none = id < 0;
    if (code || *none)
        return code;
    sqlite3_bind_int64(keys, 1, id);
    sqlite3_bind_int(keys, 2, ROWS_A_STEP);
    code = eco_cache_db_step(db, ECO_CACHE_DELETE_KEYS, error);
    removed = sqlite3_changes(db->handle);
    eco_cache_db_reset(db, ECO_CACHE_DELETE_KEYS);
    *rows += removed + 1;
    if (code || removed == ROWS_A_STEP)
        return code;
    sqlite3_bind_int64(image, 1, id);
    code = eco_cache_db_do(db, ECO_CACHE_DELETE_IMAGE, error);
    *count += !code;
    return code;
}

/* What evictions work on: the whole file, or the images of one owner. */
struct eviction {
    const char *name; /* of the owner; NULL: the whole file */
    int64_t owner;
    uint64_t used; /* bytes */
    uint64_t target;
    bool none; /* nothing is left to remove */
    uint64_t evicted;
};

static int measure_used(struct eco_cache_db *db, struct eviction *eviction, struct eco_error *error)
{
    struct extent extent;
    int code;

    if (eviction->name)
        return eco_cache_db_owner(db, eviction->name, &eviction->owner, &eviction->used, error);
    code = measure(db, &extent, error);
    eviction->used = code ? 0 : extent.used;
    return code;
}

/* One transaction of evictions, towards eviction->target bytes in use. */
static int evict(struct eco_cache_db *db, struct eviction *eviction, struct eco_error *error)
{
    uint64_t count = 0;
    int rows = 0;
    int code = eco_cache_db_do(db, ECO_CACHE_BEGIN, error);

    eviction->none = false;
    while (!code && !eviction->none && eviction->used > eviction->target && count < IMAGES_A_STEP &&
           rows < ROWS_A_STEP) {
        code = evict_oldest(db, eviction->owner, &count, &rows, &eviction->none, error);
        if (!code)
            code = measure_used(db, eviction, error);
    }
    /* Its count is wrong: damage that was not noticed. */
    if (!code && eviction->none && eviction->owner) {
        sqlite3_bind_int64(db->statements[ECO_CACHE_EMPTY_OWNER], 1, eviction->owner);
        code = eco_cache_db_do(db, ECO_CACHE_EMPTY_OWNER, error);
    }
    if (!code)
        code = eco_cache_db_sweep(db, WORLDS_A_STEP, error);
    if (!code)
        code = eco_cache_db_do(db, ECO_CACHE_COMMIT, error);
    if (!code)
        eviction->evicted += count;
    else if (!sqlite3_get_autocommit(db->handle))
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

int eco_cache_db_fit(struct eco_cache_db *db, struct eco_cache_quota *quota, uint64_t until_ns,
                     struct eco_cache_shrunk *out, struct eco_error *error)
{
    struct eviction eviction = {.name = quota->world, .target = quota->limit - quota->limit / 16};
    int code = measure_used(db, &eviction, error);

    if (!code && eviction.used > quota->limit) {
        while (!code && eviction.used > eviction.target && !eviction.none && !out->more) {
            code = evict(db, &eviction, error);
            out->more = eco_clock_monotonic_ns() > until_ns;
        }
    }
    quota->bytes = eviction.none ? 0 : eviction.used;
    quota->evicted += eviction.evicted;
    out->evicted += eviction.evicted;
    return code;
}

/* Pages that the WAL, which comes on top of the file, may take: a small file gets a small one. */
static unsigned wal_pages(uint64_t limit)
{
    uint64_t pages = limit / 32 / ECO_CACHE_PAGE_BYTES;

    if (limit == 0 || pages > CHECKPOINT_PAGES_MAX)
        return CHECKPOINT_PAGES_MAX;
    return pages < CHECKPOINT_PAGES_MIN ? CHECKPOINT_PAGES_MIN : (unsigned)pages;
}

static void fit_wal(struct eco_cache_db *db, uint64_t limit)
{
    unsigned pages = wal_pages(limit);
    char text[64];

    if (db->limit == limit)
        return;
    sqlite3_wal_autocheckpoint(db->handle, (int)pages);
    snprintf(text, sizeof(text), "PRAGMA journal_size_limit = %u",
             2 * pages * ECO_CACHE_PAGE_BYTES);
    sqlite3_exec(db->handle, text, NULL, NULL, NULL);
    db->limit = limit;
}

/* SQLite begins the WAL anew only when it happens to find no reader in it: under load it grew to
 * more than a small file. This waits for those who read, which takes them microseconds. */
static void restart_wal(struct eco_cache_db *db, uint64_t limit)
{
    sqlite3_file *wal = NULL;
    sqlite3_int64 size = 0;

    sqlite3_file_control(db->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &wal);
    if (wal && wal->pMethods && wal->pMethods->xFileSize(wal, &size) == SQLITE_OK &&
        size > 3 * (sqlite3_int64)wal_pages(limit) * ECO_CACHE_PAGE_BYTES)
        sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}

int eco_cache_db_shrink(struct eco_cache_db *db, uint64_t limit, uint64_t until_ns,
                        struct eco_cache_shrunk *out, struct eco_error *error)
{
    struct eviction eviction = {.target = limit - limit / 16};
    struct extent extent;
    int code;

    out->more = false;
    fit_wal(db, limit);
    code = measure(db, &extent, error);
    while (!code && limit && !out->more) {
        if (extent.used > limit && !eviction.none) {
            eviction.used = extent.used;
            while (!code && eviction.used > eviction.target && !eviction.none && !out->more) {
                code = evict(db, &eviction, error);
                out->more = eco_clock_monotonic_ns() > until_ns;
            }
            if (!code)
                code = measure(db, &extent, error);
        } else if (extent.file > limit && extent.used < extent.file) {
            char text[64];
            uint64_t before = extent.file;

            snprintf(text, sizeof(text), "PRAGMA incremental_vacuum(%u)", wal_pages(limit) / 2);
            code = eco_cache_db_run(db, text, error);
            if (!code)
                code = measure(db, &extent, error);
            if (!code && extent.file >= before)
                break;
            out->more = eco_clock_monotonic_ns() > until_ns;
        } else {
            break;
        }
    }
    if (!code && limit)
        restart_wal(db, limit);
    out->evicted += eviction.evicted;
    if (!code)
        out->bytes = extent.file;
    return code;
}
