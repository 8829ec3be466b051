/*
 * Which vector instructions kernels use: the widest that the CPU has, or what the environment
 * variable ECOTONE_SIMD (scalar, avx2 or avx512) says, if that is less. Every level gives the same
 * bits. Decided once, before main; any thread may ask.
 */
#ifndef ECO_BASE_SIMD_H
#define ECO_BASE_SIMD_H

enum eco_simd {
    ECO_SIMD_SCALAR, /* what the compiler may use everywhere */
    ECO_SIMD_AVX2,
    ECO_SIMD_AVX512, /* F, DQ and VL */
    ECO_SIMD_LEVELS
};

/* The level in use. */
enum eco_simd eco_simd_level(void);

/* The widest level that this CPU can run. */
enum eco_simd eco_simd_supported(void);

/* "scalar", "avx2" or "avx512". */
const char *eco_simd_name(enum eco_simd level);

#endif
