#include "http/reply.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/limits.h"
#include "http/gzip.h"

#define METHODS "GET, HEAD, OPTIONS"
#define ETAG_MAX 40
#define GZIP_WORTHWHILE 1024
#define RETRY_SECONDS "1"
/* Leaflet draws a placeholder from a data: URL and styles its elements one by one. */
#define PAGE_POLICY                                                                                \
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "         \
    "form-action 'none'"

static const char cache_revalidate[] = "no-cache";
static const char cache_immutable[] = "public, max-age=31536000, immutable";
static const char cache_never[] = "no-store";

/* --- what the client said ----------------------------------------------------------------------
 */

/* Of one that comes twice the last, as of a list. */
static void read_forwarded(struct eco_headers *headers, const char *what, const char *value)
{
    if (strcasecmp(what, "Host") == 0)
        headers->forwarded_host = value;
    else if (strcasecmp(what, "Proto") == 0)
        headers->forwarded_proto = value;
    else if (strcasecmp(what, "Prefix") == 0)
        headers->forwarded_prefix = value;
    else if (strcasecmp(what, "For") == 0)
        headers->forwarded_for = value;
}

void eco_headers_init(struct eco_headers *headers)
{
    *headers = (struct eco_headers){.encodings = ECO_ENCODINGS_START};
}

void eco_headers_add(struct eco_headers *headers, const char *name, const char *value)
{
    if (strcasecmp(name, "Host") == 0) {
        headers->host = value;
        headers->hosts++;
    } else if (strcasecmp(name, "If-None-Match") == 0) {
        if (headers->if_none_match_count < ECO_IF_NONE_MATCH_MAX)
            headers->if_none_match[headers->if_none_match_count++] = value;
    } else if (strcasecmp(name, "Accept-Encoding") == 0) {
        eco_encodings_read(&headers->encodings, value);
    } else if (strncasecmp(name, "X-Forwarded-", 12) == 0) {
        read_forwarded(headers, name + 12, value);
    } else if (strcasecmp(name, "Forwarded") == 0) {
        headers->forwarded = value;
    } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
        headers->body = true;
    } else if (strcasecmp(name, "Content-Length") == 0) {
        headers->body = headers->body || strcmp(value, "0") != 0;
    }
}

static enum MHD_Result read_header(void *context, enum MHD_ValueKind kind, const char *name,
                                   const char *value)
{
    (void)kind;
    if (value)
        eco_headers_add(context, name, value);
    return MHD_YES;
}

void eco_headers_read(struct eco_headers *headers, struct MHD_Connection *connection)
{
    eco_headers_init(headers);
    MHD_get_connection_values(connection, MHD_HEADER_KIND, read_header, headers);
}

static bool is_known(const struct eco_headers *headers, const char *etag)
{
    for (unsigned i = 0; i < headers->if_none_match_count; i++) {
        if (eco_etag_matches(headers->if_none_match[i], etag))
            return true;
    }
    return false;
}

/* --- making responses --------------------------------------------------------------------------
 */

struct header {
    const char *name, *value; /* NULL value: left out */
};

/* Adds what every reply has and `count` more. Frees the response and returns NULL on failure. */
static struct MHD_Response *with_headers(struct MHD_Response *response,
                                         const struct header *headers, size_t count)
{
    bool added;

    if (!response)
        return NULL;
    added = MHD_add_response_header(response, "Access-Control-Allow-Origin", "*") == MHD_YES &&
            MHD_add_response_header(response, "X-Content-Type-Options", "nosniff") == MHD_YES;
    for (size_t i = 0; i < count && added; i++) {
        if (headers[i].value)
            added = MHD_add_response_header(response, headers[i].name, headers[i].value) == MHD_YES;
    }
    if (added)
        return response;
    MHD_destroy_response(response);
    return NULL;
}
#define WITH_HEADERS(response, headers)                                                            \
    with_headers(response, headers, sizeof(headers) / sizeof((headers)[0]))

static struct MHD_Response *empty_response(void)
{
    return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
}

static _Thread_local struct eco_reply_sent queued;

struct eco_reply_sent eco_reply_take(void)
{
    struct eco_reply_sent sent = queued;

    queued = (struct eco_reply_sent){0};
    return sent;
}

static enum MHD_Result queue(struct MHD_Connection *connection, unsigned status,
                             struct MHD_Response *response, size_t bytes)
{
    queued = (struct eco_reply_sent){status, bytes};
    return MHD_queue_response(connection, status, response);
}

/* Queues a response that nobody else holds. */
static enum MHD_Result queue_once(struct MHD_Connection *connection, unsigned status,
                                  struct MHD_Response *response, size_t bytes)
{
    enum MHD_Result result;

