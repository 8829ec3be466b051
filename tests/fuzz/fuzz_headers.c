/*
 * Any headers, a line each: no read beyond them, and what is made of them goes safely into links,
 * logs and addresses.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "http/forwarded.h"
#include "http/root.h"

#define ETAG "\"0123456789abcdef0123456789abcdef\""
#define TRUSTED "127.0.0.1, ::1, 10.0.0.0/8, 2001:db8::/32"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool true_always)
{
    if (!true_always)
        abort();
}

/* "Name: value" lines into headers, as a server hands them over: each value ended by NUL. */
static void read_lines(char *text, struct eco_headers *headers)
{
    char *save = NULL;

    eco_headers_init(headers);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *value = strchr(line, ':');

        if (!value)
            continue;
        *value++ = '\0';
        value += strspn(value, " \t");
        eco_headers_add(headers, line, value);
    }
}

static void check_negotiation(const struct eco_headers *headers)
{
    const int values[] = {headers->encodings.gzip, headers->encodings.identity,
                          headers->encodings.any};
    struct eco_encodings same = headers->encodings;

    for (unsigned i = 0; i < 3; i++)
        require(values[i] >= -1 && values[i] <= 1000);
    if (headers->encodings.gzip == 0)
        require(!eco_encodings_gzip(&same));
    require(headers->if_none_match_count <= ECO_IF_NONE_MATCH_MAX);
    for (unsigned i = 0; i < headers->if_none_match_count; i++) {
        const char *value = headers->if_none_match[i];

        if (eco_etag_matches(value, ETAG))
            require(strstr(value, ETAG) || strchr(value, '*'));
        if (strcmp(value, ETAG) == 0 || strcmp(value, "*") == 0)
            require(eco_etag_matches(value, ETAG));
    }
}

/* A root goes into JSON, XML and a Location header. */
static void check_root(const struct eco_server_config *config, const struct eco_headers *headers,
                       const struct eco_address *peer)
{
    struct eco_error error = {0};
    char root[ECO_ROOT_MAX];
    size_t length;

    if (eco_root_write(config, headers, peer, "127.0.0.1:8080", root, &error) != 0) {
        require(error.code == ECO_EINVAL && error.text[0] != '\0');
        require(memchr(error.text, '\0', sizeof(error.text)) != NULL);
        require(eco_utf8_check(error.text, strlen(error.text)) == strlen(error.text));
        return;
    }
    length = strnlen(root, sizeof(root));
    require(length < sizeof(root) && root[length - 1] != '/');
    require(strncmp(root, "http://", 7) == 0 || strncmp(root, "https://", 8) == 0);
    for (const char *c = root; *c; c++)
        require(isalnum((unsigned char)*c) || strchr("-._~:/[]@", *c));
}

static void check_client(const struct eco_headers *headers, const struct eco_address *peer)
{
    struct eco_address client, again;
    char text[ECO_ADDRESS_TEXT_MAX];

    eco_forwarded_client(TRUSTED, headers, peer, &client);
    require(client.size == 4 || client.size == 16 || client.size == 0);
    require(peer->size == 0 || client.size != 0);
    eco_address_write(&client, text);
    require(memchr(text, '\0', sizeof(text)) != NULL);
    if (client.size == 0)
        return;
    require(eco_address_parse(text, strlen(text), &again));
    require(again.size == client.size && memcmp(again.bytes, client.bytes, client.size) == 0);
    /* Who is not trusted is who it is. */
    eco_forwarded_client(NULL, headers, peer, &client);
    require(client.size == peer->size && memcmp(client.bytes, peer->bytes, peer->size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct eco_server_config trusting = {.trusted_proxies = TRUSTED, .base_path = "/maps"};
    struct eco_server_config plain = {0};
    struct eco_address near = {0}, far = {0};
    struct eco_headers headers;
    char *text = malloc(size + 1);

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    read_lines(text, &headers);
    require(eco_address_parse("127.0.0.1", strlen("127.0.0.1"), &near));
    require(eco_address_parse("192.0.2.7", strlen("192.0.2.7"), &far));
    check_negotiation(&headers);
    check_root(&trusting, &headers, &near);
    check_root(&trusting, &headers, &far);
    check_root(&plain, &headers, &near);
    check_client(&headers, &near);
    check_client(&headers, &far);
    free(text);
    return 0;
}
