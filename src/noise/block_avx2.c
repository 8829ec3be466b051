#include "noise/block.h"

#ifdef __x86_64__

#include <immintrin.h>

#define ISA __attribute__((target("avx2")))
#define ISA_INLINE ISA static inline

/* A row of eight samples: what does not depend on the seed, for the four vertices of each. */
struct lanes {
    __m256 x[4], y[4]; /* from the vertex to the sample */
    __m256 power[4];   /* of the falloff */
    __m256i index[4];  /* of the vertex in the box; the middle pairs have changed places */
    __m256 near[2];    /* whether the third and fourth vertex reach the sample */
};

struct half_row {
    __m128 in_x, in_y;
    __m128i cell_x, cell_y; /* in the box */
};

ISA_INLINE __m128 split(__m256d value, double box, __m128i *cell)
{
    /* At -0 the offset is 0, where that of the one-point function is -0: both unskew to 0. */
    __m256d whole = _mm256_floor_pd(value);

    *cell = _mm256_cvttpd_epi32(_mm256_sub_pd(whole, _mm256_set1_pd(box)));
    return _mm256_cvtpd_ps(_mm256_sub_pd(value, whole));
}

ISA_INLINE struct half_row skew_half(const struct noise_block *block, __m256d x, __m256d y)
{
    __m256d skew = _mm256_mul_pd(_mm256_set1_pd(NOISE_SKEW_2D), _mm256_add_pd(x, y));
    struct half_row half;

    half.in_x = split(_mm256_add_pd(x, skew), (double)block->box_x, &half.cell_x);
    half.in_y = split(_mm256_add_pd(y, skew), (double)block->box_y, &half.cell_y);
    return half;
}

ISA_INLINE __m256 fourth_power(__m256 value)
{
    __m256 square = _mm256_mul_ps(value, value);

    return _mm256_mul_ps(square, square);
}

ISA_INLINE __m256 falloff_at(__m256 x, __m256 y)
{
    __m256 left = _mm256_sub_ps(_mm256_set1_ps(OS2S_RADIUS2), _mm256_mul_ps(x, x));

    return _mm256_sub_ps(left, _mm256_mul_ps(y, y));
}

ISA_INLINE __m256i region_of(__m256 in_x, __m256 in_y, __m256 unskew)
{
    __m256 one = _mm256_set1_ps(1.0f), zero = _mm256_setzero_ps();
    __m256 difference = _mm256_sub_ps(in_x, in_y);
    __m256 edge_x = _mm256_add_ps(in_x, difference), edge_y = _mm256_sub_ps(in_y, difference);
    __m256 beyond = _mm256_cmp_ps(unskew, _mm256_set1_ps(OS2S_UNSKEW), _CMP_LE_OQ);
    __m256 along_x = _mm256_blendv_ps(_mm256_cmp_ps(edge_x, zero, _CMP_LT_OQ),
                                      _mm256_cmp_ps(edge_x, one, _CMP_GT_OQ), beyond);
    __m256 along_y = _mm256_blendv_ps(_mm256_cmp_ps(in_y, difference, _CMP_LT_OQ),
                                      _mm256_cmp_ps(edge_y, one, _CMP_GT_OQ), beyond);
    __m256i bit_0 = _mm256_and_si256(_mm256_castps_si256(along_x), _mm256_set1_epi32(1));
    __m256i bit_1 = _mm256_and_si256(_mm256_castps_si256(along_y), _mm256_set1_epi32(2));
    __m256i bit_2 = _mm256_and_si256(_mm256_castps_si256(beyond), _mm256_set1_epi32(4));

    return _mm256_or_si256(_mm256_or_si256(bit_0, bit_1), bit_2);
}

/* The third and fourth vertex by region, as registers to be looked up in. */
struct regions {
    __m256 x[2], y[2];
    __m256i step[2]; /* to the vertex's index from that of (0, 0) */
};

ISA_INLINE __m256i load_integers(const int32_t region[OS2S_REGIONS])
{
    return _mm256_loadu_si256((const __m256i *)region);
}

ISA_INLINE struct regions regions_load(const struct noise_block *block)
{
    const __m256i width = _mm256_set1_epi32((int)block->box_width);
    struct regions regions;

    for (int k = 0; k < 2; k++) {
        regions.x[k] = _mm256_loadu_ps(eco_os2s_lookup.x[k]);
        regions.y[k] = _mm256_loadu_ps(eco_os2s_lookup.y[k]);
        regions.step[k] =
            _mm256_add_epi32(load_integers(eco_os2s_lookup.i[k]),
                             _mm256_mullo_epi32(load_integers(eco_os2s_lookup.j[k]), width));
    }
    return regions;
}

ISA_INLINE __m256i swap_middle(__m256i index)
{
    return _mm256_permute4x64_epi64(index, _MM_SHUFFLE(3, 1, 2, 0));
}

