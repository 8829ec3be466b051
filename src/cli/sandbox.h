/*
 * What the daemon gives up once it needs it no longer, so that a fault in it is worth less: files
 * apart from its cache and its configuration (Landlock), and calls for new programs, processes and
 * sockets, and those that administer the system (seccomp). A list of what is refused and not of
 * what is allowed: another version of a library must not end the daemon. Thread rule: one thread.
 */
#ifndef ECO_CLI_SANDBOX_H
#define ECO_CLI_SANDBOX_H

#include <stdbool.h>

#include "ecotone/error.h"

#define ECO_SANDBOX_FILES_MAX 16

/* Paths of files whose folders may be used; what does not exist gives no right. */
struct eco_sandbox_files {
    const char *readable[ECO_SANDBOX_FILES_MAX]; /* ended by NULL, as the other */
    const char *writable[ECO_SANDBOX_FILES_MAX]; /* files may be made and removed there, too */
};

/* False in builds that need more of the system than they show: of AddressSanitizer and the like. */
bool eco_sandbox_possible(void);

/*
 * From now on the calling thread, and those that it starts, open no other files, and open and
 * accept no TCP connections but on sockets that listen already. Nothing changes on failure, of
 * which the sentence says why.
 */
int eco_sandbox_limit_files(const struct eco_sandbox_files *files, struct eco_error *error);

/* The same of calls, for every thread of the process. Refused are those with EPERM. */
int eco_sandbox_limit_calls(struct eco_error *error);

#endif
