/*
 * Short texts in pictures: a stroke font of our own for Latin and Cyrillic letters, so that a
 * legend needs no font file. What it lacks is a box.
 *
 * Lengths are units of the font: a capital letter is 8 high, a line 13. Thread rule: pure
 * functions.
 */
#ifndef ECO_RASTER_TEXT_H
#define ECO_RASTER_TEXT_H

#include "raster/raster.h"

#define ECO_TEXT_HEIGHT 14

struct eco_glyph {
    uint32_t code;
    /* Lines from point to point, a space between them; a point is x, 0 to 9, and y from the top, 0
     * to 9 and a to d: 2 is the top of a capital letter, 5 that of an x, a the baseline. */
    const char *strokes;
};

/* A letter with a mark over or under it. */
struct eco_composed {
    uint32_t code, base;
    char mark; /* of eco_mark_strokes */
};

/* By rising code. */
extern const struct eco_glyph eco_glyphs[];
extern const size_t eco_glyph_count;
extern const struct eco_composed eco_composed[];
extern const size_t eco_composed_count;
/* Over a capital letter 4 wide; "" for none. */
const char *eco_mark_strokes(char mark);

/* The width of a text, at most `limit`. A longer one is cut when it is drawn. */
unsigned eco_text_width(const char *text, unsigned limit);

/* Draws UTF-8 into an RGB picture, at `scale` pixels a unit, 1 or 2, with the top left corner of
 * the line at unit (x, y). What is wider than `limit` ends in an ellipsis; what lies outside the
 * picture is left out. */
void eco_text_draw(struct eco_picture *picture, unsigned x, unsigned y, unsigned scale,
                   const char *text, unsigned limit, uint32_t colour);

#endif
