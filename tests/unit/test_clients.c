#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/peers.h"
#include "http/rate.h"

#define SECOND 1000000000u

static struct eco_address address(const char *text)
{
    struct eco_address out;

    assert_true(eco_address_parse(text, strlen(text), &out));
    return out;
}

/* The nth of 2^24. */
static struct eco_address numbered(unsigned n)
{
    return (struct eco_address){
        .size = 4,
        .bytes = {11, (unsigned char)(n >> 16), (unsigned char)(n >> 8), (unsigned char)n}};
}

/* --- rates -------------------------------------------------------------------------------------
 */

static unsigned take(struct eco_rate *rate, const char *text, unsigned tries, uint64_t now)
{
    struct eco_address client = address(text);
    unsigned taken = 0;

    for (unsigned i = 0; i < tries; i++)
        taken += eco_rate_take(rate, &client, 1, 10, 5, now);
    return taken;
}

static void a_burst_is_let_through_and_then_as_many_as_the_rate_says(void **state)
{
    struct eco_rate *rate = NULL;
    uint64_t now = SECOND;
    unsigned taken = 0;

    (void)state;
    assert_int_equal(eco_rate_new(&rate, NULL), 0);
    assert_int_equal(take(rate, "192.0.2.1", 100, now), 5);
    for (unsigned i = 0; i < 1000; i++) {
        now += SECOND / 100;
        taken += take(rate, "192.0.2.1", 3, now);
    }
    assert_in_range(taken, 99, 101);
    /* A rest fills the bucket, but no more than that. */
    assert_int_equal(take(rate, "192.0.2.1", 100, now + 3600ull * SECOND), 5);
    /* A clock that was read earlier takes nothing away. */
    assert_int_equal(take(rate, "192.0.2.1", 100, now), 0);
    eco_rate_free(rate);
}

static void what_costs_more_than_there_is_is_owed(void **state)
{
    const struct eco_address client = address("192.0.2.1");
    struct eco_rate *rate = NULL;
    uint64_t now = SECOND;

    (void)state;
    assert_int_equal(eco_rate_new(&rate, NULL), 0);
    assert_true(eco_rate_take(rate, &client, 25, 10, 5, now));
    assert_false(eco_rate_take(rate, &client, 1, 10, 5, now));
    /* 20 are owed: for two seconds and a tenth. */
    assert_false(eco_rate_take(rate, &client, 1, 10, 5, now + 2 * SECOND));
    assert_true(eco_rate_take(rate, &client, 1, 10, 5, now + 2 * SECOND + SECOND / 5));
    eco_rate_free(rate);
}

static void each_address_has_its_own_bucket_and_a_network_of_ipv6_one(void **state)
{
    const struct eco_address unknown = {0};
    struct eco_rate *rate = NULL;

    (void)state;
    assert_int_equal(eco_rate_new(&rate, NULL), 0);
    assert_int_equal(take(rate, "192.0.2.1", 9, SECOND), 5);
    assert_int_equal(take(rate, "192.0.2.2", 9, SECOND), 5);
    assert_int_equal(take(rate, "2001:db8::1", 3, SECOND), 3);
    assert_int_equal(take(rate, "2001:db8::ffff:1", 9, SECOND), 2);
    assert_int_equal(take(rate, "2001:db8:0:1::1", 9, SECOND), 5);
    for (unsigned i = 0; i < 100; i++)
        assert_true(eco_rate_take(rate, &unknown, 1, 10, 5, SECOND));
    eco_rate_free(rate);
}

static void a_million_addresses_need_no_more_room_and_forget_the_oldest(void **state)
{
    struct eco_rate *rate = NULL;
    struct eco_address client;
    uint64_t now = SECOND;

    (void)state;
    assert_int_equal(eco_rate_new(&rate, NULL), 0);
    for (unsigned i = 0; i < 1000000; i++) {
        client = numbered(i);
        assert_true(eco_rate_take(rate, &client, 1, 1, 1, ++now));
    }
    /* Those of the last moment are remembered. */
    for (unsigned i = 1000000 - 100; i < 1000000; i++) {
        client = numbered(i);
        assert_false(eco_rate_take(rate, &client, 1, 1, 1, now));
    }
    eco_rate_free(rate);
}

