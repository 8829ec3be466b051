#include "http/forwarded.h"

#include <string.h>
#include <strings.h>

#define BLANKS " \t"
#define TOKEN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~"

/* --- X-Forwarded-* -----------------------------------------------------------------------------
 */

static bool has_x_forwarded(const struct eco_headers *headers)
{
    return headers->forwarded_host || headers->forwarded_proto || headers->forwarded_prefix ||
           headers->forwarded_for;
}

/* The last entry of a list, trimmed; false when it is too long. */
static bool last_value(const char *list, char *out, size_t size)
{
    const char *comma = strrchr(list, ',');
    const char *start = comma ? comma + 1 : list;
    size_t length;

    start += strspn(start, BLANKS);
    length = strlen(start);
    while (length > 0 && (start[length - 1] == ' ' || start[length - 1] == '\t'))
        length--;
    if (length >= size)
        return false;
    memcpy(out, start, length);
    out[length] = '\0';
    return true;
}

static int read_scheme(const char *text, const char *header, struct eco_forwarded *out,
                       struct eco_error *error)
{
    if (strcasecmp(text, "http") != 0 && strcasecmp(text, "https") != 0)
        return eco_error_set(error, ECO_EINVAL, "the %s header is neither http nor https", header);
    out->scheme = strcasecmp(text, "https") == 0 ? "https" : "http";
    return 0;
}

static int read_prefix(const char *list, struct eco_forwarded *out, struct eco_error *error)
{
    size_t length;

    if (!last_value(list, out->prefix, sizeof(out->prefix)))
        return eco_error_set(error, ECO_EINVAL, "the X-Forwarded-Prefix header is too long");
    length = strlen(out->prefix);
    if (length > 0 && out->prefix[length - 1] == '/')
        out->prefix[length - 1] = '\0';
    if (!eco_network_prefix_valid(out->prefix))
        return eco_error_set(error, ECO_EINVAL,
                             "the X-Forwarded-Prefix header is not a path such as /maps");
    return 0;
}

static int read_x_forwarded(const struct eco_headers *headers, struct eco_forwarded *out,
                            struct eco_error *error)
{
    char proto[8] = "";
    int code = 0;

    if (headers->forwarded_proto) {
        if (!last_value(headers->forwarded_proto, proto, sizeof(proto)))
            proto[0] = '\0';
        code = read_scheme(proto, "X-Forwarded-Proto", out, error);
    }
    if (!code && headers->forwarded_host) {
        out->has_host = true;
        if (!last_value(headers->forwarded_host, out->host, sizeof(out->host)))
            code = eco_error_set(error, ECO_EINVAL, "the X-Forwarded-Host header is too long");
    }
    if (!code && headers->forwarded_prefix)
        code = read_prefix(headers->forwarded_prefix, out, error);
    return code;
}

/* --- Forwarded ---------------------------------------------------------------------------------
 */

/* A parameter of the Forwarded header. */
struct pair {
    const char *name;
    size_t name_length;
    char value[ECO_HOST_MAX + 1]; /* without quotes */
    char end;                     /* what comes after it: ';', ',' or 0 */
};

/* A token or a quoted text; NULL when it is neither or too long. */
static const char *read_value(const char *text, char out[ECO_HOST_MAX + 1])
{
    size_t length = 0;

    if (*text != '"') {
        /* Addresses and ports are often sent without the quotes that they need. */
        length = strspn(text, TOKEN ":[]");
        if (length == 0 || length > ECO_HOST_MAX)
            return NULL;
        memcpy(out, text, length);
        out[length] = '\0';
        return text + length;
    }
    for (text++; *text != '"'; text++) {
        if (*text == '\\')
            text++;
        if (*text == '\0' || length == ECO_HOST_MAX)
            return NULL;
        out[length++] = *text;
    }
    out[length] = '\0';
    return text + 1;
}

/* Moves *at behind the next parameter; false when there is none, with *at NULL when it is wrong. */
static bool next_pair(const char **at, struct pair *out)
{
    const char *text = *at + strspn(*at, BLANKS ",;");

    if (*text == '\0')
        return false;
    *at = NULL;
    out->name = text;
    out->name_length = strspn(text, TOKEN);
    text += out->name_length;
    if (out->name_length == 0 || *text != '=')
        return false;
    text = read_value(text + 1, out->value);
    if (!text)
        return false;
    text += strspn(text, BLANKS);
    if (*text != ';' && *text != ',' && *text != '\0')
        return false;
    out->end = *text;
    *at = text;
    return true;
}

static bool is_named(const struct pair *pair, const char *name)
{
    return strlen(name) == pair->name_length &&
           strncasecmp(name, pair->name, pair->name_length) == 0;
}

static int read_standard(const char *header, struct eco_forwarded *out, struct eco_error *error)
{
    struct pair pair;
    bool fresh = true;

    while (next_pair(&header, &pair)) {
        /* Only what the last element says stays. */
        if (fresh)
            *out = (struct eco_forwarded){0};
        fresh = pair.end == ',';
        if (is_named(&pair, "host")) {
            out->has_host = true;
            memcpy(out->host, pair.value, sizeof(out->host));
        } else if (is_named(&pair, "proto")) {
            int code = read_scheme(pair.value, "Forwarded", out, error);
            if (code)
                return code;
        }
    }
    if (!header)
        return eco_error_set(error, ECO_EINVAL,
                             "the Forwarded header is not of the form for=…;host=…;proto=…");
    return 0;
}

int eco_forwarded_read(const struct eco_headers *headers, struct eco_forwarded *out,
                       struct eco_error *error)
{
    *out = (struct eco_forwarded){0};
    if (has_x_forwarded(headers))
        return read_x_forwarded(headers, out, error);
    return headers->forwarded ? read_standard(headers->forwarded, out, error) : 0;
}

/* --- the client's address ----------------------------------------------------------------------
 */

/* Addresses from the first proxy's client to the last proxy's. */
struct path {
    const char *trusted;
    struct eco_address client; /* so far */
    bool started;
};

static void add_address(struct path *path, const char *text, size_t length)
{
    struct eco_address address;

    eco_address_parse(text, length, &address);
    if (eco_network_list_has(path->trusted, &address)) {
        if (!path->started)
            path->client = address;
    } else {
        path->client = address;
    }
    path->started = true;
}

static void walk_list(struct path *path, const char *list)
{
    while (*list) {
        size_t length = strcspn(list, ",");
        size_t before = strspn(list, BLANKS);
        size_t end = length;

        while (end > before && (list[end - 1] == ' ' || list[end - 1] == '\t'))
            end--;
        if (end > before)
            add_address(path, list + before, end - before);
        list += length + (list[length] == ',');
    }
}

static void walk_standard(struct path *path, const char *header)
{
    struct pair pair;

    while (next_pair(&header, &pair)) {
        if (is_named(&pair, "for"))
            add_address(path, pair.value, strlen(pair.value));
    }
    if (!header)
        path->client.size = 0;
}

void eco_forwarded_client(const char *trusted, const struct eco_headers *headers,
                          const struct eco_address *peer, struct eco_address *out)
{
    struct path path = {.trusted = trusted};

    *out = *peer;
    if (!trusted || !eco_network_list_has(trusted, peer))
        return;
    if (has_x_forwarded(headers))
        walk_list(&path, headers->forwarded_for ? headers->forwarded_for : "");
    else if (headers->forwarded)
        walk_standard(&path, headers->forwarded);
    if (path.client.size > 0)
        *out = path.client;
}
