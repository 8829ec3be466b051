/* The reply to /legend/{world}[/{layer}].png. Thread rule: as http/reply.h. */
#ifndef ECO_HTTP_LEGEND_H
#define ECO_HTTP_LEGEND_H

#include "http/server_internal.h"

/* Draws the legend of a layer, or of the biomes for a negative one, and queues it; MHD_NO when
 * memory runs out. */
enum MHD_Result eco_legend_reply(struct eco_request *request, const struct eco_world_config *world,
                                 int layer);

#endif
