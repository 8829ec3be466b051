/*
 * The replies to /legend/{world}[/{layer}].png: drawn when they are first asked for, and kept as
 * long as the configuration, so that a legend never holds up the tiles of its thread.
 * Thread rule: any thread.
 */
#ifndef ECO_HTTP_LEGEND_H
#define ECO_HTTP_LEGEND_H

#include "http/reply.h"
#include "world/config.h"

/* Those that are kept; what is asked for beyond is drawn each time. */
#define ECO_LEGENDS_MAX 256

struct eco_legends;

/* NULL when memory runs out. */
struct eco_legends *eco_legends_new(void);
/* NULL is allowed. */
void eco_legends_free(struct eco_legends *legends);

/* Queues the legend of a layer, or of the biomes for a negative one, at `scale` 1 or 2; from the
 * connection's own thread. The world outlives the legends. MHD_NO when memory runs out. */
enum MHD_Result eco_legends_reply(struct eco_legends *legends, struct MHD_Connection *connection,
                                  const struct eco_headers *headers,
                                  const struct eco_world_config *world, int layer, unsigned scale);

#endif
