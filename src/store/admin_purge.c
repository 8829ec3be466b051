/* Deletes parts of a cache file, in short transactions. */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "store/admin_internal.h"

#define KEYS_A_STEP 256   /* or images, deleted in one transaction */
#define LOOSE_A_STEP 4096 /* images that are looked for at once */
#define PAGES_A_STEP 256  /* given back in one transaction */
#define WORLDS_A_STEP 64

/* As long as the last transaction took: others get their turn. */
static void make_way(uint64_t since_ns)
{
    uint64_t took = eco_clock_monotonic_ns() - since_ns;
    const struct timespec pause = {(time_t)(took / 1000000000u), (long)(took % 1000000000u)};

    nanosleep(&pause, NULL);
}

/* Deletes an image that no tile is left of. */
static int drop_image(struct eco_cache_admin *admin, int64_t image, struct eco_cache_purged *out,
                      struct eco_error *error)
{
    sqlite3_stmt *drop = admin->db.statements[ECO_CACHE_DELETE_IMAGE];
    int64_t used, size;
    bool there;
    int code;

    sqlite3_bind_int64(admin->statements[ECO_ADMIN_USED_IMAGE], 1, image);
    code = eco_admin_number(admin, ECO_ADMIN_USED_IMAGE, &used, NULL, error);
    if (code || used)
        return code;
    sqlite3_bind_int64(admin->statements[ECO_ADMIN_IMAGE_SIZE], 1, image);
    code = eco_admin_number(admin, ECO_ADMIN_IMAGE_SIZE, &size, &there, error);
    if (code || !there)
        return code;
    sqlite3_bind_int64(drop, 1, image);
    code = eco_cache_db_do(&admin->db, ECO_CACHE_DELETE_IMAGE, error);
    out->images += !code;
    out->bytes += code || size < 0 ? 0 : (uint64_t)size;
    return code;
}

static int drop_key(struct eco_cache_admin *admin, const struct eco_cache_key *key,
                    struct eco_cache_purged *out, struct eco_error *error)
{
    unsigned char packed[ECO_CACHE_KEY_BYTES];
    int64_t image;
    bool there;
    int code;

    eco_cache_key_pack(key, packed);
    sqlite3_bind_blob(admin->statements[ECO_ADMIN_KEY_IMAGE], 1, packed, sizeof(packed),
                      SQLITE_STATIC);
    code = eco_admin_number(admin, ECO_ADMIN_KEY_IMAGE, &image, &there, error);
    if (code || !there)
        return code;
    sqlite3_bind_blob(admin->db.statements[ECO_CACHE_DELETE_MAP], 1, packed, sizeof(packed),
                      SQLITE_STATIC);
    code = eco_cache_db_do(&admin->db, ECO_CACHE_DELETE_MAP, error);
    out->tiles += !code;
    return code ? code : drop_image(admin, image, out, error);
}

/* What went wrong, in words of this side. */
static int explain(int code, struct eco_error *error)
{
    return code == ECO_EBUSY
               ? eco_error_set(error, ECO_EBUSY, "another process has locked the cache")
               : code;
}

/* Ends a transaction that was begun, and says what came of it. */
static int settle(struct eco_cache_admin *admin, int code, struct eco_error *error)
{
    if (!code)
        code = eco_cache_db_do(&admin->db, ECO_CACHE_COMMIT, error);
    if (code && !sqlite3_get_autocommit(admin->db.handle))
        sqlite3_exec(admin->db.handle, "ROLLBACK", NULL, NULL, NULL);
    return explain(code, error);
}

static int drop_keys(struct eco_cache_admin *admin, const struct eco_cache_key *keys,
                     unsigned count, struct eco_cache_purged *out, struct eco_error *error)
{
    uint64_t begin = eco_clock_monotonic_ns();
    struct eco_cache_purged purged = *out;
    int code = eco_cache_db_do(&admin->db, ECO_CACHE_BEGIN, error);

    for (unsigned i = 0; i < count && !code; i++)
        code = drop_key(admin, &keys[i], &purged, error);
    code = settle(admin, code, error);
    if (code)
        return code;
    *out = purged;
    make_way(begin);
    return 0;
}

int eco_cache_admin_purge(struct eco_cache_admin *admin, uint64_t world,
                          bool (*takes)(const void *context, const struct eco_cache_key *key),
                          const void *context, struct eco_cache_purged *out,
                          struct eco_error *error)
{
    struct eco_cache_key keys[KEYS_A_STEP], key = {.world = world};
    unsigned count = 0;
    bool begun = true;
    int code;

