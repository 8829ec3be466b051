#include "world/overworld/cells.h"

#include <math.h>
#include <stdbool.h>

#include "base/hash.h"
#include "ecotone/error.h"

/* Columns and rows of a hexagonal lattice whose sites have a unit of area each. */
#define COLUMN 1.0745699318235418
#define ROW 0.9306048591020996

/* Largest move of a site from its lattice place at the start, in pitches. */
#define JITTER 0.7

/* A relaxed site stays this near to its lattice place, so that a search knows where to look. */
#define DRIFT_MAX 0.85

/* Half a side of the square that a cell is cut from: no cell of the lattice reaches that far. */
#define CELL_MAX 2.0

#define NEIGHBOURS 22
#define POLYGON_MAX (4 + NEIGHBOURS)

struct place {
    double x, z;
};

/* Lattice steps around a site, from near to far, for even rows; in odd rows those of other rows lie
 * one column further on the right. */
static const struct {
    int8_t i, j;
} around[NEIGHBOURS] = {
    {-1, 0},  {1, 0},  {-1, -1}, {0, -1}, {-1, 1}, {0, 1}, {0, -2},  {0, 2},
    {-2, -1}, {1, -1}, {-2, 1},  {1, 1},  {-2, 0}, {2, 0}, {-1, -2}, {1, -2},
    {-1, 2},  {1, 2},  {-2, -2}, {2, -2}, {-2, 2}, {2, 2},
};

uint64_t eco_cell_id(const struct eco_cell_lattice *lattice, int64_t i, int64_t j)
{
    uint64_t row = eco_mix64((uint64_t)lattice->seed + (uint64_t)j * 0x9E3779B97F4A7C15u);

    return eco_mix64(row + (uint64_t)i * 0xD1B54A32D192ED03u);
}

static double unit(uint32_t bits)
{
    return (double)bits * 0x1p-32;
}

/* Where site (i, j) starts, from its lattice place, in pitches. */
static struct place first_offset(const struct eco_cell_lattice *lattice, int64_t i, int64_t j)
{
    uint64_t hash = eco_mix64(eco_cell_id(lattice, i, j) ^ 0xA0761D6478BD642Fu);

    return (struct place){(unit((uint32_t)hash) * 2.0 - 1.0) * JITTER,
                          (unit((uint32_t)(hash >> 32)) * 2.0 - 1.0) * JITTER};
}

struct polygon {
    unsigned count;
    struct place corners[POLYGON_MAX];
};

/* Cuts off the part of a convex polygon that is nearer to `other` than to the origin. False where
 * there is none. */
static bool cut(const struct polygon *polygon, struct place other, struct polygon *out)
{
    double limit = (other.x * other.x + other.z * other.z) * 0.5, sides[POLYGON_MAX];
    unsigned count = polygon->count, kept = 0;
    bool any = false;

    for (unsigned k = 0; k < count; k++) {
        sides[k] = polygon->corners[k].x * other.x + polygon->corners[k].z * other.z - limit;
        any |= sides[k] > 0.0;
    }
    if (!any)
        return false;
    for (unsigned k = 0, before = count - 1; k < count; before = k++) {
        struct place from = polygon->corners[before], to = polygon->corners[k];

        if ((sides[before] > 0.0) != (sides[k] > 0.0)) {
            double t = sides[before] / (sides[before] - sides[k]);

            out->corners[kept++] =
                (struct place){from.x + t * (to.x - from.x), from.z + t * (to.z - from.z)};
        }
        if (!(sides[k] > 0.0))
            out->corners[kept++] = to;
    }
    out->count = kept;
    return true;
}

static double reach2_of(const struct polygon *polygon)
{
    double reach2 = 0.0;

    for (unsigned k = 0; k < polygon->count; k++) {
        struct place at = polygon->corners[k];
        double far2 = at.x * at.x + at.z * at.z;

        reach2 = far2 > reach2 ? far2 : reach2;
    }
    return reach2;
}

static struct place centroid(const struct polygon *polygon)
{
    double area = 0.0, x = 0.0, z = 0.0;
    struct place from = polygon->corners[polygon->count - 1];

    for (unsigned k = 0; k < polygon->count; k++) {
        struct place to = polygon->corners[k];
        double cross = from.x * to.z - to.x * from.z;

        area += cross;
        x += (from.x + to.x) * cross;
        z += (from.z + to.z) * cross;
        from = to;
    }
    return (struct place){x / (3.0 * area), z / (3.0 * area)};
}

/* The offset of a site after a round; `offset` points at the site in rows of `stride`. */
static struct place moved(const struct place *offset, ptrdiff_t stride, int64_t j)
{
    struct polygon polygons[2], *polygon = polygons, *next = polygons + 1;
    double reach2 = 2.0 * CELL_MAX * CELL_MAX;
    int odd = (int)(j & 1);
    struct place centre;

