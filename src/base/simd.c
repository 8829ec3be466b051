#include "base/simd.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[ECO_SIMD_LEVELS] = {"scalar", "avx2", "avx512"};
static enum eco_simd supported, chosen;

static enum eco_simd detect(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return ECO_SIMD_AVX512;
    if (__builtin_cpu_supports("avx2"))
        return ECO_SIMD_AVX2;
#endif
    return ECO_SIMD_SCALAR;
}

/* Ahead of the constructors without a priority, which choose their kernels by the level. */
__attribute__((constructor(101))) static void choose(void)
{
    // NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads before main
    const char *wish = getenv("ECOTONE_SIMD");

    supported = detect();
    chosen = supported;
    for (int level = 0; wish && level < (int)supported; level++) {
        if (strcmp(wish, names[level]) == 0)
            chosen = (enum eco_simd)level;
    }
}

enum eco_simd eco_simd_level(void)
{
    return chosen;
}

enum eco_simd eco_simd_supported(void)
{
    return supported;
}

const char *eco_simd_name(enum eco_simd level)
{
    return names[level];
}