/* --- peers -------------------------------------------------------------------------------------
 */

static void connections_are_counted_by_address_in_any_order(void **state)
{
    enum { ADDRESSES = 300, STEPS = 200000 };
    static unsigned counts[ADDRESSES];
    struct eco_peers *peers = NULL;
    struct eco_address client;
    unsigned seed = 1, open = 0;

    (void)state;
    assert_int_equal(eco_peers_new(400, &peers, NULL), 0);
    for (unsigned i = 0; i < STEPS; i++) {
        unsigned which = (unsigned)rand_r(&seed) % ADDRESSES;

        client = numbered(which * 64);
        if (rand_r(&seed) % 2 && open < 400) {
            eco_peers_enter(peers, &client);
            counts[which]++;
            open++;
        } else if (counts[which] > 0) {
            eco_peers_leave(peers, &client);
            counts[which]--;
            open--;
        }
        which = (unsigned)rand_r(&seed) % ADDRESSES;
        client = numbered(which * 64);
        assert_int_equal(eco_peers_count(peers, &client), counts[which]);
    }
    eco_peers_free(peers);
}

static void networks_of_ipv6_count_together_and_unknown_addresses_not_at_all(void **state)
{
    const struct eco_address one = address("2001:db8::1"), two = address("2001:db8::2"),
                             other = address("2001:db8:0:1::1"), unknown = {0};
    struct eco_peers *peers = NULL;

    (void)state;
    assert_int_equal(eco_peers_new(8, &peers, NULL), 0);
    eco_peers_enter(peers, &one);
    eco_peers_enter(peers, &two);
    eco_peers_enter(peers, &unknown);
    assert_int_equal(eco_peers_count(peers, &one), 2);
    assert_int_equal(eco_peers_count(peers, &other), 0);
    assert_int_equal(eco_peers_count(peers, &unknown), 0);
    eco_peers_leave(peers, &unknown);
    eco_peers_leave(peers, &other);
    eco_peers_leave(peers, &one);
    assert_int_equal(eco_peers_count(peers, &two), 1);
    eco_peers_free(peers);
}

struct crowd {
    struct eco_peers *peers;
    struct eco_rate *rate;
    unsigned number, taken;
};

static void *come_and_go(void *argument)
{
    struct crowd *crowd = argument;
    struct eco_address shared = numbered(0);

    for (unsigned i = 0; i < 5000; i++) {
        struct eco_address own = numbered(1 + crowd->number * 100 + i % 50);

        eco_peers_enter(crowd->peers, &shared);
        eco_peers_enter(crowd->peers, &own);
        crowd->taken += eco_rate_take(crowd->rate, &shared, 1, 1, 1000, SECOND);
        eco_peers_leave(crowd->peers, &own);
        eco_peers_leave(crowd->peers, &shared);
    }
    return NULL;
}

static void threads_count_together(void **state)
{
    struct crowd crowds[4] = {{0}};
    struct eco_address shared = numbered(0);
    pthread_t threads[4];
    unsigned taken = 0;

    (void)state;
    assert_int_equal(eco_peers_new(8, &crowds[0].peers, NULL), 0);
    assert_int_equal(eco_rate_new(&crowds[0].rate, NULL), 0);
    for (unsigned i = 0; i < 4; i++) {
        crowds[i].peers = crowds[0].peers;
        crowds[i].rate = crowds[0].rate;
        crowds[i].number = i;
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, &crowds[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        taken += crowds[i].taken;
    }
    assert_int_equal(taken, 1000);
    assert_int_equal(eco_peers_count(crowds[0].peers, &shared), 0);
    eco_peers_free(crowds[0].peers);
    eco_rate_free(crowds[0].rate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_burst_is_let_through_and_then_as_many_as_the_rate_says),
        cmocka_unit_test(what_costs_more_than_there_is_is_owed),
        cmocka_unit_test(each_address_has_its_own_bucket_and_a_network_of_ipv6_one),
        cmocka_unit_test(a_million_addresses_need_no_more_room_and_forget_the_oldest),
        cmocka_unit_test(connections_are_counted_by_address_in_any_order),
        cmocka_unit_test(networks_of_ipv6_count_together_and_unknown_addresses_not_at_all),
        cmocka_unit_test(threads_count_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