    if (!response)
        return MHD_NO;
    result = queue(connection, status, response, bytes);
    MHD_destroy_response(response);
    return result;
}

static void write_etag(char etag[ETAG_MAX], struct eco_hash128 hash, const char *ending)
{
    snprintf(etag, ETAG_MAX, "\"%016llx%016llx%s\"", (unsigned long long)hash.high,
             (unsigned long long)hash.low, ending);
}

/* The response, or 304 with its headers alone when the client has it already. */
static enum MHD_Result queue_unless_known(struct MHD_Connection *connection,
                                          const struct eco_headers *headers, const char *etag,
                                          struct MHD_Response *response, size_t bytes)
{
    if (is_known(headers, etag))
        return queue(connection, MHD_HTTP_NOT_MODIFIED, response, 0);
    return queue(connection, MHD_HTTP_OK, response, bytes);
}

/* --- errors and OPTIONS ------------------------------------------------------------------------
 */

enum MHD_Result eco_reply_error_text(struct MHD_Connection *connection, unsigned status,
                                     const char *type, char *text)
{
    bool busy = status == MHD_HTTP_SERVICE_UNAVAILABLE || status == MHD_HTTP_TOO_MANY_REQUESTS;
    const struct header headers[] = {
        {"Content-Type", type},
        {"Cache-Control", cache_never},
        {"Allow", status == MHD_HTTP_METHOD_NOT_ALLOWED ? METHODS : NULL},
        {"Retry-After", busy ? RETRY_SECONDS : NULL},
    };
    struct MHD_Response *response = NULL;
    size_t bytes = text ? strlen(text) : 0;

    if (!text)
        return MHD_NO;
    response = MHD_create_response_from_buffer(bytes, text, MHD_RESPMEM_MUST_FREE);
    if (!response)
        free(text);
    return queue_once(connection, status, WITH_HEADERS(response, headers), bytes);
}

enum MHD_Result eco_reply_error(struct MHD_Connection *connection, unsigned status,
                                const char *sentence)
{
    json_t *json = json_pack("{s:{s:i,s:s}}", "error", "status", (int)status, "message", sentence);
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;

    json_decref(json);
    return eco_reply_error_text(connection, status, "application/json", text);
}

enum MHD_Result eco_reply_redirect(struct MHD_Connection *connection, const char *path,
                                   const char *rest)
{
    char location[ECO_URL_MAX + 8];
    const struct header headers[] = {{"Location", location}, {"Cache-Control", cache_revalidate}};

    /* Relative, and after "./" no name is taken for a scheme. */
    if (snprintf(location, sizeof(location), "./%s/%s", strrchr(path, '/') + 1, rest) >=
        (int)sizeof(location))
        return eco_reply_error(connection, MHD_HTTP_URI_TOO_LONG, "the URL is too long");
    return queue_once(connection, MHD_HTTP_PERMANENT_REDIRECT,
                      WITH_HEADERS(empty_response(), headers), 0);
}

enum MHD_Result eco_reply_options(struct MHD_Connection *connection)
{
    static const struct header headers[] = {
        {"Allow", METHODS},
        {"Access-Control-Allow-Methods", METHODS},
        {"Access-Control-Allow-Headers", "If-None-Match"},
        {"Access-Control-Max-Age", "86400"},
    };

    return queue_once(connection, MHD_HTTP_NO_CONTENT, WITH_HEADERS(empty_response(), headers), 0);
}

/* --- documents ---------------------------------------------------------------------------------
 */

struct form {
    struct MHD_Response *response;
    size_t bytes;
    char etag[ETAG_MAX];
};

struct eco_document {
    struct form plain, gzip; /* gzip.response may be NULL */
    bool no_store;
};

static bool make_form(struct form *form, const struct eco_document_source *source, const void *data,
                      size_t size, const char *encoding)
{
    const struct header headers[] = {
        {"Content-Type", source->type},
        {"Content-Encoding", encoding},
        {"Cache-Control", source->no_store    ? cache_never
                          : source->immutable ? cache_immutable
                                              : cache_revalidate},
        {"ETag", source->no_store ? NULL : form->etag},
        {"Vary", source->gzip ? "Accept-Encoding" : NULL},
        {"Content-Security-Policy", source->page ? PAGE_POLICY : NULL},
        {"Referrer-Policy", source->page ? "no-referrer" : NULL},
    };

    form->bytes = size;
    write_etag(form->etag, eco_hash128(data, size), encoding ? "-gz" : "");
    /* MHD only reads what it does not copy or free. */
    form->response = WITH_HEADERS(
        MHD_create_response_from_buffer(
            size, (void *)data, source->copy ? MHD_RESPMEM_MUST_COPY : MHD_RESPMEM_PERSISTENT),
        headers);
    return form->response != NULL;
}

