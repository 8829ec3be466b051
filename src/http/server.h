/*
 * The HTTP server: routes and replies in front of a tile service.
 *
 * The order of an end without loss: eco_server_leave, eco_server_refuse, eco_service_drain,
 * eco_server_free, eco_service_free.
 *
 * Every reply is its own, with these exceptions that libmicrohttpd makes, in HTML and without CORS,
 * and then closes the connection: header lines without a colon (400), Content-Length that is no
 * number (400) or too large (413), both with their headers sent twice by version 0.9.75, request
 * lines and headers longer than ECO_HEADER_BYTES_MAX (414, 431), other versions of HTTP (505).
 * Thread rule: one thread starts and ends it.
 */
#ifndef ECO_HTTP_SERVER_H
#define ECO_HTTP_SERVER_H

#include "serve/service.h"

struct eco_server;

struct eco_server_options {
    const struct eco_config *config; /* held while it is needed */
    struct eco_service *service;     /* must outlive the server */
    int socket;          /* of eco_listen; the server's from now on, also when it fails */
    const char *address; /* of eco_listen */
    int access_log;      /* the descriptor that the access log goes to */
};

/* Listens and answers from when it returns. The error says what would be right. */
int eco_server_new(const struct eco_server_options *options, struct eco_server **out,
                   struct eco_error *error);

/* "127.0.0.1:8080": where it can be reached from this machine. */
const char *eco_server_address(const struct eco_server *server);

/* Answers from another configuration from now on; requests that began before keep theirs, and the
 * last of them lets it go. The address stays. On failure nothing changes. */
int eco_server_reload(struct eco_server *server, const struct eco_config *config,
                      struct eco_error *error);
/* Says on /api/worlds that a newer configuration is broken, in these words, until the next reload;
 * without memory for it all stays as it was. */
void eco_server_say_broken(struct eco_server *server, const char *words);
/* Counts a reload in the metrics; `done`: it succeeded. */
void eco_server_count_reload(struct eco_server *server, bool done);

/* Says to balancers that it is about to end; everything is answered as before. */
void eco_server_leave(struct eco_server *server);

/* Takes no new connections; requests on open ones that need a render get 503. */
void eco_server_refuse(struct eco_server *server);

/* Lets replies under way finish for a short while, then closes everything. The service must have
 * been drained: no waiter may be left. NULL is allowed. */
void eco_server_free(struct eco_server *server);

#endif
