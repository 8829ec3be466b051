/*
 * The keys of the configuration file, as one table. Parsing, ranges, defaults, the texts of errors,
 * the lists of known keys and the world hash all follow from it: to add a key, add its line to
 * config_schema.c and its member to config.h. Constant data; any thread.
 */
#ifndef ECO_WORLD_CONFIG_SCHEMA_H
#define ECO_WORLD_CONFIG_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

#include "world/config.h"

struct eco_config_reader;
struct eco_config_section;

#define ECO_CONFIG_KEYS_MAX 24 /* keys of one section */

enum eco_config_kind {
    ECO_KEY_NUMBER,  /* double */
    ECO_KEY_WHOLE,   /* unsigned integer of up to 32 bits, or int64_t; `size` tells which */
    ECO_KEY_BYTES,   /* size_t, from a number or a text such as 64MiB */
    ECO_KEY_TEXT,    /* const char *, UTF-8 without control characters */
    ECO_KEY_CHOICE,  /* enum or bool: the index in `choices` */
    ECO_KEY_WORD,    /* const char *: one of `choices_of` */
    ECO_KEY_WORDS,   /* one of `choices` in the const char * at `offset`, or a list of texts in the
                        const char *const * at `texts_offset`, with its length at `count_offset` */
    ECO_KEY_COLOUR,  /* uint32_t 0xRRGGBB */
    ECO_KEY_SECTION, /* a mapping with keys of its own, in the object from `offset` on; each has
                        its default where the mapping is missing */
    ECO_KEY_LIST, /* an array of objects of `section`, with its length at `count_offset`; or, where
                     `text` is set, a text that it reads */
};

struct eco_config_key {
    const char *name;
    enum eco_config_kind kind;
    size_t offset, size;  /* of the member in the object of the section */
    const char *fallback; /* the default, as one would write it; NULL: the key is required */
    bool optional;        /* may be missing without a default: the member stays 0 */
    bool nullable;        /* may be given without a value, which leaves the member 0 */
    bool unique;          /* no two objects of one list have the same value */
    bool aside;           /* does not decide the bytes of tiles: left out of the world hash */
    bool look;            /* does not decide the eroded blocks of a relief */
    bool late;            /* came after worlds had a hash: left out of it at its default */
    const char *unit;     /* of the number, or what is allowed as a phrase */
    double low, high;     /* range of a number, bytes of a text, length of a list; equal: any */
    const char *const *choices; /* ended by NULL; of ECO_KEY_WHOLE: the only numbers allowed */
    const char *const *(*choices_of)(void);
    bool (*check)(const char *text); /* what else a text must fulfil; `unit` says it */
    const struct eco_config_section *section;
    const struct eco_config_key *item; /* of ECO_KEY_WORDS: what each text must be */
    size_t count_offset, texts_offset;
    /* Reads the text in place of a list into `bytes_size` bytes of the arena, which decide the hash
     * in place of the list; the const uint8_t * at `bytes_offset` points there. `unit` says what
     * the text is. */
    int (*text)(struct eco_config_reader *reader, const yaml_node_t *node, void *object);
    size_t bytes_offset, bytes_size;
    /* Another way to give the key `instead`, which stands before it; never both. The member becomes
     * over / value where `over` is set, value - shift(object) where `shift` is. */
    const char *instead;
    double over;
    double (*shift)(const void *object);
};

struct eco_config_section {
    const struct eco_config_key *keys;
    unsigned count;
    size_t size;      /* of an object in a list */
    const char *noun; /* of a list's entries */
    /* Checks what takes several keys; `mapping` may be NULL where the section was left out. */
    int (*finish)(struct eco_config_reader *reader, yaml_node_t *mapping, void *object);
};

/* For the tables: where a member lies, and a section of a table of keys. */
#define ECO_CONFIG_MEMBER(type, member)                                                            \
    .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define ECO_CONFIG_SECTION(keys_, size_, noun_, finish_)                                           \
    {                                                                                              \
        .keys = keys_, .count = sizeof(keys_) / sizeof(keys_[0]), .size = size_, .noun = noun_,    \
        .finish = finish_                                                                          \
    }

/* What is the same in every key of a block's x or z. */
#define ECO_CONFIG_BLOCK                                                                           \
    .kind = ECO_KEY_WHOLE, .fallback = "0", .unit = "blocks", .low = -ECO_WORLD_HALF,              \
    .high = ECO_WORLD_HALF - 1

extern const struct eco_config_section eco_config_section_root;  /* struct eco_config */
extern const struct eco_config_section eco_config_section_world; /* struct eco_world_config */

/* Fills the seeds that are listed. */
int eco_config_fill_seeds(struct eco_config_reader *reader, struct eco_world_config *world);

/* struct eco_server_config. */
extern const struct eco_config_section eco_config_section_server;
/* struct eco_border. */
extern const struct eco_config_section eco_config_section_border;
/* struct eco_overworld_config; its other part in config_overworld.c. */
extern const struct eco_config_section eco_config_section_overworld;
/* Fills the biomes of an overworld from the catalogue, changed by those of the configuration. */
int eco_config_fill_overworld(struct eco_config_reader *reader, yaml_node_t *mapping,
                              struct eco_world_config *world);

/* struct eco_relief_config; its other part in config_relief.c. */
extern const struct eco_config_section eco_config_section_relief;
/* Fills the biomes of a relief with its classes, changed by those of the configuration. */
int eco_config_fill_relief(struct eco_config_reader *reader, yaml_node_t *mapping,
                           struct eco_world_config *world);

/* Puts what the configuration says of a biome, `own`, over what a list of ours says. */
void eco_config_rename(struct eco_biome *biome, const struct eco_biome *own);

/* Sets the hash of the world and of its relief: XXH3 of all keys that decide the bytes, in the
 * order of the table. ECO_ENOMEM. */
int eco_config_hash(struct eco_world_config *world);

#endif
