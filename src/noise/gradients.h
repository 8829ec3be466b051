/*
 * Gradients of the two current variants, scaled so that the noise spans about [-1, 1]: a ring of 24
 * directions repeated to 128 in 2D (x, y), and 48 repeated to 256 in 3D (x, y, z, and a zero that
 * keeps a row at four floats). Constant. Directions and scales: K. Spencer, OpenSimplex2 (CC0-1.0).
 */
#ifndef ECO_NOISE_GRADIENTS_H
#define ECO_NOISE_GRADIENTS_H

#define NOISE_GRADIENT2_BITS 7
#define NOISE_GRADIENT3_BITS 8

extern const float eco_os2s_gradients2[2 << NOISE_GRADIENT2_BITS];
extern const float eco_os2s_gradients3[4 << NOISE_GRADIENT3_BITS];
extern const float eco_os2_gradients2[2 << NOISE_GRADIENT2_BITS];
extern const float eco_os2_gradients3[4 << NOISE_GRADIENT3_BITS];

#endif
