#include "serve/worlds.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/queue.h>

enum state {
    OPENING,
    OPEN,
    FAILED,
};

struct eco_seeded_world {
    TAILQ_ENTRY(eco_seeded_world) by_use;
    const struct eco_world_config *config;
    const struct eco_config *owner; /* of config; held */
    int64_t seed;
    enum eco_blend_method blend;
    enum state state;
    unsigned users;
    struct eco_world *world;
    struct eco_error error; /* of FAILED */
};

TAILQ_HEAD(seeded_worlds, eco_seeded_world);

struct eco_worlds {
    const struct eco_config *config; /* worlds of others are not kept; never followed */
    pthread_mutex_t mutex;
    pthread_cond_t opened;       /* some world left OPENING */
    struct seeded_worlds by_use; /* the oldest first */
    unsigned count;
};

struct eco_worlds *eco_worlds_new(const struct eco_config *config)
{
    struct eco_worlds *worlds = calloc(1, sizeof(*worlds));

    if (!worlds)
        return NULL;
    worlds->config = config;
    TAILQ_INIT(&worlds->by_use);
    pthread_mutex_init(&worlds->mutex, NULL);
    pthread_cond_init(&worlds->opened, NULL);
    return worlds;
}

static void close_all(struct seeded_worlds *list)
{
    struct eco_seeded_world *seeded;

    while ((seeded = TAILQ_FIRST(list))) {
        TAILQ_REMOVE(list, seeded, by_use);
        if (seeded->world)
            eco_world_close(seeded->world);
        eco_config_free((struct eco_config *)seeded->owner);
        free(seeded);
    }
}

static void take_out(struct eco_worlds *worlds, struct eco_seeded_world *seeded)
{
    TAILQ_REMOVE(&worlds->by_use, seeded, by_use);
    worlds->count--;
}

/* Moves what is over the bound and not in use to `evicted`, which the caller closes when the mutex
 * is open. */
static void evict(struct eco_worlds *worlds, struct seeded_worlds *evicted)
{
    struct eco_seeded_world *seeded = TAILQ_FIRST(&worlds->by_use);

    TAILQ_INIT(evicted);
    while (seeded) {
        struct eco_seeded_world *newer = TAILQ_NEXT(seeded, by_use);
        bool old = seeded->owner != worlds->config;
        if (seeded->users == 0 && (old || worlds->count > ECO_SEEDED_WORLDS_MAX)) {
            take_out(worlds, seeded);
            TAILQ_INSERT_HEAD(evicted, seeded, by_use);
        }
        seeded = newer;
    }
}

static struct eco_seeded_world *find(struct eco_worlds *worlds,
                                     const struct eco_world_config *config, int64_t seed,
                                     enum eco_blend_method blend)
{
    struct eco_seeded_world *seeded;

    TAILQ_FOREACH_REVERSE (seeded, &worlds->by_use, seeded_worlds, by_use) {
        if (seeded->config == config && seeded->seed == seed && seeded->blend == blend)
            break;
    }
    return seeded;
}

/* With the mutex held, which is open while the world is being opened. */
static struct eco_seeded_world *open_world(struct eco_worlds *worlds,
                                           const struct eco_world_config *config, int64_t seed,
                                           enum eco_blend_method blend)
{
    const struct eco_world_options options = {&seed, &blend};
    struct eco_seeded_world *seeded = calloc(1, sizeof(*seeded));
    struct seeded_worlds evicted;
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
    TAILQ_INSERT_TAIL(&worlds->by_use, seeded, by_use);
    worlds->count++;
    evict(worlds, &evicted);
    pthread_mutex_unlock(&worlds->mutex);
    close_all(&evicted);
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
        TAILQ_REMOVE(&worlds->by_use, seeded, by_use);
        TAILQ_INSERT_TAIL(&worlds->by_use, seeded, by_use);
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
            take_out(worlds, seeded);
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
    struct seeded_worlds evicted;

    pthread_mutex_lock(&worlds->mutex);
    seeded->users--;
    evict(worlds, &evicted);
    pthread_mutex_unlock(&worlds->mutex);
    close_all(&evicted);
}

void eco_worlds_replace(struct eco_worlds *worlds, const struct eco_config *config)
{
    struct seeded_worlds evicted;

    pthread_mutex_lock(&worlds->mutex);
    worlds->config = config;
    evict(worlds, &evicted);
    pthread_mutex_unlock(&worlds->mutex);
    close_all(&evicted);
}

void eco_worlds_free(struct eco_worlds *worlds)
{
    if (!worlds)
        return;
    close_all(&worlds->by_use);
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
