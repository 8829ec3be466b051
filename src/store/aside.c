/* What stands in the place of the cache, judged by its bytes, and how it is moved out of the way.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/utf8.h"
#include "store/cache_internal.h"

#define LOOK 4096 /* bytes at the beginning of a file that tell what it is */

/* Of the header of SQLite: its first bytes, and the application's number at 68. */
static const unsigned char magic[16] = "SQLite format 3";
static const unsigned char number[4] = {0x45, 0x43, 0x4F, 0x54};

static unsigned same_bytes(const unsigned char *a, const unsigned char *b, size_t size)
{
    unsigned same = 0;

    for (size_t i = 0; i < size; i++)
        same += a[i] == b[i];
    return same;
}

/* The first bytes of the file; 0 where it cannot be read. */
static size_t look(const char *path, unsigned char bytes[LOOK])
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file >= 0 ? pread(file, bytes, LOOK, 0) : 0;

    if (file >= 0)
        close(file);
    return size > 0 ? (size_t)size : 0;
}

bool eco_cache_db_ours(const char *path)
{
    unsigned char bytes[LOOK];
    unsigned same;

    if (look(path, bytes) < 68 + sizeof(number))
        return false;
    same = same_bytes(bytes, magic, sizeof(magic)) + same_bytes(bytes + 68, number, sizeof(number));
    /* All of the magic without any of the number is a database of another program. */
    return same > sizeof(magic);
}

bool eco_cache_db_precious(const char *path)
{
    unsigned char bytes[LOOK];
    size_t size = look(path, bytes);

    if (size >= 68 + sizeof(number) && memcmp(bytes, magic, sizeof(magic)) == 0)
        return same_bytes(bytes + 68, number, sizeof(number)) == 0;
    /* A text, but for the letter that the end of `bytes` may cut. */
    return size > 0 && !memchr(bytes, 0, size) &&
           eco_utf8_check((const char *)bytes, size) + (size == LOOK ? 3 : 0) >= size;
}

/* A name that is free: `path`.`word`-UTC, with a number where two come in one second. */
static bool aside_name(const char *path, const char *word, char *out, size_t size)
{
    time_t now = time(NULL);
    char stamp[32];
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &utc);
    snprintf(out, size, "%s.%s-%s", path, word, stamp);
    for (int i = 2; i < 1000 && access(out, F_OK) == 0; i++)
        snprintf(out, size, "%s.%s-%s.%d", path, word, stamp, i);
    return access(out, F_OK) != 0;
}

int eco_cache_db_set_aside(const struct eco_cache_db *db, const char *path, const char *word,
                           struct eco_error *error)
{
    char aside[PATH_MAX], from[PATH_MAX], to[PATH_MAX + 8];
    struct eco_error why = *error;
    struct stat wal;

    /* Gone, or another process was faster. */
    if (eco_cache_db_moved(db, path))
        return 0;
    if (!aside_name(path, word, aside, sizeof(aside)) || rename(path, aside) != 0) {
        char text[128];

        return eco_error_set(error, ECO_EIO, "%.200s; it cannot be set aside: %s", why.text,
                             strerror_r(errno, text, sizeof(text)));
    }
    /* The WAL belongs to the file that was moved and must not meet the new one. */
    snprintf(from, sizeof(from), "%s-wal", path);
    snprintf(to, sizeof(to), "%s-wal", aside);
    if (stat(from, &wal) == 0 && wal.st_size > 0)
        rename(from, to);
    else
        unlink(from);
    snprintf(from, sizeof(from), "%s-shm", path);
    unlink(from);
    eco_log(ECO_LOG_WARN, "cache %s: %s; it is set aside as %s and made anew", path, why.text,
            aside);
    return 0;
}
