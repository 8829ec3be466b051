/*
 * The files of the page and the default configuration, embedded in the binary at build time by
 * web/embed.mjs. A fixed table: no request text ever becomes a path of the file system. Constant,
 * for any thread.
 */
#ifndef ECO_HTTP_ASSETS_H
#define ECO_HTTP_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

struct eco_asset {
    const char *path; /* in URLs, without a leading slash: "index.html", "HASH/js/main.js" */
    const char *type; /* Content-Type */
    const unsigned char *data;
    size_t size;
    const unsigned char *gzip; /* the same, gzipped; NULL where that saves nothing (pictures) */
    size_t gzip_size;
    bool immutable; /* the path changes with the bytes */
};

extern const struct eco_asset eco_assets[];
extern const size_t eco_assets_count;

/* config/ecotone.yaml, for a start without a file. */
extern const char eco_default_config[];
extern const size_t eco_default_config_size;

#endif
