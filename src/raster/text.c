#include "raster/text.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

/* Of a stroke, units. */
#define HALF_WIDTH 0.58f
#define GAP 2
#define WIDTH_MAX 9
#define SCALE_MAX 2
#define SPACE 3
#define ELLIPSIS 0x2026
/* A mark is drawn so much lower over a small letter. */
#define SMALL_DROP 3

static const char box[] = "02424a0a02";

/* What a code point looks like. */
struct letter {
    const char *strokes, *mark;
    unsigned width; /* 0 for a space too */
    unsigned mark_x, mark_y;
};

static unsigned unit_of(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static unsigned width_of(const char *strokes)
{
    unsigned width = 0;

    for (; *strokes; strokes += strokes[0] == ' ' ? 1 : 2) {
        if (*strokes != ' ' && unit_of(*strokes) > width)
            width = unit_of(*strokes);
    }
    return width;
}

static const char *strokes_of(uint32_t code)
{
    size_t low = 0, high = eco_glyph_count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (eco_glyphs[middle].code == code)
            return eco_glyphs[middle].strokes;
        if (eco_glyphs[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool is_small(const char *strokes)
{
    for (; *strokes; strokes += strokes[0] == ' ' ? 1 : 2) {
        if (*strokes != ' ' && unit_of(strokes[1]) < 5)
            return false;
    }
    return true;
}

static struct letter letter_of(int32_t code)
{
    struct letter letter = {.strokes = "", .mark = ""};

    if (code == ' ' || code == 0xA0)
        return letter;
    letter.strokes = code > 0 ? strokes_of((uint32_t)code) : NULL;
    for (size_t i = 0; !letter.strokes && i < eco_composed_count; i++) {
        if (eco_composed[i].code == (uint32_t)code) {
            letter.strokes = strokes_of(eco_composed[i].base);
            letter.mark = eco_mark_strokes(eco_composed[i].mark);
        }
    }
    if (!letter.strokes)
        letter.strokes = box;
    letter.width = width_of(letter.strokes);
    if (letter.mark[0] && letter.width < 4)
        letter.width = 4; /* as wide as a mark */
    letter.mark_x = (letter.width - 4) / 2;
    letter.mark_y =
        letter.mark[0] && is_small(letter.strokes) && letter.mark[1] < '9' ? SMALL_DROP : 0;
    return letter;
}

static unsigned advance_of(const struct letter *letter)
{
    return letter->strokes[0] ? letter->width + GAP : SPACE;
}

unsigned eco_text_width(const char *text, unsigned limit)
{
    size_t length = strlen(text), at = 0;
    unsigned width = 0;

    while (at < length && width < limit + GAP) {
        struct letter letter = letter_of(eco_utf8_next(text, length, &at));

        width += advance_of(&letter);
    }
    width = width > GAP ? width - GAP : 0;
    return width < limit ? width : limit;
}

/* How much of each pixel of a letter is ink, from the unit before it on. */
struct ink {
    float share[ECO_TEXT_HEIGHT * SCALE_MAX][(WIDTH_MAX + 2) * SCALE_MAX];
    unsigned wide, high, scale;
};

/* The square of the distance of a place to the line from (ax, ay) to (bx, by). */
static float distance_of(float x, float y, float ax, float ay, float bx, float by)
{
    float dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
    float along = square > 0.0f ? ((x - ax) * dx + (y - ay) * dy) / square : 0.0f;

    along = along < 0.0f ? 0.0f : along > 1.0f ? 1.0f : along;
    dx = x - ax - along * dx;
    dy = y - ay - along * dy;
    return dx * dx + dy * dy;
}

/* The first pixel that ink at `unit`, or one unit less, may touch; at most `most`. */
static unsigned pixel_before(float unit, unsigned scale, unsigned most)
{
    float pixel = (unit - 0.5f) * (float)scale;

    return pixel <= 0.0f ? 0 : pixel < (float)most ? (unsigned)pixel : most;
}

static void ink_line(struct ink *ink, float ax, float ay, float bx, float by)
{
    const float scale = (float)ink->scale;
    unsigned left = pixel_before(fminf(ax, bx), ink->scale, ink->wide);
    unsigned right = pixel_before(fmaxf(ax, bx) + 3.0f, ink->scale, ink->wide);
    unsigned top = pixel_before(fminf(ay, by), ink->scale, ink->high);
    unsigned bottom = pixel_before(fmaxf(ay, by) + 3.0f, ink->scale, ink->high);

    for (unsigned row = top; row < bottom; row++) {
        for (unsigned column = left; column < right; column++) {
            /* Strokes run through the middle of a pixel at scale 1. */
            float x = ((float)column + 0.5f) / scale - 0.5f, y = ((float)row + 0.5f) / scale - 0.5f;
            float share = (HALF_WIDTH - sqrtf(distance_of(x, y, ax, ay, bx, by))) * scale + 0.5f;

            if (share > ink->share[row][column])
                ink->share[row][column] = share < 1.0f ? share : 1.0f;
        }
    }
}

static void ink_strokes(struct ink *ink, const char *strokes, unsigned x, unsigned y)
{
    float ax = 0.0f, ay = 0.0f;
    bool begun = false;

    for (; *strokes; strokes += strokes[0] == ' ' ? 1 : 2) {
        if (*strokes == ' ') {
            begun = false;
            continue;
        }
        float bx = (float)(x + unit_of(strokes[0])), by = (float)(y + unit_of(strokes[1]));

        ink_line(ink, begun ? ax : bx, begun ? ay : by, bx, by);
        ax = bx;
        ay = by;
        begun = true;
    }
}

static void blend_pixel(uint8_t *pixel, uint32_t colour, float share)
{
    for (unsigned c = 0; c < 3; c++) {
        float to = (float)(colour >> (16 - 8 * c) & 0xFF), from = (float)pixel[c];

        pixel[c] = (uint8_t)(from + (to - from) * share + 0.5f);
    }
}

static void draw_letter(struct eco_picture *picture, const struct letter *letter, unsigned x,
                        unsigned y, unsigned scale, uint32_t colour)
{
    struct ink ink;

    ink.scale = scale;
    ink.wide = (letter->width + 2) * scale;
    ink.high = ECO_TEXT_HEIGHT * scale;
    for (unsigned row = 0; row < ink.high; row++)
        memset(ink.share[row], 0, ink.wide * sizeof(float));
    ink_strokes(&ink, letter->strokes, 0, 0);
    ink_strokes(&ink, letter->mark, letter->mark_x, letter->mark_y);
    for (unsigned row = 0; row < ink.high && y * scale + row < picture->height; row++) {
        uint8_t *pixels =
            picture->pixels + 3 * ((size_t)(y * scale + row) * picture->width + x * scale);

        for (unsigned column = 0; column < ink.wide && x * scale + column < picture->width;
             column++) {
            if (ink.share[row][column] > 0.0f)
                blend_pixel(pixels + (size_t)3 * column, colour, ink.share[row][column]);
        }
    }
}

void eco_text_draw(struct eco_picture *picture, unsigned x, unsigned y, unsigned scale,
                   const char *text, unsigned limit, uint32_t colour)
{
    const struct letter ellipsis = letter_of(ELLIPSIS);
    size_t length = strlen(text), at = 0;
    unsigned used = 0;
    bool fits = eco_text_width(text, limit + 1) <= limit;

    while (at < length) {
        struct letter letter = letter_of(eco_utf8_next(text, length, &at));

        if (!fits && used + advance_of(&letter) + ellipsis.width > limit) {
            draw_letter(picture, &ellipsis, x + used, y, scale, colour);
            return;
        }
        draw_letter(picture, &letter, x + used, y, scale, colour);
        used += advance_of(&letter);
    }
}
