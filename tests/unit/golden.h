/*
 * Reads the comma-separated golden files for the unit tests. Include it after cmocka.h.
 *
 * Files are looked up in $ECOTONE_GOLDEN_DIR, else in tests/golden below the working directory. The
 * first line of a file names its columns and is skipped. Any fault (no such file, a cell that is
 * not a number, a row too short) fails the test with the file, row and column.
 *
 * Usage: golden_open, then golden_double and the like for each row that golden_next reads, then
 * golden_close with the number of rows that there must be.
 */
#ifndef ECO_TESTS_GOLDEN_H
#define ECO_TESTS_GOLDEN_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOLDEN_CELLS_MAX 64

/* fail_msg does not return, which the compiler cannot know. */
#define golden_fail(...)                                                                           \
    do {                                                                                           \
        fail_msg(__VA_ARGS__);                                                                     \
        abort();                                                                                   \
    } while (0)

struct golden {
    const char *name;
    FILE *file;
    char *line; /* cells are cut out of it; valid until the next row */
    size_t line_size;
    char *cells[GOLDEN_CELLS_MAX];
    size_t count; /* cells in this row */
    size_t row;   /* rows read, the heading not counted */
};

static inline void golden_open(struct golden *golden, const char *name)
{
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no test changes the environment
    const char *folder = getenv("ECOTONE_GOLDEN_DIR");
    char path[4096];

    memset(golden, 0, sizeof *golden);
    golden->name = name;
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/golden", name);
    golden->file = fopen(path, "r");
    if (!golden->file) {
        golden_fail("%s: %m", path);
    }
    if (getline(&golden->line, &golden->line_size, golden->file) < 0) {
        golden_fail("%s: no heading", path);
    }
}

/* Reads the next row. Returns 0 at the end of the file. */
static inline int golden_next(struct golden *golden)
{
    ssize_t length = getline(&golden->line, &golden->line_size, golden->file);
    char *rest = golden->line;

    if (length < 0) {
        return 0;
    }
    golden->line[strcspn(golden->line, "\r\n")] = '\0';
    for (golden->count = 0; rest; golden->count++) {
        if (golden->count == GOLDEN_CELLS_MAX) {
            golden_fail("%s, row %zu: more than %d cells", golden->name, golden->row,
                        GOLDEN_CELLS_MAX);
        }
        golden->cells[golden->count] = strsep(&rest, ",");
    }
    golden->row++;
    return 1;
}

static inline const char *golden_text(const struct golden *golden, size_t column)
{
    if (column >= golden->count) {
        golden_fail("%s, row %zu: no column %zu", golden->name, golden->row, column);
    }
    return golden->cells[column];
}

static inline void golden_check_number(const struct golden *golden, size_t column, const char *end)
{
    const char *cell = golden->cells[column];

    if (end == cell || *end != '\0') {
        golden_fail("%s, row %zu, column %zu: '%s' is not a number", golden->name, golden->row,
                    column, cell);
    }
}

static inline double golden_double(const struct golden *golden, size_t column)
{
    char *end;
    double value = strtod(golden_text(golden, column), &end);

    golden_check_number(golden, column, end);
    return value;
}

/* Rounds the decimal text once, to float: strtod and a cast would round it twice. */
static inline float golden_float(const struct golden *golden, size_t column)
{
    char *end;
    float value = strtof(golden_text(golden, column), &end);

    golden_check_number(golden, column, end);
    return value;
}

static inline int64_t golden_int(const struct golden *golden, size_t column)
{
    char *end;
    int64_t value = strtoll(golden_text(golden, column), &end, 10);

    golden_check_number(golden, column, end);
    return value;
}

static inline uint64_t golden_hex(const struct golden *golden, size_t column)
{
    char *end;
    uint64_t value = strtoull(golden_text(golden, column), &end, 16);

    golden_check_number(golden, column, end);
    return value;
}

/* Closes the file; the test fails unless exactly `rows` rows were read. */
static inline void golden_close(struct golden *golden, size_t rows)
{
    if (golden->row != rows) {
        golden_fail("%s: %zu rows were read, there should be %zu", golden->name, golden->row, rows);
    }
    fclose(golden->file);
    free(golden->line);
}

/* The FNV-1a hash of the golden files. Start from GOLDEN_FNV_OFFSET. */
#define GOLDEN_FNV_OFFSET UINT64_C(0xcbf29ce484222325)

static inline uint64_t golden_fnv1a(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;

    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

#endif
