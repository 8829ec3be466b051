/*
 * The configuration in memory: checked, with every default filled in. Nothing in it changes after
 * eco_config_load, so any thread may read it. Strings and arrays belong to the config.
 */
#ifndef ECO_WORLD_CONFIG_H
#define ECO_WORLD_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/log.h"
#include "ecotone/world.h"
#include "world/border.h"
#include "world/overworld/config.h"
#include "world/relief/config.h"

/* How a biome turns fractal noise n in [-1, 1] into height: base + amplitude * shape(n). */
enum eco_shape {
    ECO_SHAPE_PLAIN,    /* n */
    ECO_SHAPE_RIDGED,   /* sharp crests where the noise crosses 0 */
    ECO_SHAPE_BILLOW,   /* round hills, sharp valleys */
    ECO_SHAPE_TERRACED, /* n in `steps` flat steps with soft rises */
    ECO_SHAPE_DUNES,    /* long ridges, stretched along z */
};

struct eco_height_formula {
    enum eco_shape shape;
    double base;       /* blocks */
    double amplitude;  /* blocks */
    double wavelength; /* blocks, of the first octave */
    unsigned octaves;
    unsigned steps; /* of ECO_SHAPE_TERRACED */
};

struct eco_biome_config {
    struct eco_biome biome;
    int64_t catalogue; /* its id in the catalogue; -1: none */
    double bias; /* added to the biome's noise before the greatest is taken; more is commoner */
    struct eco_height_formula height; /* of patchwork; empty where a generator has its own */
};

enum eco_noise_generation {
    ECO_NOISE_OPENSIMPLEX2S,        /* current, float */
    ECO_NOISE_OPENSIMPLEX2S_LEGACY, /* the older one of the blending article, double */
};

/* The noise whose greatest value among the biomes decides. */
struct eco_noise_config {
    enum eco_noise_generation generation;
    double frequency; /* of the first octave, cycles a block; the config may give a wavelength */
    unsigned octaves; /* each of twice the frequency and half the amplitude of the one before */
    bool sequential_seeds; /* octave o of biome index b: seed + b + count * o, as in the article;
                              otherwise seeds are hashed from the seed and the biome id */
};

struct eco_blend_config {
    enum eco_blend_method method;
    unsigned interval;     /* of the grid methods, blocks */
    double frequency;      /* of the sample lattice; the config may give a spacing instead */
    double padding;        /* blocks */
    unsigned chunk;        /* samples a side of a job: 8, 16, 32 or 64; never changes the bytes */
    int64_t jitter_offset; /* jitter seed = world seed + this, wrapping */
    bool override;         /* whether who asks may choose another method; never changes the bytes */
};

/* Which seeds may be asked for. */
struct eco_seeds_config {
    const char *rule; /* "any" or "fixed": the world's own alone; NULL: its own and the list */
    const char *const *texts; /* the list as written, without its own and repeated ones */
    const int64_t *values;    /* and as seeds */
    unsigned count;
};

struct eco_world_config {
    const struct eco_config *owner; /* that it is a part of */
    const char *name;               /* [a-z0-9_-]{1,64} */
    const char *title;              /* for people; the name where none is given */
    const char *generator;
    int64_t seed;
    const char *seed_text; /* as written, for people */
    struct eco_seeds_config seeds;
    uint64_t quota;                 /* bytes of its images in the cache file; 0: none of its own */
    double sea_level;               /* blocks */
    double height_low, height_high; /* blocks that the height layer shows as black and white */
    unsigned minzoom;               /* 0 .. 18 */
    int64_t home_x, home_z;         /* where the page opens; blocks */
    unsigned home_zoom;
    struct eco_noise_config noise;
    struct eco_blend_config blend;
    struct eco_biome_config *biomes;
    unsigned biomes_count;
    struct eco_overworld_config overworld;
    struct eco_relief_config relief;
    struct eco_border border;
    uint64_t hash; /* of the canonical text of all that decides the bytes, but not of name, title,
                      seed, seeds, quota, chunk, override, minzoom and home */
};

enum eco_access_log {
    ECO_ACCESS_LOG_NONE,
    ECO_ACCESS_LOG_COMMON,   /* as Apache's "common" */
    ECO_ACCESS_LOG_COMBINED, /* with Referer and User-Agent */
    ECO_ACCESS_LOG_JSON,     /* an object a line */
};

enum eco_sandbox_wish {
    ECO_SANDBOX_AUTO,    /* what the kernel has */
    ECO_SANDBOX_OFF,     /* none */
    ECO_SANDBOX_REQUIRE, /* all of it, or the daemon does not start */
};

struct eco_server_config {
    const char *listen; /* valid (eco_network_listen_valid) */
    unsigned threads;   /* render workers; 0: one a processor */
    unsigned queue;     /* cold tiles that may wait */
    /* Where clients find it; each NULL where not given. */
    const char *base_path;            /* "/maps": what every path begins with */
    const char *public_url;           /* "https://maps.example/maps": the root of links */
    const char *trusted_proxies;      /* eco_network_list: whose forwarding headers count */
    unsigned grace;                   /* seconds of service after the signal to end */
    unsigned connections_per_address; /* at once; 0: any number */
    unsigned render_rate;             /* cold tiles a second that an address may ask for; 0: any */
    unsigned render_burst;            /* of them at once, after a rest */
    enum eco_log_level log_level;
    enum eco_access_log access_log;
    enum eco_sandbox_wish sandbox;
};

struct eco_cache_config {
    const char *path;     /* SQLite file; NULL: memory only */
    uint64_t limit_bytes; /* of the file */
    size_t memory_bytes;  /* limit of the memory cache */
};

struct eco_config {
    struct eco_server_config server;
    struct eco_cache_config cache;
    struct eco_world_config *worlds;
    unsigned worlds_count;
};

/* One more who needs it: it is freed when as many as hold it, and its maker, gave it to
 * eco_config_free. Any thread. */
void eco_config_hold(const struct eco_config *config);

/*
 * Who reads the pictures that a configuration names: this folder opens no files but the
 * configuration's own. `read` fills side * side colours 0xRRGGBB, row by row from the top, from the
 * picture in the file `path`. Errors: ECO_EIO, ECO_ECORRUPT, ECO_EINVAL for another size and
 * ECO_ENOMEM, with what is wrong with the file in `error`, without its name. Any thread.
 */
struct eco_config_images {
    int (*read)(const char *path, unsigned side, uint32_t *colours, struct eco_error *error);
};

/* As eco_config_load and eco_config_parse; without `images` (NULL, as there) a configuration that
 * names a picture is an error. Pictures are relative to the folder of the file `name`. */
int eco_config_load_with(const char *path, const struct eco_config_images *images,
                         struct eco_config **out, struct eco_error *error);
int eco_config_parse_with(const char *text, size_t length, const char *name,
                          const struct eco_config_images *images, struct eco_config **out,
                          struct eco_error *error);

/* As eco_config_load, from memory; `name` stands for the file in errors. */
int eco_config_parse(const char *text, size_t length, const char *name, struct eco_config **out,
                     struct eco_error *error);

/* NULL when there is none of that name. */
const struct eco_world_config *eco_config_world(const struct eco_config *config, const char *name);

/* Whether who asks may have the world with this seed. Its own is always allowed. */
bool eco_config_seed_allowed(const struct eco_world_config *world, int64_t seed);

#endif
