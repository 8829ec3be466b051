#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "store/cache_internal.h"

#define SCHEMA_VERSION 3
#define APPLICATION_ID 0x45434F54 /* "ECOT" */
#define BUSY_MS 100
#define WHOLE_BYTES 67108864 /* a file up to this is checked whole: 0.1 s */

/*
 * Ids grow, so images are appended and the oldest have the lowest: inserts are three times as fast
 * as with the hash as key, and old images can be found without a clock. An id may come again after
 * its row was deleted; so `map` holds the hash too, bound to the key, which tells a row that points
 * to another image or has another key than it had.
 * `owners` are worlds of configurations by name, with what their images come to; `worlds` tells
 * what the hashes that keys begin with stand for. An image's time is for people.
 */
static const char schema[] =
    "CREATE TABLE images(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, owner INTEGER NOT NULL,"
    " time INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL);"
    "CREATE TABLE map(key BLOB PRIMARY KEY, image INTEGER NOT NULL, hash BLOB NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
    " images INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE worlds(hash BLOB PRIMARY KEY, owner INTEGER NOT NULL, seed INTEGER NOT NULL,"
    " blend INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX map_image ON map(image);"
    "CREATE INDEX images_owner ON images(owner);"
    "CREATE TRIGGER images_insert AFTER INSERT ON images BEGIN"
    " UPDATE owners SET images = images + 1, bytes = bytes + NEW.size WHERE id = NEW.owner; END;"
    "CREATE TRIGGER images_delete AFTER DELETE ON images BEGIN"
    " UPDATE owners SET images = images - 1, bytes = bytes - OLD.size WHERE id = OLD.owner; END;";

static const char select_row[] = "SELECT map.hash, images.hash, data, id FROM map"
                                 " LEFT JOIN images ON images.id = map.image WHERE key = ?1";

static const char insert_image[] =
    "INSERT INTO images(hash, data, owner, size, time)"
    " VALUES(?1, ?2, ?3, length(?2), unixepoch()) ON CONFLICT(hash) DO NOTHING";

static const char insert_world[] =
    "INSERT INTO worlds(hash, owner, seed, blend) VALUES(?1, ?2, ?3, ?4)"
    " ON CONFLICT(hash) DO UPDATE SET owner = excluded.owner WHERE owner <> excluded.owner";

static const char *const statement_texts[ECO_CACHE_STATEMENT_COUNT] = {
    [ECO_CACHE_BEGIN] = "BEGIN IMMEDIATE",
    [ECO_CACHE_COMMIT] = "COMMIT",
    [ECO_CACHE_INSERT_IMAGE] = insert_image,
    [ECO_CACHE_SAME_IMAGE] = "SELECT id, data = ?2 FROM images WHERE hash = ?1",
    [ECO_CACHE_UPDATE_IMAGE] = "UPDATE images SET data = ?2 WHERE id = ?1",
    [ECO_CACHE_DELETE_IMAGE] = "DELETE FROM images WHERE id = ?1",
    [ECO_CACHE_INSERT_MAP] = "INSERT OR REPLACE INTO map(key, image, hash) VALUES(?1, ?2, ?3)",
    [ECO_CACHE_SELECT_ROW] = select_row,
    [ECO_CACHE_DELETE_MAP] = "DELETE FROM map WHERE key = ?1",
    [ECO_CACHE_DELETE_KEYS] =
        "DELETE FROM map WHERE key IN (SELECT key FROM map WHERE image = ?1 LIMIT ?2)",
    [ECO_CACHE_OLDEST_IMAGE] = "SELECT id FROM images ORDER BY id LIMIT 1",
    [ECO_CACHE_OLDEST_OF_OWNER] = "SELECT id FROM images WHERE owner = ?1 ORDER BY id LIMIT 1",
    [ECO_CACHE_INSERT_OWNER] = "INSERT INTO owners(name) VALUES(?1) ON CONFLICT(name) DO NOTHING",
    [ECO_CACHE_SELECT_OWNER] = "SELECT id, bytes FROM owners WHERE name = ?1",
    [ECO_CACHE_EMPTY_OWNER] = "UPDATE owners SET images = 0, bytes = 0 WHERE id = ?1",
    [ECO_CACHE_INSERT_WORLD] = insert_world,
    [ECO_CACHE_NEXT_WORLD] = "SELECT hash FROM worlds WHERE hash > ?1 ORDER BY hash LIMIT 1",
    [ECO_CACHE_ANY_KEY] = "SELECT 1 FROM map WHERE key >= ?1 AND key <= ?2 LIMIT 1",
    [ECO_CACHE_DELETE_WORLD] = "DELETE FROM worlds WHERE hash = ?1",
    [ECO_CACHE_PAGE_COUNT] = "PRAGMA page_count",
    [ECO_CACHE_FREELIST_COUNT] = "PRAGMA freelist_count",
    [ECO_CACHE_PAGE_SIZE] = "PRAGMA page_size",
};

