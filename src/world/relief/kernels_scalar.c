#define RELIEF_ISA
#define RELIEF_KERNELS relief_kernels_scalar

#include "world/relief/kernels_body.h"

const struct relief_kernels *relief_kernels_of(enum eco_simd level)
{
#ifdef __x86_64__
    if (level >= ECO_SIMD_AVX2)
        return &relief_kernels_avx2;
#endif
    (void)level;
    return &relief_kernels_scalar;
}
