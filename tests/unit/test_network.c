#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "base/network.h"

static bool has(const char *list, const char *address)
{
    struct sockaddr_storage place = {0};
    struct sockaddr_in *v4 = (struct sockaddr_in *)&place;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&place;
    struct eco_address read;

    if (strchr(address, ':')) {
        place.ss_family = AF_INET6;
        assert_int_equal(inet_pton(AF_INET6, address, &v6->sin6_addr), 1);
    } else {
        place.ss_family = AF_INET;
        assert_int_equal(inet_pton(AF_INET, address, &v4->sin_addr), 1);
    }

    eco_address_of((struct sockaddr *)&place, &read);
    return eco_network_list_has(list, &read);
}

static void networks_end_at_their_last_bit(void **state)
{
    (void)state;
    assert_true(has("10.1.2.3", "10.1.2.3"));
    assert_false(has("10.1.2.3", "10.1.2.4"));
    assert_true(has("10.0.0.0/9", "10.127.255.255"));
    assert_false(has("10.0.0.0/9", "10.128.0.0"));
    assert_true(has("0.0.0.0/0", "255.255.255.255"));
    assert_true(has("192.168.1.128/25", "192.168.1.255"));
    assert_false(has("192.168.1.128/25", "192.168.1.127"));
    assert_true(has("fd00::/8", "fdff::1"));
    assert_false(has("fd00::/8", "fe00::1"));
    assert_true(has("::/0", "2001:db8::1"));
}

static void any_entry_of_the_list_will_do(void **state)
{
    (void)state;
    assert_true(has("10.0.0.0/8, 127.0.0.1,::1", "127.0.0.1"));
    assert_true(has("10.0.0.0/8, 127.0.0.1,::1", "::1"));
    assert_false(has("10.0.0.0/8, 127.0.0.1,::1", "127.0.0.2"));
    assert_false(has("", "127.0.0.1"));
}

static void families_are_kept_apart_but_for_mapped_addresses(void **state)
{
    (void)state;
    assert_false(has("0.0.0.0/0", "::1"));
    assert_false(has("::/0", "1.2.3.4"));
    assert_true(has("127.0.0.0/8", "::ffff:127.0.0.1"));
    assert_false(has("127.0.0.0/8", "::ffff:128.0.0.1"));
}

static void texts_are_valid_or_not(void **state)
{
    (void)state;
    assert_true(eco_network_list_valid("1.2.3.4/0 ::/128"));
    assert_false(eco_network_list_valid("1.2.3/8"));
    assert_false(eco_network_list_valid("1.2.3.4/1/2"));
    assert_false(eco_network_list_valid("1.2.3.4/999999999999999999999"));
    assert_true(eco_network_prefix_valid(""));
    assert_true(eco_network_prefix_valid("/a/b.c"));
    assert_false(eco_network_prefix_valid("/"));
    assert_false(eco_network_prefix_valid("/a/"));
    assert_false(eco_network_prefix_valid("/a/.."));
    assert_false(eco_network_prefix_valid("/a b"));
    assert_true(eco_network_root_valid("http://[::1]:8080"));
    assert_false(eco_network_root_valid("http://"));
    assert_false(eco_network_root_valid("http://a?b"));
    assert_false(eco_network_host_valid("a/b"));
    assert_false(eco_network_host_valid(""));
}

static void places_to_listen_are_addresses_or_names_with_a_port(void **state)
{
    static const char *const right[] = {
        "127.0.0.1:8080",       "0.0.0.0:0", "[::1]:65535",      "[::]:80", "localhost:80",
        "maps-1.example:00080", "1a:1",      "[fe80::1%eth0]:80"};
    static const char *const wrong[] = {"",
                                        "localhost",
                                        ":80",
                                        "127.0.0.1:",
                                        "127.0.0.1:65536",
                                        "127.0.0.1:-1",
                                        "127.0.0.1:+1",
                                        "127.0.0.1:8o",
                                        "127.0.0.1:000080",
                                        "::1:80",
                                        "[127.0.0.1]:80",
                                        "[]:80",
                                        "[:80",
                                        "256.0.0.1:80",
                                        "1.2.3:80",
                                        "10:80",
                                        "a b:80",
                                        "-a:80",
                                        ".:80",
                                        "a..b:80",
                                        "http://a:80"};

    (void)state;
    for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++)
        assert_true(eco_network_listen_valid(right[i]));
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(eco_network_listen_valid(wrong[i]));
}

static void addresses_are_read_with_and_without_a_port_and_written_plainly(void **state)
{
    static const struct {
        const char *text, *written; /* NULL: no address */
    } cases[] = {
        {"192.0.2.1", "192.0.2.1"},
        {"192.0.2.1:80", "192.0.2.1"},
        {"2001:DB8:0:0::1", "2001:db8::1"},
        {"[2001:db8::1]", "2001:db8::1"},
        {"[2001:db8::1]:65535", "2001:db8::1"},
        {"::ffff:1.2.3.4", "1.2.3.4"},
        {"", NULL},
        {"192.0.2", NULL},
        {"192.0.2.1:", NULL},
        {"192.0.2.1:123456", NULL},
        {"192.0.2.1:8a", NULL},
        {"[192.0.2.1]:80", NULL},
        {"[::1", NULL},
        {"[::1]80", NULL},
        {" 192.0.2.1", NULL},
        {"_hidden", NULL},
        {"1111:1111:1111:1111:1111:1111:1111:1111:1111:1111:1111:1111", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[ECO_ADDRESS_TEXT_MAX];
        struct eco_address address;
        bool read = eco_address_parse(cases[i].text, strlen(cases[i].text), &address);

        assert_int_equal(read, cases[i].written != NULL);
        eco_address_write(&address, text);
        assert_string_equal(text, cases[i].written ? cases[i].written : "-");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_end_at_their_last_bit),
        cmocka_unit_test(any_entry_of_the_list_will_do),
        cmocka_unit_test(families_are_kept_apart_but_for_mapped_addresses),
        cmocka_unit_test(places_to_listen_are_addresses_or_names_with_a_port),
        cmocka_unit_test(texts_are_valid_or_not),
        cmocka_unit_test(addresses_are_read_with_and_without_a_port_and_written_plainly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