static void store_be(unsigned char *out, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (unsigned char)(value >> (8 * (bytes - 1 - i)));
}

void eco_cache_key_pack(const struct eco_cache_key *key, unsigned char out[ECO_CACHE_KEY_BYTES])
{
    store_be(out, key->world, 8);
    out[8] = key->layer;
    out[9] = key->format;
    out[10] = key->scale;
    out[11] = key->zoom;
    store_be(out + 12, key->x, 4);
    store_be(out + 16, key->y, 4);
}

static uint64_t load_be(const unsigned char *data, size_t bytes)
{
    uint64_t value = 0;

    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | data[i];
    return value;
}

void eco_cache_key_unpack(const unsigned char packed[ECO_CACHE_KEY_BYTES],
                          struct eco_cache_key *key)
{
    *key = (struct eco_cache_key){.world = load_be(packed, 8),
                                  .layer = packed[8],
                                  .format = packed[9],
                                  .scale = packed[10],
                                  .zoom = packed[11],
                                  .x = (uint32_t)load_be(packed + 12, 4),
                                  .y = (uint32_t)load_be(packed + 16, 4)};
}

static void hash_pack(const struct eco_hash128 *hash, unsigned char out[ECO_CACHE_HASH_BYTES])
{
    store_be(out, hash->high, 8);
    store_be(out + 8, hash->low, 8);
}

/* What a row of `map` holds for an image of this hash: it covers the key, so that a row whose key
 * rots never shows another's tile. */
static struct eco_hash128 hash_bind(const unsigned char key[ECO_CACHE_KEY_BYTES],
                                    const struct eco_hash128 *hash)
{
    struct eco_hash128 own = eco_hash128(key, ECO_CACHE_KEY_BYTES);

    return (struct eco_hash128){.low = own.low ^ hash->low, .high = own.high ^ hash->high};
}

bool eco_cache_hash_bound(sqlite3_stmt *row, int column, const unsigned char *key,
                          const struct eco_hash128 *hash)
{
    struct eco_hash128 bound = hash_bind(key, hash);

    return eco_cache_hash_equal(row, column, &bound);
}

bool eco_cache_hash_equal(sqlite3_stmt *row, int column, const struct eco_hash128 *hash)
{
    unsigned char packed[ECO_CACHE_HASH_BYTES];
    const void *stored = sqlite3_column_blob(row, column);

    hash_pack(hash, packed);
    return stored && sqlite3_column_bytes(row, column) == ECO_CACHE_HASH_BYTES &&
           memcmp(stored, packed, sizeof(packed)) == 0;
}

int eco_cache_code(int sqlite_result)
{
    switch (sqlite_result & 0xFF) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return 0;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return ECO_EBUSY;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    /* The statements are constant: where one makes no sense, the file is to blame. */
    case SQLITE_ERROR:
        return ECO_ECORRUPT;
    case SQLITE_NOMEM:
        return ECO_ENOMEM;
    case SQLITE_TOOBIG:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
        return ECO_EINVAL;
    default:
        return ECO_EIO;
    }
}

