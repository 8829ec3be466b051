#include "http/peers.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/hash.h"

struct peer {
    uint64_t group;
    unsigned count; /* 0: the place is free */
};

/* Open addressing: a peer stands at its hash or, without a gap, behind it. */
struct eco_peers {
    pthread_mutex_t mutex;
    size_t mask;
    struct peer *places;
};

int eco_peers_new(unsigned connections, struct eco_peers **out, struct eco_error *error)
{
    struct eco_peers *peers = calloc(1, sizeof(*peers));
    size_t size = 16;

    /* At most half full. */
    while (size < 2 * (size_t)connections)
        size *= 2;
    if (peers)
        peers->places = calloc(size, sizeof(*peers->places));
    if (!peers || !peers->places) {
        free(peers);
        return eco_error_set(error, ECO_ENOMEM, "no memory to count connections");
    }
    peers->mask = size - 1;
    pthread_mutex_init(&peers->mutex, NULL);
    *out = peers;
    return 0;
}

void eco_peers_free(struct eco_peers *peers)
{
    if (!peers)
        return;
    pthread_mutex_destroy(&peers->mutex);
    free(peers->places);
    free(peers);
}

static size_t home_of(const struct eco_peers *peers, uint64_t group)
{
    return (size_t)eco_mix64(group) & peers->mask;
}

/* The address's place, or the free one where it would stand. */
static size_t find(const struct eco_peers *peers, uint64_t group)
{
    size_t at = home_of(peers, group);

    while (peers->places[at].count > 0 && peers->places[at].group != group)
        at = (at + 1) & peers->mask;
    return at;
}

unsigned eco_peers_count(struct eco_peers *peers, const struct eco_address *address)
{
    unsigned count;

    if (address->size == 0)
        return 0;
    pthread_mutex_lock(&peers->mutex);
    count = peers->places[find(peers, eco_address_group(address))].count;
    pthread_mutex_unlock(&peers->mutex);
    return count;
}

void eco_peers_enter(struct eco_peers *peers, const struct eco_address *address)
{
    struct peer *peer;

    if (address->size == 0)
        return;
    pthread_mutex_lock(&peers->mutex);
    peer = &peers->places[find(peers, eco_address_group(address))];
    peer->group = eco_address_group(address);
    peer->count++;
    pthread_mutex_unlock(&peers->mutex);
}

/* Moves up those behind the free place that stand there only because it was taken. */
static void close_gap(struct eco_peers *peers, size_t gap)
{
    for (size_t at = (gap + 1) & peers->mask; peers->places[at].count > 0;
         at = (at + 1) & peers->mask) {
        size_t home = home_of(peers, peers->places[at].group);

        if (((at - home) & peers->mask) >= ((at - gap) & peers->mask)) {
            peers->places[gap] = peers->places[at];
            peers->places[at].count = 0;
            gap = at;
        }
    }
}

void eco_peers_leave(struct eco_peers *peers, const struct eco_address *address)
{
    size_t at;

    if (address->size == 0)
        return;
    pthread_mutex_lock(&peers->mutex);
    at = find(peers, eco_address_group(address));
    if (peers->places[at].count > 0 && --peers->places[at].count == 0)
        close_gap(peers, at);
    pthread_mutex_unlock(&peers->mutex);
}
