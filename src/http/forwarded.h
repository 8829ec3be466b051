/*
 * What a proxy says of the client that it asks for. Of the two families of headers X-Forwarded-*
 * has precedence: where a request has any of -For, -Host, -Proto and -Prefix, Forwarded (RFC 7239)
 * is not looked at. Of a header that comes twice the last one counts, of a list the last entry: it
 * is what the nearest proxy said. Whether the peer is to be believed is for the caller to know.
 * Thread rule: pure functions.
 */
#ifndef ECO_HTTP_FORWARDED_H
#define ECO_HTTP_FORWARDED_H

#include <stdbool.h>

#include "base/network.h"
#include "ecotone/error.h"
#include "http/reply.h"

struct eco_forwarded {
    bool has_host;
    char host[ECO_HOST_MAX + 1];     /* as it was sent, not yet known to be one */
    char prefix[ECO_PREFIX_MAX + 2]; /* valid (eco_network_prefix_valid); empty where not said */
    const char *scheme;              /* "http" or "https"; NULL where not said */
};

/* ECO_EINVAL with a sentence for the client. */
int eco_forwarded_read(const struct eco_headers *headers, struct eco_forwarded *out,
                       struct eco_error *error);

/*
 * The client's address: the last of those that were forwarded that is not of a trusted proxy, or
 * the first when all of them are. Where nothing was forwarded, where that one is hidden or no
 * address, and where `peer` is not in the list `trusted` (which may be NULL): `peer`.
 */
void eco_forwarded_client(const char *trusted, const struct eco_headers *headers,
                          const struct eco_address *peer, struct eco_address *out);

#endif
