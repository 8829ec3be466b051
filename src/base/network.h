/*
 * Texts that name places on the network: hosts, the roots of URLs, and lists of addresses. Thread
 * rule: pure functions.
 */
#ifndef ECO_BASE_NETWORK_H
#define ECO_BASE_NETWORK_H

#include <stdbool.h>
#include <sys/socket.h>

#define ECO_HOST_MAX 255
#define ECO_PREFIX_MAX 128

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

/* Whether the address lies in one of the list's networks. An IPv4 address within IPv6 counts as
 * IPv4. */
bool eco_network_list_has(const char *list, const struct sockaddr *address);

#endif
