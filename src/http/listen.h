/* The socket that the daemon listens on. */
#ifndef ECO_HTTP_LISTEN_H
#define ECO_HTTP_LISTEN_H

#include <stddef.h>

#include "ecotone/error.h"

#define ECO_LISTEN_NAME_MAX 80

/*
 * Listens on what eco_network_listen_valid accepts; port 0 takes a free one. Returns the socket, or
 * a negative code with a sentence. `name` becomes "address:port" of a URL that reaches it from this
 * machine.
 */
int eco_listen(const char *where, char name[ECO_LISTEN_NAME_MAX], struct eco_error *error);

#endif
