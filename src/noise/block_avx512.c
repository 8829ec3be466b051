#include "noise/block.h"

#ifdef __x86_64__

#include <immintrin.h>

#define ISA __attribute__((target("avx512f,avx512dq,avx512vl")))
#define ISA_INLINE ISA static inline

/* Vertices that two registers hold: the box of up to 2x2 cells. */
#define REGISTER_VERTICES 32

/* Two rows of eight samples: what does not depend on the seed, for the four vertices of each. */
struct lanes {
    __m512 x[4], y[4]; /* from the vertex to the sample */
    __m512 power[4];   /* of the falloff */
    __m512i index[4];  /* of the vertex in the box */
    __mmask16 near[2]; /* whether the third and fourth vertex reach the sample */
};

struct skewed_row {
    __m256 in_x, in_y;
    __m256i cell_x, cell_y; /* in the box */
};

ISA_INLINE __m256 split(__m512d value, __m512d box, __m256i *cell)
{
    /* At -0 the offset is 0, where that of the one-point function is -0: both unskew to 0. */
    __m512d whole = _mm512_floor_pd(value);

    *cell = _mm512_cvttpd_epi32(_mm512_sub_pd(whole, box));
    return _mm512_cvtpd_ps(_mm512_sub_pd(value, whole));
}

ISA_INLINE struct skewed_row skew_row(const struct noise_block *block, __m512d x, unsigned row)
{
    unsigned last = block->height - 1;
    __m512d y = _mm512_set1_pd(block_y(block, row < last ? row : last));
    __m512d skew = _mm512_mul_pd(_mm512_set1_pd(NOISE_SKEW_2D), _mm512_add_pd(x, y));
    struct skewed_row skewed;

    skewed.in_x =
        split(_mm512_add_pd(x, skew), _mm512_set1_pd((double)block->box_x), &skewed.cell_x);
    skewed.in_y =
        split(_mm512_add_pd(y, skew), _mm512_set1_pd((double)block->box_y), &skewed.cell_y);
    return skewed;
}

ISA_INLINE __m512 join(__m256 low, __m256 high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

ISA_INLINE __m512i join_integers(__m256i low, __m256i high)
{
    return _mm512_inserti32x8(_mm512_castsi256_si512(low), high, 1);
}

ISA_INLINE __m512 fourth_power(__m512 value)
{
    __m512 square = _mm512_mul_ps(value, value);

    return _mm512_mul_ps(square, square);
}

ISA_INLINE __m512 falloff_at(__m512 x, __m512 y)
{
    __m512 left = _mm512_sub_ps(_mm512_set1_ps(OS2S_RADIUS2), _mm512_mul_ps(x, x));

    return _mm512_sub_ps(left, _mm512_mul_ps(y, y));
}

ISA_INLINE __m512i region_of(__m512 in_x, __m512 in_y, __m512 unskew)
{
    __m512 one = _mm512_set1_ps(1.0f), zero = _mm512_setzero_ps();
    __m512 difference = _mm512_sub_ps(in_x, in_y);
    __m512 edge_x = _mm512_add_ps(in_x, difference), edge_y = _mm512_sub_ps(in_y, difference);
    __mmask16 beyond = _mm512_cmp_ps_mask(unskew, _mm512_set1_ps(OS2S_UNSKEW), _CMP_LE_OQ);
    __mmask16 along_x = (__mmask16)((beyond & _mm512_cmp_ps_mask(edge_x, one, _CMP_GT_OQ)) |
                                    (~beyond & _mm512_cmp_ps_mask(edge_x, zero, _CMP_LT_OQ)));
    __mmask16 along_y = (__mmask16)((beyond & _mm512_cmp_ps_mask(edge_y, one, _CMP_GT_OQ)) |
                                    (~beyond & _mm512_cmp_ps_mask(in_y, difference, _CMP_LT_OQ)));
    __m512i region = _mm512_maskz_set1_epi32(along_x, 1);

    region = _mm512_mask_or_epi32(region, along_y, region, _mm512_set1_epi32(2));
    return _mm512_mask_or_epi32(region, beyond, region, _mm512_set1_epi32(4));
}

/* The third and fourth vertex by region, as registers to be looked up in. */
struct regions {
    __m512 x[2], y[2];
    __m512i step[2]; /* to the vertex's index from that of (0, 0) */
};

ISA_INLINE __m512i load_integers(const int32_t region[OS2S_REGIONS])
{
    return _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)region));
}

