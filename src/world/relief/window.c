#include "world/relief/window.h"

#include <stdlib.h>
#include <string.h>

#include "world/relief/block.h"

struct eco_relief_window {
    struct eco_block_cache cache; /* first: what a sampler holds is this */
    const struct relief_plan *plan;
    struct relief_area area;
    float *heights;
};

/* A coordinate of a cell, moved to the nearest of the window. */
static size_t inside(int64_t cell, int64_t first, uint32_t count)
{
    int64_t at = cell - first;

    at = at > 0 ? at : 0;
    return (size_t)(at < count ? at : (int64_t)count - 1);
}

static int cut_block(const struct eco_relief_window *window, const struct eco_block_key *key,
                     void *memory, struct eco_arena *arena)
{
    const struct relief_plan *plan = window->plan;
    const struct relief_area *area = &window->area;
    int64_t x0 = key->x * RELIEF_BLOCK - plan->margin, z0 = key->z * RELIEF_BLOCK - plan->margin;
    float *heights = memory;

    for (size_t z = 0; z < plan->side; z++) {
        const float *row =
            window->heights + inside(z0 + (int64_t)z, area->z0, area->height) * (size_t)area->width;

        for (size_t x = 0; x < plan->side; x++)
            heights[z * plan->side + x] = row[inside(x0 + (int64_t)x, area->x0, area->width)];
    }
    return relief_block_finish(plan, key->level, memory, arena);
}

static int acquire(struct eco_block_cache *self, const struct eco_block_key *key, size_t bytes,
                   eco_block_make make, void *context, struct eco_arena *arena, const void **block,
                   void **handle)
{
    const struct eco_relief_window *window = (const struct eco_relief_window *)self;
    struct eco_arena_mark mark = eco_arena_mark(arena);
    void *memory = malloc(bytes);
    int code = ECO_ENOMEM;

    if (memory)
        code =
            key->level == 0 ? cut_block(window, key, memory, arena) : make(context, memory, arena);
    eco_arena_rewind(arena, mark);
    if (code) {
        free(memory);
        memory = NULL;
    }
    *block = *handle = memory;
    return code;
}

static void release(struct eco_block_cache *self, void *handle)
{
    (void)self;
    free(handle);
}

static int erode(struct eco_relief_window *window)
{
    const struct relief_plan *plan = window->plan;
    struct relief_erosion erosion = relief_plan_erosion(plan, 0);
    struct eco_arena arena;
    int code;

    eco_arena_init(&arena);
    code = relief_base(&plan->terrain, &window->area, &arena, window->heights);
    if (!code)
        code = relief_erode_reading_order(&erosion, &window->area, &arena, window->heights);
    eco_arena_release(&arena);
    return code;
}

int eco_relief_window_new(const struct eco_world *world, const int64_t rect[4],
                          struct eco_relief_window **out, struct eco_error *error)
{
    const struct relief_plan *plan = relief_plan_of(world);
    struct eco_relief_window *window;
    int64_t cell, around, width, height;
    int code = ECO_ENOMEM;

    *out = NULL;
    if (!plan)
        return eco_error_set(error, ECO_EINVAL,
                             "the world '%s' is no relief; only a relief is eroded",
                             eco_world_config_of(world)->name);
    cell = plan->config->cell;
    around = plan->margin;
    width = (rect[2] - rect[0]) / cell + 2 + 2 * around;
    height = (rect[3] - rect[1]) / cell + 2 + 2 * around;
    if (width > ECO_RELIEF_WINDOW_MAX || height > ECO_RELIEF_WINDOW_MAX)
        return eco_error_set(error, ECO_EINVAL,
                             "a window of %lld x %lld cells with those around it is too large; %d "
                             "a side at most",
                             (long long)width, (long long)height, ECO_RELIEF_WINDOW_MAX);
    window = calloc(1, sizeof(*window));
    if (window) {
        window->cache = (struct eco_block_cache){acquire, release};
        window->plan = plan;
        window->area = (struct relief_area){(rect[0] >> __builtin_ctz(plan->config->cell)) - around,
                                            (rect[1] >> __builtin_ctz(plan->config->cell)) - around,
                                            (uint32_t)width, (uint32_t)height, 0};
        window->heights = malloc((size_t)width * (size_t)height * sizeof(*window->heights));
    }
    if (window && window->heights)
        code = erode(window);
    if (code) {
        eco_relief_window_free(window);
        return eco_error_set(error, (enum eco_code)code, "no memory for a window of %lld x %lld",
                             (long long)width, (long long)height);
    }
    *out = window;
    return 0;
}

void eco_relief_window_free(struct eco_relief_window *window)
{
    if (!window)
        return;
    free(window->heights);
    free(window);
}

struct eco_block_cache *eco_relief_window_cache(struct eco_relief_window *window)
{
    return &window->cache;
}