struct eco_document *eco_document_new(const struct eco_document_source *source)
{
    struct eco_document *document = calloc(1, sizeof(*document));
    bool made;

    if (!document)
        return NULL;
    document->no_store = source->no_store;
    made = make_form(&document->plain, source, source->data, source->size, NULL);
    if (made && source->gzip)
        made = make_form(&document->gzip, source, source->gzip, source->gzip_size, "gzip");
    if (made)
        return document;
    eco_document_free(document);
    return NULL;
}

struct eco_document *eco_document_new_json(const char *text, size_t size, bool no_store)
{
    return eco_document_new_text("application/json", text, size, no_store);
}

struct eco_document *eco_document_new_text(const char *type, const char *text, size_t size,
                                           bool no_store)
{
    struct eco_document_source source = {
        .type = type, .data = text, .size = size, .copy = true, .no_store = no_store};
    struct eco_document *document;
    struct eco_buffer packed;

    eco_buffer_init(&packed);
    if (size > GZIP_WORTHWHILE && eco_gzip(text, size, &packed) == 0) {
        source.gzip = packed.data;
        source.gzip_size = packed.size;
    }
    document = eco_document_new(&source);
    eco_buffer_release(&packed);
    return document;
}

void eco_document_free(struct eco_document *document)
{
    if (!document)
        return;
    if (document->plain.response)
        MHD_destroy_response(document->plain.response);
    if (document->gzip.response)
        MHD_destroy_response(document->gzip.response);
    free(document);
}

enum MHD_Result eco_reply_document(struct MHD_Connection *connection,
                                   const struct eco_headers *headers,
                                   const struct eco_document *document)
{
    const struct form *form = document->gzip.response && eco_encodings_gzip(&headers->encodings)
                                  ? &document->gzip
                                  : &document->plain;

    if (document->no_store)
        return queue(connection, MHD_HTTP_OK, form->response, form->bytes);
    return queue_unless_known(connection, headers, form->etag, form->response, form->bytes);
}

/* --- tiles -------------------------------------------------------------------------------------
 */

/* What a blob carries as its attachment. The responses are made when they are first needed. */
struct tile_replies {
    char etag[ETAG_MAX];
    _Atomic(struct MHD_Response *) responses[2]; /* to be revalidated, immutable */
};

static void free_replies(void *attachment)
{
    struct tile_replies *replies = attachment;

    for (unsigned i = 0; i < 2; i++) {
        struct MHD_Response *response = atomic_load(&replies->responses[i]);
        if (response)
            MHD_destroy_response(response);
    }
    free(replies);
}

static struct tile_replies *replies_of(struct eco_blob *blob)
{
    void *attachment = atomic_load_explicit(&blob->attachment, memory_order_acquire);
    struct tile_replies *replies;

    if (attachment)
        return attachment;
    replies = calloc(1, sizeof(*replies));
    if (!replies)
        return NULL;
    write_etag(replies->etag, blob->hash, "");
    if (eco_blob_attach(blob, replies, free_replies))
        return replies;
    /* Another thread was faster. */
    free(replies);
    return atomic_load_explicit(&blob->attachment, memory_order_acquire);
}

static struct MHD_Response *tile_response(struct tile_replies *replies, struct eco_blob *blob,
                                          const char *type, bool immutable)
{
    _Atomic(struct MHD_Response *) *place = &replies->responses[immutable];
    struct MHD_Response *response = atomic_load_explicit(place, memory_order_acquire);
    struct MHD_Response *other = NULL;
    const struct header headers[] = {
        {"Content-Type", type},
        {"Cache-Control", immutable ? cache_immutable : cache_revalidate},
        {"ETag", replies->etag},
    };

    if (response)
        return response;
    response = WITH_HEADERS(
        MHD_create_response_from_buffer(blob->size, blob->data, MHD_RESPMEM_PERSISTENT), headers);
    if (!response || atomic_compare_exchange_strong(place, &other, response))
        return response;
    MHD_destroy_response(response);
    return other;
}

enum MHD_Result eco_reply_tile(struct MHD_Connection *connection, const struct eco_headers *headers,
                               struct eco_blob *blob, const char *type, bool immutable)
{
    struct tile_replies *replies = replies_of(blob);
    struct MHD_Response *response;

    if (!replies)
        return MHD_NO;
    response = tile_response(replies, blob, type, immutable);
    return response ? queue_unless_known(connection, headers, replies->etag, response, blob->size)
                    : MHD_NO;
}
