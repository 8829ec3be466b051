#ifdef __x86_64__

#define RELIEF_ISA __attribute__((target("avx2")))
#define RELIEF_KERNELS relief_kernels_avx2

#include "world/relief/kernels_body.h"

#else
typedef int nothing_for_this_machine;
#endif
