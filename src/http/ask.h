/*
 * Requests that ask about ground: point, area, locate and border of a world. What takes a while is
 * answered by a worker while the connection is suspended, and is given up when the client goes
 * away, the service stops or ECO_QUESTION_MS are over. Private to the http folder.
 */
#ifndef ECO_HTTP_ASK_H
#define ECO_HTTP_ASK_H

#include "http/server_internal.h"

/* Suspends the request and has it answered, or queues an error. */
enum MHD_Result eco_ask_begin(struct eco_request *request, const struct eco_world_config *world,
                              int64_t seed);
/* The reply, once the request is resumed without an error. */
enum MHD_Result eco_ask_end(struct eco_request *request);

/* The border of a world as it is now. */
enum MHD_Result eco_ask_border(struct eco_request *request, const struct eco_world_config *world);

/* Frees what a request holds. NULL is allowed. */
void eco_ask_free(struct eco_ask *ask);

#endif
