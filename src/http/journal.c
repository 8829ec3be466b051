#include "http/journal.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "http/forwarded.h"

/* The pointer passes over many. */
#define POINTS_A_TILE 8

static const struct eco_server_config *config_of(const struct eco_request *request)
{
    return &request->site->config->server;
}

static bool is_logged(const struct eco_request *request)
{
    return config_of(request)->access_log != ECO_ACCESS_LOG_NONE;
}

void eco_journal_begin(struct eco_request *request, const char *uri)
{
    request->begin = eco_clock_monotonic_ns();
    request->method[0] = request->version[0] = '\0';
    request->sent = (struct eco_reply_sent){0};
    request->tier = NULL;
    /* Copied, for the library decodes and cuts it. Without memory the line lacks it. */
    request->target = is_logged(request) ? strndup(uri, ECO_URL_MAX) : NULL;
}

static void copy(char *out, size_t size, const char *text)
{
    size_t length = strnlen(text, size - 1);

    memcpy(out, text, length);
    out[length] = '\0';
}

void eco_journal_headers(struct eco_request *request, const char *method, const char *version)
{
    if (!is_logged(request))
        return;
    copy(request->method, sizeof(request->method), method);
    copy(request->version, sizeof(request->version), version);
}

enum MHD_Result eco_journal_route(struct eco_request *request)
{
    bool waited = request->state == ECO_REQUEST_WAITING;
    struct eco_service_hits before = {0}, after = {0};
    struct eco_service_client *client;
    enum MHD_Result result;

    if (!is_logged(request))
        return eco_route_request(request);
    if (waited) {
        request->tier = request->blob ? "render" : NULL;
        return eco_route_request(request);
    }
    client = eco_server_client(request->server);
    if (client)
        eco_service_client_hits(client, &before);
    result = eco_route_request(request);
    if (client)
        eco_service_client_hits(client, &after);
    if (after.store > before.store)
        request->tier = "file";
    else if (after.memory > before.memory)
        request->tier = "memory";
    return result;
}

void eco_journal_reply(struct eco_request *request, const struct eco_reply_sent *sent)
{
    enum eco_route route = request->url_code ? ECO_ROUTE_COUNT : request->url.route;

    request->sent = *sent;
    eco_metrics_count(&request->server->metrics, route, sent->status);
}

/* The client's address, also behind a trusted proxy; not known where the system does not say. */
static void address_of(const struct eco_request *request, struct eco_address *out)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct eco_address peer;

    eco_address_of(info ? info->client_addr : NULL, &peer);
    if (request->state == ECO_REQUEST_NEW)
        *out = peer;
    else
        eco_forwarded_client(config_of(request)->trusted_proxies, &request->headers, &peer, out);
}

static void write_line(const struct eco_request *request, uint64_t nanoseconds, bool complete)
{
    struct eco_access_record record = {
        .method = request->method[0] ? request->method : NULL,
        .target = request->target,
        .version = request->version[0] ? request->version : NULL,
        .tier = request->tier,
        .status = request->sent.status,
        .bytes = strcmp(request->method, MHD_HTTP_METHOD_HEAD) == 0 ? 0 : request->sent.bytes,
        .nanoseconds = nanoseconds,
        .complete = complete,
    };

    address_of(request, &record.client);
    /* The library keeps the headers until this is over. */
    if (request->state != ECO_REQUEST_NEW) {
        record.referer = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                                     MHD_HTTP_HEADER_REFERER);
        record.agent = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                                   MHD_HTTP_HEADER_USER_AGENT);
    }
    eco_access_add(request->server->access, config_of(request)->access_log, &record);
}

void eco_journal_end(struct eco_request *request, bool complete)
{
    enum eco_route route = request->url_code ? ECO_ROUTE_COUNT : request->url.route;
    uint64_t nanoseconds = eco_clock_monotonic_ns() - request->begin;

    if (request->sent.status)
        eco_metrics_time(&request->server->metrics, route, nanoseconds);
    if (is_logged(request))
        write_line(request, nanoseconds, complete);
    free(request->target);
}

/* In tiles. */
static unsigned cost_of(const struct eco_url *url)
{
    uint64_t pixels = (uint64_t)url->view.width * url->view.height;

    if (url->route != ECO_ROUTE_STATIC)
        return 1;
    pixels *= (uint64_t)url->view.scale * url->view.scale;
    return 1 + (unsigned)((pixels - 1) / (ECO_TILE_SIZE * ECO_TILE_SIZE));
}

bool eco_request_may_render(const struct eco_request *request)
{
    const struct eco_server_config *config = config_of(request);
    struct eco_address address;

    if (config->render_rate == 0)
        return true;
    address_of(request, &address);
    /* A proxy that does not say for whom it asks must not be held for one client. */
    if (config->trusted_proxies && eco_network_list_has(config->trusted_proxies, &address))
        return true;
    if (request->url.route == ECO_ROUTE_POINT)
        return eco_rate_take(request->server->point_rate, &address, 1,
                             POINTS_A_TILE * config->render_rate,
                             POINTS_A_TILE * config->render_burst, eco_clock_monotonic_ns());
    return eco_rate_take(request->server->rate, &address, cost_of(&request->url),
                         config->render_rate, config->render_burst, eco_clock_monotonic_ns());
}
