#include "http/site.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "http/documents.h"

struct eco_site *eco_site_new(const struct eco_config *config, const char *broken)
{
    struct eco_site *site = calloc(1, sizeof(*site));
    char *text = eco_document_worlds(config, broken);

    if (site && text)
        site->worlds = eco_document_new_json(text, strlen(text), false);
    free(text);
    if (site && site->worlds)
        site->legends = eco_legends_new();
    if (!site || !site->legends) {
        eco_document_free(site ? site->worlds : NULL);
        free(site);
        return NULL;
    }
    atomic_init(&site->references, 1);
    site->config = config;
    eco_config_hold(config);
    site->since = eco_clock_monotonic_ns();
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
    eco_config_free((struct eco_config *)site->config);
    free(site);
}