/* The code of the last result of `handle`, with its text. */
static int db_error(sqlite3 *handle, int result, struct eco_error *error)
{
    enum eco_code code = (enum eco_code)eco_cache_code(result);
    int number = handle && code == ECO_EIO ? sqlite3_system_errno(handle) : 0;
    char text[128];

    return eco_error_set(error, code, "%s%s%s (SQLite result %d)",
                         handle ? sqlite3_errmsg(handle) : sqlite3_errstr(result),
                         number ? ": " : "", number ? strerror_r(number, text, sizeof(text)) : "",
                         result);
}

int eco_cache_db_run(struct eco_cache_db *db, const char *sql, struct eco_error *error)
{
    int result = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

    return result == SQLITE_OK ? 0 : db_error(db->handle, result, error);
}

/* The first column of the first row; 0 where there is none. */
static int ask_int(struct eco_cache_db *db, const char *sql, int *out, struct eco_error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL);

    *out = 0;
    if (result == SQLITE_OK) {
        result = sqlite3_step(statement);
        if (result == SQLITE_ROW)
            *out = sqlite3_column_int(statement, 0);
    }
    if (eco_cache_code(result)) {
        int code = db_error(db->handle, result, error);

        sqlite3_finalize(statement);
        return code;
    }
    sqlite3_finalize(statement);
    return 0;
}

