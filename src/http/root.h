/*
 * Where the server is from the client's side: what stands before the paths in links. Thread rule:
 * pure functions.
 */
#ifndef ECO_HTTP_ROOT_H
#define ECO_HTTP_ROOT_H

#include "base/network.h"
#include "http/reply.h"
#include "world/config.h"

#define ECO_ROOT_MAX (ECO_HOST_MAX + 2 * ECO_PREFIX_MAX + 16)

/*
 * "https://maps.example/maps", without a slash at the end: server.public_url if it is set; else
 * what a trusted proxy forwarded; else the Host header, or `fallback` where there is none.
 * ECO_EINVAL with a sentence for the client: a header that is no host or prefix.
 */
int eco_root_write(const struct eco_server_config *config, const struct eco_headers *headers,
                   const struct eco_address *peer, const char *fallback, char out[ECO_ROOT_MAX],
                   struct eco_error *error);

/*
 * Cuts server.base_path off the raw path and query. 0: *raw begins with a slash; ECO_ERANGE: it is
 * the base path itself, without its slash; ECO_ENOTFOUND: it does not lie under it. What asks after
 * the server's health and measures is found with and without it.
 */
int eco_root_strip(const struct eco_server_config *config, const char **raw);

#endif
