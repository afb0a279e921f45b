#include <errno.h>
#include <string.h>

#include "common/net/addr.h"
#include "unit/check_main.h"

static const struct {
    const char *text;
    const char *host; /* NULL: refused */
    uint16_t port;
} rows[] = {
    { "head", "head", 6817 },
    { "head:7000", "head", 7000 },
    { "10.0.0.1", "10.0.0.1", 6817 },
    { "10.0.0.1:1", "10.0.0.1", 1 },
    { "[::1]:65535", "::1", 65535 },
    { "[fe80::1]", "fe80::1", 6817 },
    { "fe80::1", "fe80::1", 6817 },
    { "", NULL, 0 },
    { ":80", NULL, 0 },
    { "head:", NULL, 0 },
    { "head:0", NULL, 0 },
    { "head:65536", NULL, 0 },
    { "head:99999999999999999999", NULL, 0 },
    { "head:-1", NULL, 0 },
    { "head:80x", NULL, 0 },
    { "[::1", NULL, 0 },
    { "[::1]80", NULL, 0 },
    { "[]:80", NULL, 0 },
};

START_TEST(host_and_port_come_apart)
{
    AUTO_FREE char *host = NULL;
    uint16_t port = 0;
    struct err err = { 0 };
    int rc = net_host_port_parse(rows[_i].text, 6817, &host, &port, &err);

    if (rows[_i].host) {
        ck_assert_int_eq(rc, 0);
        ck_assert_str_eq(host, rows[_i].host);
        ck_assert_uint_eq(port, rows[_i].port);
    } else {
        ck_assert_int_eq(rc, -EINVAL);
        ck_assert_ptr_nonnull(strstr(err.text, rows[_i].text));
    }
}
END_TEST

START_TEST(a_host_name_has_a_longest)
{
    char text[NET_HOST_MAX + 2];
    AUTO_FREE char *host = NULL;
    uint16_t port;

    memset(text, 'a', sizeof(text));
    text[NET_HOST_MAX + 1] = '\0';
    ck_assert_int_eq(net_host_port_parse(text, 1, &host, &port, NULL), -EINVAL);
    ck_assert_int_eq(net_host_port_parse(text + 1, 1, &host, &port, NULL), 0);
}
END_TEST

START_TEST(addresses_in_numbers_print_as_written)
{
    static const char *const texts[][2] = { { "10.0.0.1", "10.0.0.1:7" },
                                            { "::1", "[::1]:7" },
                                            { "::ffff:10.0.0.1", "10.0.0.1:7" } };
    struct net_addr addr;

    ck_assert_int_eq(net_addr_parse(texts[_i][0], 7, &addr, NULL), 0);
    AUTO_FREE char *text = net_addr_text(&addr);

    ck_assert_str_eq(text, texts[_i][1]);
    ck_assert_uint_eq(net_addr_port(&addr), 7);
}
END_TEST

START_TEST(a_name_is_no_address)
{
    struct net_addr addr;

    ck_assert_int_eq(net_addr_parse("localhost", 7, &addr, NULL), -EINVAL);
    ck_assert_int_eq(net_addr_parse("", 7, &addr, NULL), -EINVAL);
}
END_TEST

CHECK_MAIN(addr, LOOP_CASE(host_and_port_come_apart, ARRAY_N(rows)),
           CASE(a_host_name_has_a_longest), LOOP_CASE(addresses_in_numbers_print_as_written, 3),
           CASE(a_name_is_no_address))
