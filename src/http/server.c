#include "http/server.h"

#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "http/ask.h"
#include "http/assets.h"
#include "http/documents.h"
#include "http/journal.h"
#include "http/root.h"
#include "http/server_internal.h"

#define THREADS_MIN 2
#define THREADS_MAX 4
#define IDLE_SECONDS 15
/* Longer than a request may wait for its tile and its reply then takes on a slow line. */
#define REQUEST_SECONDS (ECO_DEADLINE_MS_DEFAULT / 1000 + 30)
#define GOODBYE_MS 2000
/* Descriptors that are not connections: databases, logs, the epoll sets. */
#define DESCRIPTORS_KEPT 128

struct client {
    struct client *next;
    struct eco_service_client *client;
};

/* Of the server whose thread this is. */
static _Thread_local struct eco_service_client *thread_client;

struct eco_service_client *eco_server_client(struct eco_server *server)
{
    struct eco_error error = {0};
    struct client *entry;

    if (thread_client)
        return thread_client;
    entry = calloc(1, sizeof(*entry));
    if (!entry || eco_service_client_new(server->service, &entry->client, &error) != 0) {
        eco_log(ECO_LOG_ERROR, "a thread of the server cannot read tiles: %s", error.text);
        free(entry);
        return NULL;
    }
    pthread_mutex_lock(&server->clients_mutex);
    entry->next = server->clients;
    server->clients = entry;
    pthread_mutex_unlock(&server->clients_mutex);
    thread_client = entry->client;
    return thread_client;
}

bool eco_server_left(int socket)
{
    struct pollfd watched = {.fd = socket, .events = POLLRDHUP};

    return poll(&watched, 1, 0) == 1;
}

/* --- what libmicrohttpd calls ------------------------------------------------------------------
 */

static struct eco_site *current_site(struct eco_server *server)
{
    struct eco_site *site;

    pthread_mutex_lock(&server->site_mutex);
    site = server->site;
    eco_site_incref(site);
    pthread_mutex_unlock(&server->site_mutex);
    return site;
}

/* Copied, for the library cuts the URL where the query begins. */
static void read_moved(struct eco_request *request, const char *rest)
{
    request->moved = strndup(rest, ECO_URL_MAX + 1);
    if (!request->moved)
        request->url_code =
            eco_error_set(&request->url_error, ECO_ENOMEM, "the server is short of memory");
}

static void read_url(struct eco_request *request, const char *uri)
{
    const struct eco_server_config *config = &request->site->config->server;

    request->moved = NULL;
    request->url.wmts = false; /* where nothing is parsed */
    uri = eco_url_origin_form(uri);
    request->url_code = eco_root_strip(config, &uri);
    if (request->url_code == 0)
        request->url_code =
            eco_url_parse(uri, strnlen(uri, ECO_URL_MAX + 1), &request->url, &request->url_error);
    else if (request->url_code == ECO_ERANGE)
        read_moved(request, uri + strlen(config->base_path));
    else
        eco_error_set(&request->url_error, request->url_code,
                      "there is nothing here; what is served lies under %s/", config->base_path);
}

/* The only place where the URL is seen as it was sent. Later its escapes are decoded. */
static void *begin_request(void *context, const char *uri, struct MHD_Connection *connection)
{
    struct eco_server *server = context;
    struct eco_request *request = malloc(sizeof(*request));

    atomic_fetch_add_explicit(&server->open_requests, 1, memory_order_relaxed);
    if (!request)
        return NULL;
    request->server = server;
    request->site = current_site(server);
    request->connection = connection;
    request->state = ECO_REQUEST_NEW;
    request->code = 0;
    request->blob = NULL;
    request->ask = NULL;
    request->immutable = false;
    eco_journal_begin(request, uri);
    read_url(request, uri);
    return request;
}

/*
 * Called when the headers are there, and again when the whole request is. A reply that is queued at
 * the first call gives up the connection, so only those that shall not be read on are.
 */
