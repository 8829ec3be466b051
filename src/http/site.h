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

/* The border of a world, and since when it moves or stands. */
struct eco_site_border {
    struct eco_border border; /* its diameter is where it was then */
    uint64_t since;           /* monotonic ns */
};

struct eco_site {
    atomic_uint references;
    const struct eco_config *config; /* held */
    struct eco_document *worlds;     /* /api/worlds */
    struct eco_legends *legends;
    struct eco_site_border *borders; /* as the worlds of the configuration */
};

/* With one reference; takes one of the configuration. `broken` (may be NULL): what is wrong with a
 * newer one, for /api/worlds to say. `before` is the site whose place it takes, or NULL: a border
 * that is told nothing new goes on, one that is told to move otherwise does so from where it is
 * now. NULL when memory runs out. */
struct eco_site *eco_site_new(const struct eco_config *config, const char *broken,
                              const struct eco_site *before);
/* Seconds since then. */
double eco_site_border_elapsed(const struct eco_site_border *border);
void eco_site_incref(struct eco_site *site);
/* The last reference frees it. NULL is allowed. */
void eco_site_decref(struct eco_site *site);

#endif
