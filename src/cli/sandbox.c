#include "cli/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Rights by the version of Landlock that brought them: the system's header may be older than its
 * kernel. */
#define FS_ALL_1 ((1ull << 13) - 1)
#define FS_REFER (1ull << 13)
#define FS_TRUNCATE (1ull << 14)
#define FS_IOCTL_DEVICE (1ull << 15)
#define NET_BIND_CONNECT 3ull
#define SCOPE_SOCKETS_SIGNALS 3ull

#define FS_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define FS_WRITE                                                                                   \
    (FS_READ | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |                    \
     LANDLOCK_ACCESS_FS_MAKE_REG | FS_TRUNCATE)
#define FS_OF_FILES                                                                                \
    (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEVICE)

/* struct landlock_ruleset_attr of version 6. */
struct ruleset {
    uint64_t fs, net, scope;
};

bool eco_sandbox_possible(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return false;
#else
    return true;
#endif
#else
    return true;
#endif
}

static int refuse_impossible(struct eco_error *error)
{
    return eco_error_set(error, ECO_EIO, "a build with a sanitizer cannot be confined");
}

/* --- files -------------------------------------------------------------------------------------
 */

/* Rights of a whole folder, or of the one file that `path` is. */
static int allow(int ruleset, const char *path, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = rights};
    struct stat status;
    int result = 0;

    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return 0;
    if (fstat(rule.parent_fd, &status) == 0 && !S_ISDIR(status.st_mode))
        rule.allowed_access &= FS_OF_FILES;
    if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
        result = -errno;
    close(rule.parent_fd);
    return result;
}

static bool is_in_root(const char *path)
{
    return path[0] == '/' && !strchr(path + 1, '/');
}

/* The folder, for files are replaced by others of the same name; not the root, which is all. */
static int allow_around(int ruleset, const char *path, uint64_t rights)
{
    char copy[PATH_MAX];

    if (strlen(path) >= sizeof(copy))
        return 0;
    snprintf(copy, sizeof(copy), "%s", path);
    return allow(ruleset, is_in_root(path) ? path : dirname(copy), rights);
}

static int allow_files(int ruleset, const char *const *paths, uint64_t rights)
{
    int result = 0;

    for (unsigned i = 0; i < ECO_SANDBOX_FILES_MAX && paths[i] && !result; i++) {
        char *target = realpath(paths[i], NULL);

        result = allow_around(ruleset, paths[i], rights);
        /* Of a link, what it points to. */
        if (target && !result)
            result = allow_around(ruleset, target, rights);
        free(target);
    }
    return result;
}

static int fill(int ruleset, const struct eco_sandbox_files *files, uint64_t known)
{
    /* SQLite's random numbers; the number of processors. */
    static const char *const system_files[] = {"/dev/urandom", "/sys/devices/system/cpu/online"};
    int result = allow_files(ruleset, files->readable, FS_READ & known);

    if (!result)
        result = allow_files(ruleset, files->writable, FS_WRITE & known);
    for (unsigned i = 0; i < 2 && !result; i++)
        result = allow(ruleset, system_files[i], LANDLOCK_ACCESS_FS_READ_FILE);
    return result;
}

int eco_sandbox_limit_files(const struct eco_sandbox_files *files, struct eco_error *error)
{
    struct ruleset rights = {.fs = FS_ALL_1};
    size_t size = sizeof(uint64_t);
    char reason[128];
    int ruleset, result;
    long version;

    if (!eco_sandbox_possible())
        return refuse_impossible(error);
    for (unsigned i = 0; i < ECO_SANDBOX_FILES_MAX && files->writable[i]; i++) {
        if (is_in_root(files->writable[i]))
            return eco_error_set(error, ECO_EINVAL,
                                 "%s lies in the root folder, which holds everything; a folder of "
                                 "its own can be confined",
                                 files->writable[i]);
    }
    version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return eco_error_set(error, ECO_EIO, "the kernel has no Landlock: %s",
                             strerror_r(errno, reason, sizeof(reason)));
    if (version >= 2)
        rights.fs |= FS_REFER;
    if (version >= 3)
        rights.fs |= FS_TRUNCATE;
    if (version >= 4) {
        rights.net = NET_BIND_CONNECT;
        size = 2 * sizeof(uint64_t);
    }
    if (version >= 5)
        rights.fs |= FS_IOCTL_DEVICE;
    if (version >= 6) {
        rights.scope = SCOPE_SOCKETS_SIGNALS;
        size = 3 * sizeof(uint64_t);
    }
    ruleset = (int)syscall(SYS_landlock_create_ruleset, &rights, size, 0);
    result = ruleset < 0 ? -errno : fill(ruleset, files, rights.fs);
    if (!result && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
                    syscall(SYS_landlock_restrict_self, ruleset, 0) != 0))
        result = -errno;
    if (ruleset >= 0)
        close(ruleset);
    return result ? eco_error_set(error, ECO_EIO, "Landlock refuses: %s",
                                  strerror_r(-result, reason, sizeof(reason)))
                  : 0;
}

/* --- calls -------------------------------------------------------------------------------------
 */

static const int refused[] = {
    /* programs and processes */
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(kcmp),
    /* connections other than those accepted */
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    /* whoever it is, and where */
    SCMP_SYS(setuid),
    SCMP_SYS(setgid),
    SCMP_SYS(setreuid),
    SCMP_SYS(setregid),
    SCMP_SYS(setresuid),
    SCMP_SYS(setresgid),
    SCMP_SYS(setgroups),
    SCMP_SYS(setfsuid),
    SCMP_SYS(setfsgid),
    SCMP_SYS(capset),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(chroot),
    SCMP_SYS(pivot_root),
    SCMP_SYS(personality),
    /* file systems and special files */
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(fanotify_init),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(quotactl),
    SCMP_SYS(acct),
    /* the kernel and what is known for its faults */
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(memfd_create),
    SCMP_SYS(vmsplice),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(syslog),
    SCMP_SYS(iopl),
    SCMP_SYS(ioperm),
    SCMP_SYS(reboot),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(adjtimex),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
    SCMP_SYS(vhangup),
};

static int add_rules(scmp_filter_ctx filter)
{
    int result = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);

    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]) && !result; i++) {
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
        /* Not every machine has every call. */
        if (result == -EDOM || result == -EINVAL)
            result = 0;
    }
    /* Threads stay possible; the C library takes clone where there is no clone3, whose flags a
     * filter cannot see. */
    if (!result)
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
#if !defined(__s390__) && !defined(__s390x__)
    if (!result)
        result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                  SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
#endif
    return result;
}

int eco_sandbox_limit_calls(struct eco_error *error)
{
    scmp_filter_ctx filter;
    char reason[128];
    int result;

    if (!eco_sandbox_possible())
        return refuse_impossible(error);
    filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter)
        return eco_error_set(error, ECO_ENOMEM, "no memory for a seccomp filter");
    result = add_rules(filter);
    if (!result)
        result = seccomp_load(filter);
    seccomp_release(filter);
    return result ? eco_error_set(error, ECO_EIO, "seccomp refuses: %s",
                                  strerror_r(-result, reason, sizeof(reason)))
                  : 0;
}
