#include <math.h>
#include <string.h>

#include "blend/kernel.h"

static size_t select_points(const struct kernel_window *window, const double *x, const double *z,
                            size_t count, double *out_x, double *out_z)
{
    size_t taken = 0;

    for (size_t k = 0; k < count; k++) {
        double dx = fabs(x[k] - window->x) - window->half_x;
        double dz = fabs(z[k] - window->z) - window->half_z;

        dx = dx > 0.0 ? dx : 0.0;
        dz = dz > 0.0 ? dz : 0.0;
        out_x[taken] = x[k];
        out_z[taken] = z[k];
        taken += dx * dx + dz * dz < window->radius2;
    }
    return taken;
}

static void classify(const struct kernel_square *square, const double *x, const double *z,
                     size_t count, struct kernel_points *out)
{
    out->rim = out->cover = 0;
    for (size_t k = 0; k < count; k++) {
        float px = (float)(x[k] - square->x), pz = (float)(z[k] - square->z);
        float ax = fabsf(px), az = fabsf(pz);
        float near_x = ax - square->half, near_z = az - square->half;
        float far_x = ax + square->half, far_z = az + square->half;

        near_x = near_x > 0.0f ? near_x : 0.0f;
        near_z = near_z > 0.0f ? near_z : 0.0f;
        if (far_x * far_x + far_z * far_z < square->radius2) {
            out->cover_x[out->cover] = px;
            out->cover_z[out->cover++] = pz;
        } else if (near_x * near_x + near_z * near_z < square->radius2) {
            out->rim_x[out->rim] = px;
            out->rim_z[out->rim++] = pz;
        }
    }
}

static void add_discs(const struct kernel_square *square, const float *x, const float *z,
                      size_t count, float sums[ECO_SQUARE_AREA])
{
    for (size_t k = 0; k < count; k++) {
        float dx2[ECO_SQUARE_SIDE];

        for (int column = 0; column < ECO_SQUARE_SIDE; column++) {
            float dx = ((float)column - 3.5f) * square->step - x[k];

            dx2[column] = dx * dx;
        }
        for (int row = 0; row < ECO_SQUARE_SIDE; row++) {
            float dz = ((float)row - 3.5f) * square->step - z[k];
            float left = square->radius2 - dz * dz;

            for (int column = 0; column < ECO_SQUARE_SIDE; column++) {
                float rest = left - dx2[column];

                rest = rest > 0.0f ? rest : 0.0f;
                sums[row * ECO_SQUARE_SIDE + column] += rest * rest;
            }
        }
    }
}

static struct kernel_moments moments_of(const struct kernel_square *square, const float *x,
                                        const float *z, size_t count)
{
    float lanes[9][KERNEL_LANES] = {{0}};

    for (size_t k = 0; k < count; k++) {
        size_t lane = k % KERNEL_LANES;
        float s = square->radius2 - (x[k] * x[k] + z[k] * z[k]);

        lanes[0][lane] += s;
        lanes[1][lane] += s * s;
        lanes[2][lane] += x[k];
        lanes[3][lane] += z[k];
        lanes[4][lane] += s * x[k];
        lanes[5][lane] += s * z[k];
        lanes[6][lane] += x[k] * x[k];
        lanes[7][lane] += x[k] * z[k];
        lanes[8][lane] += z[k] * z[k];
    }
    return (struct kernel_moments){
        (float)count,
        kernel_sum_lanes(lanes[0]),
        kernel_sum_lanes(lanes[1]),
        kernel_sum_lanes(lanes[2]),
        kernel_sum_lanes(lanes[3]),
        kernel_sum_lanes(lanes[4]),
        kernel_sum_lanes(lanes[5]),
        kernel_sum_lanes(lanes[6]),
        kernel_sum_lanes(lanes[7]),
        kernel_sum_lanes(lanes[8]),
    };
}

static void add_polynomial(const struct kernel_square *square, const struct kernel_moments *moments,
                           float sums[ECO_SQUARE_AREA])
{
    for (int row = 0; row < ECO_SQUARE_SIDE; row++) {
        float uz = ((float)row - 3.5f) * square->step;
        struct kernel_row k = kernel_row_of(moments, uz);

        for (int column = 0; column < ECO_SQUARE_SIDE; column++) {
            float ux = ((float)column - 3.5f) * square->step;
            float q = ux * ux + uz * uz;
            float inner = (k.count * q - k.twice_s) - (k.four_x * ux + k.z_part);
            float value = (q * inner + ux * (k.slope + k.curve * ux)) + k.level;

            sums[row * ECO_SQUARE_SIDE + column] += value > 0.0f ? value : 0.0f;
        }
    }
}

static void sum_points(const struct kernel_square *square, const struct kernel_points *points,
                       float sums[ECO_SQUARE_AREA])
{
    memset(sums, 0, ECO_SQUARE_AREA * sizeof(*sums));
    add_discs(square, points->rim_x, points->rim_z, points->rim, sums);
    if (points->cover < KERNEL_COVER_LEAST) {
        add_discs(square, points->cover_x, points->cover_z, points->cover, sums);
    } else {
        struct kernel_moments moments =
            moments_of(square, points->cover_x, points->cover_z, points->cover);

        add_polynomial(square, &moments, sums);
    }
}

static void normalise(float (*sums)[ECO_SQUARE_AREA], unsigned count)
{
    for (int k = 0; k < ECO_SQUARE_AREA; k++) {
        float total = 0.0f;

        for (unsigned b = 0; b < count; b++)
            total += sums[b][k];
        for (unsigned b = 0; b < count; b++)
            sums[b][k] /= total;
    }
}

const struct kernel eco_kernel_scalar = {select_points, classify, sum_points, normalise};

const struct kernel *eco_kernel(enum eco_simd level)
{
#ifdef __x86_64__
    if (level >= ECO_SIMD_AVX512)
        return &eco_kernel_avx512;
    if (level >= ECO_SIMD_AVX2)
        return &eco_kernel_avx2;
#endif
    (void)level;
    return &eco_kernel_scalar;
}
