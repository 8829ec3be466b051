/*
 * A cache file with any bytes in it, read back and written to: nothing crashes or hangs, and what
 * is returned for a key is the tile that was stored under it, whole. The input is the file itself,
 * or, after a byte of 0 to 127, changes to a right file: places of three bytes and a byte for each.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "store/admin.h"
#include "store/cache.h"

#define TILES 24
#define TILE_BYTES 700

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char directory[64], path[96];
static unsigned char *right; /* the right file */
static size_t right_size;

static void require(bool true_always)
{
    if (!true_always)
        abort();
}

static void clear(void)
{
    DIR *entries = opendir(directory);
    const struct dirent *entry;
    char name[512];

    require(entries);
    while ((entry = readdir(entries))) {
        snprintf(name, sizeof(name), "%s/%s", directory, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(name);
    }
    closedir(entries);
}

static void leave(void)
{
    clear();
    rmdir(directory);
    free(right);
}

static struct eco_cache_key key_of(unsigned number)
{
    return (struct eco_cache_key){.world = 1 + number % 2, .x = number, .zoom = 18, .scale = 1};
}

/* A PNG's first and last bytes with noise of the tile's own between them. */
static struct eco_hash128 tile_of(unsigned number, unsigned char bytes[TILE_BYTES])
{
    static const unsigned char first[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
    static const unsigned char last[] = {'I', 'E', 'N', 'D', 0xAE, 0x42, 0x60, 0x82};

    for (unsigned i = 0; i < TILE_BYTES; i++)
        bytes[i] = (unsigned char)eco_mix64(number * 4096u + i);
    memcpy(bytes, first, sizeof(first));
    memcpy(bytes + TILE_BYTES - sizeof(last), last, sizeof(last));
    return eco_hash128(bytes, TILE_BYTES);
}

static void put_tiles(struct eco_cache *cache, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        const struct eco_cache_origin origin = {i % 2 ? "a" : "b", i, 0};
        const struct eco_cache_key key = key_of(i);
        unsigned char bytes[TILE_BYTES];
        struct eco_hash128 hash = tile_of(i, bytes);

        require(eco_cache_put(cache, &key, &origin, bytes, TILE_BYTES, &hash) == 0);
    }
}

static unsigned char *read_file(size_t *size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    unsigned char *bytes;
    struct stat status;

    require(file >= 0 && fstat(file, &status) == 0);
    *size = (size_t)status.st_size;
    bytes = malloc(*size);
    require(bytes && read(file, bytes, *size) == (ssize_t)*size);
    close(file);
    return bytes;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct eco_cache *cache;

    (void)argc;
    (void)argv;
    eco_log_set_level(ECO_LOG_ERROR);
    snprintf(directory, sizeof(directory), "%s/ecotone-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    require(mkdtemp(directory));
    snprintf(path, sizeof(path), "%s/cache", directory);
    require(eco_cache_open(path, &cache, NULL) == 0);
    put_tiles(cache, 0, TILES);
    require(eco_cache_flush(cache) == 0);
    eco_cache_close(cache);
    right = read_file(&right_size);
    atexit(leave);
    return 0;
}

static void write_input(const uint8_t *data, size_t size)
{
    bool whole = size == 0 || data[0] > 127 || data[0] == 'S';
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    size_t cut = right_size;

    require(file >= 0);
    if (whole) {
        require(write(file, data, size) == (ssize_t)size);
    } else {
        /* An odd first byte cuts the file off, where the next two say. */
        if (data[0] % 2 && size >= 3)
            cut = (data[1] << 8 | data[2]) % right_size;
        require(write(file, right, cut) == (ssize_t)cut);
        for (size_t i = 3; i + 4 <= size; i += 4) {
            size_t place = (size_t)(data[i] << 16 | data[i + 1] << 8 | data[i + 2]) % right_size;

            require(place >= cut || pwrite(file, data + i + 3, 1, (off_t)place) == 1);
        }
    }
    close(file);
}

static void read_back(struct eco_cache *cache, unsigned to)
{
    struct eco_cache_reader *reader;
    struct eco_buffer out;

    eco_buffer_init(&out);
    require(eco_cache_reader_new(cache, &reader, NULL) == 0);
    for (unsigned i = 0; i < to; i++) {
        const struct eco_cache_key key = key_of(i);
        unsigned char bytes[TILE_BYTES];
        struct eco_hash128 expected = tile_of(i, bytes), hash;
        int code = eco_cache_get(reader, &key, &out, &hash);

        require(code == 0 || (code == ECO_ENOTFOUND && out.size == 0));
        require(code != 0 || (out.size == TILE_BYTES && memcmp(out.data, bytes, TILE_BYTES) == 0 &&
                              hash.low == expected.low && hash.high == expected.high));
    }
    eco_cache_reader_free(reader);
    eco_buffer_release(&out);
}

static bool takes_odd(const void *context, const struct eco_cache_key *key)
{
    (void)context;
    return key->x % 2;
}

static int takes_all(void *context, const struct eco_cache_key *key, bool *takes,
                     struct eco_error *error)
{
    (void)context;
    (void)error;
    *takes = key->zoom < 200;
    return 0;
}

/* What the command line does with a file, until something is wrong with it. */
static void administer(void)
{
    struct eco_cache_key keys[8];
    struct eco_cache_purged purged = {0};
    struct eco_cache_group group = {0};
    struct eco_cache_extent extent;
    struct eco_cache_world world;
    struct eco_cache_admin *admin;
    struct eco_error error = {0};
    struct eco_buffer out;
    unsigned found = 0, groups = 0;
    bool begun = false;

    if (eco_cache_admin_open(path, 1, &admin, &error) != 0) {
        require(error.text[0] != '\0');
        return;
    }
    eco_buffer_init(&out);
    (void)eco_cache_admin_check(admin, &error);
    (void)eco_cache_admin_extent(admin, &extent, &error);
    while (groups++ < 1000 && eco_cache_admin_next_group(admin, &begun, &group, &error) == 0) {
        if (eco_cache_admin_world(admin, group.world, &world, &error) == 0)
            require(strlen(world.name) <= ECO_NAME_MAX);
    }
    require(groups < 1000);
    (void)eco_cache_admin_sample(admin, 5, 8, takes_all, NULL, keys, &found, &error);
    for (unsigned i = 0; i < found; i++)
        (void)eco_cache_admin_read(admin, &keys[i], &out, &error);
    (void)eco_cache_admin_purge(admin, 1, takes_odd, NULL, &purged, &error);
    (void)eco_cache_admin_tidy(admin, &purged, &error);
    eco_buffer_release(&out);
    eco_cache_admin_close(admin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct eco_cache_quota quota = {.world = "a", .limit = 4 * TILE_BYTES};
    struct eco_cache *cache;

    clear();
    write_input(data, size);
    if (size > 0 && data[0] % 4 == 2)
        administer();
    if (eco_cache_open(path, &cache, NULL) != 0)
        return 0;
    read_back(cache, TILES);
    put_tiles(cache, TILES, TILES + 4);
    (void)eco_cache_flush(cache);
    read_back(cache, TILES + 4);
    eco_cache_set_quotas(cache, &quota, 1);
    eco_cache_set_limit(cache, 65536);
    put_tiles(cache, 0, 4);
    (void)eco_cache_flush(cache);
    read_back(cache, TILES + 4);
    eco_cache_close(cache);
    return 0;
}
