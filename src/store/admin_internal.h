/* What admin.c, which reads, and admin_purge.c, which deletes, share. Thread rule: that of admin.h.
 */
#ifndef ECO_STORE_ADMIN_INTERNAL_H
#define ECO_STORE_ADMIN_INTERNAL_H

#include "store/admin.h"
#include "store/cache_internal.h"

enum eco_admin_statement {
    ECO_ADMIN_COUNT_IMAGES,
    ECO_ADMIN_COUNT_TILES,
    ECO_ADMIN_WORLD,
    ECO_ADMIN_GROUP,
    ECO_ADMIN_NEXT_KEY,
    ECO_ADMIN_KEY_IMAGE,
    ECO_ADMIN_USED_IMAGE,
    ECO_ADMIN_IMAGE_SIZE,
    ECO_ADMIN_LOOSE_IMAGES,
    ECO_ADMIN_EMPTY_OWNERS,
    ECO_ADMIN_STATEMENTS,
};

struct eco_cache_admin {
    struct eco_cache_db db;
    sqlite3_stmt *statements[ECO_ADMIN_STATEMENTS];
};

/* Steps to a row: 0 and true in *row, or what went wrong. */
int eco_admin_step(struct eco_cache_admin *admin, enum eco_admin_statement which, bool *row,
                   struct eco_error *error);
void eco_admin_reset(struct eco_cache_admin *admin, enum eco_admin_statement which);

/* The first column of the first row, 0 where there is none, with false in *row, which may be NULL;
 * the statement is reset. */
int eco_admin_number(struct eco_cache_admin *admin, enum eco_admin_statement which, int64_t *out,
                     bool *row, struct eco_error *error);

#endif
