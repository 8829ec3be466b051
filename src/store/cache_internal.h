/*
 * The parts of the tile cache: database.c is the SQLite file, owners.c whose images are in it,
 * shrink.c what has to go; they know no threads. writer.c is the
 * thread that owns the writing connection, reader.c the reading connections, cache.c the queue
 * between them.
 */
#ifndef ECO_STORE_CACHE_INTERNAL_H
#define ECO_STORE_CACHE_INTERNAL_H

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "store/cache.h"

/* --- database.c ---------------------------------------------------------------------------- */

/* What the writer is asked to do: store a tile, or delete a row that was found damaged. */
struct eco_cache_item {
    struct eco_cache_item *next;
    LIST_ENTRY(eco_cache_item) of_key; /* of what is not to be removed */
    struct eco_cache_key key;
    struct eco_hash128 hash;
    bool remove;
    char world[ECO_NAME_MAX + 1]; /* the origin */
    int64_t seed;
    uint8_t blend;
    size_t size;
    unsigned char data[];
};

#define ECO_CACHE_CHAINS 1024
LIST_HEAD(eco_cache_chain, eco_cache_item);

/* A key and a hash as they stand in the database: big endian, so that keys sort by world, layer
 * and zoom. */
#define ECO_CACHE_KEY_BYTES 20
#define ECO_CACHE_HASH_BYTES 16
#define ECO_CACHE_WORLD_BYTES 8 /* what a key begins with */
void eco_cache_key_pack(const struct eco_cache_key *key, unsigned char out[ECO_CACHE_KEY_BYTES]);
void eco_cache_key_unpack(const unsigned char packed[ECO_CACHE_KEY_BYTES],
                          struct eco_cache_key *key);

/* True when the column holds the packed form of `hash`. */
bool eco_cache_hash_equal(sqlite3_stmt *row, int column, const struct eco_hash128 *hash);
/* True when it holds that of `hash` bound to the key. */
bool eco_cache_hash_bound(sqlite3_stmt *row, int column, const unsigned char *key,
                          const struct eco_hash128 *hash);

/* An SQLite result as an eco_code: 0, ECO_EBUSY (locked), ECO_ECORRUPT (damaged file), ECO_ENOMEM,
 * ECO_EINVAL (this statement will never work), ECO_EIO (all else, may pass). */
int eco_cache_code(int sqlite_result);

enum eco_cache_statement {
    ECO_CACHE_BEGIN,
    ECO_CACHE_COMMIT,
    ECO_CACHE_INSERT_IMAGE,
    ECO_CACHE_SAME_IMAGE,
    ECO_CACHE_UPDATE_IMAGE,
    ECO_CACHE_DELETE_IMAGE,
    ECO_CACHE_INSERT_MAP,
    ECO_CACHE_SELECT_ROW,
    ECO_CACHE_DELETE_MAP,
    ECO_CACHE_DELETE_KEYS,
    ECO_CACHE_OLDEST_IMAGE,
    ECO_CACHE_OLDEST_OF_OWNER,
    ECO_CACHE_INSERT_OWNER,
    ECO_CACHE_SELECT_OWNER,
    ECO_CACHE_EMPTY_OWNER,
    ECO_CACHE_INSERT_WORLD,
    ECO_CACHE_NEXT_WORLD,
    ECO_CACHE_ANY_KEY,
    ECO_CACHE_DELETE_WORLD,
    ECO_CACHE_PAGE_COUNT,
    ECO_CACHE_FREELIST_COUNT,
    ECO_CACHE_PAGE_SIZE,
    ECO_CACHE_STATEMENT_COUNT,
};

