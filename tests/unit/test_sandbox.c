#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/sandbox.h"

/* Each test forks, for what is given up never comes back. A child tells by its status in which line
 * something was not as it should be; 0: all was. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return __LINE__ % 250 + 1;                                                             \
    } while (0)

static char folder[] = "/tmp/ecotone-sandbox-XXXXXX";

static int run(int (*child)(void))
{
    pid_t pid = fork();
    int status = -1;

    if (pid == 0)
        _exit(child());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static const char *in(const char *name)
{
    static char path[4][128];
    static unsigned next;

    next = (next + 1) % 4;
    snprintf(path[next], sizeof(path[next]), "%s/%s", folder, name);
    return path[next];
}

static int write_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0)
        return -1;
    if (write(fd, "x", 1) != 1) {
        close(fd);
        return -1;
    }
    return close(fd);
}

static int may_read(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    return fd >= 0 ? close(fd) == 0 : 0;
}

static int make_folders(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || mkdir(in("cache"), 0700) || mkdir(in("config"), 0700) ||
        mkdir(in("real"), 0700) || mkdir(in("other"), 0700))
        return -1;
    return write_file(in("config/a.yaml")) || write_file(in("config/a.png")) ||
           write_file(in("real/b.yaml")) || write_file(in("other/secret")) ||
           symlink(in("real/b.yaml"), in("config/b.yaml"));
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static int remove_folders(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static int has_landlock(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1;
}

/* A build that cannot be confined says so. */
static int refuses(void)
{
    const struct eco_sandbox_files files = {.readable = {NULL}};
    struct eco_error error = {0};

    if (eco_sandbox_possible())
        return 0;
    assert_int_equal(eco_sandbox_limit_files(&files, &error), ECO_EIO);
    assert_non_null(strstr(error.text, "sanitizer"));
    assert_int_equal(eco_sandbox_limit_calls(&error), ECO_EIO);
    return 1;
}

static int use_files(void)
{
    const struct eco_sandbox_files files = {.readable = {in("config/b.yaml"), in("none/c.yaml")},
                                            .writable = {in("cache/t.sqlite")}};

    EXPECT(may_read("/etc/passwd") && may_read(in("other/secret")));
    EXPECT(eco_sandbox_limit_files(&files, NULL) == 0);
    /* The cache: all that SQLite and the setting aside of a damaged file need. */
    EXPECT(write_file(in("cache/t.sqlite")) == 0 && write_file(in("cache/t.sqlite-wal")) == 0);
    EXPECT(rename(in("cache/t.sqlite"), in("cache/t.sqlite.damaged")) == 0);
    EXPECT(truncate(in("cache/t.sqlite.damaged"), 0) == 0);
    EXPECT(unlink(in("cache/t.sqlite.damaged")) == 0);
    EXPECT(may_read(in("cache")));
    /* The configuration, what lies beside it, and what it is a link to: for reading. */
    EXPECT(may_read(in("config/b.yaml")) && may_read(in("config/a.png")));
    EXPECT(may_read(in("real/b.yaml")));
    EXPECT(write_file(in("config/a.yaml")) != 0 && errno == EACCES);
    EXPECT(unlink(in("config/a.yaml")) != 0 && errno == EACCES);
    /* Nothing else. */
    EXPECT(!may_read("/etc/passwd") && errno == EACCES);
    EXPECT(!may_read(in("other/secret")) && errno == EACCES);
    EXPECT(!may_read(in("cache/../other/secret")));
    EXPECT(symlink(in("other/secret"), in("cache/link")) != 0);
    EXPECT(rename(in("cache/t.sqlite-wal"), in("other/t")) != 0);
    EXPECT(mkdir(in("cache/sub"), 0700) != 0);
    EXPECT(may_read("/dev/urandom"));
    return 0;
}

static void only_the_cache_and_the_configuration_stay_open(void **state)
{
    (void)state;
    if (refuses())
        return;
    if (!has_landlock())
        skip();
    assert_int_equal(run(use_files), 0);
}

static int use_root_folder(void)
{
    const struct eco_sandbox_files files = {.readable = {"/none.yaml"}};
    const struct eco_sandbox_files cache = {.writable = {"/none.sqlite"}};

    EXPECT(eco_sandbox_limit_files(&cache, NULL) == ECO_EINVAL);
    EXPECT(may_read("/etc/passwd"));
    EXPECT(eco_sandbox_limit_files(&files, NULL) == 0);
    EXPECT(!may_read("/etc/passwd") && errno == EACCES);
    return 0;
}

static void a_configuration_in_the_root_folder_opens_not_everything(void **state)
{
    (void)state;
    if (refuses())
        return;
    if (!has_landlock())
        skip();
    assert_int_equal(run(use_root_folder), 0);
}

/* --- calls -------------------------------------------------------------------------------------
 */

static pthread_barrier_t limited;

static void *try_a_socket(void *argument)
{
    int *failure = argument;

    pthread_barrier_wait(&limited);
    errno = 0;
    *failure = socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0;
    return NULL;
}

static void *nothing(void *argument)
{
    return argument;
}

static int use_calls(void)
{
    char name[] = "true";
    char *const arguments[] = {name, NULL};
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);
    int listening, client, failure = -1;
    pthread_t early, late;

    listening = socket(AF_INET, SOCK_STREAM, 0);
    client = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT(bind(listening, (struct sockaddr *)&address, sizeof(address)) == 0);
    EXPECT(listen(listening, 1) == 0);
    EXPECT(getsockname(listening, (struct sockaddr *)&address, &size) == 0);
    EXPECT(connect(client, (struct sockaddr *)&address, size) == 0);
    pthread_barrier_init(&limited, NULL, 2);
    EXPECT(pthread_create(&early, NULL, try_a_socket, &failure) == 0);
    EXPECT(eco_sandbox_limit_calls(NULL) == 0);
    pthread_barrier_wait(&limited);
    pthread_join(early, NULL);
    /* A thread that was there before. */
    EXPECT(failure == EPERM);
    EXPECT(execve("/bin/true", arguments, NULL) < 0 && errno == EPERM);
    EXPECT(fork() < 0 && errno == EPERM);
    EXPECT(socket(AF_UNIX, SOCK_DGRAM, 0) < 0 && errno == EPERM);
    EXPECT(listen(listening, 5) < 0 && errno == EPERM);
    EXPECT(setuid(getuid()) < 0 && errno == EPERM);
    EXPECT(syscall(SYS_io_uring_setup, 1, NULL) < 0 && errno == EPERM);
    /* What a server lives on. */
    EXPECT(accept4(listening, NULL, NULL, SOCK_CLOEXEC) >= 0);
    EXPECT(pthread_create(&late, NULL, nothing, NULL) == 0 && pthread_join(late, NULL) == 0);
    EXPECT(may_read("/etc/passwd"));
    return 0;
}

static void no_program_process_or_socket_is_made_by_any_thread(void **state)
{
    (void)state;
    if (refuses())
        return;
    assert_int_equal(run(use_calls), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_cache_and_the_configuration_stay_open),
        cmocka_unit_test(a_configuration_in_the_root_folder_opens_not_everything),
        cmocka_unit_test(no_program_process_or_socket_is_made_by_any_thread),
    };

    return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
