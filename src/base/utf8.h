/* Reading UTF-8 without trust. Pure functions. */
#ifndef ECO_BASE_UTF8_H
#define ECO_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define ECO_UTF8_REPLACEMENT 0xFFFDu

/*
 * The code point at text[*at], *at < length; moves *at behind it. For a broken sequence (also an
 * overlong one, a surrogate, one above U+10FFFF) -1, and *at moves behind its longest part that
 * could have begun a right one, at least one byte: each -1 stands for one U+FFFD, as the WHATWG
 * encoding standard replaces.
 */
int32_t eco_utf8_next(const char *text, size_t length, size_t *at);

/* The offset of the first broken sequence; `length` when there is none. */
size_t eco_utf8_check(const char *text, size_t length);

#endif
