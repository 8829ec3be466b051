#include "http/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/network.h"

#define HOST_MAX 256

/* Cuts "host:port" or "[v6]:port"; false when it is neither. */
static bool split(const char *where, char host[HOST_MAX], char port[6])
{
    const char *colon = strrchr(where, ':');
    const char *start = where, *end = colon;
    unsigned value = 0;

    if (!colon || strlen(colon + 1) < 1 || strlen(colon + 1) > 5)
        return false;
    for (const char *c = colon + 1; *c; c++) {
        if (*c < '0' || *c > '9')
            return false;
        value = value * 10 + (unsigned)(*c - '0');
    }
    if (*start == '[') {
        start++;
        end--;
        if (end <= start || *end != ']')
            return false;
    } else if (memchr(start, ':', (size_t)(end - start))) {
        return false;
    }
    if (value > 65535 || end <= start || end - start >= HOST_MAX)
        return false;
    memcpy(host, start, (size_t)(end - start));
    host[end - start] = '\0';
    snprintf(port, 6, "%u", value);
    return true;
}

static int open_socket(const struct addrinfo *address)
{
    int one = 1, failure;
    int fd = socket(address->ai_family, address->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                    address->ai_protocol);

    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) == 0 &&
        bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, SOMAXCONN) == 0)
        return fd;
    failure = errno;
    close(fd);
    errno = failure;
    return -1;
}

/* Where nobody can connect to, since it stands for every address, the loopback is named. */
static int name_socket(int fd, char name[ECO_LISTEN_NAME_MAX])
{
    struct sockaddr_storage address = {0};
    socklen_t size = sizeof(address);
    char host[64], port[8];

    if (getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        return -1;
    if (address.ss_family == AF_INET) {
        struct sockaddr_in *v4 = (struct sockaddr_in *)&address;
        if (v4->sin_addr.s_addr == htonl(INADDR_ANY))
            v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else if (address.ss_family == AF_INET6) {
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&address;
        if (IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr))
            v6->sin6_addr = in6addr_loopback;
    }
    if (getnameinfo((struct sockaddr *)&address, size, host, sizeof(host), port, sizeof(port),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return -1;
    snprintf(name, ECO_LISTEN_NAME_MAX, address.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host,
             port);
    return 0;
}

/* The sentence for the errno of socket, bind or listen. */
static int explain(int failure, const char *where, struct eco_error *error)
{
    char text[128];

    if (failure == EADDRINUSE)
        return eco_error_set(error, ECO_EIO,
                             "cannot listen on %s: the address is in use; stop what listens there "
                             "or choose another port",
                             where);
    if (failure == EACCES)
        return eco_error_set(error, ECO_EIO,
                             "cannot listen on %s: not allowed; ports below 1024 need a privilege",
                             where);
    if (failure == EADDRNOTAVAIL)
        return eco_error_set(error, ECO_EIO,
                             "cannot listen on %s: this machine has no such address; 127.0.0.1 or "
                             "0.0.0.0 always work",
                             where);
    return eco_error_set(error, ECO_EIO, "cannot listen on %s: %s", where,
                         strerror_r(failure, text, sizeof(text)));
}

int eco_listen(const char *where, char name[ECO_LISTEN_NAME_MAX], struct eco_error *error)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC,
                                   .ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    char host[HOST_MAX], port[6];
    int status, fd = -1, failure = 0;

    if (!eco_network_listen_valid(where) || !split(where, host, port))
        return eco_error_set(error, ECO_EINVAL,
                             "cannot listen on '%.100s': not of the form address:port or "
                             "[v6]:port, port 0 to 65535",
                             where);
    status = getaddrinfo(host, port, &hints, &found);
    if (status != 0)
        return eco_error_set(error, ECO_EINVAL,
                             "cannot listen on %s: %s; an address such as 127.0.0.1 or [::1]",
                             where, gai_strerror(status));
    for (const struct addrinfo *at = found; at && fd < 0; at = at->ai_next) {
        fd = open_socket(at);
        failure = errno;
    }
    freeaddrinfo(found);
    if (fd < 0)
        return explain(failure, where, error);
    if (name_socket(fd, name) != 0) {
        close(fd);
        return eco_error_set(error, ECO_EIO, "the socket of %s has no name", where);
    }
    return fd;
}
