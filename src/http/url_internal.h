/* What url.c, the other url_*.c and the readers of lists share. Errors as of eco_url_parse. Pure
 * functions. */
#ifndef ECO_HTTP_URL_INTERNAL_H
#define ECO_HTTP_URL_INTERNAL_H

#include "http/url.h"

static inline bool eco_url_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool eco_url_is(struct eco_slice slice, const char *text);

/* Removes `ending` from the end of the slice, if it is there. */
bool eco_url_cut(struct eco_slice *slice, const char *ending);

/* The part before the first `separator`; the rest, without it, stays. False at the end. */
bool eco_url_part(struct eco_slice *rest, char separator, struct eco_slice *part);

/* Digits without leading zeros; what is larger than any limit here becomes 2^53. */
int eco_url_digits(struct eco_slice text, const char *name, uint64_t *out, struct eco_error *error);
int eco_url_range(uint64_t value, const char *name, uint64_t low, uint64_t high,
                  struct eco_error *error);

/* Removes the ending of a picture format from the end of the slice, and @2x before it: sets format
 * and tile.scale. `what` begins the sentence. */
int eco_url_ending(struct eco_slice *slice, const char *what, struct eco_url *url,
                   struct eco_error *error);

/* Blocks within the world square, perhaps with a sign. */
int eco_url_coordinate(struct eco_slice text, const char *name, int64_t *out,
                       struct eco_error *error);

/* The keys of queries, as bits. */
enum eco_url_key {
    ECO_URL_KEY_SEED = 1u << 0,
    ECO_URL_KEY_VERSION = 1u << 1,
    ECO_URL_KEY_X = 1u << 2,
    ECO_URL_KEY_Z = 1u << 3,
    ECO_URL_KEY_ZOOM = 1u << 4,
    ECO_URL_KEY_SCALE = 1u << 5,
    ECO_URL_KEY_X0 = 1u << 6,
    ECO_URL_KEY_Z0 = 1u << 7,
    ECO_URL_KEY_X1 = 1u << 8,
    ECO_URL_KEY_Z1 = 1u << 9,
    ECO_URL_KEY_STEP = 1u << 10,
    ECO_URL_KEY_UNIT_SLOPE = 1u << 11,
    ECO_URL_KEY_UNIT_SIZE = 1u << 12,
    ECO_URL_KEY_BUILDING_SLOPE = 1u << 13,
    ECO_URL_KEY_BUILDING_SIZE = 1u << 14,
    ECO_URL_KEY_BIOME = 1u << 15,
    ECO_URL_KEY_WITHIN = 1u << 16,
    ECO_URL_KEY_BLEND = 1u << 17,
    ECO_URL_KEY_LAYERS = 1u << 18,
    ECO_URL_KEY_FORMAT = 1u << 19,
    ECO_URL_KEYS_RECT = ECO_URL_KEY_X0 | ECO_URL_KEY_Z0 | ECO_URL_KEY_X1 | ECO_URL_KEY_Z1,
    ECO_URL_KEYS_SCORE = ECO_URL_KEYS_RECT | ECO_URL_KEY_STEP | ECO_URL_KEY_UNIT_SLOPE |
                         ECO_URL_KEY_UNIT_SIZE | ECO_URL_KEY_BUILDING_SLOPE |
                         ECO_URL_KEY_BUILDING_SIZE,
};

/* Reads the query; `allowed` and `needed` are bits of keys. */
int eco_url_query(struct eco_slice query, unsigned allowed, unsigned needed, struct eco_url *url,
                  struct eco_error *error);

/* World, layer and tile of a tile's path; counts y from the south if url->tms. */
int eco_url_tile(const struct eco_slice *segments, struct eco_url *url, struct eco_error *error);

/* The same where y has no ending. */
int eco_url_place(const struct eco_slice *segments, struct eco_url *url, struct eco_error *error);

/* The query of /wmts. */
int eco_url_wmts(struct eco_slice query, struct eco_url *url, struct eco_error *error);

/* World, layer and view of a static picture's path. */
int eco_url_view(const struct eco_slice *segments, struct eco_url *url, struct eco_error *error);

#endif
