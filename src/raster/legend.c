#include "raster/legend.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "raster/draw.h"
#include "raster/text.h"

/* Units. */
#define MARGIN 10
#define ROW 18
#define SWATCH 14
#define GAP 8
#define COLUMN_GAP 16
#define NAME_MAX_WIDTH 220
#define LINE_MAX_WIDTH 420
#define HEAD (MARGIN + 2 * ROW + 4)
#define ROWS_MAX 16 /* of a column */
#define HEIGHT_MARKS 5

#define PAPER 0xFFFFFF
#define FRAME 0xC9CED4
#define OUTLINE 0x5A626B
#define INK 0x1D2329
#define FADED_INK 0x5A626B

struct entry {
    char text[ECO_NAME_MAX + 1];
    uint32_t colour;
};

struct sheet {
    const char *title;
    char line[256]; /* what is shown, in which unit */
    char formula[128];
    bool ramp; /* entries are marks of a ramp, the greatest first */
    unsigned count;
    unsigned rows, columns, column_width;
    unsigned width, height;
    struct entry entries[ECO_BIOMES_MAX + ECO_LEGEND_STOPS_MAX];
};

static void add_entry(struct sheet *sheet, const char *text, uint32_t colour)
{
    struct entry *entry = &sheet->entries[sheet->count++];

    snprintf(entry->text, sizeof(entry->text), "%s", text);
    entry->colour = colour;
}

static void add_value(struct sheet *sheet, double value, uint32_t colour)
{
    char text[32];

    snprintf(text, sizeof(text), "%.6g", value);
    add_entry(sheet, text, colour);
}

static void add_biomes(struct sheet *sheet, const struct eco_world_config *world)
{
    for (unsigned b = 0; b < world->biomes_count; b++)
        add_entry(sheet, world->biomes[b].biome.name, world->biomes[b].biome.colour);
}

static void add_heights(struct sheet *sheet, const struct eco_world_config *world)
{
    for (int mark = HEIGHT_MARKS - 1; mark >= 0; mark--) {
        double share = (double)mark / (HEIGHT_MARKS - 1);

        add_value(sheet, world->height_low + share * (world->height_high - world->height_low),
                  (uint32_t)(share * 255.0 + 0.5) * 0x010101u);
    }
    sheet->ramp = true;
}

static void add_stops(struct sheet *sheet, const struct eco_legend *legend)
{
    sheet->ramp = !legend->stops[0].label;
    for (unsigned k = 0; k < legend->count; k++) {
        const struct eco_legend_stop *stop =
            &legend->stops[sheet->ramp ? legend->count - 1 - k : k];

        if (stop->label)
            add_entry(sheet, stop->label, stop->colour);
        else
            add_value(sheet, (double)stop->value, stop->colour);
    }
}

/* Whether the biomes' own colours are seen in the layer. */
static bool shows_biomes(int layer)
{
    return layer < 0 || layer == ECO_LAYER_BIOME || layer == ECO_LAYER_BLEND ||
           layer == ECO_LAYER_RELIEF || layer == ECO_LAYER_TREES || layer == ECO_LAYER_POINTS;
}

