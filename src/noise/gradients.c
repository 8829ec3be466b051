#include "noise/gradients.h"

#include "noise/directions.h"

/* 128 = 5 * 24 + 8 and 256 = 5 * 48 + 16: the rings are cut off in their first groups. */
#define RING2(G) NOISE_DIRECTIONS2_A(G), NOISE_DIRECTIONS2_B(G)
#define TABLE2(G) RING2(G), RING2(G), RING2(G), RING2(G), RING2(G), NOISE_DIRECTIONS2_A(G)

#define HEAD3(G) NOISE_DIRECTIONS3_A(G), NOISE_DIRECTIONS3_B(G), NOISE_DIRECTIONS3_C(G)
#define RING3(G) HEAD3(G), NOISE_DIRECTIONS3_D(G), NOISE_DIRECTIONS3_E(G)
#define TABLE3(G) RING3(G), RING3(G), RING3(G), RING3(G), RING3(G), HEAD3(G)

/* The reference keeps the directions as floats, and rounds a second time after scaling. */
#define SCALED(value, scale) (float)((float)(value) / (scale))
#define SMOOTH2(x, y) SCALED(x, 0.05481866495625118), SCALED(y, 0.05481866495625118)
#define SMOOTH3(x, y, z)                                                                           \
    SCALED(x, 0.2781926117527186), SCALED(y, 0.2781926117527186), SCALED(z, 0.2781926117527186),   \
        0.0f
#define FAST2(x, y) SCALED(x, 0.01001634121365712), SCALED(y, 0.01001634121365712)
#define FAST3(x, y, z)                                                                             \
    SCALED(x, 0.07969837668935331), SCALED(y, 0.07969837668935331),                                \
        SCALED(z, 0.07969837668935331), 0.0f

const float eco_os2s_gradients2[2 << NOISE_GRADIENT2_BITS] = {TABLE2(SMOOTH2)};
const float eco_os2s_gradients3[4 << NOISE_GRADIENT3_BITS] = {TABLE3(SMOOTH3)};
const float eco_os2_gradients2[2 << NOISE_GRADIENT2_BITS] = {TABLE2(FAST2)};
const float eco_os2_gradients3[4 << NOISE_GRADIENT3_BITS] = {TABLE3(FAST3)};
