#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "http/forwarded.h"
#include "http/root.h"

#define TRUSTED "10.0.0.0/8, ::1"

static const char *client_of(const struct eco_headers *headers, const char *peer)
{
    static char text[ECO_ADDRESS_TEXT_MAX];
    struct eco_address address, client;

    assert_true(eco_address_parse(peer, strlen(peer), &address));
    eco_forwarded_client(TRUSTED, headers, &address, &client);
    eco_address_write(&client, text);
    return text;
}

static void the_client_is_the_last_who_is_no_proxy(void **state)
{
    static const struct {
        const char *list, *client;
    } cases[] = {
        {"192.0.2.1", "192.0.2.1"},
        {"6.6.6.6, 192.0.2.1", "192.0.2.1"},
        {"6.6.6.6,192.0.2.1 , 10.1.1.1,\t10.2.2.2", "192.0.2.1"},
        {"10.1.1.1, 10.2.2.2", "10.1.1.1"},
        {"2001:db8::1", "2001:db8::1"},
        {"[2001:db8::1]:80", "2001:db8::1"},
        {"192.0.2.1:4711", "192.0.2.1"},
        {"::ffff:192.0.2.1", "192.0.2.1"},
        {"192.0.2.1, unknown", "10.0.0.1"},
        {"192.0.2.1, ", "192.0.2.1"},
        {"", "10.0.0.1"},
        {",", "10.0.0.1"},
        {"192.0.2.1:x", "10.0.0.1"},
        {"192.0.2.256", "10.0.0.1"},
        {"1.1.1.1\n", "10.0.0.1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct eco_headers headers = {.forwarded_for = cases[i].list};

        assert_string_equal(client_of(&headers, "10.0.0.1"), cases[i].client);
    }
}

static void the_standard_header_says_the_same(void **state)
{
    static const struct {
        const char *header, *client;
    } cases[] = {
        {"for=192.0.2.1", "192.0.2.1"},
        {"For=6.6.6.6, FOR=192.0.2.1;proto=https;by=10.1.1.1, for=10.2.2.2", "192.0.2.1"},
        {"for=\"[2001:db8::1]:4711\";host=a", "2001:db8::1"},
        {"for=\"192.0.2.1:80\"", "192.0.2.1"},
        {"for=\"192.0.2\\.1\"", "192.0.2.1"},
        {"host=\"a, for=6.6.6.6\";for=192.0.2.1", "192.0.2.1"},
        {"for=192.0.2.1, for=_hidden", "10.0.0.1"},
        {"for=192.0.2.1, for=\"10.1", "10.0.0.1"},
        {"for", "10.0.0.1"},
        {"proto=https", "10.0.0.1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct eco_headers headers = {.forwarded = cases[i].header};

        assert_string_equal(client_of(&headers, "10.0.0.1"), cases[i].client);
        assert_string_equal(client_of(&headers, "192.0.2.99"), "192.0.2.99");
    }
}

static void of_both_headers_the_older_one_counts(void **state)
{
    const struct eco_headers both = {.forwarded_for = "192.0.2.1",
                                     .forwarded = "for=192.0.2.2;host=b;proto=https"};
    const struct eco_headers other = {.forwarded_prefix = "/a",
                                      .forwarded = "for=192.0.2.2;host=b"};
    struct eco_forwarded read;

    (void)state;
    assert_string_equal(client_of(&both, "10.0.0.1"), "192.0.2.1");
    assert_string_equal(client_of(&other, "10.0.0.1"), "10.0.0.1");
    assert_int_equal(eco_forwarded_read(&both, &read, NULL), 0);
    assert_false(read.has_host);
    assert_null(read.scheme);
}

static void the_root_is_what_the_standard_header_says(void **state)
{
    static const struct {
        const char *header, *root; /* NULL: refused */
    } cases[] = {
        {"host=maps.example;proto=https", "https://maps.example"},
        {"for=1.2.3.4 ; host=\"[::1]:80\"; proto=HTTP", "http://[::1]:80"},
        {"host=evil;proto=http, host=good.example;proto=https", "https://good.example"},
        {"host=evil, proto=https", "https://inner"},
        {"for=1.2.3.4", "http://inner"},
        {"", "http://inner"},
        {"proto=ftp", NULL},
        {"host=\"a/b\"", NULL},
        {"host=\"", NULL},
        {"host=", NULL},
        {"=a", NULL},
        {"host=a b", NULL},
        {"host=\"a\\", NULL},
    };
    struct eco_server_config config = {.trusted_proxies = TRUSTED};
    struct eco_address proxy;
    char root[ECO_ROOT_MAX];

    (void)state;
    assert_true(eco_address_parse("::1", 3, &proxy));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct eco_headers headers = {.host = "inner", .forwarded = cases[i].header};
        struct eco_error error = {0};
        int code = eco_root_write(&config, &headers, &proxy, "fallback", root, &error);

        assert_int_equal(code, cases[i].root ? 0 : ECO_EINVAL);
        if (cases[i].root)
            assert_string_equal(root, cases[i].root);
        else
            assert_true(strlen(error.text) > 0);
    }
}

static void a_text_longer_than_a_host_is_refused(void **state)
{
    char header[2048] = "host=";
    const struct eco_headers headers = {.forwarded = header};
    struct eco_forwarded read;

    (void)state;
    memset(header + 5, 'a', ECO_HOST_MAX);
    assert_int_equal(eco_forwarded_read(&headers, &read, NULL), 0);
    assert_int_equal(strlen(read.host), ECO_HOST_MAX);
    header[5 + ECO_HOST_MAX] = 'a';
    assert_int_equal(eco_forwarded_read(&headers, &read, NULL), ECO_EINVAL);
    header[5] = '"';
    header[6 + ECO_HOST_MAX + 1] = '"';
    assert_int_equal(eco_forwarded_read(&headers, &read, NULL), ECO_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_client_is_the_last_who_is_no_proxy),
        cmocka_unit_test(the_standard_header_says_the_same),
        cmocka_unit_test(of_both_headers_the_older_one_counts),
        cmocka_unit_test(the_root_is_what_the_standard_header_says),
        cmocka_unit_test(a_text_longer_than_a_host_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