ISA_INLINE __m512 load_floats(const float region[OS2S_REGIONS])
{
    return _mm512_castps256_ps512(_mm256_loadu_ps(region));
}

ISA_INLINE struct regions regions_load(const struct noise_block *block)
{
    const __m512i width = _mm512_set1_epi32((int)block->box_width);
    struct regions regions;

    for (int k = 0; k < 2; k++) {
        regions.x[k] = load_floats(eco_os2s_lookup.x[k]);
        regions.y[k] = load_floats(eco_os2s_lookup.y[k]);
        regions.step[k] =
            _mm512_add_epi32(load_integers(eco_os2s_lookup.i[k]),
                             _mm512_mullo_epi32(load_integers(eco_os2s_lookup.j[k]), width));
    }
    return regions;
}

ISA_INLINE void lanes_make(struct lanes *lanes, const struct noise_block *block,
                           const struct regions *regions, __m512d column_x, unsigned row)
{
    struct skewed_row first = skew_row(block, column_x, row);
    struct skewed_row second = skew_row(block, column_x, row + 1);
    __m512 in_x = join(first.in_x, second.in_x), in_y = join(first.in_y, second.in_y);
    __m512i cell_x = join_integers(first.cell_x, second.cell_x);
    __m512i cell_y = join_integers(first.cell_y, second.cell_y);

    __m512 unskew = _mm512_mul_ps(_mm512_add_ps(in_x, in_y), _mm512_set1_ps(OS2S_UNSKEW));
    __m512 x = _mm512_add_ps(in_x, unskew), y = _mm512_add_ps(in_y, unskew);
    __m512 falloff = falloff_at(x, y), far = _mm512_set1_ps(OS2S_FAR);
    __m512i width = _mm512_set1_epi32((int)block->box_width);
    __m512i index = _mm512_add_epi32(cell_x, _mm512_mullo_epi32(cell_y, width));
    __m512i region = region_of(in_x, in_y, unskew);

    lanes->x[0] = x;
    lanes->y[0] = y;
    lanes->power[0] = fourth_power(falloff);
    lanes->index[0] = index;
    lanes->x[1] = _mm512_sub_ps(x, far);
    lanes->y[1] = _mm512_sub_ps(y, far);
    lanes->power[1] =
        fourth_power(_mm512_add_ps(_mm512_mul_ps(_mm512_set1_ps(OS2S_FAR_SLOPE), unskew),
                                   _mm512_add_ps(_mm512_set1_ps(OS2S_FAR_OFFSET), falloff)));
    lanes->index[1] = _mm512_add_epi32(index, _mm512_add_epi32(width, _mm512_set1_epi32(1)));
    for (int which = 0; which < 2; which++) {
        __m512 vertex_x = _mm512_sub_ps(x, _mm512_permutexvar_ps(region, regions->x[which]));
        __m512 vertex_y = _mm512_sub_ps(y, _mm512_permutexvar_ps(region, regions->y[which]));
        __m512 near = falloff_at(vertex_x, vertex_y);

        lanes->x[2 + which] = vertex_x;
        lanes->y[2 + which] = vertex_y;
        lanes->power[2 + which] = fourth_power(near);
        lanes->index[2 + which] =
            _mm512_add_epi32(index, _mm512_permutexvar_epi32(region, regions->step[which]));
        lanes->near[which] = _mm512_cmp_ps_mask(near, _mm512_setzero_ps(), _CMP_GT_OQ);
    }
}

struct gradients {
    __m512 x, y;
};

/* Parts sixteen pairs into their x and y. */
ISA_INLINE struct gradients part(__m512 low, __m512 high)
{
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));

    return (struct gradients){_mm512_permutex2var_ps(low, even, high),
                              _mm512_permutex2var_ps(low, odd, high)};
}