static void fill_sheet(struct sheet *sheet, const struct eco_world_config *world, int layer)
{
    const struct eco_legend *legend = layer < 0 ? NULL : eco_layer_legend((enum eco_layer)layer);
    const char *title = eco_layer_title(layer < 0 ? ECO_LAYER_BIOME : (enum eco_layer)layer);
    const char *unit = legend ? legend->unit : layer == ECO_LAYER_HEIGHT ? "blocks" : "";

    sheet->title = world->title;
    snprintf(sheet->line, sizeof(sheet->line), "%s%s%s", title, unit[0] ? ", " : "", unit);
    if (layer >= 0 && eco_layer_is_data((enum eco_layer)layer))
        eco_layer_formula((enum eco_layer)layer, world, sheet->formula, sizeof(sheet->formula));
    else if (layer == ECO_LAYER_HEIGHT)
        add_heights(sheet, world);
    if (legend)
        add_stops(sheet, legend);
    if (shows_biomes(layer))
        add_biomes(sheet, world);
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static void place_entries(struct sheet *sheet)
{
    unsigned wide = larger(eco_text_width(sheet->title, LINE_MAX_WIDTH),
                           eco_text_width(sheet->line, LINE_MAX_WIDTH)),
             name = 0;

    wide = larger(wide, eco_text_width(sheet->formula, LINE_MAX_WIDTH));
    for (unsigned k = 0; k < sheet->count; k++)
        name = larger(name, eco_text_width(sheet->entries[k].text, NAME_MAX_WIDTH));
    sheet->columns = (sheet->count + ROWS_MAX - 1) / ROWS_MAX;
    sheet->rows = sheet->columns ? (sheet->count + sheet->columns - 1) / sheet->columns : 0;
    sheet->column_width = SWATCH + GAP + name;
    if (sheet->columns)
        wide = larger(wide, sheet->columns * (sheet->column_width + COLUMN_GAP) - COLUMN_GAP);
    sheet->width = 2 * MARGIN + wide;
    sheet->height = HEAD + (sheet->formula[0] ? 1 : sheet->rows) * ROW + MARGIN - 4;
}

static void fill(struct eco_picture *picture, unsigned scale, unsigned x, unsigned y,
                 unsigned width, unsigned height, uint32_t colour)
{
    for (size_t row = (size_t)y * scale; row < (size_t)(y + height) * scale; row++) {
        uint8_t *pixel = picture->pixels + 3 * (row * picture->width + (size_t)x * scale);

        for (unsigned column = 0; column < width * scale; column++, pixel += 3)
            eco_put_rgb(pixel, colour);
    }
}

static void draw_swatch(struct eco_picture *picture, unsigned scale, unsigned x, unsigned y,
                        uint32_t colour)
{
    fill(picture, scale, x, y, SWATCH, SWATCH, OUTLINE);
    fill(picture, scale, x + 1, y + 1, SWATCH - 2, SWATCH - 2, colour);
}

/* One bar along all marks: each mark's colour is in the middle of its row. */
static void draw_bar(struct eco_picture *picture, unsigned scale, const struct sheet *sheet)
{
    unsigned top = HEAD * scale, high = (sheet->count * ROW - (ROW - SWATCH)) * scale;

    fill(picture, scale, MARGIN, HEAD, SWATCH, sheet->count * ROW - (ROW - SWATCH), OUTLINE);
    for (unsigned row = scale; row + scale < high; row++) {
        float at = ((float)row + 0.5f - (float)(SWATCH * scale) / 2) / (float)(ROW * scale);
        float last = (float)(sheet->count - 1), place = at < 0.0f ? 0.0f : at > last ? last : at;
        unsigned mark = (unsigned)place, next = mark + 1 < sheet->count ? mark + 1 : mark;
        uint32_t colour = eco_colour_mix(sheet->entries[mark].colour, sheet->entries[next].colour,
                                         place - (float)mark);
        uint8_t *pixel =
            picture->pixels + 3 * ((size_t)(top + row) * picture->width + (MARGIN + 1) * scale);

        for (unsigned column = 0; column < (SWATCH - 2) * scale; column++, pixel += 3)
            eco_put_rgb(pixel, colour);
    }
}

static void draw_sheet(struct eco_picture *picture, unsigned scale, const struct sheet *sheet)
{
    fill(picture, scale, 0, 0, sheet->width, sheet->height, FRAME);
    fill(picture, scale, 1, 1, sheet->width - 2, sheet->height - 2, PAPER);
    eco_text_draw(picture, MARGIN, MARGIN, scale, sheet->title, LINE_MAX_WIDTH, INK);
    eco_text_draw(picture, MARGIN, MARGIN + ROW, scale, sheet->line, LINE_MAX_WIDTH, FADED_INK);
    eco_text_draw(picture, MARGIN, HEAD, scale, sheet->formula, LINE_MAX_WIDTH, INK);
    if (sheet->ramp)
        draw_bar(picture, scale, sheet);
    for (unsigned k = 0; k < sheet->count; k++) {
        unsigned x = MARGIN + k / sheet->rows * (sheet->column_width + COLUMN_GAP);
        unsigned y = HEAD + k % sheet->rows * ROW;

        if (!sheet->ramp)
            draw_swatch(picture, scale, x, y, sheet->entries[k].colour);
        eco_text_draw(picture, x + SWATCH + GAP, y, scale, sheet->entries[k].text, NAME_MAX_WIDTH,
                      INK);
    }
}

int eco_legend_draw(const struct eco_world_config *world, int layer, unsigned scale,
                    struct eco_arena *arena, struct eco_picture *out, struct eco_error *error)
{
    struct sheet *sheet = eco_arena_alloc(arena, 1, sizeof(*sheet));

    if (!sheet)
        return eco_error_set(error, ECO_ENOMEM, "no memory for a legend");
    memset(sheet, 0, sizeof(*sheet));
    fill_sheet(sheet, world, layer);
    place_entries(sheet);
    *out = (struct eco_picture){
        .width = sheet->width * scale, .height = sheet->height * scale, .format = ECO_PIXEL_RGB8};
    out->pixels = eco_arena_alloc(arena, (size_t)out->width * out->height, 3);
    if (!out->pixels)
        return eco_error_set(error, ECO_ENOMEM, "no memory for a legend of %u x %u pixels",
                             out->width, out->height);
    draw_sheet(out, scale, sheet);
    return 0;
}
