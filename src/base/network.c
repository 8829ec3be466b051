#include "base/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATORS ", "
#define LETTERS_AND_DIGITS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

struct network {
    unsigned char bytes[16];
    unsigned size; /* 4 or 16 */
    unsigned bits; /* that decide */
};

bool eco_network_host_valid(const char *text)
{
    size_t length = strspn(text, LETTERS_AND_DIGITS "-._:[]");

    return length > 0 && length <= ECO_HOST_MAX && text[length] == '\0';
}

bool eco_network_prefix_valid(const char *text)
{
    if (strlen(text) > ECO_PREFIX_MAX)
        return false;
    while (*text) {
        size_t length;

        if (*text++ != '/')
            return false;
        length = strspn(text, LETTERS_AND_DIGITS "-_.@");
        if (length == 0 || strspn(text, ".") == length)
            return false;
        text += length;
    }
    return true;
}

bool eco_network_root_valid(const char *text)
{
    char host[ECO_HOST_MAX + 1];
    size_t length;

    if (strncmp(text, "http://", 7) == 0)
        text += 7;
    else if (strncmp(text, "https://", 8) == 0)
        text += 8;
    else
        return false;
    length = strcspn(text, "/");
    if (length >= sizeof(host))
        return false;
    memcpy(host, text, length);
    host[length] = '\0';
    return eco_network_host_valid(host) && eco_network_prefix_valid(text + length);
}

static bool is_address(int family, const char *text)
{
    unsigned char binary[16];

    return inet_pton(family, text, binary) == 1;
}

static bool is_name(const char *text)
{
    return *text && *text != '-' && *text != '.' && !strstr(text, "..") &&
           text[strspn(text, LETTERS_AND_DIGITS "-.")] == '\0';
}

bool eco_network_listen_valid(const char *text)
{
    const char *colon = strrchr(text, ':'), *last;
    char host[ECO_HOST_MAX + 1];
    size_t length, digits;

    if (!colon)
        return false;
    digits = strspn(colon + 1, "0123456789");
    length = (size_t)(colon - text);
    if (digits < 1 || digits > 5 || colon[1 + digits] || strtoul(colon + 1, NULL, 10) > 65535)
        return false;
    if (length < 1 || length >= sizeof(host))
        return false;
    memcpy(host, text, length);
    host[length] = '\0';
    if (host[0] == '[' && host[length - 1] == ']') {
        host[length - 1] = '\0';
        /* The zone of a link-local address is for the system to know. */
        host[strcspn(host, "%")] = '\0';
        return is_address(AF_INET6, host + 1);
    }
    last = strrchr(host, '.');
    last = last ? last + 1 : host;
    if (last[strspn(last, "0123456789")] == '\0')
        return is_address(AF_INET, host);
    return is_name(host);
}

/* The entry at the start of `list`, of `length` bytes. */
static bool read_network(const char *list, size_t length, struct network *out)
{
    char text[INET6_ADDRSTRLEN + 5];
    char *slash;
    unsigned long bits;

    if (length >= sizeof(text))
        return false;
    memcpy(text, list, length);
    text[length] = '\0';
    slash = strchr(text, '/');
    if (slash)
        *slash++ = '\0';
    if (inet_pton(AF_INET, text, out->bytes) == 1)
        out->size = 4;
    else if (inet_pton(AF_INET6, text, out->bytes) == 1)
        out->size = 16;
    else
        return false;
    out->bits = out->size * 8;
    if (!slash)
        return true;
    if (strlen(slash) < 1 || strlen(slash) > 3 || strspn(slash, "0123456789") != strlen(slash))
        return false;
    bits = strtoul(slash, NULL, 10);
    if (bits > out->bits)
        return false;
    out->bits = (unsigned)bits;
    return true;
}

static bool contains(const struct network *network, const unsigned char *bytes, unsigned size)
{
    unsigned whole = network->bits / 8, rest = network->bits % 8;

    if (network->size != size || memcmp(network->bytes, bytes, whole) != 0)
        return false;
    return rest == 0 || (network->bytes[whole] ^ bytes[whole]) >> (8 - rest) == 0;
}

bool eco_network_list_valid(const char *list)
{
    struct network network;

    for (list += strspn(list, SEPARATORS); *list; list += strspn(list, SEPARATORS)) {
        size_t length = strcspn(list, SEPARATORS);

        if (!read_network(list, length, &network))
            return false;
        list += length;
    }
    return true;
}

bool eco_network_list_has(const char *list, const struct eco_address *address)
{
    struct network network;

    if (address->size == 0)
        return false;
    for (list += strspn(list, SEPARATORS); *list; list += strspn(list, SEPARATORS)) {
        size_t length = strcspn(list, SEPARATORS);

        if (read_network(list, length, &network) &&
            contains(&network, address->bytes, address->size))
            return true;
        list += length;
    }
    return false;
}

static void set_address(const void *bytes, unsigned size, struct eco_address *out)
{
    struct in6_addr v6;

    *out = (struct eco_address){.size = size};
    memcpy(out->bytes, bytes, size);
    memcpy(&v6, out->bytes, sizeof(v6));
    if (size == 16 && IN6_IS_ADDR_V4MAPPED(&v6)) {
        *out = (struct eco_address){.size = 4};
        memcpy(out->bytes, v6.s6_addr + 12, 4);
    }
}

void eco_address_of(const struct sockaddr *socket, struct eco_address *out)
{
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)socket;
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)socket;

    *out = (struct eco_address){0};
    if (socket && socket->sa_family == AF_INET)
        set_address(&v4->sin_addr, 4, out);
    else if (socket && socket->sa_family == AF_INET6)
        set_address(&v6->sin6_addr, 16, out);
}

/* Nothing, or a colon and a port. */
static bool is_port(const char *text)
{
    size_t digits;

    if (*text == '\0')
        return true;
    digits = strspn(text + 1, "0123456789");
    return *text == ':' && digits >= 1 && digits <= 5 && text[1 + digits] == '\0';
}

bool eco_address_parse(const char *text, size_t length, struct eco_address *out)
{
    char copy[INET6_ADDRSTRLEN + 10];
    unsigned char bytes[16];
    char *end;

    *out = (struct eco_address){0};
    if (length == 0 || length >= sizeof(copy) || memchr(text, '\0', length))
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (copy[0] == '[') {
        end = strchr(copy, ']');
        if (!end || !is_port(end + 1))
            return false;
        *end = '\0';
        if (inet_pton(AF_INET6, copy + 1, bytes) != 1)
            return false;
        set_address(bytes, 16, out);
    } else if (inet_pton(AF_INET6, copy, bytes) == 1) {
        set_address(bytes, 16, out);
    } else {
        end = copy + strcspn(copy, ":");
        if (!is_port(end))
            return false;
        *end = '\0';
        if (inet_pton(AF_INET, copy, bytes) != 1)
            return false;
        set_address(bytes, 4, out);
    }
    return true;
}

void eco_address_write(const struct eco_address *address, char out[ECO_ADDRESS_TEXT_MAX])
{
    if (address->size == 0 || !inet_ntop(address->size == 4 ? AF_INET : AF_INET6, address->bytes,
                                         out, ECO_ADDRESS_TEXT_MAX))
        memcpy(out, "-", 2);
}

uint64_t eco_address_group(const struct eco_address *address)
{
    /* No network begins with this many zeros, so that the families do not meet. */
    uint64_t group = address->size == 4 ? 1 : 0;

    for (unsigned i = 0; i < (address->size == 4 ? 4 : 8); i++)
        group = group << 8 | address->bytes[i];
    return group;
}