static int make_tables(struct eco_cache_db *db, struct eco_error *error)
{
    char version[128];
    int tables = 0, code;

    snprintf(version, sizeof(version),
             "PRAGMA page_size = %d; PRAGMA auto_vacuum = INCREMENTAL;"
             "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE",
             ECO_CACHE_PAGE_BYTES);
    code = eco_cache_db_run(db, version, error);
    if (code)
        return code;
    /* Another process may have made them in between. */
    code = ask_int(db, "SELECT count(*) FROM sqlite_schema", &tables, error);
    if (!code && tables == 0) {
        snprintf(version, sizeof(version), "PRAGMA application_id = %d; PRAGMA user_version = %d",
                 APPLICATION_ID, SCHEMA_VERSION);
        code = eco_cache_db_run(db, schema, error);
        if (!code)
            code = eco_cache_db_run(db, version, error);
    }
    if (!code)
        code = eco_cache_db_run(db, "COMMIT", error);
    if (code)
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

/* The database has another application's number: it is ours where its tables are, for then the
 * header is damaged. */
static int check_stranger(struct eco_cache_db *db, struct eco_error *error)
{
    int ours, code;

    code = ask_int(db,
                   "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND"
                   " (sql LIKE 'CREATE TABLE images(id INTEGER PRIMARY KEY, hash BLOB NOT NULL%'"
                   " OR sql LIKE 'CREATE TABLE map(key BLOB PRIMARY KEY, image INTEGER%')",
                   &ours, error);
    if (code)
        return code;
    if (ours == 2)
        return eco_error_set(error, ECO_ECORRUPT, "its header names another program");
    return eco_error_set(error, ECO_EINVAL, "it is a database of another program");
}

/* Every page of a file that is not large, for the probes see few. */
static int check_pages(struct eco_cache_db *db, struct eco_error *error)
{
    sqlite3_stmt *statement = NULL;
    int pages = 0, bytes = 0, result;
    int code = ask_int(db, "PRAGMA page_count", &pages, error);

    if (!code)
        code = ask_int(db, "PRAGMA page_size", &bytes, error);
    if (code || (int64_t)pages * bytes > WHOLE_BYTES)
        return code;
    result = sqlite3_prepare_v2(db->handle, "PRAGMA quick_check(1)", -1, &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    if (result != SQLITE_ROW)
        code = db_error(db->handle, result, error);
    else if (strcmp((const char *)sqlite3_column_text(statement, 0), "ok") != 0)
        code = eco_error_set(error, ECO_ECORRUPT, "it is damaged: %.300s",
                             (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    /* The text has a line for each fault. */
    for (char *c = error ? error->text : NULL; code && c && *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    return code;
}

/* Looks whether the file is ours and whole enough to begin with: header, schema, and both ends of
 * the tables. Rows are checked one by one when they are read. */
static int check_file(struct eco_cache_db *db, bool make, int *version, struct eco_error *error)
{
    static const char *const probes[] = {
        "SELECT length(key) FROM map ORDER BY key LIMIT 1",
        "SELECT length(key) FROM map ORDER BY key DESC LIMIT 1",
        "SELECT length(data) FROM images ORDER BY id LIMIT 1",
        "SELECT length(data) FROM images ORDER BY id DESC LIMIT 1",
        "SELECT length(hash) FROM images ORDER BY hash LIMIT 1",
        "SELECT max(id) FROM images GROUP BY owner LIMIT 1",
        "SELECT length(name) FROM owners ORDER BY id LIMIT 1",
        "SELECT length(hash) FROM worlds ORDER BY hash LIMIT 1",
    };
    int application = 0, tables, length;
    int code = ask_int(db, "SELECT count(*) FROM sqlite_schema", &tables, error);

    if (!code)
        code = ask_int(db, "PRAGMA application_id", &application, error);
    if (!code)
        code = ask_int(db, "PRAGMA user_version", version, error);
    if (!code && make && tables == 0 && *version == 0 && application == 0) {
        code = make_tables(db, error);
        if (!code)
            code = ask_int(db, "PRAGMA application_id", &application, error);
        if (!code)
            code = ask_int(db, "PRAGMA user_version", version, error);
    }
    if (!code && application != APPLICATION_ID)
        code = check_stranger(db, error);
    if (code)
        return code;
    if (*version != SCHEMA_VERSION)
        return eco_error_set(error, ECO_ERANGE, "its schema has version %d, this program's is %d",
                             *version, SCHEMA_VERSION);
    for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]) && !code; i++)
        code = ask_int(db, probes[i], &length, error);
    if (!code)
        code = check_pages(db, error);
    /* A damaged header may forbid to write where the file system does not. */
    if (!code && sqlite3_db_readonly(db->handle, "main") == 1 &&
        access(sqlite3_db_filename(db->handle, "main"), W_OK) == 0)
        return eco_error_set(error, ECO_ECORRUPT, "its header forbids to write");
    return code;
}

static int prepare_statements(struct eco_cache_db *db, struct eco_error *error)
{
    for (int i = 0; i < ECO_CACHE_STATEMENT_COUNT; i++) {
        int result = sqlite3_prepare_v3(db->handle, statement_texts[i], -1,
                                        SQLITE_PREPARE_PERSISTENT, &db->statements[i], NULL);

        if (result != SQLITE_OK)
            return db_error(db->handle, result, error);
    }
    return 0;
}

static void note_identity(struct eco_cache_db *db, const char *path)
{
    struct stat status;
    bool known = stat(path, &status) == 0;

    db->device = known ? status.st_dev : 0;
    db->inode = known ? status.st_ino : 0;
}

int eco_cache_db_open(struct eco_cache_db *db, const char *path, unsigned busy_ms, int *version,
                      struct eco_error *error)
{
    int flags = SQLITE_OPEN_READWRITE | (busy_ms ? 0 : SQLITE_OPEN_CREATE) | SQLITE_OPEN_NOMUTEX;
    int result, code;

    *version = 0;
    result = sqlite3_open_v2(path, &db->handle, flags, NULL);
    note_identity(db, path);
    if (result != SQLITE_OK) {
        code = db_error(db->handle, result, error);
        goto out;
    }
    sqlite3_extended_result_codes(db->handle, 1);
    sqlite3_busy_timeout(db->handle, busy_ms ? (int)busy_ms : BUSY_MS);
    sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, 2 * ECO_CACHE_TILE_BYTES_MAX);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    code = check_file(db, !busy_ms, version, error);
    if (!code)
        code = eco_cache_db_run(db,
                                "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                                "PRAGMA secure_delete = OFF; PRAGMA cache_size = -2048;"
                                "PRAGMA journal_size_limit = 16777216",
                                error);
    if (!code)
        code = prepare_statements(db, error);
    /* SQLite makes the file with its first page. */
    note_identity(db, path);
out:
    /* A stranger's file is left as SQLite leaves it. */
    if (code)
        eco_cache_db_close(db, code == ECO_EINVAL);
    return code;
}

void eco_cache_db_close(struct eco_cache_db *db, bool whole)
{
    for (int i = 0; i < ECO_CACHE_STATEMENT_COUNT; i++) {
        sqlite3_finalize(db->statements[i]);
        db->statements[i] = NULL;
    }
    if (db->handle && !whole)
        sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_close(db->handle);
    db->handle = NULL;
    db->limit = 0;
}

bool eco_cache_db_moved(const struct eco_cache_db *db, const char *path)
{
    struct stat status;

    return stat(path, &status) != 0 || status.st_dev != db->device || status.st_ino != db->inode;
}

int eco_cache_db_step(struct eco_cache_db *db, enum eco_cache_statement which,
                      struct eco_error *error)
{
    int result = sqlite3_step(db->statements[which]);

    return eco_cache_code(result) ? db_error(db->handle, result, error) : 0;
}

void eco_cache_db_reset(struct eco_cache_db *db, enum eco_cache_statement which)
{
    sqlite3_reset(db->statements[which]);
    sqlite3_clear_bindings(db->statements[which]);
}

int eco_cache_db_do(struct eco_cache_db *db, enum eco_cache_statement which,
                    struct eco_error *error)
{
    int code = eco_cache_db_step(db, which, error);

    eco_cache_db_reset(db, which);
    return code;
}

/* The id of the image that is already there, whose bytes are put right if they are damaged. */
static int find_image(struct eco_cache_db *db, const struct eco_cache_item *item,
                      const unsigned char *hash, sqlite3_int64 *id, struct eco_error *error)
{
    sqlite3_stmt *same = db->statements[ECO_CACHE_SAME_IMAGE];
    sqlite3_stmt *update = db->statements[ECO_CACHE_UPDATE_IMAGE];
    bool equal;
    int code;

    sqlite3_bind_blob(same, 1, hash, ECO_CACHE_HASH_BYTES, SQLITE_STATIC);
    sqlite3_bind_blob(same, 2, item->data, (int)item->size, SQLITE_STATIC);
    code = eco_cache_db_step(db, ECO_CACHE_SAME_IMAGE, error);
    if (!code && sqlite3_data_count(same) == 0)
        code = eco_error_set(error, ECO_ECORRUPT, "the index of images.hash disagrees with images");
    *id = sqlite3_column_int64(same, 0);
    equal = sqlite3_column_int(same, 1);
    eco_cache_db_reset(db, ECO_CACHE_SAME_IMAGE);
    if (code || equal)
        return code;
    sqlite3_bind_int64(update, 1, *id);
    sqlite3_bind_blob(update, 2, item->data, (int)item->size, SQLITE_STATIC);
    return eco_cache_db_do(db, ECO_CACHE_UPDATE_IMAGE, error);
}

static int write_tile(struct eco_cache_db *db, const struct eco_cache_item *item,
                      struct eco_error *error)
{
    sqlite3_stmt *image = db->statements[ECO_CACHE_INSERT_IMAGE];
    sqlite3_stmt *map = db->statements[ECO_CACHE_INSERT_MAP];
    unsigned char key[ECO_CACHE_KEY_BYTES], hash[ECO_CACHE_HASH_BYTES];
    struct eco_hash128 bound;
    sqlite3_int64 id;
    int64_t owner;
    int code = eco_cache_db_own(db, item, &owner, error);

    if (code)
        return code;
    eco_cache_key_pack(&item->key, key);
    hash_pack(&item->hash, hash);
    sqlite3_bind_int64(image, 3, owner);
    sqlite3_bind_blob(image, 1, hash, sizeof(hash), SQLITE_STATIC);
    sqlite3_bind_blob(image, 2, item->data, (int)item->size, SQLITE_STATIC);
    code = eco_cache_db_do(db, ECO_CACHE_INSERT_IMAGE, error);
    if (code)
        return code;
    id = sqlite3_last_insert_rowid(db->handle);
    if (sqlite3_changes(db->handle) == 0)
        code = find_image(db, item, hash, &id, error);
    if (code)
        return code;
    sqlite3_bind_blob(map, 1, key, sizeof(key), SQLITE_STATIC);
    bound = hash_bind(key, &item->hash);
    hash_pack(&bound, hash);
    sqlite3_bind_int64(map, 2, id);
    sqlite3_bind_blob(map, 3, hash, sizeof(hash), SQLITE_STATIC);
    return eco_cache_db_do(db, ECO_CACHE_INSERT_MAP, error);
}

/* Looks again, for the row may have been put right since a reader met it. */
static int remove_damaged(struct eco_cache_db *db, const struct eco_cache_item *item,
                          struct eco_error *error)
{
    sqlite3_stmt *row = db->statements[ECO_CACHE_SELECT_ROW];
    unsigned char key[ECO_CACHE_KEY_BYTES];
    bool row_whole, image_whole;
    struct eco_hash128 hash;
    sqlite3_int64 id;
    int code;

    eco_cache_key_pack(&item->key, key);
    sqlite3_bind_blob(row, 1, key, sizeof(key), SQLITE_STATIC);
    code = eco_cache_db_step(db, ECO_CACHE_SELECT_ROW, error);
    if (code || sqlite3_data_count(row) == 0) {
        eco_cache_db_reset(db, ECO_CACHE_SELECT_ROW);
        return code;
    }
    hash = eco_hash128(sqlite3_column_blob(row, 2), (size_t)sqlite3_column_bytes(row, 2));
    row_whole = eco_cache_hash_bound(row, 0, key, &hash);
    image_whole = eco_cache_hash_equal(row, 1, &hash);
    id = sqlite3_column_int64(row, 3);
    eco_cache_db_reset(db, ECO_CACHE_SELECT_ROW);
    if (!image_whole) {
        sqlite3_bind_int64(db->statements[ECO_CACHE_DELETE_IMAGE], 1, id);
        code = eco_cache_db_do(db, ECO_CACHE_DELETE_IMAGE, error);
    }
    if (!code && !(row_whole && image_whole)) {
        sqlite3_bind_blob(db->statements[ECO_CACHE_DELETE_MAP], 1, key, sizeof(key), SQLITE_STATIC);
        code = eco_cache_db_do(db, ECO_CACHE_DELETE_MAP, error);
    }
    return code;
}

int eco_cache_db_write(struct eco_cache_db *db, const struct eco_cache_item *items, size_t count,
                       struct eco_error *error)
{
    int code = eco_cache_db_do(db, ECO_CACHE_BEGIN, error);

    db->owner = 0;
    /* The last item's `next` belongs to the threads that put. */
    for (size_t i = 0; i < count && !code; i++, items = i < count ? items->next : NULL)
        code = items->remove ? remove_damaged(db, items, error) : write_tile(db, items, error);
    if (!code)
        code = eco_cache_db_do(db, ECO_CACHE_COMMIT, error);
    if (code && !sqlite3_get_autocommit(db->handle))
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    return code;
}
