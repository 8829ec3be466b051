/*
 * Closes connections that never get through: one that has not completed a request for as long as
 * the guard allows, however busily it sends a byte now and then, is shut down. Where it is crowded,
 * those without a whole request go after two seconds, so that others find a place.
 * Thread rule: any thread; a guarded connection is added and removed by its owner, and removed
 * before its socket is closed.
 */
#ifndef ECO_HTTP_GUARD_H
#define ECO_HTTP_GUARD_H

#include "ecotone/error.h"

struct eco_guard;
struct eco_guarded;

/* `crowd`: connections from which on it is crowded. */
int eco_guard_new(unsigned seconds, unsigned crowd, struct eco_guard **out,
                  struct eco_error *error);
/* All connections must have been removed. NULL is allowed. */
void eco_guard_free(struct eco_guard *guard);

/* NULL when memory runs out: the connection is then not guarded. */
struct eco_guarded *eco_guard_add(struct eco_guard *guard, int socket);
/* A whole request came, which is answered until eco_guard_touch. NULL is allowed. */
void eco_guard_begin(struct eco_guarded *guarded);
/* A request was completed. NULL is allowed. */
void eco_guard_touch(struct eco_guarded *guarded);
void eco_guard_remove(struct eco_guard *guard, struct eco_guarded *guarded);

/* Connections that are open now. */
unsigned eco_guard_count(struct eco_guard *guard);

#endif
