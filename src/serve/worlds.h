/*
 * Opened worlds by (configuration, seed, method of blending): opened once by one thread while
 * others who want the same wait, kept while in use, and after that as long as they are among the
 * last ECO_SEEDED_WORLDS_MAX that were used. An open world holds its configuration. Thread rule:
 * every function from any thread.
 */
#ifndef ECO_SERVE_WORLDS_H
#define ECO_SERVE_WORLDS_H

#include "world/generator.h"

/* How a world is blended when a request asks for it: 0: as configured; otherwise 1 + the method. */
static inline enum eco_blend_method eco_worlds_method(const struct eco_world_config *world,
                                                      unsigned blend)
{
    return blend ? (enum eco_blend_method)(blend - 1) : world->blend.method;
}

struct eco_worlds;
struct eco_seeded_world; /* one that is in use */

/* Worlds of `config` are kept after use; NULL when memory runs out. */
struct eco_worlds *eco_worlds_new(const struct eco_config *config);
/* All worlds must have been given back. NULL is allowed. */
void eco_worlds_free(struct eco_worlds *worlds);

/* 0: *world stays open until *out is given back. Errors: those of eco_world_open. */
int eco_worlds_acquire(struct eco_worlds *worlds, const struct eco_world_config *config,
                       int64_t seed, enum eco_blend_method blend, struct eco_seeded_world **out,
                       const struct eco_world **world, struct eco_error *error);
void eco_worlds_release(struct eco_worlds *worlds, struct eco_seeded_world *seeded);

/* From now on worlds of `config` are kept: those of another are closed once nobody uses them. */
void eco_worlds_replace(struct eco_worlds *worlds, const struct eco_config *config);

/* Worlds that are open now, for tests and metrics. */
unsigned eco_worlds_count(struct eco_worlds *worlds);

#endif
