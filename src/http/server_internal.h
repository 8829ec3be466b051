/* What server.c and routes.c share. */
#ifndef ECO_HTTP_SERVER_INTERNAL_H
#define ECO_HTTP_SERVER_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "http/access.h"
#include "http/guard.h"
#include "http/listen.h"
#include "http/metrics.h"
#include "http/peers.h"
#include "http/rate.h"
#include "http/reply.h"
#include "http/server.h"
#include "http/site.h"
#include "http/url.h"
#include "world/score_world.h"

struct eco_ask; /* a question about ground, see ask.c */
struct client;  /* a thread's client of the service, in the list of the server */

struct eco_server {
    struct eco_service *service;
    struct MHD_Daemon *daemon;
    MHD_socket quiesced; /* the listening socket after eco_server_refuse */
    struct eco_guard *guard;
    unsigned connections; /* that may be open at once */
    struct eco_metrics metrics;
    struct eco_access *access;
    struct eco_peers *peers;
    struct eco_rate *rate, *point_rate;
    char address[ECO_LISTEN_NAME_MAX];
    struct eco_document **assets; /* as eco_assets */
    pthread_mutex_t site_mutex;
    struct eco_site *site; /* under the mutex */
    atomic_bool leaving;   /* balancers are told to go elsewhere; all is answered still */
    atomic_bool stopping;  /* nothing is drawn any more */
    atomic_uint open_requests;
    pthread_mutex_t clients_mutex;
    struct client *clients;
};

enum eco_request_state {
    ECO_REQUEST_NEW,
    ECO_REQUEST_READ,    /* its headers were read, and it has no body */
    ECO_REQUEST_WAITING, /* suspended until its tile is there; `code` and `blob` are the waker's */
};

/* One request, from its first line until its reply is sent. */
struct eco_request {
    struct eco_server *server;
    struct eco_site *site; /* a reference */
    struct MHD_Connection *connection;
    enum eco_request_state state;
    bool is_options; /* of ECO_REQUEST_READ; otherwise GET or HEAD */
    struct eco_headers headers;
    int socket; /* of a request that waits for its tile */
    int code;
    struct eco_blob *blob; /* a reference, given back when the request is completed */
    bool immutable;
    struct eco_ask *ask; /* of ECO_ROUTE_POINT, _AREA and _LOCATE; freed with the request */
    /* Of ECO_ROUTE_SCORE: */
    const struct eco_world_config *score_world;
    int64_t score_seed;
    struct eco_score_query score_query;
    struct eco_score score;
    int url_code;
    char *moved; /* to the root, with this query; NULL: not */
    struct eco_url url;
    struct eco_error url_error;
    /* Of the journal: */
    uint64_t begin;  /* monotonic ns */
    char *target;    /* the raw URL if it is to be logged, or NULL */
    char method[16]; /* empty while not known, or not to be logged */
    char version[16];
    const char *tier;
    struct eco_reply_sent sent;
};

/* Whether the client may have something made that no cache has; counts as one more, a picture as
 * so many as it has tiles' pixels. */
bool eco_request_may_render(const struct eco_request *request);

/* The calling thread's client of the service, or NULL. */
struct eco_service_client *eco_server_client(struct eco_server *server);

/* Whether the client has closed the connection. Nobody reads from the socket of a suspended one, so
 * that its end is seen only here. */
bool eco_server_left(int socket);

/* Answers a GET or HEAD whose URL was read, or suspends it. */
enum MHD_Result eco_route_request(struct eco_request *request);

/* The HTTP status of an error code. */
unsigned eco_status_of(int code);

#endif