ISA_INLINE __m512 contribution(const struct lanes *lanes, int vertex, struct gradients gradients)
{
    __m512 slope = _mm512_add_ps(_mm512_mul_ps(gradients.x, lanes->x[vertex]),
                                 _mm512_mul_ps(gradients.y, lanes->y[vertex]));

    return _mm512_mul_ps(lanes->power[vertex], slope);
}

ISA_INLINE __m512 add_up(const struct lanes *lanes, const struct gradients gradients[4])
{
    __m512 value =
        _mm512_add_ps(contribution(lanes, 0, gradients[0]), contribution(lanes, 1, gradients[1]));

    value = _mm512_mask_add_ps(value, lanes->near[0], value, contribution(lanes, 2, gradients[2]));
    return _mm512_mask_add_ps(value, lanes->near[1], value, contribution(lanes, 3, gradients[3]));
}

ISA_INLINE void store(const struct noise_block *block, unsigned row, __m512 value, float *out)
{
    __mmask8 columns = (__mmask8)((1u << block->width) - 1);

    _mm256_mask_storeu_ps(out + row * block->grid->stride, columns, _mm512_castps512_ps256(value));
    if (row + 1 < block->height)
        _mm256_mask_storeu_ps(out + (row + 1) * block->grid->stride, columns,
                              _mm512_extractf32x8_ps(value, 1));
}

ISA static void write_from_registers(const struct noise_block *block, const struct lanes *lanes,
                                     const struct noise_box *box, float *out)
{
    const float *pairs = &box->gradients[0].x;
    struct gradients low = part(_mm512_load_ps(pairs), _mm512_load_ps(pairs + 16));
    struct gradients high = part(_mm512_load_ps(pairs + 32), _mm512_load_ps(pairs + 48));

    for (unsigned row = 0; row < block->height; row += 2, lanes++) {
        struct gradients gradients[4];

        for (int vertex = 0; vertex < 4; vertex++) {
            __m512i index = lanes->index[vertex];

            gradients[vertex].x = _mm512_permutex2var_ps(low.x, index, high.x);
            gradients[vertex].y = _mm512_permutex2var_ps(low.y, index, high.y);
        }
        store(block, row, add_up(lanes, gradients), out);
    }
}

ISA static void write_from_memory(const struct noise_block *block, const struct lanes *lanes,
                                  const struct noise_box *box, float *out)
{
    for (unsigned row = 0; row < block->height; row += 2, lanes++) {
        struct gradients gradients[4];

        for (int vertex = 0; vertex < 4; vertex++) {
            __m512i index = lanes->index[vertex];
            __m512d low = _mm512_i32gather_pd(_mm512_castsi512_si256(index), box->gradients, 8);
            __m512d high =
                _mm512_i32gather_pd(_mm512_extracti32x8_epi32(index, 1), box->gradients, 8);

            gradients[vertex] = part(_mm512_castpd_ps(low), _mm512_castpd_ps(high));
        }
        store(block, row, add_up(lanes, gradients), out);
    }
}

ISA void eco_noise_block_avx512(const struct noise_block *block, const int64_t *seeds,
                                unsigned count, float *out, size_t plane)
{
    struct lanes lanes[BLOCK_SIDE / 2];
    struct noise_box box;
    struct regions regions = regions_load(block);
    /* Columns beyond the last repeat it, so that no lane leaves the box. */
    __m512d column =
        _mm512_min_pd(_mm512_setr_pd(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_pd(block->width - 1));
    __m512d distance = _mm512_mul_pd(_mm512_add_pd(column, _mm512_set1_pd(block->column)),
                                     _mm512_set1_pd(block->grid->dx));
    __m512d x = _mm512_add_pd(_mm512_set1_pd(block->grid->x0), distance);

    for (unsigned row = 0; row < block->height; row += 2)
        lanes_make(&lanes[row / 2], block, &regions, x, row);
    for (unsigned i = 0; i < count; i++) {
        eco_noise_box_fill(&box, block, seeds[i]);
        if (block->box_width * block->box_height <= REGISTER_VERTICES)
            write_from_registers(block, lanes, &box, out + i * plane);
        else
            write_from_memory(block, lanes, &box, out + i * plane);
    }
}

#endif