static enum MHD_Result answer_request(struct eco_request *request,
                                      struct MHD_Connection *connection, const char *method,
                                      const char *version)
{
    if (request->state == ECO_REQUEST_READ && request->headers.hosts != 1 &&
        (request->headers.hosts > 1 || strcmp(version, MHD_HTTP_VERSION_1_1) == 0))
        return eco_reply_error(connection, MHD_HTTP_BAD_REQUEST,
                               request->headers.hosts ? "the request has more than one Host header"
                                                      : "the request has no Host header");
    if (request->state != ECO_REQUEST_NEW)
        return request->is_options ? eco_reply_options(connection) : eco_journal_route(request);
    eco_journal_headers(request, method, version);
    request->is_options = strcmp(method, MHD_HTTP_METHOD_OPTIONS) == 0;
    if (!request->is_options && strcmp(method, MHD_HTTP_METHOD_GET) != 0 &&
        strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return eco_reply_error(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
                               "only GET, HEAD and OPTIONS are answered here");
    eco_headers_read(&request->headers, connection);
    if (request->headers.body)
        return eco_reply_error(connection, MHD_HTTP_BAD_REQUEST,
                               "the request has a body, which means nothing here; leave it out");
    request->state = ECO_REQUEST_READ;
    return MHD_YES;
}

static enum MHD_Result handle_request(void *context, struct MHD_Connection *connection,
                                      const char *url, const char *method, const char *version,
                                      const char *upload_data, size_t *upload_data_size,
                                      void **request_context)
{
    struct eco_request *request = *request_context;
    const union MHD_ConnectionInfo *info;
    struct eco_reply_sent sent;
    enum MHD_Result result;

    (void)context;
    (void)url;
    (void)upload_data;
    (void)upload_data_size;
    if (!request)
        return MHD_NO;
    if (request->state == ECO_REQUEST_NEW) {
        info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
        if (info)
            eco_guard_begin(info->socket_context);
    }
    eco_reply_take();
    result = answer_request(request, connection, method, version);
    sent = eco_reply_take();
    if (sent.status)
        eco_journal_reply(request, &sent);
    return result;
}

static void end_request(void *context, struct MHD_Connection *connection, void **request_context,
                        enum MHD_RequestTerminationCode code)
{
    struct eco_server *server = context;
    struct eco_request *request = *request_context;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    *request_context = NULL;
    if (request) {
        eco_journal_end(request, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
        eco_blob_decref(request->blob);
        eco_ask_free(request->ask);
        free(request->moved);
        eco_site_decref(request->site);
        free(request);
    }
    if (info)
        eco_guard_touch(info->socket_context);
    atomic_fetch_sub_explicit(&server->open_requests, 1, memory_order_relaxed);
}

static void watch_connection(void *context, struct MHD_Connection *connection,
                             void **socket_context, enum MHD_ConnectionNotificationCode code)
{
    struct eco_server *server = context;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct eco_address address;

    eco_address_of(info ? info->client_addr : NULL, &address);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        eco_peers_leave(server->peers, &address);
        eco_guard_remove(server->guard, *socket_context);
        *socket_context = NULL;
        return;
    }
    eco_peers_enter(server->peers, &address);
    info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *socket_context = info ? eco_guard_add(server->guard, info->connect_fd) : NULL;
}

/* Connections are counted once they are there, so that a few threads may each let in one more. */
static enum MHD_Result accept_connection(void *context, const struct sockaddr *peer, socklen_t size)
{
    struct eco_server *server = context;
    struct eco_site *site = current_site(server);
    const struct eco_server_config *config = &site->config->server;
    struct eco_address address;
    bool welcome;

    (void)size;
    eco_address_of(peer, &address);
    welcome = config->connections_per_address == 0 ||
              eco_peers_count(server->peers, &address) < config->connections_per_address ||
              (config->trusted_proxies && eco_network_list_has(config->trusted_proxies, &address));
    eco_site_decref(site);
    if (!welcome)
        atomic_fetch_add_explicit(&server->metrics.turned_away, 1, memory_order_relaxed);
    return welcome ? MHD_YES : MHD_NO;
}

static void log_library(void *context, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
static void log_library(void *context, const char *format, va_list arguments)
{
    char text[256];

    (void)context;
    vsnprintf(text, sizeof(text), format, arguments);
    eco_log(ECO_LOG_DEBUG, "http: %s", text);
}

/* --- start and end -----------------------------------------------------------------------------
 */

static int make_documents(struct eco_server *server, struct eco_error *error)
{
    bool made;

    server->assets = calloc(eco_assets_count + 1, sizeof(struct eco_document *));
    made = server->assets != NULL;
    for (size_t i = 0; made && i < eco_assets_count; i++) {
        const struct eco_asset *asset = &eco_assets[i];
        const struct eco_document_source source = {
            .type = asset->type,
            .data = asset->data,
            .size = asset->size,
            .gzip = asset->gzip,
            .gzip_size = asset->gzip_size,
            .immutable = asset->immutable,
            .page = strncmp(asset->type, "text/html", 9) == 0,
        };
        server->assets[i] = eco_document_new(&source);
        made = server->assets[i] != NULL;
    }
    return made ? 0 : eco_error_set(error, ECO_ENOMEM, "no memory for the page");
}

/* Connections that may be open at once: fewer than there are descriptors. */
static unsigned connection_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return ECO_CONNECTIONS_MIN;
    if (limit.rlim_cur < limit.rlim_max &&
        limit.rlim_cur < ECO_CONNECTIONS_MAX + DESCRIPTORS_KEPT) {
        limit.rlim_cur = limit.rlim_max < ECO_CONNECTIONS_MAX + DESCRIPTORS_KEPT
                             ? limit.rlim_max
                             : ECO_CONNECTIONS_MAX + DESCRIPTORS_KEPT;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0 && getrlimit(RLIMIT_NOFILE, &limit) != 0)
            return ECO_CONNECTIONS_MIN;
    }
    if (limit.rlim_cur >= ECO_CONNECTIONS_MAX + DESCRIPTORS_KEPT)
        return ECO_CONNECTIONS_MAX;
    if (limit.rlim_cur <= ECO_CONNECTIONS_MIN + DESCRIPTORS_KEPT)
        return ECO_CONNECTIONS_MIN;
    return (unsigned)limit.rlim_cur - DESCRIPTORS_KEPT;
}

