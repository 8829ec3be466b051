#include "http/gzip.h"

#include <limits.h>
#include <stdint.h>
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* zlib: the largest window, with a gzip header */

int eco_gzip(const void *data, size_t size, struct eco_buffer *out)
{
    z_stream stream = {0};
    int status;

    if (size > UINT_MAX || !eco_buffer_reserve(out, size) ||
        deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return ECO_ENOMEM;
    stream.next_in = (Bytef *)data;
    stream.avail_in = (uInt)size;
    stream.next_out = out->data + out->size;
    stream.avail_out = (uInt)size;
    status = deflate(&stream, Z_FINISH);
    if (status == Z_STREAM_END)
        out->size += stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? 0 : ECO_ENOMEM;
}