ISA_INLINE void lanes_make(struct lanes *lanes, const struct noise_block *block,
                           const struct regions *regions, const __m256d column_x[2], unsigned row)
{
    __m256d row_y = _mm256_set1_pd(block_y(block, row));
    struct half_row low = skew_half(block, column_x[0], row_y);
    struct half_row high = skew_half(block, column_x[1], row_y);
    __m256 in_x = _mm256_set_m128(high.in_x, low.in_x);
    __m256 in_y = _mm256_set_m128(high.in_y, low.in_y);
    __m256i cell_x = _mm256_set_m128i(high.cell_x, low.cell_x);
    __m256i cell_y = _mm256_set_m128i(high.cell_y, low.cell_y);

    __m256 unskew = _mm256_mul_ps(_mm256_add_ps(in_x, in_y), _mm256_set1_ps(OS2S_UNSKEW));
    __m256 x = _mm256_add_ps(in_x, unskew), y = _mm256_add_ps(in_y, unskew);
    __m256 falloff = falloff_at(x, y), far = _mm256_set1_ps(OS2S_FAR);
    __m256i width = _mm256_set1_epi32((int)block->box_width);
    __m256i index = _mm256_add_epi32(cell_x, _mm256_mullo_epi32(cell_y, width));
    __m256i region = region_of(in_x, in_y, unskew);

    lanes->x[0] = x;
    lanes->y[0] = y;
    lanes->power[0] = fourth_power(falloff);
    lanes->index[0] = swap_middle(index);
    lanes->x[1] = _mm256_sub_ps(x, far);
    lanes->y[1] = _mm256_sub_ps(y, far);
    lanes->power[1] =
        fourth_power(_mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(OS2S_FAR_SLOPE), unskew),
                                   _mm256_add_ps(_mm256_set1_ps(OS2S_FAR_OFFSET), falloff)));
    lanes->index[1] =
        _mm256_add_epi32(lanes->index[0], _mm256_add_epi32(width, _mm256_set1_epi32(1)));
    for (int k = 0; k < 2; k++) {
        __m256 vertex_x = _mm256_sub_ps(x, _mm256_permutevar8x32_ps(regions->x[k], region));
        __m256 vertex_y = _mm256_sub_ps(y, _mm256_permutevar8x32_ps(regions->y[k], region));
        __m256 near = falloff_at(vertex_x, vertex_y);

        lanes->x[2 + k] = vertex_x;
        lanes->y[2 + k] = vertex_y;
        lanes->power[2 + k] = fourth_power(near);
        lanes->index[2 + k] = swap_middle(
            _mm256_add_epi32(index, _mm256_permutevar8x32_epi32(regions->step[k], region)));
        lanes->near[k] = _mm256_cmp_ps(near, _mm256_setzero_ps(), _CMP_GT_OQ);
    }
}

ISA_INLINE __m256 contribution(const struct lanes *lanes, int vertex, const struct noise_box *box)
{
    __m256i index = lanes->index[vertex];
    const double *pairs = (const double *)(const void *)box->gradients;
    __m256 low = _mm256_castpd_ps(_mm256_i32gather_pd(pairs, _mm256_castsi256_si128(index), 8));
    __m256 high =
        _mm256_castpd_ps(_mm256_i32gather_pd(pairs, _mm256_extracti128_si256(index, 1), 8));
    __m256 gradient_x = _mm256_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0));
    __m256 gradient_y = _mm256_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1));
    __m256 slope = _mm256_add_ps(_mm256_mul_ps(gradient_x, lanes->x[vertex]),
                                 _mm256_mul_ps(gradient_y, lanes->y[vertex]));

    return _mm256_mul_ps(lanes->power[vertex], slope);
}

ISA_INLINE __m256 value_of(const struct lanes *lanes, const struct noise_box *box)
{
    __m256 value = _mm256_add_ps(contribution(lanes, 0, box), contribution(lanes, 1, box));

    for (int k = 0; k < 2; k++) {
        __m256 with = _mm256_add_ps(value, contribution(lanes, 2 + k, box));

        value = _mm256_blendv_ps(value, with, lanes->near[k]);
    }
    return value;
}

ISA void eco_noise_block_avx2(const struct noise_block *block, const int64_t *seeds, unsigned count,
                              float *out, size_t plane)
{
    struct lanes lanes[BLOCK_SIDE];
    struct noise_box box;
    struct regions regions = regions_load(block);
    const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i columns = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)block->width), numbers);
    __m256d column_x[2];
    double x[BLOCK_SIDE];

    /* Columns beyond the last repeat it, so that no lane leaves the box. */
    for (unsigned column = 0; column < BLOCK_SIDE; column++)
        x[column] = block_x(block, column < block->width ? column : block->width - 1);
    column_x[0] = _mm256_loadu_pd(x);
    column_x[1] = _mm256_loadu_pd(x + 4);
    for (unsigned row = 0; row < block->height; row++)
        lanes_make(&lanes[row], block, &regions, column_x, row);
    for (unsigned i = 0; i < count; i++, out += plane) {
        eco_noise_box_fill(&box, block, seeds[i]);
        for (unsigned row = 0; row < block->height; row++)
            _mm256_maskstore_ps(out + row * block->grid->stride, columns,
                                value_of(&lanes[row], &box));
    }
}

#endif
