/* What is written down of a request: its time and its line of the access log. Private to the http
 * folder. Thread rule: the thread of the request's connection. */
#ifndef ECO_HTTP_JOURNAL_H
#define ECO_HTTP_JOURNAL_H

#include "http/server_internal.h"

/* At the request line, with the raw URL. */
void eco_journal_begin(struct eco_request *request, const char *uri);
/* At the headers. */
void eco_journal_headers(struct eco_request *request, const char *method, const char *version);
/* Calls eco_route_request and remembers from which cache its tile came. */
enum MHD_Result eco_journal_route(struct eco_request *request);
/* A reply was queued. */
void eco_journal_reply(struct eco_request *request, const struct eco_reply_sent *sent);
/* The request is over; `complete`: its reply was sent whole. */
void eco_journal_end(struct eco_request *request, bool complete);

#endif
