/* /api/worlds/{world}/score: the score of a window, see world/score.h. */
#ifndef ECO_HTTP_SCORE_H
#define ECO_HTTP_SCORE_H

#include "http/server_internal.h"
#include "world/score_world.h"

/* Cells of a window of a request, with those around it. */
#define ECO_SCORE_CELLS_MAX ((uint64_t)1100 * 1100)

/* JSON for the caller to free, NULL when memory runs out. */
char *eco_document_score(const struct eco_world_config *world, int64_t seed,
                         const struct eco_score_query *query, const struct eco_score *score);

/* Suspends the request until its score is there, or queues an error. */
enum MHD_Result eco_score_begin(struct eco_request *request, const struct eco_world_config *world,
                                int64_t seed);

/* The request was resumed with its score. */
enum MHD_Result eco_score_end(struct eco_request *request);

#endif
