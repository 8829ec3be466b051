#include "store/admin_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/limits.h"

static const char *const texts[ECO_ADMIN_STATEMENTS] = {
    [ECO_ADMIN_COUNT_IMAGES] = "SELECT count(*) FROM images",
    [ECO_ADMIN_COUNT_TILES] = "SELECT count(*) FROM map",
    [ECO_ADMIN_WORLD] =
        "SELECT name, seed, blend FROM worlds JOIN owners ON owners.id = owner WHERE hash = ?1",
    [ECO_ADMIN_GROUP] = "SELECT sum(tiles), count(id), sum(size), min(time), max(time) FROM"
                        " (SELECT image, count(*) AS tiles FROM map WHERE key BETWEEN ?1 AND ?2 "
                        "GROUP BY image)"
                        " LEFT JOIN images ON id = image",
    /* Keys of another length are damaged: nobody finds them. */
    [ECO_ADMIN_NEXT_KEY] =
        "SELECT key FROM map WHERE key > ?1 AND length(key) = 20 ORDER BY key LIMIT 1",
    [ECO_ADMIN_KEY_IMAGE] = "SELECT image FROM map WHERE key = ?1",
    [ECO_ADMIN_USED_IMAGE] = "SELECT 1 FROM map WHERE image = ?1 LIMIT 1",
    [ECO_ADMIN_IMAGE_SIZE] = "SELECT size FROM images WHERE id = ?1",
    /* The index alone answers this: no image is read. */
    [ECO_ADMIN_LOOSE_IMAGES] = "SELECT id FROM images INDEXED BY images_owner WHERE NOT EXISTS"
                               " (SELECT 1 FROM map WHERE image = id) LIMIT ?1",
    [ECO_ADMIN_EMPTY_OWNERS] = "DELETE FROM owners WHERE images <= 0 AND NOT EXISTS"
                               " (SELECT 1 FROM worlds WHERE worlds.owner = owners.id)",
};

/* --- opening -----------------------------------------------------------------------------------
 */

static int say(struct eco_error *error, const char *path, int code, const char *why)
{
    return eco_error_set(error, (enum eco_code)code, "cache %.200s: %.250s", path, why);
}

static int prepare(struct eco_cache_admin *admin, struct eco_error *error)
{
    for (int i = 0; i < ECO_ADMIN_STATEMENTS; i++) {
        int result =
            sqlite3_prepare_v2(admin->db.handle, texts[i], -1, &admin->statements[i], NULL);

        if (result != SQLITE_OK)
            return eco_error_set(error, (enum eco_code)eco_cache_code(result), "%s",
                                 sqlite3_errmsg(admin->db.handle));
    }
    return 0;
}

int eco_cache_admin_open(const char *path, unsigned wait_ms, struct eco_cache_admin **out,
                         struct eco_error *error)
{
    struct eco_cache_admin *admin;
    struct eco_error why = {0};
    struct stat status;
    int version, code;
    char text[128];

    *out = NULL;
    if (stat(path, &status) != 0)
        return say(error, path, errno == ENOENT ? ECO_ENOTFOUND : ECO_EIO,
                   errno == ENOENT ? "there is no such file"
                                   : strerror_r(errno, text, sizeof(text)));
    /* SQLite would make a cache of an empty file. */
    if (!S_ISREG(status.st_mode) || status.st_size == 0)
        return say(error, path, ECO_EINVAL, "it is no tile cache");
    admin = calloc(1, sizeof(*admin));
    if (!admin)
        return say(error, path, ECO_ENOMEM, "no memory");
    code = eco_cache_db_open(&admin->db, path, wait_ms, &version, &why);
    if (!code)
        code = prepare(admin, &why);
    if (!code) {
        *out = admin;
        return 0;
    }
    eco_cache_admin_close(admin);
    if (code == ECO_ECORRUPT && !eco_cache_db_ours(path))
        code = eco_error_set(&why, ECO_EINVAL, "it is no tile cache");
    return say(error, path, code, code == ECO_EBUSY ? "another process has locked it" : why.text);
}

void eco_cache_admin_close(struct eco_cache_admin *admin)
{
    if (!admin)
        return;
    for (int i = 0; i < ECO_ADMIN_STATEMENTS; i++)
        sqlite3_finalize(admin->statements[i]);
    eco_cache_db_close(&admin->db, true);
    free(admin);
}

/* --- reading -----------------------------------------------------------------------------------
 */

int eco_admin_step(struct eco_cache_admin *admin, enum eco_admin_statement which, bool *row,
                   struct eco_error *error)
{
    int result = sqlite3_step(admin->statements[which]);
    int code = eco_cache_code(result);

    *row = result == SQLITE_ROW;
    return code ? eco_error_set(error, (enum eco_code)code, "%s",
                                code == ECO_EBUSY ? "another process has locked the cache"
                                                  : sqlite3_errmsg(admin->db.handle))
                : 0;
}

