/*
 * Error codes and error texts of every fallible function.
 *
 * A fallible function returns 0 or one of the negative codes below and, where it takes one, fills a
 * `struct eco_error` with a sentence that names what is wrong, where, and what would be right.
 * Thread rule: an eco_error belongs to its caller; nothing here keeps state.
 */
#ifndef ECOTONE_ERROR_H
#define ECOTONE_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

enum eco_code {
    ECO_OK = 0,
    ECO_ENOMEM = -1,    /* memory ran out, or a bounded buffer is too small */
    ECO_EINVAL = -2,    /* an argument breaks the contract of the function */
    ECO_ECONFIG = -3,   /* the configuration is wrong; the text has file, line and key */
    ECO_ENOTFOUND = -4, /* no world, layer, tile or file of that name */
    ECO_EIO = -5,       /* the file system, database or socket failed */
    ECO_EBUSY = -6,     /* a bounded queue is full; trying again later is right */
    ECO_ECORRUPT = -7,  /* stored data does not match its checksum or format */
    ECO_ECANCELED = -8, /* the work was given up: shutdown or deadline */
    ECO_ERANGE = -9,    /* a number lies outside what is allowed */
};

#define ECO_ERROR_TEXT_MAX 512

struct eco_error {
    enum eco_code code;
    char text[ECO_ERROR_TEXT_MAX]; /* one sentence, no newline, always terminated */
};

/* Fills `error` (which may be NULL) from a printf format and returns `code`. */
int eco_error_set(struct eco_error *error, enum eco_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A short constant name of a code, such as "busy". Never NULL. */
const char *eco_code_name(int code);

#ifdef __cplusplus
}
#endif
#endif
