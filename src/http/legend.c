#include "http/legend.h"

#include "base/log.h"
#include "codec/png.h"
#include "raster/legend.h"

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

enum MHD_Result eco_legend_reply(struct eco_request *request, const struct eco_world_config *world,
                                 int layer)
{
    struct eco_document *document = NULL;
    enum MHD_Result result = MHD_NO;
    struct eco_error error = {0};
    struct eco_buffer png;

    eco_buffer_init(&png);
    if (make_legend(world, layer, request->url.tile.scale, &png, &error) == 0) {
        const struct eco_document_source source = {
            .type = "image/png", .data = png.data, .size = png.size, .copy = true};

        document = eco_document_new(&source);
    } else {
        eco_log(ECO_LOG_ERROR, "the legend of the world %s failed: %s", world->name, error.text);
    }
    if (document)
        result = eco_reply_document(request->connection, &request->headers, document);
    eco_document_free(document);
    eco_buffer_release(&png);
    return result;
}
