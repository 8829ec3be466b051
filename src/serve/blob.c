#include "serve/blob.h"

#include <stdlib.h>
#include <string.h>

struct eco_blob *eco_blob_new(const void *data, size_t size, struct eco_hash128 hash)
{
    struct eco_blob *blob;

    if (size > SIZE_MAX - sizeof(*blob))
        return NULL;
    blob = malloc(sizeof(*blob) + size);
    if (!blob)
        return NULL;
    atomic_init(&blob->references, 1);
    blob->data = (unsigned char *)(blob + 1);
    blob->size = size;
    blob->hash = hash;
    atomic_init(&blob->attachment, NULL);
    atomic_init(&blob->attachment_free, NULL);
    if (size > 0)
        memcpy(blob->data, data, size);
    return blob;
}

bool eco_blob_attach(struct eco_blob *blob, void *attachment, eco_attachment_free attachment_free)
{
    void *none = NULL;

    atomic_store_explicit(&blob->attachment_free, attachment_free, memory_order_relaxed);
    return atomic_compare_exchange_strong(&blob->attachment, &none, attachment);
}

void eco_blob_incref(struct eco_blob *blob)
{
    atomic_fetch_add_explicit(&blob->references, 1, memory_order_relaxed);
}

void eco_blob_decref(struct eco_blob *blob)
{
    eco_attachment_free attachment_free;
    void *attachment;

    /* Acquire and release: all uses by other threads end before the memory is given back. */
    if (!blob || atomic_fetch_sub_explicit(&blob->references, 1, memory_order_acq_rel) != 1)
        return;
    attachment = atomic_load_explicit(&blob->attachment, memory_order_acquire);
    attachment_free = atomic_load_explicit(&blob->attachment_free, memory_order_relaxed);
    if (attachment && attachment_free)
        attachment_free(attachment);
    free(blob);
}