/* The writing connection. All zero is closed. Thread rule: one owner. */
struct eco_cache_db {
    sqlite3 *handle;
    sqlite3_stmt *statements[ECO_CACHE_STATEMENT_COUNT];
    dev_t device; /* of the file, to see when it is moved */
    ino_t inode;
    uint64_t limit; /* that the WAL is fitted to */
    /* What the transaction has found out: the owner of the last item; 0: nothing yet. */
    int64_t owner;
    uint64_t owner_world;
    char owner_name[ECO_NAME_MAX + 1];
    /* The world that was last looked at for being empty. */
    unsigned char swept[ECO_CACHE_WORLD_BYTES];
};

#define ECO_CACHE_PAGE_BYTES 8192

/*
 * Opens the file and probes it. `busy_ms` of 0: makes a missing file, gives an empty one its
 * tables, and waits for no lock for long; otherwise locks are waited for so long, and nothing is
 * made. ECO_ECORRUPT: damaged, or no database; ECO_EINVAL: a whole database of another program;
 * ECO_ERANGE: another schema version, put in *version; else an error that may pass (ECO_EIO,
 * ECO_EBUSY, ECO_ENOMEM). On failure `db` is closed but keeps device and inode.
 */
int eco_cache_db_open(struct eco_cache_db *db, const char *path, unsigned busy_ms, int *version,
                      struct eco_error *error);

/* Whether a file that does not open was a cache once: its header is that of one but for a few
 * bytes. The file must not be open: closing it here would drop the locks on it. */
bool eco_cache_db_ours(const char *path);

/* Whether a file that does not open is somebody's work, which a mistyped path must not move: a
 * text, or a database of another program, even a damaged one. The file must not be open. */
bool eco_cache_db_precious(const char *path);

/* `whole`: checkpoint the WAL, which a damaged or moved file must not see. */
void eco_cache_db_close(struct eco_cache_db *db, bool whole);

/* True when `path` is no longer the file that is open. */
bool eco_cache_db_moved(const struct eco_cache_db *db, const char *path);

/*
 * Renames the closed file `db` was opened from, with its WAL, to `path`.`word`-UTC and says so in
 * the log, with the reason in `error`. A file that is already gone is success. ECO_EIO adds to
 * `error`.
 */
int eco_cache_db_set_aside(const struct eco_cache_db *db, const char *path, const char *word,
                           struct eco_error *error);

/* Does `count` items in one transaction, or none of them. Codes as eco_cache_code. */
int eco_cache_db_write(struct eco_cache_db *db, const struct eco_cache_item *items, size_t count,
                       struct eco_error *error);

/* Steps a statement to its first row, where it stays; resets it; both, of one that gives no row;
 * runs statements without a result. Codes as eco_cache_code. */
int eco_cache_db_step(struct eco_cache_db *db, enum eco_cache_statement which,
                      struct eco_error *error);
void eco_cache_db_reset(struct eco_cache_db *db, enum eco_cache_statement which);
int eco_cache_db_do(struct eco_cache_db *db, enum eco_cache_statement which,
                    struct eco_error *error);
int eco_cache_db_run(struct eco_cache_db *db, const char *sql, struct eco_error *error);

/* --- owners.c ------------------------------------------------------------------------------ */

/* Within a transaction: the owner of an item, whose world is noted too. */
int eco_cache_db_own(struct eco_cache_db *db, const struct eco_cache_item *item, int64_t *owner,
                     struct eco_error *error);

/* The owner of that name and its bytes; *owner is 0 where there is none. */
int eco_cache_db_owner(struct eco_cache_db *db, const char *name, int64_t *owner, uint64_t *bytes,
                       struct eco_error *error);

/* Within a transaction: looks at up to `count` worlds, in turn, and forgets those without tiles. */
int eco_cache_db_sweep(struct eco_cache_db *db, unsigned count, struct eco_error *error);

/* --- shrink.c ------------------------------------------------------------------------------ */

/* Bytes of the file, without its WAL, and of them those that hold nothing. */
int eco_cache_db_measure(struct eco_cache_db *db, uint64_t *bytes, uint64_t *unused,
                         struct eco_error *error);

struct eco_cache_shrunk {
    uint64_t bytes;   /* of the file now, without its WAL */
    uint64_t evicted; /* grows by the images removed */
    bool more;        /* the time was not enough */
};

