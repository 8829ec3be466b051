#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/notify.h"
#include "cli/options.h"
#include "cli/sandbox.h"
#include "ecotone/ecotone.h"
#include "http/listen.h"
#include "http/server.h"
#include "serve/service.h"

static const char usage[] =
    "usage: ecotone serve [OPTION]... [CONFIG]\n"
    "Serves tiles of the worlds of CONFIG, and the page, until SIGTERM or SIGINT. SIGHUP reads\n"
    "CONFIG again; while it is wrong, what was read before stays in effect. Without CONFIG:\n"
    "config/ecotone.yaml, else ecotone/ecotone.yaml in /usr/local/etc or /etc, else what is built\n"
    "in.\n"
    "  --listen ADDRESS:PORT   instead of server.listen; port 0 takes a free one\n"
    "  --cache PATH|none       instead of cache.path; none keeps tiles in memory only\n"
    "  --threads N             instead of server.threads; 0 is one a processor\n"
    "  --log-level LEVEL       instead of server.log_level: error, warn, info or debug\n"
    "  --verbose               the same as --log-level debug\n"
    "  --help, --version\n";

struct options {
    const char *config, *listen, *cache;
    bool has_threads, has_level;
    int64_t threads;
    enum eco_log_level level;
};

static bool read_level(const char *text, struct options *options)
{
    for (unsigned i = 0; eco_log_level_names[i]; i++) {
        if (strcmp(eco_log_level_names[i], text) == 0) {
            options->level = (enum eco_log_level)i;
            options->has_level = true;
            return true;
        }
    }
    fprintf(stderr, "ecotone: --log-level: '%s' is none of error, warn, info, debug\n", text);
    return false;
}

/* -1: go on; otherwise the exit status. */
static int read_options(int argc, char **argv, struct options *options)
{
    static const struct option names[] = {
        {"listen", required_argument, NULL, 'l'},  {"cache", required_argument, NULL, 'c'},
        {"threads", required_argument, NULL, 't'}, {"log-level", required_argument, NULL, 'L'},
        {"verbose", no_argument, NULL, 'v'},       {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},       {0},
    };
    int option;

    optind = 0;
    while ((option = getopt_long(argc, argv, "h", names, NULL)) != -1) {
        switch (option) {
        case 'l':
            options->listen = optarg;
            break;
        case 'c':
            options->cache = optarg;
            break;
        case 't':
            if (!eco_option_integer("threads", optarg, 0, ECO_THREADS_MAX, &options->threads))
                return 2;
            options->has_threads = true;
            break;
        case 'v':
            read_level("debug", options);
            break;
        case 'L':
            if (!read_level(optarg, options))
                return 2;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        case 'V':
            puts("ecotone " ECO_VERSION);
            return 0;
        default:
            fputs(usage, stderr);
            return 2;
        }
    }
    if (argc - optind > 1) {
        fputs(usage, stderr);
        return 2;
    }
    options->config = argv[optind];
    return -1;
}

/* --- signals -----------------------------------------------------------------------------------
 */

/* Blocked before any thread starts, so that no thread is interrupted and sigwait sees them all. */
static void block_signals(sigset_t *signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, signals, NULL);
}

/* Who asks twice does not want to wait. As process 1 a default action would not end anything. */
static void *await_second_signal(void *argument)
{
    int number = SIGTERM;

    while (sigwait(argument, &number) != 0 || number == SIGHUP)
        ;
    eco_log(ECO_LOG_WARN, "second signal: ending at once");
    _exit(128 + number);
}

struct on_signal {
    void (*reload)(void *context);
    void (*still_well)(void *context); /* called each `pulse_ms`, if that is not 0 */
    void *context;
    unsigned pulse_ms;
};

/* The next signal, or 0 after a pulse. */
static int await_signal(sigset_t *signals, unsigned pulse_ms)
{
    const struct timespec pulse = {.tv_sec = pulse_ms / 1000,
                                   .tv_nsec = (long)(pulse_ms % 1000) * 1000000};
    int number;

    if (pulse_ms > 0) {
        number = sigtimedwait(signals, NULL, &pulse);
        return number < 0 ? 0 : number;
    }
    return sigwait(signals, &number) == 0 ? number : 0;
}

static void await_end(sigset_t *signals, const struct on_signal *actions)
{
    pthread_t thread;
    int number;

    while ((number = await_signal(signals, actions->pulse_ms)) == 0 || number == SIGHUP) {
        if (number == SIGHUP)
            actions->reload(actions->context);
        else if (actions->pulse_ms > 0)
            actions->still_well(actions->context);
    }
    eco_log(ECO_LOG_INFO, "%s: ending", strsignal(number));
    if (pthread_create(&thread, NULL, await_second_signal, signals) == 0)
        pthread_detach(thread);
}

