/*
 * Errors as the services of the Open Geospatial Consortium tell them: an XML report with a code and
 * what it is about (OGC 06-121r3, clause 8; the statuses are those of WMTS 1.0.0, OGC 07-057r7).
 * Thread rule: pure functions.
 */
#ifndef ECO_HTTP_OWS_H
#define ECO_HTTP_OWS_H

#include <stddef.h>

#include "base/buffer.h"
#include "http/url.h"

/* Appends text to go between tags or quotes of XML; what XML does not allow becomes a question
 * mark. */
void eco_ows_text(const char *text, size_t length, struct eco_buffer *out);

/* Appends the report; an empty locator is left out. */
void eco_ows_report(enum eco_ows_code code, struct eco_slice locator, const char *sentence,
                    struct eco_buffer *out);

/* The HTTP status of a code; `otherwise` for ECO_OWS_OTHER. */
unsigned eco_ows_status(enum eco_ows_code code, unsigned otherwise);

#endif
