/*
 * How many cold tiles a client may ask for: a bucket of `burst` tokens an address, which fills by
 * `rate` tokens a second. Addresses of IPv6 share a bucket with their network of 64 bits. The table
 * is bounded; of those whose places are wanted, who asked longest ago is forgotten, and begins anew
 * with a full bucket. Thread rule: any thread.
 */
#ifndef ECO_HTTP_RATE_H
#define ECO_HTTP_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/network.h"
#include "ecotone/error.h"

#define ECO_RATE_ADDRESSES 8192

struct eco_rate;

int eco_rate_new(struct eco_rate **out, struct eco_error *error);
/* NULL is allowed. */
void eco_rate_free(struct eco_rate *rate);

/* Takes `cost` tokens, at least one, at the time `now`, monotonic ns; false when there is none. Of
 * those that are not there yet the address owes the rest. One that is not known has none of its own
 * and is let through. */
bool eco_rate_take(struct eco_rate *rate, const struct eco_address *address, unsigned cost,
                   unsigned per_second, unsigned burst, uint64_t now);

#endif
