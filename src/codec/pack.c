#include "codec/pack.h"

#include <libdeflate.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ecotone/error.h"

/* Higher ones take longer than some blocks do to be made again, for a twentieth of the bytes. */
#define LEVEL 1

/* Small differences of either sign become small numbers: their upper bytes are 0. */
static uint32_t fold(uint32_t difference)
{
    return difference << 1 ^ (0u - (difference >> 31));
}

static uint32_t unfold(uint32_t folded)
{
    return folded >> 1 ^ (0u - (folded & 1));
}

/* Of bytes beyond the last whole word there is no plane; they follow as they are. */
static void part(const unsigned char *data, size_t size, unsigned char *out)
{
    size_t words = size / 4;
    uint32_t before = 0;

    for (size_t i = 0; i < words; i++) {
        uint32_t word, folded;

        memcpy(&word, data + 4 * i, 4);
        folded = fold(word - before);
        before = word;
        for (unsigned plane = 0; plane < 4; plane++)
            out[plane * words + i] = (unsigned char)(folded >> 8 * plane);
    }
    memcpy(out + 4 * words, data + 4 * words, size % 4);
}

static void join(const unsigned char *planes, size_t size, unsigned char *out)
{
    size_t words = size / 4;
    uint32_t word = 0;

    for (size_t i = 0; i < words; i++) {
        uint32_t folded = (uint32_t)planes[i] | (uint32_t)planes[words + i] << 8 |
                          (uint32_t)planes[2 * words + i] << 16 |
                          (uint32_t)planes[3 * words + i] << 24;

        word += unfold(folded);
        memcpy(out + 4 * i, &word, 4);
    }
    memcpy(out + 4 * words, planes + 4 * words, size % 4);
}

int eco_pack(const void *data, size_t size, struct eco_buffer *out)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
    unsigned char *planes = malloc(size + 1);
    int code = ECO_ENOMEM;
    size_t bound;

    eco_buffer_clear(out);
    if (!compressor || !planes)
        goto out;
    bound = libdeflate_deflate_compress_bound(compressor, size);
    if (!eco_buffer_reserve(out, bound))
        goto out;
    part(data, size, planes);
    out->size = libdeflate_deflate_compress(compressor, planes, size, out->data, bound);
    code = out->size > 0 ? 0 : ECO_ENOMEM;
out:
    libdeflate_free_compressor(compressor);
    free(planes);
    return code;
}

int eco_unpack(const void *packed, size_t packed_size, void *data, size_t size)
{
    struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
    unsigned char *planes = malloc(size + 1);
    int code = ECO_ENOMEM;

    if (!decompressor || !planes)
        goto out;
    code = ECO_ECORRUPT;
    if (libdeflate_deflate_decompress(decompressor, packed, packed_size, planes, size, NULL) !=
        LIBDEFLATE_SUCCESS)
        goto out;
    join(planes, size, data);
    code = 0;
out:
    libdeflate_free_decompressor(decompressor);
    free(planes);
    return code;
}
