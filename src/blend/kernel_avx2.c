#ifdef __x86_64__

#define ISA __attribute__((target("avx2,bmi2")))

#include "blend/kernel_avx.h"

/* Where each lane's value goes when the lanes of a mask move to the front. */
ISA_INLINE __m256i order_of(unsigned mask)
{
    /* A byte of ones for each bit, which then picks its own number out of 0 to 7. */
    uint64_t bytes = _pdep_u64(mask, 0x0101010101010101u) * 255;

    return _mm256_cvtepu8_epi32(
        _mm_cvtsi64_si128((long long)_pext_u64(0x0706050403020100u, bytes)));
}

ISA_INLINE __m256d outside_pd(__m256d place, double centre, double half)
{
    __m256d away =
        _mm256_andnot_pd(_mm256_set1_pd(-0.0), _mm256_sub_pd(place, _mm256_set1_pd(centre)));

    return _mm256_max_pd(_mm256_sub_pd(away, _mm256_set1_pd(half)), _mm256_setzero_pd());
}

ISA static size_t select_points(const struct kernel_window *window, const double *x,
                                const double *z, size_t count, double *out_x, double *out_z)
{
    __m256d radius2 = _mm256_set1_pd(window->radius2);
    size_t taken = 0, k = 0;

    for (; k + 4 <= count; k += 4) {
        __m256d dx = outside_pd(_mm256_loadu_pd(x + k), window->x, window->half_x);
        __m256d dz = outside_pd(_mm256_loadu_pd(z + k), window->z, window->half_z);
        __m256d distance2 = _mm256_add_pd(_mm256_mul_pd(dx, dx), _mm256_mul_pd(dz, dz));
        int mask = _mm256_movemask_pd(_mm256_cmp_pd(distance2, radius2, _CMP_LT_OQ));

        for (unsigned lane = 0; lane < 4; lane++) {
            out_x[taken] = x[k + lane];
            out_z[taken] = z[k + lane];
            taken += (unsigned)mask >> lane & 1;
        }
    }
    return taken +
           eco_kernel_scalar.select(window, x + k, z + k, count - k, out_x + taken, out_z + taken);
}

ISA_INLINE __m256 relative(const double *places, double centre)
{
    __m256d middle = _mm256_set1_pd(centre);
    __m128 low = _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(places), middle));
    __m128 high = _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(places + 4), middle));

    return _mm256_set_m128(high, low);
}

/* Moves the lanes of `mask` to the end of a list; returns how many. */
ISA_INLINE size_t append(unsigned mask, __m256 px, __m256 pz, float *out_x, float *out_z)
{
    __m256i order = order_of(mask);

    _mm256_storeu_ps(out_x, _mm256_permutevar8x32_ps(px, order));
    _mm256_storeu_ps(out_z, _mm256_permutevar8x32_ps(pz, order));
    return (size_t)__builtin_popcount(mask);
}

ISA static void classify(const struct kernel_square *square, const double *x, const double *z,
                         size_t count, struct kernel_points *out)
{
    out->rim = out->cover = 0;
    for (size_t k = 0; k < count; k += 8) {
        struct lanes lanes = classify_lanes(square, relative(x + k, square->x),
                                            relative(z + k, square->z), count - k);

        out->rim +=
            append(lanes.rim, lanes.x, lanes.z, out->rim_x + out->rim, out->rim_z + out->rim);
        out->cover += append(lanes.cover, lanes.x, lanes.z, out->cover_x + out->cover,
                             out->cover_z + out->cover);
    }
}

ISA_INLINE __m256 add_row(__m256 sum, const float *left, __m256 dx2)
{
    __m256 rest = _mm256_sub_ps(_mm256_broadcast_ss(left), dx2);

    rest = _mm256_max_ps(rest, _mm256_setzero_ps());
    return _mm256_add_ps(sum, _mm256_mul_ps(rest, rest));
}

ISA_INLINE void add_discs(const struct kernel_square *square, const float *x, const float *z,
                          size_t count, __m256 rows[ECO_SQUARE_SIDE])
{
    __m256 places = offsets(square->step), radius2 = _mm256_set1_ps(square->radius2);
    /* Rows by name: gcc keeps an array in memory. */
    __m256 row0 = rows[0], row1 = rows[1], row2 = rows[2], row3 = rows[3];
    __m256 row4 = rows[4], row5 = rows[5], row6 = rows[6], row7 = rows[7];

    for (size_t k = 0; k < count; k++) {
        __m256 dx = _mm256_sub_ps(places, _mm256_broadcast_ss(x + k));
        __m256 dz = _mm256_sub_ps(places, _mm256_broadcast_ss(z + k));
        __m256 dx2 = _mm256_mul_ps(dx, dx);
        float left[ECO_SQUARE_SIDE];

        _mm256_storeu_ps(left, _mm256_sub_ps(radius2, _mm256_mul_ps(dz, dz)));
        row0 = add_row(row0, left + 0, dx2);
        row1 = add_row(row1, left + 1, dx2);
        row2 = add_row(row2, left + 2, dx2);
        row3 = add_row(row3, left + 3, dx2);
        row4 = add_row(row4, left + 4, dx2);
        row5 = add_row(row5, left + 5, dx2);
        row6 = add_row(row6, left + 6, dx2);
        row7 = add_row(row7, left + 7, dx2);
    }
    rows[0] = row0;
    rows[1] = row1;
    rows[2] = row2;
    rows[3] = row3;
    rows[4] = row4;
    rows[5] = row5;
    rows[6] = row6;
    rows[7] = row7;
}

ISA static void sum_points(const struct kernel_square *square, const struct kernel_points *points,
                           float sums[ECO_SQUARE_AREA])
{
    __m256 rows[ECO_SQUARE_SIDE];

    for (int row = 0; row < ECO_SQUARE_SIDE; row++)
        rows[row] = _mm256_setzero_ps();
    add_discs(square, points->rim_x, points->rim_z, points->rim, rows);
    if (points->cover < KERNEL_COVER_LEAST) {
        add_discs(square, points->cover_x, points->cover_z, points->cover, rows);
    } else {
        struct kernel_moments moments =
            moments_of(square, points->cover_x, points->cover_z, points->cover);

        add_polynomial(square, &moments, rows);
    }
    for (int row = 0; row < ECO_SQUARE_SIDE; row++)
        _mm256_storeu_ps(sums + row * ECO_SQUARE_SIDE, rows[row]);
}

const struct kernel eco_kernel_avx2 = {select_points, classify, sum_points, normalise};

#endif
