/*
 * A cache file seen from outside, for who counts, clears or checks it: beside a daemon that uses
 * the file, or without one. Reads hold no lock that a writer waits for; writes are short
 * transactions with pauses between them. Nothing here makes, replaces or sets aside a file. Thread
 * rule: one owner.
 */
#ifndef ECO_STORE_ADMIN_H
#define ECO_STORE_ADMIN_H

#include <stdbool.h>
#include <stdint.h>

#include "store/cache.h"

struct eco_cache_admin;

/* ECO_ENOTFOUND: no file; ECO_EINVAL: no cache; ECO_ERANGE: one of another version of the program;
 * ECO_ECORRUPT: damaged; ECO_EBUSY: locked for longer than `wait_ms`, which
 * holds for what is done later, too; ECO_EIO; ECO_ENOMEM.
 */
int eco_cache_admin_open(const char *path, unsigned wait_ms, struct eco_cache_admin **out,
                         struct eco_error *error);
/* NULL is nothing. */
void eco_cache_admin_close(struct eco_cache_admin *admin);

struct eco_cache_extent {
    uint64_t bytes;  /* of the file, without its WAL */
    uint64_t unused; /* of these */
    uint64_t images, tiles;
};
int eco_cache_admin_extent(struct eco_cache_admin *admin, struct eco_cache_extent *out,
                           struct eco_error *error);

/* What one hash in keys stands for. */
struct eco_cache_world {
    uint64_t hash;
    bool known; /* false: the file does not tell what follows */
    char name[ECO_NAME_MAX + 1];
    int64_t seed;
    uint8_t blend;
};
/* The world of that hash; *out is always filled. */
int eco_cache_admin_world(struct eco_cache_admin *admin, uint64_t hash, struct eco_cache_world *out,
                          struct eco_error *error);

/* The bytes of images that count to the world of this name; 0 where there is none. */
int eco_cache_admin_counted(struct eco_cache_admin *admin, const char *name, uint64_t *bytes,
                            struct eco_error *error);

/* All tiles of one layer of one world. */
struct eco_cache_group {
    uint64_t world;
    uint8_t layer;
    uint64_t tiles, images, bytes; /* images that several tiles of the group share count once */
    int64_t oldest, newest;        /* seconds since 1970, of the images */
};
/* The group after *group in the order of world and layer, or the first one if *begun is false,
 * which it sets. ECO_ENOTFOUND: that was the last. */
int eco_cache_admin_next_group(struct eco_cache_admin *admin, bool *begun,
                               struct eco_cache_group *group, struct eco_error *error);

/* The least key above *key, or the least of all if *begun is false, which it sets. ECO_ENOTFOUND:
 * there is none. */
int eco_cache_admin_next_key(struct eco_cache_admin *admin, bool *begun, struct eco_cache_key *key,
                             struct eco_error *error);

/* Keys that are in the file and that `takes` wants, each as likely as the others: `count` at most,
 * all different, by rising key. */
int eco_cache_admin_sample(struct eco_cache_admin *admin, uint64_t random, unsigned count,
                           int (*takes)(void *context, const struct eco_cache_key *key, bool *takes,
                                        struct eco_error *error),
                           void *context, struct eco_cache_key *out, unsigned *found,
                           struct eco_error *error);

/* Replaces the content of `out` by the tile. ECO_ENOTFOUND: there is none of that key (any more);
 * ECO_ECORRUPT: its checksum, or the row itself, is wrong. */
int eco_cache_admin_read(struct eco_cache_admin *admin, const struct eco_cache_key *key,
                         struct eco_buffer *out, struct eco_error *error);

/* SQLite's own check of the whole file: ECO_ECORRUPT with what it found. */
int eco_cache_admin_check(struct eco_cache_admin *admin, struct eco_error *error);

struct eco_cache_purged {
    uint64_t tiles, images, bytes; /* bytes of images */
};
/*
 * Deletes the tiles of a world that `takes` wants (NULL: all of them), and the images that no tile
 * is left of; *out grows. What was deleted before an error stays deleted.
 */
int eco_cache_admin_purge(struct eco_cache_admin *admin, uint64_t world,
                          bool (*takes)(const void *context, const struct eco_cache_key *key),
                          const void *context, struct eco_cache_purged *out,
                          struct eco_error *error);
/* Deletes images without tiles and worlds without either, and gives back to the file system what is
 * unused; *out grows. */
int eco_cache_admin_tidy(struct eco_cache_admin *admin, struct eco_cache_purged *out,
                         struct eco_error *error);

#endif
