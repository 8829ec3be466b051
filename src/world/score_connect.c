/* Connected parts by runs: every row is cut into runs of set cells, runs that touch one of the row
 * above are joined in a forest with path halving, the lower index being the root. */
#include <stdint.h>
#include <string.h>

#include "ecotone/error.h"
#include "world/score.h"

struct part_run {
    uint32_t from, to; /* cells of the row, `to` not included */
};

struct parts {
    struct part_run *runs;
    uint32_t *parent;
    size_t *cells; /* of the part of a root */
    size_t count;
    size_t *row_start;
};

static uint32_t root_of(uint32_t *parent, uint32_t run)
{
    while (parent[run] != run) {
        parent[run] = parent[parent[run]];
        run = parent[run];
    }
    return run;
}

static void join(struct parts *parts, uint32_t a, uint32_t b)
{
    uint32_t left = root_of(parts->parent, a), right = root_of(parts->parent, b);

    if (left < right)
        parts->parent[right] = left;
    else
        parts->parent[left] = right;
}

static void find_runs(struct parts *parts, const uint8_t *open, size_t width, size_t height)
{
    for (size_t z = 0; z < height; z++) {
        const uint8_t *row = open + z * width;

        parts->row_start[z] = parts->count;
        for (size_t x = 0; x < width;) {
            size_t from = x;

            if (!row[x]) {
                x++;
                continue;
            }
            while (x < width && row[x])
                x++;
            parts->parent[parts->count] = (uint32_t)parts->count;
            parts->cells[parts->count] = 0;
            parts->runs[parts->count++] = (struct part_run){(uint32_t)from, (uint32_t)x};
        }
    }
    parts->row_start[height] = parts->count;
}

/* Joins the runs of rows z - 1 and z that overlap. */
static void join_rows(struct parts *parts, size_t z)
{
    size_t above = parts->row_start[z - 1], run = parts->row_start[z];

    while (above < parts->row_start[z] && run < parts->row_start[z + 1]) {
        const struct part_run *a = &parts->runs[above], *b = &parts->runs[run];

        if (a->from < b->to && b->from < a->to)
            join(parts, (uint32_t)above, (uint32_t)run);
        if (a->to < b->to)
            above++;
        else
            run++;
    }
}

static uint32_t find_largest(struct parts *parts, size_t *count)
{
    uint32_t best = 0;

    *count = 0;
    for (uint32_t k = 0; k < parts->count; k++) {
        uint32_t root = root_of(parts->parent, k);

        *count += root == k;
        parts->cells[root] += parts->runs[k].to - parts->runs[k].from;
    }
    for (uint32_t k = 1; k < parts->count; k++) {
        if (parts->cells[k] > parts->cells[best])
            best = k;
    }
    return best;
}

static void paint(struct parts *parts, uint32_t part, size_t width, size_t height, uint8_t *out)
{
    memset(out, 0, width * height);
    for (size_t z = 0; z < height; z++) {
        for (size_t k = parts->row_start[z]; k < parts->row_start[z + 1]; k++) {
            if (root_of(parts->parent, (uint32_t)k) == part)
                memset(out + z * width + parts->runs[k].from, 1,
                       parts->runs[k].to - parts->runs[k].from);
        }
    }
}

int eco_score_connect(const uint8_t *open, size_t width, size_t height, struct eco_arena *arena,
                      uint8_t *part, size_t *largest, size_t *parts_count)
{
    struct eco_arena_mark mark = eco_arena_mark(arena);
    size_t most = (width + 1) / 2 * height, count;
    struct parts parts = {
        .runs = eco_arena_alloc(arena, most, sizeof(*parts.runs)),
        .parent = eco_arena_alloc(arena, most, sizeof(*parts.parent)),
        .cells = eco_arena_alloc(arena, most, sizeof(*parts.cells)),
        .row_start = eco_arena_alloc(arena, height + 1, sizeof(*parts.row_start)),
    };

    *largest = 0;
    if (!parts.runs || !parts.parent || !parts.cells || !parts.row_start || most > UINT32_MAX)
        return ECO_ENOMEM;
    find_runs(&parts, open, width, height);
    for (size_t z = 1; z < height; z++)
        join_rows(&parts, z);
    if (parts.count > 0) {
        uint32_t best = find_largest(&parts, &count);

        *largest = parts.cells[best];
        paint(&parts, best, width, height, part);
    } else {
        count = 0;
        memset(part, 0, width * height);
    }
    if (parts_count)
        *parts_count = count;
    eco_arena_rewind(arena, mark);
    return 0;
}
