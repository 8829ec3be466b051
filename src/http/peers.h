/*
 * How many connections each address has open. Addresses of IPv6 count by their network of 64 bits,
 * for that is what one client gets. Thread rule: any thread.
 */
#ifndef ECO_HTTP_PEERS_H
#define ECO_HTTP_PEERS_H

#include <stdbool.h>

#include "base/network.h"
#include "ecotone/error.h"

struct eco_peers;

/* For at most `connections` at once. */
int eco_peers_new(unsigned connections, struct eco_peers **out, struct eco_error *error);
/* NULL is allowed. */
void eco_peers_free(struct eco_peers *peers);

/* Of an address that is not known: 0. */
unsigned eco_peers_count(struct eco_peers *peers, const struct eco_address *address);
/* One more, and one less; only what was entered leaves. */
void eco_peers_enter(struct eco_peers *peers, const struct eco_address *address);
void eco_peers_leave(struct eco_peers *peers, const struct eco_address *address);

#endif