void eco_admin_reset(struct eco_cache_admin *admin, enum eco_admin_statement which)
{
    sqlite3_reset(admin->statements[which]);
    sqlite3_clear_bindings(admin->statements[which]);
}

int eco_admin_number(struct eco_cache_admin *admin, enum eco_admin_statement which, int64_t *out,
                     bool *row, struct eco_error *error)
{
    bool found;
    int code = eco_admin_step(admin, which, &found, error);

    *out = found ? sqlite3_column_int64(admin->statements[which], 0) : 0;
    if (row)
        *row = found;
    eco_admin_reset(admin, which);
    return code;
}

int eco_cache_admin_extent(struct eco_cache_admin *admin, struct eco_cache_extent *out,
                           struct eco_error *error)
{
    int64_t images = 0, tiles = 0;
    int code = eco_cache_db_measure(&admin->db, &out->bytes, &out->unused, error);

    if (!code)
        code = eco_admin_number(admin, ECO_ADMIN_COUNT_IMAGES, &images, NULL, error);
    if (!code)
        code = eco_admin_number(admin, ECO_ADMIN_COUNT_TILES, &tiles, NULL, error);
    out->images = (uint64_t)images;
    out->tiles = (uint64_t)tiles;
    return code;
}

int eco_cache_admin_world(struct eco_cache_admin *admin, uint64_t hash, struct eco_cache_world *out,
                          struct eco_error *error)
{
    sqlite3_stmt *statement = admin->statements[ECO_ADMIN_WORLD];
    const struct eco_cache_key key = {.world = hash};
    unsigned char packed[ECO_CACHE_KEY_BYTES];
    const unsigned char *name;
    int code;

    *out = (struct eco_cache_world){.hash = hash};
    eco_cache_key_pack(&key, packed);
    sqlite3_bind_blob(statement, 1, packed, ECO_CACHE_WORLD_BYTES, SQLITE_STATIC);
    code = eco_admin_step(admin, ECO_ADMIN_WORLD, &out->known, error);
    name = out->known ? sqlite3_column_text(statement, 0) : NULL;
    out->known = name && sqlite3_column_bytes(statement, 0) <= ECO_NAME_MAX &&
                 strlen((const char *)name) <= ECO_NAME_MAX;
    if (out->known) {
        memcpy(out->name, name, strlen((const char *)name) + 1);
        out->seed = sqlite3_column_int64(statement, 1);
        out->blend = (uint8_t)sqlite3_column_int(statement, 2);
    }
    eco_admin_reset(admin, ECO_ADMIN_WORLD);
    return code;
}

int eco_cache_admin_counted(struct eco_cache_admin *admin, const char *name, uint64_t *bytes,
                            struct eco_error *error)
{
    int64_t owner;

    return eco_cache_db_owner(&admin->db, name, &owner, bytes, error);
}

/* The least packed key above `packed`, over which it is written. */
static int next_packed(struct eco_cache_admin *admin, unsigned char packed[ECO_CACHE_KEY_BYTES],
                       struct eco_error *error)
{
    sqlite3_stmt *statement = admin->statements[ECO_ADMIN_NEXT_KEY];
    const void *found;
    bool row;
    int code;

    sqlite3_bind_blob(statement, 1, packed, ECO_CACHE_KEY_BYTES, SQLITE_TRANSIENT);
    code = eco_admin_step(admin, ECO_ADMIN_NEXT_KEY, &row, error);
    found = row ? sqlite3_column_blob(statement, 0) : NULL;
    if (found)
        memcpy(packed, found, ECO_CACHE_KEY_BYTES);
    eco_admin_reset(admin, ECO_ADMIN_NEXT_KEY);
    return code ? code : found ? 0 : ECO_ENOTFOUND;
}

int eco_cache_admin_next_key(struct eco_cache_admin *admin, bool *begun, struct eco_cache_key *key,
                             struct eco_error *error)
{
    /* A key of zeros is that of no tile, so that it needs no care. */
    unsigned char packed[ECO_CACHE_KEY_BYTES] = {0};
    int code;

    if (*begun)
        eco_cache_key_pack(key, packed);
    *begun = true;
    code = next_packed(admin, packed, error);
    if (!code)
        eco_cache_key_unpack(packed, key);
    return code;
}

int eco_cache_admin_next_group(struct eco_cache_admin *admin, bool *begun,
                               struct eco_cache_group *group, struct eco_error *error)
{
    sqlite3_stmt *statement = admin->statements[ECO_ADMIN_GROUP];
    unsigned char first[ECO_CACHE_KEY_BYTES] = {0}, last[ECO_CACHE_KEY_BYTES];
    struct eco_cache_key key;
    bool row;
    int code;

