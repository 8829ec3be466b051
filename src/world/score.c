#include "world/score.h"

#include <math.h>
#include <string.h>

#include "ecotone/error.h"

static float greater(float a, float b)
{
    return a > b ? a : b;
}

void eco_score_slopes(const float *heights, size_t width, size_t height, float *slopes)
{
    size_t stride = width + 2;

    for (size_t z = 0; z < height; z++) {
        const float *above = heights + z * stride + 1, *row = above + stride, *below = row + stride;
        const float *west = row - 1, *east = row + 1;
        float *out = slopes + z * width;

        for (size_t x = 0; x < width; x++)
            out[x] = greater(greater(fabsf(row[x] - west[x]), fabsf(row[x] - east[x])),
                             greater(fabsf(row[x] - above[x]), fabsf(row[x] - below[x])));
    }
}

/* fit[x] = 1 where x .. x + size - 1 are all set in `flat`. */
static void erode_row(const uint8_t *flat, size_t width, unsigned size, uint8_t *fit)
{
    unsigned run = 0;

    for (size_t x = width; x-- > 0;) {
        run = flat[x] ? run + 1 : 0;
        fit[x] = run >= size;
    }
}

/* Sets x .. x + size - 1 for each x with fit[x]. */
static void grow_row(const uint8_t *fit, size_t width, unsigned size, uint8_t *out)
{
    unsigned left = 0;

    for (size_t x = 0; x < width; x++) {
        left = fit[x] ? size : left;
        out[x] = left > 0;
        left -= left > 0;
    }
}

/* Down the columns: rows of `fit` below are asked, a whole row at a time. */
static void erode_columns(uint8_t *fit, size_t width, size_t height, unsigned size, uint8_t *run)
{
    memset(run, 0, width);
    for (size_t z = height; z-- > 0;) {
        uint8_t *row = fit + z * width;

        for (size_t x = 0; x < width; x++) {
            uint8_t longer = run[x] < size ? (uint8_t)(run[x] + 1) : run[x];

            run[x] = row[x] ? longer : 0;
            row[x] = run[x] >= size;
        }
    }
}

static void grow_columns(uint8_t *fit, size_t width, size_t height, unsigned size, uint8_t *left)
{
    memset(left, 0, width);
    for (size_t z = 0; z < height; z++) {
        uint8_t *row = fit + z * width;

        for (size_t x = 0; x < width; x++) {
            uint8_t rest = row[x] ? (uint8_t)size : left[x];

            row[x] = rest > 0;
            left[x] = (uint8_t)(rest - (rest > 0));
        }
    }
}

int eco_score_open(const float *slopes, size_t width, size_t height, float bound, unsigned size,
                   struct eco_arena *arena, uint8_t *open)
{
    struct eco_arena_mark mark = eco_arena_mark(arena);
    uint8_t *flat, *fit;

    if (size <= 1) {
        for (size_t k = 0; k < width * height; k++)
            open[k] = slopes[k] < bound;
        return 0;
    }
    flat = eco_arena_alloc(arena, width, 1);
    fit = eco_arena_alloc(arena, width, 1);
    if (!flat || !fit)
        return ECO_ENOMEM;
    for (size_t z = 0; z < height; z++) {
        for (size_t x = 0; x < width; x++)
            flat[x] = slopes[z * width + x] < bound;
        erode_row(flat, width, size, open + z * width);
    }
    erode_columns(open, width, height, size, flat);
    grow_columns(open, width, height, size, flat);
    for (size_t z = 0; z < height; z++) {
        grow_row(open + z * width, width, size, fit);
        memcpy(open + z * width, fit, width);
    }
    eco_arena_rewind(arena, mark);
    return 0;
}

unsigned eco_score_margin(const struct eco_score_rules *rules)
{
    unsigned size =
        rules->unit_size > rules->building_size ? rules->unit_size : rules->building_size;

    return size > 0 ? size : 1;
}

/* Copies the inner width x height cells of a field with `margin` more on every side. */
static void crop(const uint8_t *from, size_t width, size_t height, size_t margin, uint8_t *to)
{
    for (size_t z = 0; z < height; z++)
        memcpy(to + z * width, from + (z + margin) * (width + 2 * margin) + margin, width);
}

static void measure(const float *slopes, size_t width, size_t height, size_t margin,
                    struct eco_score *score)
{
    double sum = 0.0, squares = 0.0, area = (double)width * (double)height;

    for (size_t z = 0; z < height; z++) {
        const float *row = slopes + (z + margin) * (width + 2 * margin) + margin;

        for (size_t x = 0; x < width; x++) {
            sum += (double)row[x];
            squares += (double)row[x] * (double)row[x];
        }
    }
    score->mean = sum / area;
    squares = squares / area - score->mean * score->mean;
    score->deviation = squares > 0.0 ? sqrt(squares) : 0.0;
    score->eps = score->mean > 0.0 ? score->deviation / score->mean : 0.0;
}

static int share(const uint8_t *access, const uint8_t *build, size_t width, size_t height,
                 struct eco_arena *arena, struct eco_score *score)
{
    size_t area = width * height, walk = 0, stand = 0, both = 0;
    uint8_t *part = eco_arena_alloc(arena, area, 1);
    int code =
        part ? eco_score_connect(access, width, height, arena, part, &score->largest, &score->parts)
             : ECO_ENOMEM;

    if (code)
        return code;
    for (size_t k = 0; k < area; k++) {
        walk += access[k];
        stand += build[k];
        both += (size_t)(build[k] & part[k]);
    }
    score->access = (double)walk / (double)area;
    score->build = (double)stand / (double)area;
    score->upsilon = (double)score->largest / (double)area;
    score->beta = (double)both / (double)area;
    score->omega = score->eps * score->upsilon * score->beta;
    return 0;
}

int eco_score_window(const float *heights, size_t width, size_t height,
                     const struct eco_score_rules *rules, struct eco_arena *arena,
                     struct eco_score *score)
{
    struct eco_arena_mark mark = eco_arena_mark(arena);
    size_t margin = eco_score_margin(rules) - 1; /* of the slopes */
    size_t wide = width + 2 * margin, high = height + 2 * margin;
    float *slopes = eco_arena_alloc(arena, wide * high, sizeof(*slopes));
    uint8_t *open = eco_arena_alloc(arena, wide * high, 1);
    uint8_t *access = eco_arena_alloc(arena, width * height, 1);
    uint8_t *build = eco_arena_alloc(arena, width * height, 1);
    int code = ECO_ENOMEM;

    *score = (struct eco_score){0};
    if (!slopes || !open || !access || !build)
        return code;
    eco_score_slopes(heights, wide, high, slopes);
    measure(slopes, width, height, margin, score);
    code =
        eco_score_open(slopes, wide, high, (float)rules->unit_slope, rules->unit_size, arena, open);
    if (!code) {
        crop(open, width, height, margin, access);
        code = eco_score_open(slopes, wide, high, (float)rules->building_slope,
                              rules->building_size, arena, open);
    }
    if (!code) {
        crop(open, width, height, margin, build);
        code = share(access, build, width, height, arena, score);
    }
    eco_arena_rewind(arena, mark);
    return code;
}
