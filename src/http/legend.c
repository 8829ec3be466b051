#include "http/legend.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/log.h"
#include "codec/png.h"
#include "raster/legend.h"

struct kept {
    const struct eco_world_config *world;
    int layer;
    unsigned scale;
    struct eco_document *document;
};

struct eco_legends {
    pthread_mutex_t mutex;
    unsigned count;
    struct kept kept[ECO_LEGENDS_MAX];
};

static int make_legend(const struct eco_world_config *world, int layer, unsigned scale,
                       struct eco_buffer *png, struct eco_error *error)
{
    struct eco_png_encoder *encoder = NULL;
    struct eco_picture picture;
    struct eco_arena arena;
    int code;

    eco_arena_init(&arena);
    code = eco_legend_draw(world, layer, scale, &arena, &picture, error);
    if (!code && eco_png_encoder_new(&encoder) != 0)
        code = eco_error_set(error, ECO_ENOMEM, "no memory for a PNG encoder");
    if (!code)
        code = eco_png_encode(encoder, &picture, png, error);
    eco_png_encoder_free(encoder);
    eco_arena_release(&arena);
    return code;
}

static struct eco_document *make_document(const struct eco_world_config *world, int layer,
                                          unsigned scale)
{
    struct eco_document *document = NULL;
    struct eco_error error = {0};
    struct eco_buffer png;

    eco_buffer_init(&png);
    if (make_legend(world, layer, scale, &png, &error) == 0) {
        const struct eco_document_source source = {
            .type = "image/png", .data = png.data, .size = png.size, .copy = true};

        document = eco_document_new(&source);
    } else {
        eco_log(ECO_LOG_ERROR, "the legend of the world %s failed: %s", world->name, error.text);
    }
    eco_buffer_release(&png);
    return document;
}

struct eco_legends *eco_legends_new(void)
{
    struct eco_legends *legends = calloc(1, sizeof(*legends));

    if (legends)
        pthread_mutex_init(&legends->mutex, NULL);
    return legends;
}

void eco_legends_free(struct eco_legends *legends)
{
    if (!legends)
        return;
    for (unsigned i = 0; i < legends->count; i++)
        eco_document_free(legends->kept[i].document);
    pthread_mutex_destroy(&legends->mutex);
    free(legends);
}

/* The kept document, or NULL. */
static struct eco_document *find(struct eco_legends *legends, const struct kept *wanted)
{
    struct eco_document *document = NULL;

    pthread_mutex_lock(&legends->mutex);
    for (unsigned i = 0; i < legends->count && !document; i++) {
        const struct kept *kept = &legends->kept[i];

        if (kept->world == wanted->world && kept->layer == wanted->layer &&
            kept->scale == wanted->scale)
            document = kept->document;
    }
    pthread_mutex_unlock(&legends->mutex);
    return document;
}

/* False when there is no room. Two of the same may come to be kept: the first is found. */
static bool keep(struct eco_legends *legends, const struct kept *made)
{
    bool room;

    pthread_mutex_lock(&legends->mutex);
    room = legends->count < ECO_LEGENDS_MAX;
    if (room)
        legends->kept[legends->count++] = *made;
    pthread_mutex_unlock(&legends->mutex);
    return room;
}

enum MHD_Result eco_legends_reply(struct eco_legends *legends, struct MHD_Connection *connection,
                                  const struct eco_headers *headers,
                                  const struct eco_world_config *world, int layer, unsigned scale)
{
    struct kept wanted = {.world = world, .layer = layer, .scale = scale};
    enum MHD_Result result;

    wanted.document = find(legends, &wanted);
    if (wanted.document)
        return eco_reply_document(connection, headers, wanted.document);
    wanted.document = make_document(world, layer, scale);
    if (!wanted.document)
        return MHD_NO;
    result = eco_reply_document(connection, headers, wanted.document);
    if (!keep(legends, &wanted))
        eco_document_free(wanted.document);
    return result;
}
