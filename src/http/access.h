/*
 * The access log: a line for each reply, on a descriptor such as standard output. Lines are kept in
 * a bounded buffer and written by a thread of their own, so that no request ever waits for who
 * reads them; what finds no room is dropped and counted. Nothing that a client sent can end a line
 * or a field: quotes, backslashes, control characters and bytes above ASCII are escaped, and long
 * texts are cut. Thread rule: any thread between new and free.
 */
#ifndef ECO_HTTP_ACCESS_H
#define ECO_HTTP_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/network.h"
#include "world/config.h"

struct eco_access;

/* Texts may be NULL: then they are "-", or null in JSON. */
struct eco_access_record {
    struct eco_address client;
    const char *method, *target, *version; /* as sent */
    const char *referer, *agent;
    const char *tier;     /* where a tile came from */
    unsigned status;      /* 0: there was no reply, or not one of ours */
    uint64_t bytes;       /* of the body */
    uint64_t nanoseconds; /* from the request line to the end of the reply */
    bool complete;        /* the client took the whole reply */
};

int eco_access_new(int descriptor, struct eco_access **out, struct eco_error *error);
/* Writes what is left, unless the reader does not take it for a second. NULL is allowed. */
void eco_access_free(struct eco_access *access);

void eco_access_add(struct eco_access *access, enum eco_access_log form,
                    const struct eco_access_record *record);

/* Lines that were not written. */
uint64_t eco_access_dropped(struct eco_access *access);

#endif