/*
 * Measures the file and, where it is over `limit` bytes (0: no limit), removes the oldest images
 * and makes the file shorter, in transactions of bounded size, until `until_ns` of the monotonic
 * clock. Codes as eco_cache_code.
 */
int eco_cache_db_shrink(struct eco_cache_db *db, uint64_t limit, uint64_t until_ns,
                        struct eco_cache_shrunk *out, struct eco_error *error);

/* Removes the oldest images of the quota's world where it has more than its limit, as above; *out
 * is not reset. */
int eco_cache_db_fit(struct eco_cache_db *db, struct eco_cache_quota *quota, uint64_t until_ns,
                     struct eco_cache_shrunk *out, struct eco_error *error);

/* --- cache.c, writer.c, reader.c ----------------------------------------------------------- */

struct eco_cache_reader {
    struct eco_cache *cache;
    struct eco_cache_reader *next; /* under cache->readers_lock */
    /* Taken by the owner for each get, and by the writer to close the connection when the file is
     * replaced. */
    pthread_mutex_t lock;
    sqlite3 *handle;
    sqlite3_stmt *select;
    uint64_t generation; /* of the file that is open */
    uint64_t retry_ns;   /* no attempt to open before this */
};

/* Items of one transaction. */
#define ECO_CACHE_BATCH 64

struct eco_cache {
    char *path;
    pthread_t thread;

    pthread_mutex_t lock; /* for all up to the blank line */
    pthread_cond_t wake;  /* the writer: something to do */
    pthread_cond_t progress;
    struct eco_cache_item *first, **tail;
    struct eco_cache_chain chains[ECO_CACHE_CHAINS]; /* tiles that wait, by eco_key_hash */
    size_t count, bytes;
    uint64_t first_ns;                 /* when the oldest item came */
    uint64_t queued, done;             /* items ever; done counts those given up, too */
    uint64_t flush_until;              /* `done` that someone waits for; 0: no one */
    uint64_t failures;                 /* attempts that failed */
    uint64_t stored, dropped, pending; /* tiles */
    bool degraded, stop;
    uint64_t limit;   /* bytes; 0: none */
    uint64_t size;    /* bytes of the file, when it was last measured */
    uint64_t evicted; /* images */
    bool over;        /* the file may have to be shrunk */
    struct eco_cache_quota *quotas;
    unsigned quota_count, quota_changes;
    uint64_t quota_least; /* of the limits; UINT64_MAX: none */

    pthread_mutex_t readers_lock;
    struct eco_cache_reader *readers;

    /* Counts the files opened so far; 0 while there is none to read. */
    _Atomic uint64_t generation;
    /* The generation a reader found damaged. */
    _Atomic uint64_t damaged;

    /* The writer's own, and eco_cache_open's before the thread starts. */
    struct eco_cache_db db;
    uint64_t generations;
    uint64_t retry_ns, log_ns, replaced_ns;
    bool said; /* the log holds an unfinished story of failures */
};

/* Opens the database, replacing one that cannot be used. ECO_EINVAL: the file is not ours, and is
 * left as it is. */
int eco_cache_writer_open(struct eco_cache *cache, struct eco_error *error);
/* The writer thread; the argument is the cache. */
void *eco_cache_writer_run(void *argument);
/* Notes a failure: degraded, and a line in the log at most once a minute. */
void eco_cache_writer_failed(struct eco_cache *cache, const struct eco_error *error);

/* Asks the writer to look at a row again and delete it if it is damaged. */
void eco_cache_queue_remove(struct eco_cache *cache, const struct eco_cache_key *key);
/* Tells the writer that the file of this generation is damaged. */
void eco_cache_report_damage(struct eco_cache *cache, uint64_t generation);

/* Closes the connections of all readers; they open anew when cache->generation is not 0. */
void eco_cache_readers_close(struct eco_cache *cache);

#endif
