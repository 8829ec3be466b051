/* Every cap in one place. What comes from outside is compared with these before it is used. */
#ifndef ECO_BASE_LIMITS_H
#define ECO_BASE_LIMITS_H

#define ECO_TILE_SIZE 256
#define ECO_TILE_SCALE_MAX 2

/* Configuration */
#define ECO_CONFIG_BYTES_MAX (1024 * 1024)
#define ECO_CONFIG_NODES_MAX 262144
#define ECO_CONFIG_DEPTH_MAX 16
#define ECO_CONFIG_ANCHORS_MAX 256
#define ECO_WORLDS_MAX 256
#define ECO_BIOMES_MAX 256 /* a biome index is a uint8_t */
#define ECO_SEEDS_MAX 256  /* that a world lists */
#define ECO_NAME_MAX 64    /* bytes of a world's name, which stands in URLs */
#define ECO_TITLE_MAX 128
#define ECO_OCTAVES_MAX 12
#define ECO_WAVELENGTH_MIN 2.0
#define ECO_WAVELENGTH_MAX 1048576.0
#define ECO_SPACING_MIN 2.0
#define ECO_SPACING_MAX 256.0
#define ECO_PADDING_MAX 512.0
#define ECO_HEIGHT_MIN (-4096.0)
#define ECO_HEIGHT_MAX 16384.0
#define ECO_THREADS_MAX 64
#define ECO_SCORE_SIZE_MAX 64 /* cells a side of a unit or building */

/* Requests */
#define ECO_URL_MAX 1024
#define ECO_VIEW_SIDE_MAX 1024      /* of a static picture, before @2x */
#define ECO_VIEW_PIXELS_MAX 2097152 /* of a static picture, after it */
#define ECO_SEED_TEXT_MAX 128       /* bytes after percent-decoding */
#define ECO_HEADER_BYTES_MAX 32768
#define ECO_CONNECTIONS_MIN 64 /* open at once, where the system allows few descriptors */
#define ECO_CONNECTIONS_MAX 4096

/* Questions about ground */
#define ECO_QUESTIONS_MAX 16  /* that wait or run at once */
#define ECO_QUESTION_MS 20000 /* that one may take */
#define ECO_AREA_SAMPLES_MAX 262144
#define ECO_LOCATE_WITHIN_MAX 8192 /* blocks: at most 300 million of them are looked at */

/* Service */
#define ECO_QUEUE_DEFAULT 1024
#define ECO_DEADLINE_MS_DEFAULT 30000 /* that a request may wait for its tile */
#define ECO_SEEDED_WORLDS_MAX 32      /* opened (world, seed) pairs kept ready */

#define ECO_BLOCKS_BYTES (96 * 1024 * 1024) /* of eroded blocks and the like, kept in memory */

/* Tile cache */
#define ECO_CACHE_TILE_BYTES_MAX (16 * 1024 * 1024)
#define ECO_CACHE_QUEUE_BYTES (32 * 1024 * 1024) /* tiles that wait for the writer */
#define ECO_CACHE_QUEUE_TILES 8192

/* Files of tiles */
#define ECO_EXPORT_TILES_MAX 100000000

/* Pictures */
#define ECO_PICTURE_SIDE_MAX 1048576
#define ECO_PNG_READ_BYTES_MAX (1024 * 1024) /* of a picture that a configuration names */
#define ECO_PNG_BYTES_MAX (1u << 30)         /* rows of a picture that is encoded in one piece */

#endif
