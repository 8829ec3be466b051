#include "http/root.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Of a list the last: it is what the nearest proxy said. Trimmed; false when it is too long. */
static bool last_value(const char *list, char *out, size_t size)
{
    const char *comma = strrchr(list, ',');
    const char *start = comma ? comma + 1 : list;
    size_t length;

    start += strspn(start, " \t");
    length = strlen(start);
    while (length > 0 && (start[length - 1] == ' ' || start[length - 1] == '\t'))
        length--;
    if (length >= size)
        return false;
    memcpy(out, start, length);
    out[length] = '\0';
    return true;
}

static int read_forwarded(const struct eco_headers *headers, char host[ECO_HOST_MAX + 1],
                          char prefix[ECO_PREFIX_MAX + 2], const char **scheme,
                          struct eco_error *error)
{
    char proto[8] = "";

    if (headers->forwarded_proto) {
        if (!last_value(headers->forwarded_proto, proto, sizeof(proto)) ||
            (strcasecmp(proto, "http") != 0 && strcasecmp(proto, "https") != 0))
            return eco_error_set(error, ECO_EINVAL,
                                 "the X-Forwarded-Proto header is neither http nor https");
        *scheme = strcasecmp(proto, "https") == 0 ? "https" : "http";
    }
    if (headers->forwarded_host && !last_value(headers->forwarded_host, host, ECO_HOST_MAX + 1))
        return eco_error_set(error, ECO_EINVAL, "the X-Forwarded-Host header is too long");
    if (headers->forwarded_prefix) {
        size_t length;

        if (!last_value(headers->forwarded_prefix, prefix, ECO_PREFIX_MAX + 2))
            return eco_error_set(error, ECO_EINVAL, "the X-Forwarded-Prefix header is too long");
        length = strlen(prefix);
        if (length > 0 && prefix[length - 1] == '/')
            prefix[length - 1] = '\0';
        if (!eco_network_prefix_valid(prefix))
            return eco_error_set(error, ECO_EINVAL,
                                 "the X-Forwarded-Prefix header is not a path such as /maps");
    }
    return 0;
}

int eco_root_write(const struct eco_server_config *config, const struct eco_headers *headers,
                   const struct sockaddr *peer, const char *fallback, char out[ECO_ROOT_MAX],
                   struct eco_error *error)
{
    char host[ECO_HOST_MAX + 1] = "", prefix[ECO_PREFIX_MAX + 2] = "";
    const char *scheme = "http";
    int code;

    if (config->public_url) {
        snprintf(out, ECO_ROOT_MAX, "%s", config->public_url);
        return 0;
    }
    if (!last_value(headers->host ? headers->host : fallback, host, sizeof(host)) ||
        (headers->host && strcmp(host, headers->host) != 0))
        host[0] = '\0';
    if (config->trusted_proxies && peer && eco_network_list_has(config->trusted_proxies, peer)) {
        code = read_forwarded(headers, host, prefix, &scheme, error);
        if (code)
            return code;
    }
    if (!eco_network_host_valid(host))
        return eco_error_set(error, ECO_EINVAL, "the Host header is not a host and port");
    snprintf(out, ECO_ROOT_MAX, "%s://%s%s%s", scheme, host, prefix,
             config->base_path ? config->base_path : "");
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
