/* Whose images the file holds. */

#include <string.h>

#include "store/cache_internal.h"

int eco_cache_db_owner(struct eco_cache_db *db, const char *name, int64_t *owner, uint64_t *bytes,
                       struct eco_error *error)
{
    sqlite3_stmt *select = db->statements[ECO_CACHE_SELECT_OWNER];
    sqlite3_int64 stored;
    int code;

    *owner = 0;
    *bytes = 0;
    sqlite3_bind_text(select, 1, name, -1, SQLITE_STATIC);
    code = eco_cache_db_step(db, ECO_CACHE_SELECT_OWNER, error);
    if (!code && sqlite3_data_count(select) > 0) {
        *owner = sqlite3_column_int64(select, 0);
        stored = sqlite3_column_int64(select, 1);
        *bytes = stored > 0 ? (uint64_t)stored : 0;
    }
    eco_cache_db_reset(db, ECO_CACHE_SELECT_OWNER);
    return code;
}

static int note_world(struct eco_cache_db *db, const struct eco_cache_item *item, int64_t owner,
                      struct eco_error *error)
{
    sqlite3_stmt *insert = db->statements[ECO_CACHE_INSERT_WORLD];
    unsigned char key[ECO_CACHE_KEY_BYTES];

    eco_cache_key_pack(&item->key, key);
    sqlite3_bind_blob(insert, 1, key, ECO_CACHE_WORLD_BYTES, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 2, owner);
    sqlite3_bind_int64(insert, 3, item->seed);
    sqlite3_bind_int(insert, 4, item->blend);
    return eco_cache_db_do(db, ECO_CACHE_INSERT_WORLD, error);
}

int eco_cache_db_own(struct eco_cache_db *db, const struct eco_cache_item *item, int64_t *owner,
                     struct eco_error *error)
{
    uint64_t bytes;
    int code = 0;

    if (db->owner && strcmp(db->owner_name, item->world) == 0) {
        *owner = db->owner;
        if (db->owner_world == item->key.world)
            return 0;
    } else {
        db->owner = 0;
        sqlite3_bind_text(db->statements[ECO_CACHE_INSERT_OWNER], 1, item->world, -1,
                          SQLITE_STATIC);
        code = eco_cache_db_do(db, ECO_CACHE_INSERT_OWNER, error);
        if (!code)
            code = eco_cache_db_owner(db, item->world, owner, &bytes, error);
        if (!code && *owner == 0)
            code = eco_error_set(error, ECO_ECORRUPT, "the index of owners.name disagrees");
    }
    if (!code)
        code = note_world(db, item, *owner, error);
    if (code)
        return code;
    db->owner = *owner;
    db->owner_world = item->key.world;
    memcpy(db->owner_name, item->world, sizeof(db->owner_name));
    return 0;
}

/* Forgets the world at db->swept unless some key begins with it. */
static int sweep_one(struct eco_cache_db *db, struct eco_error *error)
{
    sqlite3_stmt *any = db->statements[ECO_CACHE_ANY_KEY];
    unsigned char last[ECO_CACHE_KEY_BYTES];
    bool empty;
    int code;

    memset(last, 0xFF, sizeof(last));
    memcpy(last, db->swept, sizeof(db->swept));
    sqlite3_bind_blob(any, 1, db->swept, sizeof(db->swept), SQLITE_STATIC);
    sqlite3_bind_blob(any, 2, last, sizeof(last), SQLITE_STATIC);
    code = eco_cache_db_step(db, ECO_CACHE_ANY_KEY, error);
    empty = sqlite3_data_count(any) == 0;
    eco_cache_db_reset(db, ECO_CACHE_ANY_KEY);
    if (code || !empty)
        return code;
    sqlite3_bind_blob(db->statements[ECO_CACHE_DELETE_WORLD], 1, db->swept, sizeof(db->swept),
                      SQLITE_STATIC);
    return eco_cache_db_do(db, ECO_CACHE_DELETE_WORLD, error);
}

int eco_cache_db_sweep(struct eco_cache_db *db, unsigned count, struct eco_error *error)
{
    sqlite3_stmt *next = db->statements[ECO_CACHE_NEXT_WORLD];
    int code = 0;

    for (unsigned i = 0; i < count && !code; i++) {
        const void *found;

        sqlite3_bind_blob(next, 1, db->swept, sizeof(db->swept), SQLITE_STATIC);
        code = eco_cache_db_step(db, ECO_CACHE_NEXT_WORLD, error);
        found = !code && sqlite3_data_count(next) > 0 ? sqlite3_column_blob(next, 0) : NULL;
        if (found && sqlite3_column_bytes(next, 0) == sizeof(db->swept)) {
            memcpy(db->swept, found, sizeof(db->swept));
        } else {
            /* The end, or a damaged row: from the beginning, the next time. */
            memset(db->swept, 0, sizeof(db->swept));
            i = count;
        }
        eco_cache_db_reset(db, ECO_CACHE_NEXT_WORLD);
        if (!code && i < count)
            code = sweep_one(db, error);
    }
    return code;
}
