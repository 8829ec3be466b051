/* Any bytes as a picture that a configuration names: an error with a text, or colours. */
#include <stdint.h>
#include <stdlib.h>

#include "codec/png_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint32_t colours[16 * 16];
    struct eco_error error = {0};
    int code = eco_png_read(data, size, 16, colours, &error);

    if (code && (error.code != code || error.text[0] == '\0'))
        abort();
    for (size_t k = 0; !code && k < sizeof(colours) / sizeof(colours[0]); k++) {
        if (colours[k] > 0xFFFFFF)
            abort();
    }
    return 0;
}
