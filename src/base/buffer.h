/* Bytes that grow by appending. Thread rule: one owner. */
#ifndef ECO_BASE_BUFFER_H
#define ECO_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

struct eco_buffer {
    unsigned char *data;
    size_t size;
    size_t capacity;
    bool failed; /* memory ran out: nothing is appended any more; check once at the end */
};

void eco_buffer_init(struct eco_buffer *buffer);
void eco_buffer_release(struct eco_buffer *buffer);
/* Forgets the bytes and keeps the memory. */
void eco_buffer_clear(struct eco_buffer *buffer);
void eco_buffer_append(struct eco_buffer *buffer, const void *data, size_t size);
void eco_buffer_printf(struct eco_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Makes room for `size` more bytes; false when memory ran out. */
bool eco_buffer_reserve(struct eco_buffer *buffer, size_t size);

#endif
