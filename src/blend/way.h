/*
 * One way of blending, as area.c drives it: sample points for a panel, what is near a block of it,
 * what is near a chunk of that, then square by square. Thread rule: ask, block, chunk and square
 * are called from any thread, each time for another part. Private to the blend folder.
 */
#ifndef ECO_BLEND_WAY_H
#define ECO_BLEND_WAY_H

#include "blend/area.h"
#include "blend/lerp.h"

struct way;

/* A panel in one way of blending. */
struct way_panel {
    const struct way *way;
    const struct eco_blend_area *area;
    const struct eco_blend *blend;
    double radius;    /* blocks */
    int64_t interval; /* of the grid methods, blocks */
    struct disc disc; /* of the grid methods, for the whole area */
    size_t jobs;      /* of finding points and asking */
    uint32_t rows_a_job;
    struct eco_blend_points lattice; /* of scattered */
    struct map map;                  /* of the grid methods */
};

/* What a block or chunk needs of its panel. */
struct way_part {
    struct eco_blend_lists lists;
    struct grid_window window;
    struct lerp_planes planes;
};

/* All samples from (x0, z0) to (x1, z1), blocks, both included. */
struct way {
    /* Once for an area. */
    int (*prepare)(struct way_panel *panel, struct eco_arena *arena);
    /* Points that a panel of this span would ask about, at most. */
    double (*count)(const struct way_panel *panel, const struct grid_span *span);
    /* Makes room for the sample points of a panel; sets jobs and rows_a_job. */
    int (*gather)(struct way_panel *panel, const struct grid_span *span, struct eco_arena *arena,
                  struct eco_error *error);
    /* What a job finds, and then asks about; `find` may be NULL. */
    void (*find)(struct way_panel *panel, size_t job);
    int (*ask)(struct way_panel *panel, size_t job, struct eco_arena *scratch);
    /* Places that a panel has asked about; NULL: its squares ask about each of their samples. */
    size_t (*asked)(const struct way_panel *panel);
    int (*block)(const struct way_panel *panel, const struct grid_span *span,
                 struct eco_arena *scratch, struct way_part *out);
    /* NULL: the block's part serves its chunks. */
    int (*chunk)(const struct way_panel *panel, const struct way_part *block,
                 const struct grid_span *span, struct eco_arena *scratch, struct way_part *out);
    int (*square)(const struct way_panel *panel, const struct way_part *part, int64_t x, int64_t z,
                  struct eco_arena *scratch, struct eco_square *square);
    /* Calls back for each point of the panel, by rising z, or j, then x, or i. */
    void (*points_of)(const struct way_panel *panel,
                      void (*point)(void *context, double x, double z, uint8_t biome),
                      void *context);
};

extern const struct way way_scattered, way_convolve, way_lerp, way_none;

/* The way of the panel's `blend`, with radius and interval filled in. */
void way_choose(struct way_panel *panel);

#endif
