#include "codec/webp.h"

#include <webp/encode.h>

#include "codec/png_internal.h"

/* By measurement on tiles: level 1 takes a quarter off the PNG of heights in 8 ms, the levels above
 * it a few percent more in two to eight times that. */
#define LOSSLESS_LEVEL 1
/* Methods above 2 take twice the time for a hundredth of the bytes. */
#define LOSSY_METHOD 2

static int append_bytes(const uint8_t *data, size_t size, const WebPPicture *webp)
{
    struct eco_buffer *out = webp->custom_ptr;

    eco_buffer_append(out, data, size);
    return !out->failed;
}

static bool configure(WebPConfig *config, bool lossless)
{
    if (!WebPConfigInit(config))
        return false;
    if (lossless)
        return WebPConfigLosslessPreset(config, LOSSLESS_LEVEL);
    config->quality = ECO_WEBP_QUALITY;
    config->method = LOSSY_METHOD;
    return WebPValidateConfig(config);
}

int eco_webp_encode(const struct eco_picture *picture, bool lossless, struct eco_buffer *out,
                    struct eco_error *error)
{
    struct eco_png_layout layout;
    WebPConfig config;
    WebPPicture webp;
    int code = eco_png_layout_init(&layout, picture, picture->height, error);

    eco_buffer_clear(out);
    if (!code)
        code = eco_png_check_pixels(picture, error);
    if (code)
        return code;
    if (picture->width > WEBP_MAX_DIMENSION || picture->height > WEBP_MAX_DIMENSION ||
        picture->format == ECO_PIXEL_GREY16)
        return eco_error_set(error, ECO_EINVAL,
                             "picture of %u x %u pixels of %u bits: WebP has at most %d a side, of "
                             "8 bits",
                             picture->width, picture->height, layout.depth, WEBP_MAX_DIMENSION);
    if (!configure(&config, lossless) || !WebPPictureInit(&webp))
        return eco_error_set(error, ECO_EINVAL, "libwebp is of another version than its headers");
    webp.use_argb = 1;
    webp.width = (int)picture->width;
    webp.height = (int)picture->height;
    webp.writer = append_bytes;
    webp.custom_ptr = out;
    if (!WebPPictureAlloc(&webp))
        return eco_error_set(error, ECO_ENOMEM, "no memory to encode %u x %u pixels",
                             picture->width, picture->height);
    for (uint32_t y = 0; y < picture->height; y++) {
        uint32_t *row = webp.argb + (size_t)y * (size_t)webp.argb_stride;

        for (uint32_t x = 0; x < picture->width; x++)
            row[x] = 0xFF000000u | eco_picture_colour(picture, x, y);
    }
    if (!WebPEncode(&config, &webp)) {
        bool memory = out->failed || webp.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY ||
                      webp.error_code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY;

        code = eco_error_set(error, memory ? ECO_ENOMEM : ECO_EINVAL,
                             "encoding %u x %u pixels as WebP: error %d of libwebp", picture->width,
                             picture->height, (int)webp.error_code);
        eco_buffer_clear(out);
    }
    WebPPictureFree(&webp);
    return code;
}
