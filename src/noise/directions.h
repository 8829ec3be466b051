/*
 * The directions that gradients are made of, as lists to be expanded with a macro G. Both
 * generations use the same ones in their own order and scale. Source: K. Spencer, OpenSimplex2
 * (CC0-1.0).
 */
#ifndef ECO_NOISE_DIRECTIONS_H
#define ECO_NOISE_DIRECTIONS_H

/* 24 unit vectors, 15 degrees apart: the 8 odd multiples of 22.5 degrees, then the others. */
#define NOISE_DIRECTIONS2_A(G)                                                                     \
    G(0.38268343236509, 0.923879532511287), G(0.923879532511287, 0.38268343236509),                \
        G(0.923879532511287, -0.38268343236509), G(0.38268343236509, -0.923879532511287),          \
        G(-0.38268343236509, -0.923879532511287), G(-0.923879532511287, -0.38268343236509),        \
        G(-0.923879532511287, 0.38268343236509), G(-0.38268343236509, 0.923879532511287)

#define NOISE_DIRECTIONS2_B(G)                                                                     \
    G(0.130526192220052, 0.99144486137381), G(0.608761429008721, 0.793353340291235),               \
        G(0.793353340291235, 0.608761429008721), G(0.99144486137381, 0.130526192220051),           \
        G(0.99144486137381, -0.130526192220051), G(0.793353340291235, -0.60876142900872),          \
        G(0.608761429008721, -0.793353340291235), G(0.130526192220052, -0.99144486137381),         \
        G(-0.130526192220052, -0.99144486137381), G(-0.608761429008721, -0.793353340291235),       \
        G(-0.793353340291235, -0.608761429008721), G(-0.99144486137381, -0.130526192220052),       \
        G(-0.99144486137381, 0.130526192220051), G(-0.793353340291235, 0.608761429008721),         \
        G(-0.608761429008721, 0.793353340291235), G(-0.130526192220052, 0.99144486137381)

/* 48 vectors of one length, in the groups whose order differs between the generations. */
#define NOISE_NEAR 1.1721513422464978
#define NOISE_MID 2.22474487139
#define NOISE_FAR 3.0862664687972017

#define NOISE_DIRECTIONS3_A(G)                                                                     \
    G(NOISE_MID, NOISE_MID, -1.0), G(NOISE_MID, NOISE_MID, 1.0), G(NOISE_FAR, NOISE_NEAR, 0.0),    \
        G(NOISE_NEAR, NOISE_FAR, 0.0)

#define NOISE_DIRECTIONS3_B(G)                                                                     \
    G(-NOISE_MID, NOISE_MID, -1.0), G(-NOISE_MID, NOISE_MID, 1.0), G(-NOISE_NEAR, NOISE_FAR, 0.0), \
        G(-NOISE_FAR, NOISE_NEAR, 0.0)

#define NOISE_DIRECTIONS3_C(G)                                                                     \
    G(-1.0, -NOISE_MID, -NOISE_MID), G(1.0, -NOISE_MID, -NOISE_MID),                               \
        G(0.0, -NOISE_FAR, -NOISE_NEAR), G(0.0, -NOISE_NEAR, -NOISE_FAR),                          \
        G(-1.0, -NOISE_MID, NOISE_MID), G(1.0, -NOISE_MID, NOISE_MID),                             \
        G(0.0, -NOISE_NEAR, NOISE_FAR), G(0.0, -NOISE_FAR, NOISE_NEAR)

#define NOISE_DIRECTIONS3_D(G)                                                                     \
    G(-NOISE_MID, -NOISE_MID, -1.0), G(-NOISE_MID, -NOISE_MID, 1.0),                               \
        G(-NOISE_FAR, -NOISE_NEAR, 0.0), G(-NOISE_NEAR, -NOISE_FAR, 0.0),                          \
        G(-NOISE_MID, -1.0, -NOISE_MID), G(-NOISE_MID, 1.0, -NOISE_MID),                           \
        G(-NOISE_NEAR, 0.0, -NOISE_FAR), G(-NOISE_FAR, 0.0, -NOISE_NEAR),                          \
        G(-NOISE_MID, -1.0, NOISE_MID), G(-NOISE_MID, 1.0, NOISE_MID),                             \
        G(-NOISE_FAR, 0.0, NOISE_NEAR), G(-NOISE_NEAR, 0.0, NOISE_FAR)

#define NOISE_DIRECTIONS3_E(G)                                                                     \
    G(-1.0, NOISE_MID, -NOISE_MID), G(1.0, NOISE_MID, -NOISE_MID), G(0.0, NOISE_NEAR, -NOISE_FAR), \
        G(0.0, NOISE_FAR, -NOISE_NEAR), G(-1.0, NOISE_MID, NOISE_MID),                             \
        G(1.0, NOISE_MID, NOISE_MID), G(0.0, NOISE_FAR, NOISE_NEAR),                               \
        G(0.0, NOISE_NEAR, NOISE_FAR), G(NOISE_MID, -NOISE_MID, -1.0),                             \
        G(NOISE_MID, -NOISE_MID, 1.0), G(NOISE_NEAR, -NOISE_FAR, 0.0),                             \
        G(NOISE_FAR, -NOISE_NEAR, 0.0), G(NOISE_MID, -1.0, -NOISE_MID),                            \
        G(NOISE_MID, 1.0, -NOISE_MID), G(NOISE_FAR, 0.0, -NOISE_NEAR),                             \
        G(NOISE_NEAR, 0.0, -NOISE_FAR), G(NOISE_MID, -1.0, NOISE_MID),                             \
        G(NOISE_MID, 1.0, NOISE_MID), G(NOISE_NEAR, 0.0, NOISE_FAR), G(NOISE_FAR, 0.0, NOISE_NEAR)

#endif
