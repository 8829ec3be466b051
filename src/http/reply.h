/*
 * Replies: what every status has in common, documents that are ready before they are asked for,
 * and tiles whose reply is kept beside their bytes.
 * Thread rule: the functions that take a connection are called from its own thread, in the access
 * handler; documents are constant once made.
 */
#ifndef ECO_HTTP_REPLY_H
#define ECO_HTTP_REPLY_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/negotiate.h"
#include "serve/blob.h"

#define ECO_IF_NONE_MATCH_MAX 4

/* The headers that decide a reply; the texts belong to the connection. */
struct eco_headers {
    const char *if_none_match[ECO_IF_NONE_MATCH_MAX];
    unsigned if_none_match_count;
    struct eco_encodings encodings;
    const char *host;
    const char *forwarded;      /* the header Forwarded */
    const char *forwarded_host; /* X-Forwarded-Host, and so on */
    const char *forwarded_proto, *forwarded_prefix, *forwarded_for;
    unsigned hosts;
    bool body; /* the request announces one */
};

void eco_headers_init(struct eco_headers *headers);
/* One header of the request; the value is kept. Pure function. */
void eco_headers_add(struct eco_headers *headers, const char *name, const char *value);
/* All of a connection. */
void eco_headers_read(struct eco_headers *headers, struct MHD_Connection *connection);

/* Text or another file in one or two encodings, each with an ETag of its own. */
struct eco_document;

struct eco_document_source {
    const char *type; /* Content-Type; constant, or outlives the document */
    const void *data; /* outlives the document unless `copy` */
    size_t size;
    const void *gzip; /* the same, gzipped, or NULL */
    size_t gzip_size;
    bool copy;
    bool page;      /* HTML: with a content security policy */
    bool no_store;  /* a moment's state: not to be kept, and without an ETag */
    bool immutable; /* the URL changes with the bytes */
};

/* NULL when memory runs out. */
struct eco_document *eco_document_new(const struct eco_document_source *source);
/* As eco_document_new with a copy of `size` bytes of JSON, gzipped here where that saves much. */
struct eco_document *eco_document_new_json(const char *text, size_t size, bool no_store);
/* The same of another kind of text. */
struct eco_document *eco_document_new_text(const char *type, const char *text, size_t size,
                                           bool no_store);
/* Replies under way may go on. NULL is allowed. */
void eco_document_free(struct eco_document *document);

/* Each queues a reply; MHD_NO closes the connection. */
enum MHD_Result eco_reply_document(struct MHD_Connection *connection,
                                   const struct eco_headers *headers,
                                   const struct eco_document *document);

/*
 * The tile, of this Content-Type (constant). The caller keeps its reference to the blob until the
 * request is completed: the reply sends the blob's own bytes. `immutable`: the URL names what
 * decides the bytes.
 */
enum MHD_Result eco_reply_tile(struct MHD_Connection *connection, const struct eco_headers *headers,
                               struct eco_blob *blob, const char *type, bool immutable);

/* A JSON error with a sentence; 405 with Allow, 429 and 503 with Retry-After. */
enum MHD_Result eco_reply_error(struct MHD_Connection *connection, unsigned status,
                                const char *sentence);

/* The same in another form of text, which must come from malloc and is freed; NULL: MHD_NO. */
enum MHD_Result eco_reply_error_text(struct MHD_Connection *connection, unsigned status,
                                     const char *type, char *text);

/* 308 from a path to the same with a slash after it, and the query `rest` of the raw URL. Only the
 * last segment of the path counts: a proxy may show another before it. */
enum MHD_Result eco_reply_redirect(struct MHD_Connection *connection, const char *path,
                                   const char *rest);

/* To OPTIONS: 204 with what is allowed. */
enum MHD_Result eco_reply_options(struct MHD_Connection *connection);

struct eco_reply_sent {
    unsigned status; /* 0: none */
    uint64_t bytes;  /* of the body, as GET gets it */
};

/* The reply that the calling thread queued since it last asked. */
struct eco_reply_sent eco_reply_take(void);

#endif
