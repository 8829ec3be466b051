/*
 * What the server answers from: a configuration and the documents made of it. Each request holds
 * the one that it began with, so that a new one can take its place at any time. Thread rule: any
 * thread; constant once made, but for the legends. Private to the http folder.
 */
#ifndef ECO_HTTP_SITE_H
#define ECO_HTTP_SITE_H

#include <stdatomic.h>
#include <stdint.h>

#include "http/legend.h"
#include "http/reply.h"
#include "world/config.h"

struct eco_site {
    atomic_uint references;
    const struct eco_config *config; /* held */
    struct eco_document *worlds;     /* /api/worlds */
    struct eco_legends *legends;
    uint64_t since; /* when the configuration took effect, monotonic ns */
};

/* With one reference; takes one of the configuration. `broken` (may be NULL): what is wrong with a
 * newer one, for /api/worlds to say. NULL when memory runs out. */
struct eco_site *eco_site_new(const struct eco_config *config, const char *broken);
void eco_site_incref(struct eco_site *site);
/* The last reference frees it. NULL is allowed. */
void eco_site_decref(struct eco_site *site);

#endif
