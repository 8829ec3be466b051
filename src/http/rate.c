#include "http/rate.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/hash.h"

#define WAYS 8 /* places an address may stand in */

struct bucket {
    uint64_t group;
    uint64_t since; /* when `tokens` was right; 0: the place is free */
    double tokens;
};

struct eco_rate {
    pthread_mutex_t mutex;
    uint64_t salt; /* so that nobody can choose addresses that share places */
    struct bucket buckets[ECO_RATE_ADDRESSES];
};

int eco_rate_new(struct eco_rate **out, struct eco_error *error)
{
    struct eco_rate *rate = calloc(1, sizeof(*rate));

    if (!rate)
        return eco_error_set(error, ECO_ENOMEM, "no memory for the rates of clients");
    if (getrandom(&rate->salt, sizeof(rate->salt), GRND_NONBLOCK) != sizeof(rate->salt))
        rate->salt = (uint64_t)(uintptr_t)rate;
    pthread_mutex_init(&rate->mutex, NULL);
    *out = rate;
    return 0;
}

void eco_rate_free(struct eco_rate *rate)
{
    if (!rate)
        return;
    pthread_mutex_destroy(&rate->mutex);
    free(rate);
}

/* The address's bucket, full if it is new. */
static struct bucket *find(struct eco_rate *rate, uint64_t group, unsigned burst, uint64_t now)
{
    uint64_t hash = eco_mix64(group ^ rate->salt);
    struct bucket *places = &rate->buckets[hash % (ECO_RATE_ADDRESSES / WAYS) * WAYS];
    struct bucket *oldest = places;

    for (unsigned i = 0; i < WAYS; i++) {
        if (places[i].since > 0 && places[i].group == group)
            return &places[i];
        if (places[i].since < oldest->since)
            oldest = &places[i];
    }
    *oldest = (struct bucket){.group = group, .since = now, .tokens = burst};
    return oldest;
}

bool eco_rate_take(struct eco_rate *rate, const struct eco_address *address, unsigned cost,
                   unsigned per_second, unsigned burst, uint64_t now)
{
    struct bucket *bucket;
    bool taken;

    if (address->size == 0)
        return true;
    pthread_mutex_lock(&rate->mutex);
    bucket = find(rate, eco_address_group(address), burst, now);
    /* Threads read the clock before they get here, not always in the order in which they do. */
    if (now > bucket->since) {
        bucket->tokens += (double)(now - bucket->since) * 1e-9 * per_second;
        bucket->since = now;
    }
    if (bucket->tokens > burst)
        bucket->tokens = burst;
    taken = bucket->tokens >= 1;
    if (taken)
        bucket->tokens -= cost;
    pthread_mutex_unlock(&rate->mutex);
    return taken;
}
