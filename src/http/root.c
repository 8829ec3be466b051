#include "http/root.h"

#include <stdio.h>
#include <string.h>

#include "http/forwarded.h"

int eco_root_write(const struct eco_server_config *config, const struct eco_headers *headers,
                   const struct eco_address *peer, const char *fallback, char out[ECO_ROOT_MAX],
                   struct eco_error *error)
{
    const char *host = headers->host ? headers->host : fallback;
    struct eco_forwarded forwarded = {0};
    int code;

    if (config->public_url) {
        snprintf(out, ECO_ROOT_MAX, "%s", config->public_url);
        return 0;
    }
    if (config->trusted_proxies && eco_network_list_has(config->trusted_proxies, peer)) {
        code = eco_forwarded_read(headers, &forwarded, error);
        if (code)
            return code;
        if (forwarded.has_host)
            host = forwarded.host;
    }
    if (!eco_network_host_valid(host))
        return eco_error_set(
            error, ECO_EINVAL,
            "the Host header, or what a proxy forwards of it, is not a host and port");
    snprintf(out, ECO_ROOT_MAX, "%s://%s%s%s", forwarded.scheme ? forwarded.scheme : "http", host,
             forwarded.prefix, config->base_path ? config->base_path : "");
    return 0;
}

static bool is_for_operators(const char *raw)
{
    return strcmp(raw, "/healthz") == 0 || strcmp(raw, "/readyz") == 0 ||
           strcmp(raw, "/metrics") == 0;
}

int eco_root_strip(const struct eco_server_config *config, const char **raw)
{
    size_t length = config->base_path ? strlen(config->base_path) : 0;

    if (length == 0 || is_for_operators(*raw))
        return 0;
    if (strncmp(*raw, config->base_path, length) != 0)
        return ECO_ENOTFOUND;
    if ((*raw)[length] == '\0' || (*raw)[length] == '?')
        return ECO_ERANGE;
    if ((*raw)[length] != '/')
        return ECO_ENOTFOUND;
    *raw += length;
    return 0;
}