static unsigned thread_count(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    if (processors < THREADS_MIN)
        return THREADS_MIN;
    return processors < THREADS_MAX ? (unsigned)processors : THREADS_MAX;
}

static int start_daemon(struct eco_server *server, int *socket, struct eco_error *error)
{
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO |
            MHD_USE_ERROR_LOG,
        0, accept_connection, server, handle_request, server, MHD_OPTION_EXTERNAL_LOGGER,
        log_library, NULL, MHD_OPTION_LISTEN_SOCKET, *socket, MHD_OPTION_THREAD_POOL_SIZE,
        thread_count(), MHD_OPTION_CONNECTION_LIMIT, server->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)ECO_HEADER_BYTES_MAX,
        /* Strictly, version 0.9.75 answers a missing Host twice: that is left to answer_request. */
        MHD_OPTION_STRICT_FOR_CLIENT, 0, MHD_OPTION_URI_LOG_CALLBACK, begin_request, server,
        MHD_OPTION_NOTIFY_COMPLETED, end_request, server, MHD_OPTION_NOTIFY_CONNECTION,
        watch_connection, server, MHD_OPTION_END);
    if (!server->daemon)
        return eco_error_set(error, ECO_EIO,
                             "the HTTP server on %s does not start; the log at "
                             "level debug says more",
                             server->address);
    *socket = -1;
    return 0;
}

int eco_server_new(const struct eco_server_options *options, struct eco_server **out,
                   struct eco_error *error)
{
    struct eco_server *server = calloc(1, sizeof(*server));
    int socket = options->socket;
    int result;

