#include "noise/grid.h"

#include <string.h>

#include "noise/block.h"

void eco_noise_box_fill(struct noise_box *box, const struct noise_block *block, int64_t seed)
{
    uint64_t first_x = (uint64_t)block->box_x * NOISE_PRIME_X;
    uint64_t key_y = (uint64_t)block->box_y * NOISE_PRIME_Y;
    unsigned vertex = 0;

    for (unsigned j = 0; j < block->box_height; j++, key_y += NOISE_PRIME_Y) {
        uint64_t key_x = first_x;

        for (unsigned i = 0; i < block->box_width; i++, key_x += NOISE_PRIME_X) {
            memcpy(&box->gradients[vertex++], os2s_gradient2((uint64_t)seed ^ key_x ^ key_y),
                   2 * sizeof(float));
        }
    }
}

/* Finds the box. Returns 0 if it is too large to be worth it. Rounding keeps the order of numbers,
 * so the skewed coordinates are least and greatest in opposite corners of the block. */
static int find_box(struct noise_block *block)
{
    unsigned last_column = block->width - 1, last_row = block->height - 1;
    unsigned low_column = block->grid->dx < 0 ? last_column : 0;
    unsigned low_row = block->grid->dy < 0 ? last_row : 0;
    struct noise_point2 low = noise_skew(block_x(block, low_column), block_y(block, low_row));
    struct noise_point2 high =
        noise_skew(block_x(block, last_column - low_column), block_y(block, last_row - low_row));
    int64_t low_x = noise_floor(low.x), low_y = noise_floor(low.y);
    int64_t width = noise_floor(high.x) - low_x + 4, height = noise_floor(high.y) - low_y + 4;
    int64_t worth = 4 * (int64_t)(block->width * block->height);

    if (width > worth || height > worth || width * height > worth)
        return 0;
    block->box_x = low_x - 1;
    block->box_y = low_y - 1;
    block->box_width = (unsigned)width;
    block->box_height = (unsigned)height;
    return 1;
}

static void block_by_points(const struct noise_block *block, const int64_t *seeds, unsigned count,
                            float *out, size_t plane)
{
    for (unsigned i = 0; i < count; i++) {
        for (unsigned row = 0; row < block->height; row++) {
            for (unsigned column = 0; column < block->width; column++)
                out[i * plane + row * block->grid->stride + column] =
                    eco_os2s_noise2(seeds[i], block_x(block, column), block_y(block, row));
        }
    }
}

static eco_noise_block_fn *const kernels[ECO_SIMD_LEVELS] = {
#ifdef __x86_64__
    [ECO_SIMD_AVX2] = eco_noise_block_avx2,
    [ECO_SIMD_AVX512] = eco_noise_block_avx512,
#endif
};

void eco_os2s_noise2_grid_on(enum eco_simd level, const int64_t *seeds, unsigned count, double x0,
                             double dx, double y0, double dy, unsigned width, unsigned height,
                             float *out, size_t stride)
{
    struct noise_grid grid = {x0, dx, y0, dy, width, height, stride};
    eco_noise_block_fn *kernel = kernels[level];

    for (unsigned row = 0; row < height; row += BLOCK_SIDE) {
        for (unsigned column = 0; column < width; column += BLOCK_SIDE) {
            struct noise_block block = {
                .grid = &grid,
                .column = column,
                .row = row,
                .width = width - column < BLOCK_SIDE ? width - column : BLOCK_SIDE,
                .height = height - row < BLOCK_SIDE ? height - row : BLOCK_SIDE,
            };
            eco_noise_block_fn *write = kernel && find_box(&block) ? kernel : block_by_points;

            write(&block, seeds, count, out + row * stride + column, height * stride);
        }
    }
}

void eco_os2s_noise2_grid_many(const int64_t *seeds, unsigned count, double x0, double dx,
                               double y0, double dy, unsigned width, unsigned height, float *out,
                               size_t stride)
{
    eco_os2s_noise2_grid_on(eco_simd_level(), seeds, count, x0, dx, y0, dy, width, height, out,
                            stride);
}

void eco_os2s_noise2_grid(int64_t seed, double x0, double dx, double y0, double dy, unsigned width,
                          unsigned height, float *out, size_t stride)
{
    eco_os2s_noise2_grid_on(eco_simd_level(), &seed, 1, x0, dx, y0, dy, width, height, out, stride);
}
