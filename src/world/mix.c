#include "world/mix.h"

#include <stdbool.h>

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

int eco_mix_direct(const uint8_t biomes[ECO_SQUARE_AREA], struct eco_arena *scratch,
                   struct eco_square *square)
{
    unsigned listed[ECO_BIOMES_MAX];
    bool seen[ECO_BIOMES_MAX] = {false};

    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        seen[biomes[k]] = true;
    square->count = 0;
    square->weights = NULL;
    for (unsigned b = 0; b < ECO_BIOMES_MAX; b++) {
        if (!seen[b])
            continue;
        listed[b] = square->count;
        square->biomes[square->count++] = (uint8_t)b;
    }
    if (square->count == 1)
        return 0;
    square->weights = eco_arena_alloc(scratch, square->count, sizeof(*square->weights));
    if (!square->weights)
        return ECO_ENOMEM;
    for (unsigned b = 0; b < square->count; b++) {
        for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
            square->weights[b][k] = 0.0f;
    }
    for (unsigned k = 0; k < ECO_SQUARE_AREA; k++)
        square->weights[listed[biomes[k]]][k] = 1.0f;
    return 0;
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
