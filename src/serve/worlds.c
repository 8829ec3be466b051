#include "serve/worlds.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum state {
    OPENING,
    OPEN,
    FAILED,
};

struct eco_seeded_world {
    struct eco_seeded_world *newer, *older; /* by last use */
    const struct eco_world_config *config;
    const struct eco_config *owner; /* of config; held */
    int64_t seed;
    enum eco_blend_method blend;
    enum state state;
    unsigned users;
    struct eco_world *world;
    struct eco_error error; /* of FAILED */
};

struct eco_worlds {
    const struct eco_config *config; /* worlds of others are not kept; never followed */
    pthread_mutex_t mutex;
    pthread_cond_t opened; /* some world left OPENING */
    struct eco_seeded_world *newest, *oldest;
    unsigned count;
};

struct eco_worlds *eco_worlds_new(const struct eco_config *config)
{
    struct eco_worlds *worlds = calloc(1, sizeof(*worlds));

    if (!worlds)
        return NULL;
    worlds->config = config;
    pthread_mutex_init(&worlds->mutex, NULL);
    pthread_cond_init(&worlds->opened, NULL);
    return worlds;
}

static void link_newest(struct eco_worlds *worlds, struct eco_seeded_world *seeded)
{
    seeded->newer = NULL;
    seeded->older = worlds->newest;
    if (worlds->newest)
        worlds->newest->newer = seeded;
    else
        worlds->oldest = seeded;
    worlds->newest = seeded;
    worlds->count++;
}

static void unlink_seeded(struct eco_worlds *worlds, struct eco_seeded_world *seeded)
{
    if (seeded->newer)
        seeded->newer->older = seeded->older;
    else
        worlds->newest = seeded->older;
    if (seeded->older)
        seeded->older->newer = seeded->newer;
    else
        worlds->oldest = seeded->newer;
    worlds->count--;
}

static void close_chain(struct eco_seeded_world *chain)
{
    while (chain) {
        struct eco_seeded_world *next = chain->older;
        if (chain->world)
            eco_world_close(chain->world);
        eco_config_free((struct eco_config *)chain->owner);
        free(chain);
        chain = next;
    }
}

/* Takes out what is over the bound and not in use; the caller closes it when the mutex is open. */
static struct eco_seeded_world *evict(struct eco_worlds *worlds)
{
    struct eco_seeded_world *chain = NULL;
    struct eco_seeded_world *seeded = worlds->oldest;

    while (seeded) {
        struct eco_seeded_world *newer = seeded->newer;
        bool old = seeded->owner != worlds->config;
        if (seeded->users == 0 && (old || worlds->count > ECO_SEEDED_WORLDS_MAX)) {
            unlink_seeded(worlds, seeded);
            seeded->older = chain;
            chain = seeded;
        }
        seeded = newer;
    }
    return chain;
}

static struct eco_seeded_world *find(struct eco_worlds *worlds,
                                     const struct eco_world_config *config, int64_t seed,
                                     enum eco_blend_method blend)
{
    struct eco_seeded_world *seeded = worlds->newest;

    while (seeded && !(seeded->config == config && seeded->seed == seed && seeded->blend == blend))
        seeded = seeded->older;
    return seeded;
}

/* With the mutex held, which is open while the world is being opened. */
static struct eco_seeded_world *open_world(struct eco_worlds *worlds,
                                           const struct eco_world_config *config, int64_t seed,
                                           enum eco_blend_method blend)
{
    const struct eco_world_options options = {&seed, &blend};
    struct eco_seeded_world *seeded = calloc(1, sizeof(*seeded));
    struct eco_seeded_world *evicted;
    int result;

    if (!seeded)
        return NULL;
    seeded->config = config;
    seeded->owner = config->owner;
    eco_config_hold(seeded->owner);
    seeded->seed = seed;
    seeded->blend = blend;
    seeded->state = OPENING;
    seeded->users = 1;
    link_newest(worlds, seeded);
    evicted = evict(worlds);
    pthread_mutex_unlock(&worlds->mutex);
    close_chain(evicted);
    result = eco_world_open(seeded->owner, config->name, &options, &seeded->world, &seeded->error);
    pthread_mutex_lock(&worlds->mutex);
    seeded->state = result ? FAILED : OPEN;
    pthread_cond_broadcast(&worlds->opened);
    return seeded;
}

int eco_worlds_acquire(struct eco_worlds *worlds, const struct eco_world_config *config,
                       int64_t seed, enum eco_blend_method blend, struct eco_seeded_world **out,
                       const struct eco_world **world, struct eco_error *error)
{
    struct eco_seeded_world *seeded;
    int result = 0;

    pthread_mutex_lock(&worlds->mutex);
    seeded = find(worlds, config, seed, blend);
    if (seeded) {
        seeded->users++;
        unlink_seeded(worlds, seeded);
        link_newest(worlds, seeded);
        while (seeded->state == OPENING)
            pthread_cond_wait(&worlds->opened, &worlds->mutex);
    } else {
        seeded = open_world(worlds, config, seed, blend);
    }
    if (!seeded) {
        result = eco_error_set(error, ECO_ENOMEM, "no memory to open the world %s", config->name);
    } else if (seeded->state == FAILED) {
        result = eco_error_set(error, seeded->error.code, "%s", seeded->error.text);
        /* A failure is not kept: the last who saw it removes it. */
        if (--seeded->users == 0) {
            unlink_seeded(worlds, seeded);
            eco_config_free((struct eco_config *)seeded->owner);
            free(seeded);
        }
    } else {
        *out = seeded;
        *world = seeded->world;
    }
    pthread_mutex_unlock(&worlds->mutex);
    return result;
}

void eco_worlds_release(struct eco_worlds *worlds, struct eco_seeded_world *seeded)
{
    struct eco_seeded_world *evicted;

    pthread_mutex_lock(&worlds->mutex);
    seeded->users--;
    evicted = evict(worlds);
    pthread_mutex_unlock(&worlds->mutex);
    close_chain(evicted);
}

void eco_worlds_replace(struct eco_worlds *worlds, const struct eco_config *config)
{
    struct eco_seeded_world *evicted;

    pthread_mutex_lock(&worlds->mutex);
    worlds->config = config;
    evicted = evict(worlds);
    pthread_mutex_unlock(&worlds->mutex);
    close_chain(evicted);
}

void eco_worlds_free(struct eco_worlds *worlds)
{
    if (!worlds)
        return;
    close_chain(worlds->newest);
    pthread_cond_destroy(&worlds->opened);
    pthread_mutex_destroy(&worlds->mutex);
    free(worlds);
}

unsigned eco_worlds_count(struct eco_worlds *worlds)
{
    unsigned count;

    pthread_mutex_lock(&worlds->mutex);
    count = worlds->count;
    pthread_mutex_unlock(&worlds->mutex);
    return count;
}
