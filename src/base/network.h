/*
 * Texts that name places on the network: hosts, the roots of URLs, and lists of addresses. Thread
 * rule: pure functions.
 */
#ifndef ECO_BASE_NETWORK_H
#define ECO_BASE_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define ECO_HOST_MAX 255
#define ECO_PREFIX_MAX 128
#define ECO_ADDRESS_TEXT_MAX 46

/* An address without its port. An IPv4 address within IPv6 is an IPv4 address. */
struct eco_address {
    unsigned char bytes[16]; /* the first `size` of them, in network order; the others are 0 */
    unsigned size;           /* 4 or 16; 0: not known */
};

/* "maps.example", "[::1]:8080": made of the characters of hosts and ports, at most ECO_HOST_MAX. */
bool eco_network_host_valid(const char *text);

/* "/maps", "/a/b": plain segments, each after a slash, none of them . or ..; "" is no prefix, but
 * valid. At most ECO_PREFIX_MAX bytes. */
bool eco_network_prefix_valid(const char *text);

/* "https://maps.example:444/maps": http or https, a host, perhaps a prefix. */
bool eco_network_root_valid(const char *text);

/* Addresses and networks, such as "127.0.0.1, ::1, 10.0.0.0/8", separated by commas or spaces. */
bool eco_network_list_valid(const char *list);

/*
 * Where to listen: "address:port", "[v6]:port" or "name:port", port 0 to 65535. What ends like a
 * number is an address, and must be one; a name need not exist.
 */
bool eco_network_listen_valid(const char *text);

/* Whether the address lies in one of the list's networks; one that is not known lies in none. */
bool eco_network_list_has(const char *list, const struct eco_address *address);

/* Of any other kind of socket: not known. */
void eco_address_of(const struct sockaddr *socket, struct eco_address *out);
/* `length` bytes: "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:80".
 * False, and not known, for anything else. */
bool eco_address_parse(const char *text, size_t length, struct eco_address *out);
/* What its client is known by: an IPv4 address, or the network of 64 bits of an IPv6 one. */
uint64_t eco_address_group(const struct eco_address *address);
/* As it is usually written; "-" where it is not known. */
void eco_address_write(const struct eco_address *address, char out[ECO_ADDRESS_TEXT_MAX]);

#endif
