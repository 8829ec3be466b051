/*
 * What the AVX2 and AVX-512 kernels share, eight lanes wide. The including file defines ISA, the
 * target attribute of every function here. Private to the kernels.
 */
#ifndef ECO_BLEND_KERNEL_AVX_H
#define ECO_BLEND_KERNEL_AVX_H

#include <immintrin.h>

#include "blend/kernel.h"

#define ISA_INLINE ISA static inline

ISA_INLINE __m256 offsets(float step)
{
    return _mm256_mul_ps(_mm256_setr_ps(-3.5f, -2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 3.5f),
                         _mm256_set1_ps(step));
}

ISA_INLINE __m256 length2(__m256 x, __m256 z)
{
    return _mm256_add_ps(_mm256_mul_ps(x, x), _mm256_mul_ps(z, z));
}

/* Where points lie relative to a square, and which of them matter; a bit a lane. */
struct lanes {
    __m256 x, z;
    unsigned cover, rim;
};

ISA_INLINE __m256 distance2(__m256 x, __m256 z, float reach)
{
    __m256 zero = _mm256_setzero_ps(), more = _mm256_set1_ps(reach);

    return length2(_mm256_max_ps(_mm256_add_ps(x, more), zero),
                   _mm256_max_ps(_mm256_add_ps(z, more), zero));
}

ISA_INLINE struct lanes classify_lanes(const struct kernel_square *square, __m256 x, __m256 z,
                                       size_t left)
{
    __m256 radius2 = _mm256_set1_ps(square->radius2), sign = _mm256_set1_ps(-0.0f);
    __m256 ax = _mm256_andnot_ps(sign, x), az = _mm256_andnot_ps(sign, z);
    __m256 near2 = distance2(ax, az, -square->half), far2 = distance2(ax, az, square->half);
    unsigned valid = left < 8 ? (1u << left) - 1 : 255;
    unsigned near = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(near2, radius2, _CMP_LT_OQ));
    unsigned cover = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(far2, radius2, _CMP_LT_OQ));

    cover &= valid;
    return (struct lanes){x, z, cover, near & valid & ~cover};
}

ISA_INLINE float sum_lanes(__m256 value)
{
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(value), _mm256_extractf128_ps(value, 1));
    __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));

    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

ISA_INLINE struct kernel_moments moments_of(const struct kernel_square *square, float *x, float *z,
                                            size_t count)
{
    __m256 radius2 = _mm256_set1_ps(square->radius2), zero = _mm256_setzero_ps();
    __m256 sum[9] = {zero, zero, zero, zero, zero, zero, zero, zero, zero};

    /* Lanes behind the end become points that add nothing. */
    _mm256_storeu_ps(x + count, zero);
    _mm256_storeu_ps(z + count, zero);
    for (size_t k = 0; k < count; k += 8) {
        __m256 px = _mm256_loadu_ps(x + k), pz = _mm256_loadu_ps(z + k);
        __m256 s = _mm256_sub_ps(radius2, length2(px, pz));

        if (count - k < 8)
            s = _mm256_and_ps(s, _mm256_castsi256_ps(_mm256_cmpgt_epi32(
                                     _mm256_set1_epi32((int)(count - k)),
                                     _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))));
        sum[0] = _mm256_add_ps(sum[0], s);
        sum[1] = _mm256_add_ps(sum[1], _mm256_mul_ps(s, s));
        sum[2] = _mm256_add_ps(sum[2], px);
        sum[3] = _mm256_add_ps(sum[3], pz);
        sum[4] = _mm256_add_ps(sum[4], _mm256_mul_ps(s, px));
        sum[5] = _mm256_add_ps(sum[5], _mm256_mul_ps(s, pz));
        sum[6] = _mm256_add_ps(sum[6], _mm256_mul_ps(px, px));
        sum[7] = _mm256_add_ps(sum[7], _mm256_mul_ps(px, pz));
        sum[8] = _mm256_add_ps(sum[8], _mm256_mul_ps(pz, pz));
    }
    return (struct kernel_moments){
        (float)count,      sum_lanes(sum[0]), sum_lanes(sum[1]), sum_lanes(sum[2]),
        sum_lanes(sum[3]), sum_lanes(sum[4]), sum_lanes(sum[5]), sum_lanes(sum[6]),
        sum_lanes(sum[7]), sum_lanes(sum[8]),
    };
}

ISA_INLINE void add_polynomial(const struct kernel_square *square,
                               const struct kernel_moments *moments, __m256 rows[ECO_SQUARE_SIDE])
{
    __m256 ux = offsets(square->step), ux2 = _mm256_mul_ps(ux, ux);

    for (int row = 0; row < ECO_SQUARE_SIDE; row++) {
        float uz = ((float)row - 3.5f) * square->step;
        struct kernel_row k = kernel_row_of(moments, uz);
        __m256 q = _mm256_add_ps(ux2, _mm256_set1_ps(uz * uz));
        __m256 inner =
            _mm256_sub_ps(_mm256_mul_ps(_mm256_set1_ps(k.count), q), _mm256_set1_ps(k.twice_s));
        __m256 tilt =
            _mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(k.four_x), ux), _mm256_set1_ps(k.z_part));
        __m256 bend =
            _mm256_add_ps(_mm256_set1_ps(k.slope), _mm256_mul_ps(_mm256_set1_ps(k.curve), ux));
        __m256 value =
            _mm256_add_ps(_mm256_mul_ps(q, _mm256_sub_ps(inner, tilt)), _mm256_mul_ps(ux, bend));

        value = _mm256_add_ps(value, _mm256_set1_ps(k.level));
        rows[row] = _mm256_add_ps(rows[row], _mm256_max_ps(value, _mm256_setzero_ps()));
    }
}

ISA static void normalise(float (*sums)[ECO_SQUARE_AREA], unsigned count)
{
    for (int k = 0; k < ECO_SQUARE_AREA; k += 8) {
        __m256 total = _mm256_setzero_ps();

        for (unsigned b = 0; b < count; b++)
            total = _mm256_add_ps(total, _mm256_loadu_ps(sums[b] + k));
        for (unsigned b = 0; b < count; b++)
            _mm256_storeu_ps(sums[b] + k, _mm256_div_ps(_mm256_loadu_ps(sums[b] + k), total));
    }
}

#endif