    next->count = 0;
    polygon->count = 4;
    polygon->corners[0] = (struct place){-CELL_MAX, -CELL_MAX};
    polygon->corners[1] = (struct place){CELL_MAX, -CELL_MAX};
    polygon->corners[2] = (struct place){CELL_MAX, CELL_MAX};
    polygon->corners[3] = (struct place){-CELL_MAX, CELL_MAX};
    for (unsigned k = 0; k < NEIGHBOURS; k++) {
        int other_row = around[k].j & 1, di = around[k].i + (other_row & odd);
        const struct place *near = offset + around[k].j * stride + di;
        struct place other = {(di + (other_row ? (odd ? -0.5 : 0.5) : 0.0)) * COLUMN +
                                  (near->x - offset->x),
                              around[k].j * ROW + (near->z - offset->z)};

        if (other.x * other.x + other.z * other.z >= 4.0 * reach2)
            continue;
        if (cut(polygon, other, next)) {
            struct polygon *old = polygon;

            polygon = next;
            next = old;
            reach2 = reach2_of(polygon);
        }
    }
    centre = centroid(polygon);
    return (struct place){fmax(-DRIFT_MAX, fmin(DRIFT_MAX, offset->x + centre.x)),
                          fmax(-DRIFT_MAX, fmin(DRIFT_MAX, offset->z + centre.z))};
}

void eco_cells_locate(const struct eco_cell_lattice *lattice, double x, double z, int64_t *i,
                      int64_t *j)
{
    double row = floor(z / (lattice->pitch * ROW) + 0.5);
    double shift = (int64_t)row & 1 ? 0.5 : 0.0;

    *j = (int64_t)row;
    *i = (int64_t)floor(x / (lattice->pitch * COLUMN) - shift + 0.5);
}

void eco_cells_cover(const struct eco_cell_lattice *lattice, const struct eco_rect *rect,
                     unsigned margin, struct eco_cell_window *window)
{
    /* One column more: rows are shifted by half a column. */
    int64_t more = ECO_CELLS_REACH + (int64_t)margin, last_i, last_j;

    eco_cells_locate(lattice, rect->x0, rect->z0, &window->i, &window->j);
    eco_cells_locate(lattice, rect->x1, rect->z1, &last_i, &last_j);
    window->lattice = lattice;
    window->i -= more + 1;
    window->j -= more;
    window->columns = (uint32_t)(last_i + more + 1 - window->i + 1);
    window->rows = (uint32_t)(last_j + more - window->j + 1);
}

int eco_cells_relax(struct eco_cell_window *window, struct eco_arena *arena)
{
    const struct eco_cell_lattice *lattice = window->lattice;
    unsigned halo = 2 * lattice->rounds;
    size_t stride = (size_t)window->columns + 2 * halo, rows = (size_t)window->rows + 2 * halo;
    struct place *offsets, *next;

    window->x = eco_arena_alloc(arena, (size_t)window->columns * window->rows, sizeof(double));
    window->z = eco_arena_alloc(arena, (size_t)window->columns * window->rows, sizeof(double));
    offsets = eco_arena_alloc(arena, stride * rows, sizeof(*offsets));
    next = eco_arena_alloc(arena, stride * rows, sizeof(*next));
    if (!window->x || !window->z || !offsets || !next)
        return ECO_ENOMEM;
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < stride; column++)
            offsets[row * stride + column] = first_offset(
                lattice, window->i - halo + (int64_t)column, window->j - halo + (int64_t)row);
    }
    for (size_t edge = 2; edge <= halo; edge += 2) {
        struct place *done = offsets;

        for (size_t row = edge; row < rows - edge; row++) {
            int64_t j = window->j - halo + (int64_t)row;

            for (size_t column = edge; column < stride - edge; column++)
                next[row * stride + column] =
                    moved(&offsets[row * stride + column], (ptrdiff_t)stride, j);
        }
        offsets = next;
        next = done;
    }
    for (size_t row = 0; row < window->rows; row++) {
        int64_t j = window->j + (int64_t)row;
        double shift = j & 1 ? 0.5 : 0.0;

        for (size_t column = 0; column < window->columns; column++) {
            struct place offset = offsets[(row + halo) * stride + column + halo];
            size_t to = row * window->columns + column;

            window->x[to] = (((double)(window->i + (int64_t)column) + shift) * COLUMN + offset.x) *
                            lattice->pitch;
            window->z[to] = ((double)j * ROW + offset.z) * lattice->pitch;
        }
    }
    return 0;
}

size_t eco_cells_nearest(const struct eco_cell_window *window, double x, double z)
{
    double best = INFINITY;
    size_t found = 0, first;
    int64_t i, j;

    eco_cells_locate(window->lattice, x, z, &i, &j);
    first = (size_t)(j - window->j - ECO_CELLS_REACH) * window->columns +
            (size_t)(i - window->i - ECO_CELLS_REACH);
    for (int row = 0; row <= 2 * ECO_CELLS_REACH; row++, first += window->columns) {
        for (int column = 0; column <= 2 * ECO_CELLS_REACH; column++) {
            double dx = window->x[first + (size_t)column] - x;
            double dz = window->z[first + (size_t)column] - z;
            double far2 = dx * dx + dz * dz;

            if (far2 < best) {
                best = far2;
                found = first + (size_t)column;
            }
        }
    }
    return found;
}

void eco_cells_start(const struct eco_cell_lattice *lattice, int64_t i, int64_t j, double *x,
                     double *z)
{
    struct place offset = first_offset(lattice, i, j);

    *x = (((double)i + (j & 1 ? 0.5 : 0.0)) * COLUMN + offset.x) * lattice->pitch;
    *z = ((double)j * ROW + offset.z) * lattice->pitch;
}