    while ((code = eco_cache_admin_next_key(admin, &begun, &key, error)) == 0 &&
           key.world == world) {
        if (takes && !takes(context, &key))
            continue;
        keys[count++] = key;
        if (count < KEYS_A_STEP)
            continue;
        code = drop_keys(admin, keys, count, out, error);
        count = 0;
        if (code)
            return code;
    }
    if (code && code != ECO_ENOTFOUND)
        return code;
    return count ? drop_keys(admin, keys, count, out, error) : 0;
}

static int drop_images(struct eco_cache_admin *admin, const int64_t *images, unsigned count,
                       struct eco_cache_purged *out, struct eco_error *error)
{
    uint64_t begin = eco_clock_monotonic_ns();
    struct eco_cache_purged purged = *out;
    int code = eco_cache_db_do(&admin->db, ECO_CACHE_BEGIN, error);

    for (unsigned i = 0; i < count && !code; i++)
        code = drop_image(admin, images[i], &purged, error);
    code = settle(admin, code, error);
    if (!code)
        *out = purged;
    make_way(begin);
    return code;
}

/* Deletes images without tiles; *more: perhaps not all. */
static int drop_loose(struct eco_cache_admin *admin, struct eco_cache_purged *out, bool *more,
                      struct eco_error *error)
{
    sqlite3_stmt *loose = admin->statements[ECO_ADMIN_LOOSE_IMAGES];
    uint64_t before = out->images;
    int64_t images[LOOSE_A_STEP];
    unsigned count = 0;
    bool row = true;
    int code;

    sqlite3_bind_int(loose, 1, LOOSE_A_STEP);
    while ((code = eco_admin_step(admin, ECO_ADMIN_LOOSE_IMAGES, &row, error)) == 0 && row &&
           count < LOOSE_A_STEP)
        images[count++] = sqlite3_column_int64(loose, 0);
    eco_admin_reset(admin, ECO_ADMIN_LOOSE_IMAGES);
    for (unsigned i = 0; i < count && !code; i += KEYS_A_STEP)
        code = drop_images(admin, images + i, count - i < KEYS_A_STEP ? count - i : KEYS_A_STEP,
                           out, error);
    *more = count == LOOSE_A_STEP && out->images > before;
    return code;
}

/* Forgets worlds without tiles, and owners of nothing. */
static int drop_worlds(struct eco_cache_admin *admin, struct eco_error *error)
{
    static const unsigned char none[ECO_CACHE_WORLD_BYTES];
    int64_t ignored;
    int code;

    do {
        uint64_t begin = eco_clock_monotonic_ns();

        code = eco_cache_db_do(&admin->db, ECO_CACHE_BEGIN, error);
        if (!code)
            code = eco_cache_db_sweep(&admin->db, WORLDS_A_STEP, error);
        code = settle(admin, code, error);
        make_way(begin);
    } while (!code && memcmp(admin->db.swept, none, sizeof(none)) != 0);
    return code ? code : eco_admin_number(admin, ECO_ADMIN_EMPTY_OWNERS, &ignored, NULL, error);
}

static int give_back(struct eco_cache_admin *admin, struct eco_error *error)
{
    uint64_t bytes, unused, before = UINT64_MAX;
    char text[64];
    int code = eco_cache_db_measure(&admin->db, &bytes, &unused, error);

    snprintf(text, sizeof(text), "PRAGMA incremental_vacuum(%d)", PAGES_A_STEP);
    while (!code && unused > 0 && unused < before) {
        uint64_t begin = eco_clock_monotonic_ns();

        before = unused;
        code = explain(eco_cache_db_run(&admin->db, text, error), error);
        if (!code)
            code = eco_cache_db_measure(&admin->db, &bytes, &unused, error);
        make_way(begin);
    }
    /* Only then the file is shorter; readers may hold it back, and the daemon will do it later. */
    sqlite3_wal_checkpoint_v2(admin->db.handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    return code;
}

int eco_cache_admin_tidy(struct eco_cache_admin *admin, struct eco_cache_purged *out,
                         struct eco_error *error)
{
    bool more = true;
    int code = 0;

    while (!code && more)
        code = drop_loose(admin, out, &more, error);
    if (!code)
        code = drop_worlds(admin, error);
    return code ? code : give_back(admin, error);
}
