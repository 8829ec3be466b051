#include "base/buffer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void eco_buffer_init(struct eco_buffer *buffer)
{
    *buffer = (struct eco_buffer){0};
}

void eco_buffer_release(struct eco_buffer *buffer)
{
    free(buffer->data);
    eco_buffer_init(buffer);
}

void eco_buffer_clear(struct eco_buffer *buffer)
{
    buffer->size = 0;
    buffer->failed = false;
}

bool eco_buffer_reserve(struct eco_buffer *buffer, size_t size)
{
    size_t capacity = buffer->capacity ? buffer->capacity : 256;
    unsigned char *data;

    if (buffer->failed || size > SIZE_MAX / 2 - buffer->size) {
        buffer->failed = true;
        return false;
    }
    if (buffer->capacity - buffer->size >= size)
        return true;
    while (capacity - buffer->size < size)
        capacity *= 2;
    data = realloc(buffer->data, capacity);
    if (!data) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void eco_buffer_append(struct eco_buffer *buffer, const void *data, size_t size)
{
    if (size == 0 || !eco_buffer_reserve(buffer, size))
        return;
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
}

void eco_buffer_printf(struct eco_buffer *buffer, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !eco_buffer_reserve(buffer, (size_t)length + 1)) {
        buffer->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf((char *)buffer->data + buffer->size, (size_t)length + 1, format, args);
    va_end(args);
    buffer->size += (size_t)length;
}
