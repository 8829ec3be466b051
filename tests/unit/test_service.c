#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/worlds.h"
#include "service_fixture.h"

static void rendered_tile_is_found_in_memory(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7);
    struct eco_blob *rendered, *found;

    start(fixture, false, 1 << 20);
    assert_int_equal(eco_service_lookup(fixture->client, &request, &found), ECO_ENOTFOUND);
    assert_int_equal(render(fixture, &request, &rendered), 0);
    assert_memory_equal(rendered->data, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(eco_service_lookup(fixture->client, &request, &found), 0);
    assert_ptr_equal(found, rendered);
    eco_blob_decref(found);
    eco_blob_decref(rendered);
    assert_int_equal(stats_of(fixture).renders, 1);
    assert_int_equal(stats_of(fixture).memory_hits, 1);
    assert_false(stats_of(fixture).store_open);
    assert_true(stats_of(fixture).memory_bytes > 0);
    stop(fixture);
}

static void tile_is_stored_and_found_by_the_next_service(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7), other = request_of(fixture, 8);
    struct eco_blob *rendered, *found;

    start(fixture, true, 1 << 20);
    assert_int_equal(render(fixture, &request, &rendered), 0);
    stop(fixture);

    start(fixture, true, 0);
    assert_int_equal(eco_service_lookup(fixture->client, &request, &found), 0);
    assert_int_equal(found->size, rendered->size);
    assert_memory_equal(found->data, rendered->data, rendered->size);
    assert_memory_equal(&found->hash, &rendered->hash, sizeof(found->hash));
    assert_int_equal(stats_of(fixture).store_hits, 1);
    eco_blob_decref(found);
    assert_int_equal(eco_service_lookup(fixture->client, &other, &found), ECO_ENOTFOUND);
    stop(fixture);
    eco_blob_decref(rendered);
}

/* A request that missed the tile, whose flight begins only when the tile is there. */
static void tile_that_memory_did_not_keep_is_made_once(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7);
    struct eco_blob *first, *again;

    start(fixture, true, 0);
    assert_int_equal(render(fixture, &request, &first), 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(render(fixture, &request, &again), 0);
        assert_int_equal(again->size, first->size);
        assert_memory_equal(again->data, first->data, first->size);
        assert_memory_equal(&again->hash, &first->hash, sizeof(first->hash));
        eco_blob_decref(again);
        /* At first it waits for the writer, then it is in the file. */
        while (i > 0 && stats_of(fixture).store_pending > 0)
            usleep(1000);
    }
    assert_int_equal(stats_of(fixture).renders, 1);
    assert_int_equal(stats_of(fixture).store_hits, 3);
    eco_blob_decref(first);
    stop(fixture);
}

static void everything_that_decides_the_bytes_is_in_the_key(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7);
    struct eco_world_config changed = fixture->config->worlds[0];
    struct eco_blob *rendered, *found;

    start(fixture, true, 1 << 20);
    assert_int_equal(render(fixture, &request, &rendered), 0);
    eco_blob_decref(rendered);
    for (unsigned part = 0; part < 7; part++) {
        struct eco_tile_request other = request;
        other.seed += part == 0;
        other.layer = part == 1 ? ECO_LAYER_BIOME : other.layer;
        other.tile.zoom -= part == 2;
        other.tile.x += part == 3;
        other.tile.y += part == 4;
        other.tile.scale += part == 5;
        changed.hash += part == 6;
        if (part == 6)
            other.world = &changed;
        assert_int_equal(eco_service_lookup(fixture->client, &other, &found), ECO_ENOTFOUND);
    }
    stop(fixture);
}

static void failed_render_is_told_and_counted(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7);
    struct eco_blob *blob;

    /* There is no such zoom, which the URL parser would have seen. */
    request.tile.zoom = 19;
    start(fixture, true, 1 << 20);
    assert_int_equal(render(fixture, &request, &blob), ECO_EINVAL);
    assert_null(blob);
    assert_int_equal(eco_service_lookup(fixture->client, &request, &blob), ECO_ENOTFOUND);
    assert_int_equal(stats_of(fixture).failed, 1);
    assert_int_equal(stats_of(fixture).renders, 0);
    assert_int_equal(stats_of(fixture).in_flight, 0);
    stop(fixture);
}

static void drained_service_refuses_renders_and_answers_hits(void **state)
{
    struct fixture *fixture = *state;
    struct eco_tile_request request = request_of(fixture, 7), cold = request_of(fixture, 8);
    struct eco_blob *blob;

    start(fixture, false, 1 << 20);
    assert_int_equal(render(fixture, &request, &blob), 0);
    eco_blob_decref(blob);
    eco_service_drain(fixture->service);
    assert_int_equal(render(fixture, &cold, &blob), ECO_ECANCELED);
    assert_int_equal(eco_service_lookup(fixture->client, &request, &blob), 0);
    eco_blob_decref(blob);
    stop(fixture);
}

static void world_version_changes_with_seed_and_config(void **state)
{
    struct fixture *fixture = *state;
    struct eco_world_config changed = fixture->config->worlds[0];
    uint64_t version = eco_service_world_version(&changed, 7);

    assert_true(version == eco_service_world_version(&fixture->config->worlds[0], 7));
    assert_true(version != eco_service_world_version(&changed, 8));
    changed.hash++;
    assert_true(version != eco_service_world_version(&changed, 7));
}