    if (*begun) {
        key = (struct eco_cache_key){.world = group->world, .layer = group->layer};
        eco_cache_key_pack(&key, first);
        memset(first + ECO_CACHE_WORLD_BYTES + 1, 0xFF, sizeof(first) - ECO_CACHE_WORLD_BYTES - 1);
    }
    *begun = true;
    code = next_packed(admin, first, error);
    if (code)
        return code;
    eco_cache_key_unpack(first, &key);
    *group = (struct eco_cache_group){.world = key.world, .layer = key.layer};
    memset(last, 0xFF, sizeof(last));
    memcpy(last, first, ECO_CACHE_WORLD_BYTES + 1);
    sqlite3_bind_blob(statement, 1, first, sizeof(first), SQLITE_STATIC);
    sqlite3_bind_blob(statement, 2, last, sizeof(last), SQLITE_STATIC);
    code = eco_admin_step(admin, ECO_ADMIN_GROUP, &row, error);
    if (row) {
        group->tiles = (uint64_t)sqlite3_column_int64(statement, 0);
        group->images = (uint64_t)sqlite3_column_int64(statement, 1);
        group->bytes = (uint64_t)sqlite3_column_int64(statement, 2);
        group->oldest = sqlite3_column_int64(statement, 3);
        group->newest = sqlite3_column_int64(statement, 4);
    }
    eco_admin_reset(admin, ECO_ADMIN_GROUP);
    return code;
}

static int compare_keys(const void *a, const void *b)
{
    unsigned char left[ECO_CACHE_KEY_BYTES], right[ECO_CACHE_KEY_BYTES];

    eco_cache_key_pack(a, left);
    eco_cache_key_pack(b, right);
    return memcmp(left, right, sizeof(left));
}

/* Algorithm R: the i-th key takes the place of one of the chosen with probability count / i. */
int eco_cache_admin_sample(struct eco_cache_admin *admin, uint64_t random, unsigned count,
                           int (*takes)(void *context, const struct eco_cache_key *key, bool *takes,
                                        struct eco_error *error),
                           void *context, struct eco_cache_key *out, unsigned *found,
                           struct eco_error *error)
{
    struct eco_cache_key key = {0};
    uint64_t seen = 0;
    bool begun = false, wanted = false;
    int code;

    *found = 0;
    while ((code = eco_cache_admin_next_key(admin, &begun, &key, error)) == 0) {
        uint64_t place = seen;

        code = takes(context, &key, &wanted, error);
        if (code)
            return code;
        if (!wanted)
            continue;
        if (seen >= count)
            place = eco_mix64(random + seen) % (seen + 1);
        seen++;
        if (place < count)
            out[place] = key;
    }
    if (code != ECO_ENOTFOUND)
        return code;
    *found = seen < count ? (unsigned)seen : count;
    qsort(out, *found, sizeof(*out), compare_keys);
    return 0;
}

int eco_cache_admin_read(struct eco_cache_admin *admin, const struct eco_cache_key *key,
                         struct eco_buffer *out, struct eco_error *error)
{
    sqlite3_stmt *row = admin->db.statements[ECO_CACHE_SELECT_ROW];
    unsigned char packed[ECO_CACHE_KEY_BYTES];
    struct eco_hash128 hash;
    const void *data;
    int size, code;

    eco_buffer_clear(out);
    eco_cache_key_pack(key, packed);
    sqlite3_bind_blob(row, 1, packed, sizeof(packed), SQLITE_STATIC);
    code = eco_cache_db_step(&admin->db, ECO_CACHE_SELECT_ROW, error);
    if (!code && sqlite3_data_count(row) == 0) {
        code = ECO_ENOTFOUND;
    } else if (!code) {
        data = sqlite3_column_blob(row, 2);
        size = sqlite3_column_bytes(row, 2);
        hash = eco_hash128(data, (size_t)size);
        if (!data)
            code = eco_error_set(error, ECO_ECORRUPT, "its image is missing");
        else if (!eco_cache_hash_bound(row, 0, packed, &hash) ||
                 !eco_cache_hash_equal(row, 1, &hash))
            code = eco_error_set(error, ECO_ECORRUPT, "its checksum is wrong");
        else
            eco_buffer_append(out, data, (size_t)size);
    }
    eco_cache_db_reset(&admin->db, ECO_CACHE_SELECT_ROW);
    return !code && out->failed ? eco_error_set(error, ECO_ENOMEM, "no memory for a tile") : code;
}

int eco_cache_admin_check(struct eco_cache_admin *admin, struct eco_error *error)
{
    sqlite3_stmt *statement = NULL;
    int result =
        sqlite3_prepare_v2(admin->db.handle, "PRAGMA quick_check(1)", -1, &statement, NULL);
    int code = 0;

    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    if (result != SQLITE_ROW)
        code = eco_error_set(error, (enum eco_code)eco_cache_code(result), "%s",
                             sqlite3_errmsg(admin->db.handle));
    else if (strcmp((const char *)sqlite3_column_text(statement, 0), "ok") != 0)
        code = eco_error_set(error, ECO_ECORRUPT, "the file is damaged: %.400s",
                             (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return code;
}
