/* Scores of windows of worlds. Thread rule: as eco_world_sample. */
#ifndef ECO_WORLD_SCORE_WORLD_H
#define ECO_WORLD_SCORE_WORLD_H

#include "world/generator.h"
#include "world/query.h"
#include "world/score.h"

/* The blocks from (x0, z0) up to, not including, (x1, z1), one cell every `step` blocks. */
struct eco_score_query {
    int64_t x0, z0, x1, z1;
    int64_t step;
    struct eco_score_rules rules; /* slopes are rise over run here */
};

/* The rules and the step of a world: a relief's own, those of the paper and one block for others.
 */
void eco_score_defaults(const struct eco_world_config *config, struct eco_score_query *query);

/* ECO_EINVAL and a sentence for an empty window, one outside the world or of more than `most` cells
 * with what is around them, and for rules outside their limits. */
int eco_score_check(const struct eco_score_query *query, uint64_t most, struct eco_error *error);

/* Mean and deviation of the slope in the score are rise over run. `stop` (NULL: never) is asked
 * between slices, when the sampler is empty. Errors: those of eco_score_check with
 * ECO_WORLD_AREA_MAX, of eco_world_sample, and ECO_ECANCELED. */
int eco_score_world(const struct eco_world *world, const struct eco_score_query *query,
                    struct eco_sampler *sampler, const struct eco_query_stop *stop,
                    struct eco_score *score, struct eco_error *error);

#endif