static void worlds_are_opened_once_and_bounded(void **state)
{
    struct fixture *fixture = *state;
    const struct eco_world_config *config = &fixture->config->worlds[0];
    struct eco_worlds *worlds = eco_worlds_new(fixture->config);
    struct eco_seeded_world *held[ECO_SEEDED_WORLDS_MAX + 8], *again;
    const struct eco_world *world, *same;
    const unsigned many = ECO_SEEDED_WORLDS_MAX + 8;

    assert_int_equal(
        eco_worlds_acquire(worlds, config, 1, ECO_BLEND_SCATTERED, &held[0], &world, NULL), 0);
    assert_int_equal(
        eco_worlds_acquire(worlds, config, 1, ECO_BLEND_SCATTERED, &again, &same, NULL), 0);
    assert_ptr_equal(world, same);
    assert_int_equal(eco_worlds_count(worlds), 1);
    eco_worlds_release(worlds, again);
    for (unsigned i = 1; i < many; i++)
        assert_int_equal(
            eco_worlds_acquire(worlds, config, i + 1, ECO_BLEND_SCATTERED, &held[i], &world, NULL),
            0);
    /* What is in use stays, even above the bound. */
    assert_int_equal(eco_worlds_count(worlds), many);
    for (unsigned i = 0; i < many; i++)
        eco_worlds_release(worlds, held[i]);
    assert_int_equal(eco_worlds_count(worlds), ECO_SEEDED_WORLDS_MAX);
    eco_worlds_free(worlds);
}

static void each_method_of_blending_is_a_world_of_its_own(void **state)
{
    struct fixture *fixture = *state;
    const struct eco_world_config *config = &fixture->config->worlds[0];
    struct eco_worlds *worlds = eco_worlds_new(fixture->config);
    struct eco_seeded_world *held[ECO_BLEND_METHODS];
    const struct eco_world *world;

    for (unsigned method = 0; method < ECO_BLEND_METHODS; method++) {
        assert_int_equal(eco_worlds_acquire(worlds, config, 1, (enum eco_blend_method)method,
                                            &held[method], &world, NULL),
                         0);
        assert_int_equal(eco_world_blend(world), method);
        assert_int_equal(eco_worlds_count(worlds), method + 1);
    }
    for (unsigned method = 0; method < ECO_BLEND_METHODS; method++)
        eco_worlds_release(worlds, held[method]);
    eco_worlds_free(worlds);
}

static void world_that_cannot_be_opened_is_not_kept(void **state)
{
    struct fixture *fixture = *state;
    struct eco_world_config unknown = fixture->config->worlds[0];
    struct eco_worlds *worlds = eco_worlds_new(fixture->config);
    struct eco_seeded_world *seeded = NULL;
    const struct eco_world *world = NULL;
    struct eco_error error = {0};

    unknown.name = "unknown";
    for (int round = 0; round < 2; round++) {
        assert_int_equal(
            eco_worlds_acquire(worlds, &unknown, 1, ECO_BLEND_SCATTERED, &seeded, &world, &error),
            ECO_ENOTFOUND);
        assert_non_null(strstr(error.text, "unknown"));
        assert_int_equal(eco_worlds_count(worlds), 0);
    }
    eco_worlds_free(worlds);
}

struct opener {
    struct eco_worlds *worlds;
    const struct eco_world_config *config;
    unsigned failures;
};

static void *open_many(void *argument)
{
    struct opener *opener = argument;

    for (int64_t i = 0; i < 300; i++) {
        struct eco_seeded_world *seeded;
        const struct eco_world *world;

        if (eco_worlds_acquire(opener->worlds, opener->config, i * 7 % 40, ECO_BLEND_SCATTERED,
                               &seeded, &world, NULL)) {
            opener->failures++;
            continue;
        }
        if (eco_world_seed(world) != i * 7 % 40)
            opener->failures++;
        eco_worlds_release(opener->worlds, seeded);
    }
    return NULL;
}

static void threads_share_opened_worlds(void **state)
{
    struct fixture *fixture = *state;
    struct eco_worlds *worlds = eco_worlds_new(fixture->config);
    struct opener openers[4];
    pthread_t threads[4];

    for (unsigned i = 0; i < 4; i++) {
        openers[i] = (struct opener){worlds, &fixture->config->worlds[0], 0};
        assert_int_equal(pthread_create(&threads[i], NULL, open_many, &openers[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(openers[i].failures, 0);
    }
    assert_true(eco_worlds_count(worlds) <= ECO_SEEDED_WORLDS_MAX);
    eco_worlds_free(worlds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rendered_tile_is_found_in_memory),
        TEST(tile_is_stored_and_found_by_the_next_service),
        TEST(tile_that_memory_did_not_keep_is_made_once),
        TEST(everything_that_decides_the_bytes_is_in_the_key),
        TEST(failed_render_is_told_and_counted),
        TEST(drained_service_refuses_renders_and_answers_hits),
        TEST(world_version_changes_with_seed_and_config),
        TEST(worlds_are_opened_once_and_bounded),
        TEST(each_method_of_blending_is_a_world_of_its_own),
        TEST(world_that_cannot_be_opened_is_not_kept),
        TEST(threads_share_opened_worlds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
