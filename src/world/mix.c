#include "world/mix.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void eco_mix_biomes(const struct eco_square *square, uint8_t out[ECO_SQUARE_AREA])
{
    float greatest[ECO_SQUARE_AREA];

    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
        greatest[k] = square->weights ? square->weights[0][k] : 1.0f;
        out[k] = square->biomes[0];
    }
    for (unsigned b = 1; b < square->count; b++) {
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++) {
            bool greater = square->weights[b][k] > greatest[k];

            greatest[k] = greater ? square->weights[b][k] : greatest[k];
            out[k] = greater ? square->biomes[b] : out[k];
        }
    }
}

void eco_mix_colours(const struct eco_square *square, float (*const colours)[3],
                     uint32_t out[ECO_SQUARE_AREA])
{
    float mixed[3][ECO_SQUARE_AREA];

    if (!square->weights) {
        const float *colour = colours[square->biomes[0]];
        uint32_t plain = (uint32_t)colour[0] << 16 | (uint32_t)colour[1] << 8 | (uint32_t)colour[2];

        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
            out[k] = plain;
        return;
    }
    for (unsigned channel = 0; channel < 3; channel++) {
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
            mixed[channel][k] = 0.5f;
        for (unsigned b = 0; b < square->count; b++) {
            float colour = colours[square->biomes[b]][channel];

            for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
                mixed[channel][k] += square->weights[b][k] * colour;
        }
    }
    /* Weights sum to 1 within 1e-6, so the sums stay below 256. */
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        out[k] = (uint32_t)(int32_t)mixed[0][k] << 16 | (uint32_t)(int32_t)mixed[1][k] << 8 |
                 (uint32_t)(int32_t)mixed[2][k];
}

void eco_mix_palette(const struct eco_world_config *config, float (*colours)[3])
{
    for (unsigned b = 0; b < config->biomes_count; b++) {
        for (unsigned k = 0; k < 3; k++)
            colours[b][k] = (float)(config->biomes[b].biome.colour >> (16 - 8 * k) & 255);
    }
}

void eco_mix_put(const struct eco_grid *grid, const struct eco_square_place *place,
                 const struct eco_square *square, const uint8_t biomes[ECO_SQUARE_AREA],
                 const float heights[ECO_SQUARE_AREA], const uint32_t colours[ECO_SQUARE_AREA],
                 const struct eco_planes *planes)
{
    size_t area = (size_t)grid->width * grid->height;

    for (int row = place->first_row; row < place->end_row; row++) {
        for (int column = place->first_column; column < place->end_column; column++) {
            size_t to = (size_t)(place->z + row) * grid->width + (size_t)(place->x + column);
            int from = row * ECO_SQUARE_SIDE + column;

            if (planes->biome)
                planes->biome[to] = biomes[from];
            if (planes->height)
                planes->height[to] = heights[from];
            if (planes->colour)
                planes->colour[to] = colours[from];
            for (unsigned b = 0; planes->weights && b < square->count; b++)
                planes->weights[square->biomes[b] * area + to] =
                    square->weights ? square->weights[b][from] : 1.0f;
        }
    }
}

static void find_borders(const struct eco_square *square, float out[ECO_SQUARE_AREA])
{
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        out[k] = square->weights ? square->weights[0][k] : 1.0f;
    for (unsigned b = 1; b < square->count; b++) {
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
            out[k] = square->weights[b][k] > out[k] ? square->weights[b][k] : out[k];
    }
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        out[k] = 1.0f - out[k];
}

/* Adds the absolute differences of two biomes' weights; without weights one weighs `lone`. */
static void add_differences(const float *a, float lone_a, const float *b, float lone_b,
                            float sums[ECO_SQUARE_AREA])
{
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        sums[k] += fabsf((a ? a[k] : lone_a) - (b ? b[k] : lone_b));
}

static void find_errors(const struct eco_square *square, const struct eco_square *full,
                        float out[ECO_SQUARE_AREA])
{
    unsigned i = 0, j = 0;

    memset(out, 0, ECO_SQUARE_AREA * sizeof(*out));
    /* Both list their biomes in rising index. */
    while (full && (i < square->count || j < full->count)) {
        unsigned own = i < square->count ? square->biomes[i] : ECO_BIOMES_MAX;
        unsigned other = j < full->count ? full->biomes[j] : ECO_BIOMES_MAX;
        const float *a = own <= other && square->weights ? square->weights[i] : NULL;
        const float *b = other <= own && full->weights ? full->weights[j] : NULL;

        add_differences(a, own <= other ? 1.0f : 0.0f, b, other <= own ? 1.0f : 0.0f, out);
        i += own <= other;
        j += other <= own;
    }
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        out[k] *= 0.5f;
}

void eco_mix_put_blend(const struct eco_grid *grid, const struct eco_square_place *place,
                       const struct eco_square *square, const struct eco_square *full,
                       const struct eco_planes *planes)
{
    float borders[ECO_SQUARE_AREA], errors[ECO_SQUARE_AREA];

    if (planes->border)
        find_borders(square, borders);
    if (planes->blend_error)
        find_errors(square, full, errors);
    for (int row = place->first_row; row < place->end_row; row++) {
        for (int column = place->first_column; column < place->end_column; column++) {
            size_t to = (size_t)(place->z + row) * grid->width + (size_t)(place->x + column);

            if (planes->border)
                planes->border[to] = borders[row * ECO_SQUARE_SIDE + column];
            if (planes->blend_error)
                planes->blend_error[to] = errors[row * ECO_SQUARE_SIDE + column];
        }
    }
}
