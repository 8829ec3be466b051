/*
 * libecotone: noise, sample lattice, biome blending and worlds, without HTTP, SQLite or PNG.
 */
#ifndef ECOTONE_H
#define ECOTONE_H

#include "ecotone/blend.h"
#include "ecotone/error.h"
#include "ecotone/lattice.h"
#include "ecotone/noise.h"
#include "ecotone/world.h"

#define ECO_VERSION "0.1.0"

#endif
