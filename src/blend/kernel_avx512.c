#ifdef __x86_64__

#define ISA __attribute__((target("avx512f,avx512dq,avx512vl")))

#include "blend/kernel_avx.h"

ISA_INLINE __m512d outside_pd(__m512d place, double centre, double half)
{
    __m512d away = _mm512_abs_pd(_mm512_sub_pd(place, _mm512_set1_pd(centre)));

    return _mm512_max_pd(_mm512_sub_pd(away, _mm512_set1_pd(half)), _mm512_setzero_pd());
}

ISA static size_t select_points(const struct kernel_window *window, const double *x,
                                const double *z, size_t count, double *out_x, double *out_z)
{
    __m512d radius2 = _mm512_set1_pd(window->radius2);
    size_t taken = 0;

    for (size_t k = 0; k < count; k += 8) {
        __mmask8 valid = (__mmask8)(count - k < 8 ? (1u << (count - k)) - 1 : 255);
        __m512d px = _mm512_maskz_loadu_pd(valid, x + k), pz = _mm512_maskz_loadu_pd(valid, z + k);
        __m512d dx = outside_pd(px, window->x, window->half_x);
        __m512d dz = outside_pd(pz, window->z, window->half_z);
        __m512d distance2 = _mm512_add_pd(_mm512_mul_pd(dx, dx), _mm512_mul_pd(dz, dz));
        __mmask8 near = _mm512_mask_cmp_pd_mask(valid, distance2, radius2, _CMP_LT_OQ);

        /* In registers: to memory at once is slow on some processors. */
        _mm512_storeu_pd(out_x + taken, _mm512_maskz_compress_pd(near, px));
        _mm512_storeu_pd(out_z + taken, _mm512_maskz_compress_pd(near, pz));
        taken += (size_t)__builtin_popcount(near);
    }
    return taken;
}

ISA_INLINE __m256 relative(__m512d places, double centre)
{
    return _mm512_cvtpd_ps(_mm512_sub_pd(places, _mm512_set1_pd(centre)));
}

ISA static void classify(const struct kernel_square *square, const double *x, const double *z,
                         size_t count, struct kernel_points *out)
{
    out->rim = out->cover = 0;
    for (size_t k = 0; k < count; k += 8) {
        struct lanes lanes = classify_lanes(square, relative(_mm512_loadu_pd(x + k), square->x),
                                            relative(_mm512_loadu_pd(z + k), square->z), count - k);
        __mmask8 rim = (__mmask8)lanes.rim, cover = (__mmask8)lanes.cover;

        _mm256_storeu_ps(out->rim_x + out->rim, _mm256_maskz_compress_ps(rim, lanes.x));
        _mm256_storeu_ps(out->rim_z + out->rim, _mm256_maskz_compress_ps(rim, lanes.z));
        _mm256_storeu_ps(out->cover_x + out->cover, _mm256_maskz_compress_ps(cover, lanes.x));
        _mm256_storeu_ps(out->cover_z + out->cover, _mm256_maskz_compress_ps(cover, lanes.z));
        out->rim += (size_t)__builtin_popcount(lanes.rim);
        out->cover += (size_t)__builtin_popcount(lanes.cover);
    }
}

#define PAIRS (ECO_SQUARE_SIDE / 2)

/* Both halves of a register hold a row: the lower one an even row, the upper one the row below it.
 */
ISA_INLINE __m512 twice(__m256 row)
{
    return _mm512_broadcast_f32x8(row);
}

ISA_INLINE void add_discs(const struct kernel_square *square, const float *x, const float *z,
                          size_t count, __m512 pairs[PAIRS])
{
    const __m512i rows = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    __m256 places = offsets(square->step), radius2 = _mm256_set1_ps(square->radius2);
    __m512 zero = _mm512_setzero_ps();
    __m512i pick[PAIRS];

    for (int pair = 0; pair < PAIRS; pair++)
        pick[pair] = _mm512_add_epi32(rows, _mm512_set1_epi32(2 * pair));
    for (size_t k = 0; k < count; k++) {
        __m256 dx = _mm256_sub_ps(places, _mm256_broadcast_ss(x + k));
        __m256 dz = _mm256_sub_ps(places, _mm256_broadcast_ss(z + k));
        __m512 dx2 = twice(_mm256_mul_ps(dx, dx));
        __m512 left = _mm512_castps256_ps512(_mm256_sub_ps(radius2, _mm256_mul_ps(dz, dz)));

        for (int pair = 0; pair < PAIRS; pair++) {
            __m512 rest = _mm512_sub_ps(_mm512_permutexvar_ps(pick[pair], left), dx2);

            rest = _mm512_max_ps(rest, zero);
            pairs[pair] = _mm512_add_ps(pairs[pair], _mm512_mul_ps(rest, rest));
        }
    }
}

ISA static void sum_points(const struct kernel_square *square, const struct kernel_points *points,
                           float sums[ECO_SQUARE_AREA])
{
    __m512 pairs[PAIRS];
    __m256 rows[ECO_SQUARE_SIDE];

    for (int pair = 0; pair < PAIRS; pair++)
        pairs[pair] = _mm512_setzero_ps();
    add_discs(square, points->rim_x, points->rim_z, points->rim, pairs);
    if (points->cover < KERNEL_COVER_LEAST)
        add_discs(square, points->cover_x, points->cover_z, points->cover, pairs);
    for (int pair = 0; pair < PAIRS; pair++)
        _mm512_storeu_ps(sums + pair * 2 * ECO_SQUARE_SIDE, pairs[pair]);
    if (points->cover >= KERNEL_COVER_LEAST) {
        struct kernel_moments moments =
            moments_of(square, points->cover_x, points->cover_z, points->cover);

        for (int row = 0; row < ECO_SQUARE_SIDE; row++)
            rows[row] = _mm256_loadu_ps(sums + row * ECO_SQUARE_SIDE);
        add_polynomial(square, &moments, rows);
        for (int row = 0; row < ECO_SQUARE_SIDE; row++)
            _mm256_storeu_ps(sums + row * ECO_SQUARE_SIDE, rows[row]);
    }
}

const struct kernel eco_kernel_avx512 = {select_points, classify, sum_points, normalise};

#endif