/* --- the daemon --------------------------------------------------------------------------------
 */

struct daemon {
    struct options options;
    struct eco_config *config; /* in effect */
    struct eco_service *service;
    struct eco_server *server;
};

/* --- confinement -------------------------------------------------------------------------------
 */

/* A kernel that cannot do it is an error only where it is required. */
static int take_or_leave(const struct daemon *daemon, const char *what, int code,
                         const struct eco_error *reason, struct eco_error *error)
{
    if (code == 0) {
        eco_log(ECO_LOG_INFO, "sandbox: %s", what);
        return 0;
    }
    if (daemon->config->server.sandbox == ECO_SANDBOX_REQUIRE)
        return eco_error_set(error, code, "no sandbox of %s, which server.sandbox requires: %.300s",
                             what, reason->text);
    eco_log(eco_sandbox_possible() ? ECO_LOG_WARN : ECO_LOG_INFO, "%s; no sandbox of %s",
            reason->text, what);
    return 0;
}

/* Before any thread is started, for each has rights of its own. */
static int limit_files(const struct daemon *daemon, const char *cache, struct eco_error *error)
{
    struct eco_sandbox_files files = {.writable = {cache}};
    struct eco_error reason = {0};
    int code;

    if (daemon->config->server.sandbox == ECO_SANDBOX_OFF)
        return 0;
    eco_option_config_files(daemon->options.config, files.readable);
    code = eco_sandbox_limit_files(&files, &reason);
    return take_or_leave(daemon, "files (Landlock)", code, &reason, error);
}

static int limit_calls(const struct daemon *daemon, struct eco_error *error)
{
    struct eco_error reason = {0};
    int code;

    if (daemon->config->server.sandbox == ECO_SANDBOX_OFF)
        return 0;
    code = eco_sandbox_limit_calls(&reason);
    return take_or_leave(daemon, "calls (seccomp)", code, &reason, error);
}

/* SQLite puts what it cannot hold beside the cache, not into /tmp, where nothing may be written. */
static void set_temporary_folder(const char *cache)
{
    char copy[PATH_MAX];

    if (cache && strlen(cache) < sizeof(copy)) {
        snprintf(copy, sizeof(copy), "%s", cache);
        setenv("SQLITE_TMPDIR", dirname(copy), 0);
    }
}

/* --- start and end -----------------------------------------------------------------------------
 */

static int start(struct daemon *daemon, struct eco_error *error)
{
    const struct options *options = &daemon->options;
    const struct eco_config *config = daemon->config;
    const char *cache = options->cache ? options->cache : config->cache.path;
    int64_t threads = options->has_threads ? options->threads : config->server.threads;
    char address[ECO_LISTEN_NAME_MAX];
    const struct eco_service_options of_service = {
        .config = config,
        .cache_path = cache && strcmp(cache, "none") != 0 ? cache : NULL,
        .cache_limit = config->cache.limit_bytes,
        .memory_bytes = config->cache.memory_bytes,
        .threads = eco_option_threads(threads),
        .queue = config->server.queue,
    };
    struct eco_server_options of_server = {
        .config = config,
        .address = address,
        .access_log = STDOUT_FILENO,
    };
    int result =
        eco_listen(options->listen ? options->listen : config->server.listen, address, error);

    if (result < 0)
        return result;
    of_server.socket = result;
    set_temporary_folder(of_service.cache_path);
    result = limit_files(daemon, of_service.cache_path, error);
    if (!result)
        result = eco_service_new(&of_service, &daemon->service, error);
    if (result) {
        close(of_server.socket);
        return result;
    }
    of_server.service = daemon->service;
    result = eco_server_new(&of_server, &daemon->server, error);
    if (!result)
        result = limit_calls(daemon, error);
    if (result)
        return result;
    eco_log(ECO_LOG_INFO, "%u render thread%s, %zu MiB of tiles in memory, cache file: %s",
            of_service.threads, of_service.threads == 1 ? "" : "s",
            of_service.memory_bytes / (1024 * 1024),
            of_service.cache_path ? of_service.cache_path : "none");
    printf("Ecotone listens on http://%s/\n", eco_server_address(daemon->server));
    fflush(stdout);
    return 0;
}

