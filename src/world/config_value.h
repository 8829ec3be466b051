/*
 * Texts to values, for the configuration. `text` is ended by NUL and `length` bytes long; a NUL
 * among them is never part of a value. Results: 0; ECO_EINVAL, it is not written as one;
 * ECO_ERANGE, it does not fit the type. The locale's numeric category must be "C". Pure functions.
 */
#ifndef ECO_WORLD_CONFIG_VALUE_H
#define ECO_WORLD_CONFIG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A finite decimal number. */
int eco_value_number(const char *text, size_t length, double *out);

/* [+-]digits. */
int eco_value_whole(const char *text, size_t length, int64_t *out);

/* Digits and, perhaps after spaces, a unit: B, kB, MB, GB, KiB, MiB, GiB. */
int eco_value_bytes(const char *text, size_t length, int64_t *out);

/* #rrggbb. */
int eco_value_colour(const char *text, size_t length, uint32_t *out);

/* True for UTF-8 without control characters. */
bool eco_value_plain(const char *text, size_t length);

/* True where `known` differs from `text` by a slip or two of the keyboard. */
bool eco_value_close(const char *text, const char *known);

/* Writes at most `limit` bytes of a value fit for one line of an error, between quotes unless it is
 * a number. `size` must be limit + 6 or more. */
void eco_value_show(const char *text, size_t length, size_t limit, char *out, size_t size);

#endif
