#include "http/site.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "http/documents.h"

double eco_site_border_elapsed(const struct eco_site_border *border)
{
    return (double)(eco_clock_monotonic_ns() - border->since) * 1e-9;
}

static struct eco_site_border border_of(const struct eco_world_config *world,
                                        const struct eco_site *before)
{
    struct eco_site_border border = {world->border, eco_clock_monotonic_ns()};
    const struct eco_world_config *same =
        before ? eco_config_world(before->config, world->name) : NULL;
    const struct eco_site_border *old;

    if (!same)
        return border;
    old = &before->borders[same - before->config->worlds];
    if (eco_border_moves_alike(&world->border, &same->border)) {
        border.border.diameter = old->border.diameter;
        border.since = old->since;
    } else {
        border.border.diameter = eco_border_diameter(&old->border, eco_site_border_elapsed(old));
    }
    return border;
}

struct eco_site *eco_site_new(const struct eco_config *config, const char *broken,
                              const struct eco_site *before)
{
    struct eco_site *site = calloc(1, sizeof(*site));
    char *text = eco_document_worlds(config, broken);

    if (site && text) {
        site->worlds = eco_document_new_json(text, strlen(text), false);
        site->borders = calloc(config->worlds_count, sizeof(*site->borders));
    }
    free(text);
    if (site && site->worlds && site->borders)
        site->legends = eco_legends_new();
    if (!site || !site->legends) {
        if (site) {
            eco_document_free(site->worlds);
            free(site->borders);
        }
        free(site);
        return NULL;
    }
    atomic_init(&site->references, 1);
    site->config = config;
    eco_config_hold(config);
    for (unsigned w = 0; w < config->worlds_count; w++)
        site->borders[w] = border_of(&config->worlds[w], before);
    return site;
}

void eco_site_incref(struct eco_site *site)
{
    atomic_fetch_add_explicit(&site->references, 1, memory_order_relaxed);
}

void eco_site_decref(struct eco_site *site)
{
    if (!site || atomic_fetch_sub_explicit(&site->references, 1, memory_order_acq_rel) != 1)
        return;
    eco_document_free(site->worlds);
    eco_legends_free(site->legends);
    free(site->borders);
    eco_config_free((struct eco_config *)site->config);
    free(site);
}