static void set_level(const struct options *options, const struct eco_config *config)
{
    eco_log_set_level(options->has_level ? options->level : config->server.log_level);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* What is made once, at the start, is not made anew. */
static void warn_of_changes(const struct daemon *daemon, const struct eco_config *config)
{
    const struct eco_config *old = daemon->config;
    const struct {
        const char *key;
        bool changed;
    } keys[] = {
        {"server.listen",
         !daemon->options.listen && !same_text(old->server.listen, config->server.listen)},
        {"server.threads",
         !daemon->options.has_threads && old->server.threads != config->server.threads},
        {"server.sandbox", old->server.sandbox != config->server.sandbox},
        {"server.queue", old->server.queue != config->server.queue},
        {"cache.path", !daemon->options.cache && !same_text(old->cache.path, config->cache.path)},
        {"cache.memory", old->cache.memory_bytes != config->cache.memory_bytes},
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (keys[i].changed)
            eco_log(ECO_LOG_WARN, "%s has changed; that takes effect at the next start",
                    keys[i].key);
    }
}

/* The words of an error without the folder of the file: that is nobody's business on the network.
 */
static const char *without_folder(const char *words, const char *name)
{
    const char *base = strrchr(name, '/');

    return base && strncmp(words, name, strlen(name)) == 0 ? words + (base + 1 - name) : words;
}

static void notify_ready(const struct daemon *daemon)
{
    unsigned count = daemon->config->worlds_count;
    char status[256];

    snprintf(status, sizeof(status), "Serving %u world%s on http://%s/", count,
             count == 1 ? "" : "s", eco_server_address(daemon->server));
    eco_notify_ready(status);
}

/* The old configuration stays in effect unless the new one is right. */
static void reload(void *context)
{
    struct daemon *daemon = context;
    struct eco_config *config = NULL;
    struct eco_error error = {0};
    const char *name = NULL;
    int code;

    eco_notify_reloading();
    code = eco_option_config(daemon->options.config, &config, &name, &error);
    if (!code)
        code = eco_server_reload(daemon->server, config, &error);
    if (code)
        eco_server_say_broken(daemon->server, without_folder(error.text, name));
    eco_server_count_reload(daemon->server, code == 0);
    if (code) {
        eco_log(ECO_LOG_ERROR, "%s; the configuration stays as it was", error.text);
        eco_config_free(config);
        eco_notify_ready("Serving; the configuration has an error, see the log");
        return;
    }
    warn_of_changes(daemon, config);
    set_level(&daemon->options, config);
    eco_service_reload(daemon->service, config);
    eco_config_free(daemon->config);
    daemon->config = config;
    eco_log(ECO_LOG_INFO, "%s is in effect: %u world%s", name, config->worlds_count,
            config->worlds_count == 1 ? "" : "s");
    notify_ready(daemon);
}

/* Whoever holds a lock for ever keeps this from returning. */
static void still_well(void *context)
{
    struct daemon *daemon = context;
    struct eco_service_stats stats;

    eco_service_stats(daemon->service, &stats);
    eco_notify_well();
}

/* Serves on while balancers learn from /readyz to ask another. */
static void leave(struct daemon *daemon)
{
    unsigned grace = daemon->config->server.grace;
    struct timespec rest = {.tv_sec = (time_t)grace};

    eco_notify_stopping(grace > 0 ? "Serving a little longer" : "Finishing what is being drawn");
    eco_server_leave(daemon->server);
    if (grace == 0)
        return;
    eco_log(ECO_LOG_INFO, "serving for %u s more; /readyz says that this server ends", grace);
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
        ;
}

/* Refuse, drain, stop HTTP, close: each step needs the one before. */
static void stop(struct daemon *daemon)
{
    if (daemon->server) {
        eco_log(ECO_LOG_INFO, "finishing what is being drawn");
        eco_server_refuse(daemon->server);
    }
    if (daemon->service)
        eco_service_drain(daemon->service);
    eco_server_free(daemon->server);
    eco_service_free(daemon->service);
    eco_config_free(daemon->config);
}

/*
 * Tiles are allocated by the thread that draws or reads them and freed by another, so that with an
 * arena a thread the heap grows to twice the memory cache. One arena for all keeps it at the cache.
 */
static void use_one_arena(void)
{
    mallopt(M_ARENA_MAX, 1);
}

int eco_cli_serve(int argc, char **argv)
{
    /* Static: the thread that waits for a second signal may outlive this function. */
    static sigset_t signals;
    struct daemon daemon = {0};
    struct eco_error error = {0};
    const char *name = NULL;
    int result = read_options(argc, argv, &daemon.options);

    if (result >= 0)
        return result;
    use_one_arena();
    eco_notify_open();
    block_signals(&signals);
    result = eco_option_config(daemon.options.config, &daemon.config, &name, &error);
    if (!result) {
        set_level(&daemon.options, daemon.config);
        eco_log(ECO_LOG_INFO, "ecotone " ECO_VERSION " with %s", name);
    }
    if (!result)
        result = start(&daemon, &error);
    if (!result) {
        const struct on_signal actions = {reload, still_well, &daemon, eco_notify_watchdog_ms()};

        notify_ready(&daemon);
        await_end(&signals, &actions);
        leave(&daemon);
    } else {
        fprintf(stderr, "ecotone: %s\n", error.text);
    }
    stop(&daemon);
    return result ? 1 : 0;
}