    if (!server) {
        close(socket);
        return eco_error_set(error, ECO_ENOMEM, "no memory for the HTTP server");
    }
    snprintf(server->address, sizeof(server->address), "%s", options->address);
    server->service = options->service;
    server->quiesced = MHD_INVALID_SOCKET;
    server->connections = connection_limit();
    atomic_init(&server->leaving, false);
    atomic_init(&server->stopping, false);
    atomic_init(&server->open_requests, 0);
    eco_metrics_init(&server->metrics);
    pthread_mutex_init(&server->clients_mutex, NULL);
    pthread_mutex_init(&server->site_mutex, NULL);
    server->site = eco_site_new(options->config, NULL, NULL);
    result = server->site ? make_documents(server, error)
                          : eco_error_set(error, ECO_ENOMEM, "no memory for the worlds");
    if (!result)
        result = eco_guard_new(REQUEST_SECONDS, server->connections / 4 * 3, &server->guard, error);
    if (!result)
        result = eco_access_new(options->access_log, &server->access, error);
    if (!result)
        result = eco_peers_new(server->connections, &server->peers, error);
    if (!result)
        result = eco_rate_new(&server->rate, error);
    if (!result)
        result = eco_rate_new(&server->point_rate, error);
    if (!result)
        result = start_daemon(server, &socket, error);
    if (result) {
        close(socket);
        eco_server_free(server);
        return result;
    }
    *out = server;
    return 0;
}

const char *eco_server_address(const struct eco_server *server)
{
    return server->address;
}

static void replace_site(struct eco_server *server, struct eco_site *site)
{
    /* Nobody else puts another site in its place. */
    struct eco_site *old = server->site;

    pthread_mutex_lock(&server->site_mutex);
    server->site = site;
    pthread_mutex_unlock(&server->site_mutex);
    eco_site_decref(old);
}

int eco_server_reload(struct eco_server *server, const struct eco_config *config,
                      struct eco_error *error)
{
    struct eco_site *site = eco_site_new(config, NULL, server->site);

    if (!site)
        return eco_error_set(error, ECO_ENOMEM, "no memory for the worlds");
    replace_site(server, site);
    return 0;
}

void eco_server_say_broken(struct eco_server *server, const char *words)
{
    struct eco_site *now = current_site(server), *site = eco_site_new(now->config, words, now);

    if (site)
        replace_site(server, site);
    eco_site_decref(now);
}

void eco_server_count_reload(struct eco_server *server, bool done)
{
    atomic_fetch_add(&server->metrics.reloads[done], 1);
}

void eco_server_leave(struct eco_server *server)
{
    atomic_store(&server->leaving, true);
}

void eco_server_refuse(struct eco_server *server)
{
    eco_server_leave(server);
    atomic_store(&server->stopping, true);
    server->quiesced = MHD_quiesce_daemon(server->daemon);
    /* The library's threads still know the descriptor: it is shut now, and closed after them. */
    if (server->quiesced != MHD_INVALID_SOCKET)
        shutdown(server->quiesced, SHUT_RDWR);
}

static void stop_daemon(struct eco_server *server)
{
    const struct timespec moment = {.tv_nsec = 5 * 1000 * 1000};

    if (!server->daemon)
        return;
    /* Who was woken by the drain still has a reply to read. */
    for (int i = 0; i < GOODBYE_MS / 5 && atomic_load(&server->open_requests) > 0; i++)
        nanosleep(&moment, NULL);
    MHD_stop_daemon(server->daemon);
    if (server->quiesced != MHD_INVALID_SOCKET)
        close(server->quiesced);
}

void eco_server_free(struct eco_server *server)
{
    if (!server)
        return;
    stop_daemon(server);
    while (server->clients) {
        struct client *next = server->clients->next;
        eco_service_client_free(server->clients->client);
        free(server->clients);
        server->clients = next;
    }
    eco_guard_free(server->guard);
    eco_access_free(server->access);
    eco_peers_free(server->peers);
    eco_rate_free(server->rate);
    eco_rate_free(server->point_rate);
    for (size_t i = 0; server->assets && i < eco_assets_count; i++)
        eco_document_free(server->assets[i]);
    free(server->assets);
    eco_site_decref(server->site);
    pthread_mutex_destroy(&server->site_mutex);
    pthread_mutex_destroy(&server->clients_mutex);
    free(server);
}
