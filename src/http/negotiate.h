/* What a client's conditional and encoding headers mean. Thread rule: pure functions. */
#ifndef ECO_HTTP_NEGOTIATE_H
#define ECO_HTTP_NEGOTIATE_H

#include <stdbool.h>

/*
 * True when one value of If-None-Match names `etag` (with its quotes), by weak comparison: a list,
 * with or without W/, or *. What is malformed matches nothing from there on.
 */
bool eco_etag_matches(const char *value, const char *etag);

/* What the values of Accept-Encoding said so far; start with ECO_ENCODINGS_START. */
struct eco_encodings {
    int gzip, identity, any; /* thousandths; -1: not named */
};
#define ECO_ENCODINGS_START ((struct eco_encodings){-1, -1, -1})

void eco_encodings_read(struct eco_encodings *encodings, const char *value);

/* True when gzip is welcome and not liked less than the plain bytes. */
bool eco_encodings_gzip(const struct eco_encodings *encodings);

#endif
