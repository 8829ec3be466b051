#include "cli/cli.h"

#include <getopt.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/buffer.h"
#include "ecotone/error.h"

#define DEFAULT_ADDRESS "127.0.0.1:8080"
#define SECONDS_MAX 5
#define REPLY_MAX 65536

static void print_usage(FILE *stream)
{
    fputs("usage: ecotone health [ADDRESS:PORT]\n"
          "Asks a running daemon for /healthz and prints what it says. Exit status: 0 healthy,\n"
          "1 not healthy or not there, 2 used wrongly.\n"
          "  ADDRESS:PORT   where it listens; " DEFAULT_ADDRESS " by default, [V6]:PORT for IPv6\n"
          "  --help         this text\n",
          stream);
}

/* Cuts "host:port" or "[v6]:port" in two within `text`. */
static bool split_address(char *text, char **host, char **port)
{
    char *colon = strrchr(text, ':');

    if (colon == NULL || colon == text || colon[1] == '\0') {
        return false;
    }
    *colon = '\0';
    *host = text;
    *port = colon + 1;
    if (text[0] == '[') {
        if (colon[-1] != ']') {
            return false;
        }
        colon[-1] = '\0';
        *host = text + 1;
    }
    return (*host)[0] != '\0';
}

static int connect_to(const char *host, const char *port, struct eco_error *error)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    const struct timeval patience = {.tv_sec = SECONDS_MAX};
    struct addrinfo *found = NULL;
    int status = getaddrinfo(host, port, &hints, &found);
    int fd = -1;

    if (status != 0) {
        return eco_error_set(error, ECO_EINVAL, "%s, port %s: %s", host, port,
                             gai_strerror(status));
    }
    for (const struct addrinfo *at = found; at != NULL && fd < 0; at = at->ai_next) {
        fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
        if (fd < 0) {
            continue;
        }
        /* The time limit for sending holds for connecting, too. */
        if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) != 0 ||
            setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) != 0 ||
            connect(fd, at->ai_addr, at->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(found);
    if (fd < 0) {
        return eco_error_set(error, ECO_EIO, "nothing answers on %s, port %s", host, port);
    }
    return fd;
}

/* Sends the question and collects the reply until the daemon closes the connection. */
static int ask(int fd, struct eco_buffer *reply, struct eco_error *error)
{
    static const char question[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
                                   "Connection: close\r\n\r\n";
    char piece[4096];
    ssize_t got = send(fd, question, sizeof(question) - 1, MSG_NOSIGNAL);

    if (got != (ssize_t)sizeof(question) - 1) {
        return eco_error_set(error, ECO_EIO, "the daemon does not take the request");
    }
    while ((got = recv(fd, piece, sizeof(piece), 0)) > 0) {
        eco_buffer_append(reply, piece, (size_t)got);
        if (reply->failed || reply->size > REPLY_MAX) {
            return eco_error_set(error, ECO_ENOMEM, "the reply is longer than %d bytes", REPLY_MAX);
        }
    }
    if (got < 0) {
        return eco_error_set(error, ECO_EIO, "no whole reply within %d seconds", SECONDS_MAX);
    }
    eco_buffer_append(reply, "", 1);
    return reply->failed ? eco_error_set(error, ECO_ENOMEM, "memory ran out") : 0;
}

static int check_reply(const char *reply, struct eco_error *error)
{
    const char *body = strstr(reply, "\r\n\r\n");

    if (strncmp(reply, "HTTP/1.", 7) != 0 || strlen(reply) < 12 || body == NULL) {
        return eco_error_set(error, ECO_EIO, "what answers there does not speak HTTP");
    }
    puts(body + 4);
    if (strncmp(reply + 9, "200", 3) != 0) {
        return eco_error_set(error, ECO_EIO, "status %.3s instead of 200", reply + 9);
    }
    return 0;
}

int eco_cli_health(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    char address[256] = DEFAULT_ADDRESS;
    struct eco_buffer reply;
    struct eco_error error = {0};
    char *host = NULL;
    char *port = NULL;
    int option;
    int fd = -1;
    int code;

    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        print_usage(option == 'h' ? stdout : stderr);
        return option == 'h' ? 0 : 2;
    }
    if (optind < argc) {
        snprintf(address, sizeof(address), "%s", argv[optind]);
    }
    if (argc - optind > 1 || !split_address(address, &host, &port)) {
        print_usage(stderr);
        return 2;
    }
    eco_buffer_init(&reply);
    code = fd = connect_to(host, port, &error);
    if (code >= 0) {
        code = ask(fd, &reply, &error);
    }
    if (code == 0) {
        code = check_reply((const char *)reply.data, &error);
    }
    if (code != 0) {
        fprintf(stderr, "ecotone health: %s\n", error.text);
    }
    if (fd >= 0) {
        close(fd);
    }
    eco_buffer_release(&reply);
    return code == 0 ? 0 : 1;
}
