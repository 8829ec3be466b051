/*
 * Immutable bytes, shared by reference count.
 * Thread rule: any thread; the bytes never change after eco_blob_new.
 */
#ifndef ECO_SERVE_BLOB_H
#define ECO_SERVE_BLOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"

typedef void (*eco_attachment_free)(void *attachment);

struct eco_blob {
    atomic_uint references;
    unsigned char *data;
    size_t size;
    struct eco_hash128 hash; /* eco_hash128 of the bytes; the ETag */
    /* What the transport keeps ready beside the bytes; set once by eco_blob_attach. */
    _Atomic(void *) attachment;
    _Atomic(eco_attachment_free) attachment_free;
};

/* Bytes that a blob may cost beyond its data: its own structure, the allocator's, and the replies
 * that the transport keeps beside it. */
#define ECO_BLOB_OVERHEAD 2048

/* A blob with a copy of the bytes and one reference. NULL when memory runs out. */
struct eco_blob *eco_blob_new(const void *data, size_t size, struct eco_hash128 hash);
/* Gives the blob an attachment that is freed with it. False, and nothing changes, when it has one.
 * Of several threads one succeeds; all pass the same `attachment_free`. */
bool eco_blob_attach(struct eco_blob *blob, void *attachment, eco_attachment_free attachment_free);
void eco_blob_incref(struct eco_blob *blob);
/* Gives a reference back; the last one frees. NULL is allowed. */
void eco_blob_decref(struct eco_blob *blob);

#endif
