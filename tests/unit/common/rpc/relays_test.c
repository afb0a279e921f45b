#include "unit/check_main.h"

#include "common/rpc/relays.h"

START_TEST(what_is_sent_is_kept_until_it_is_acknowledged)
{
    static uint8_t bytes[] = "abc";
    uint32_t nodes[] = { 1, 2 };
    const struct io_relay relay = { .nodes = nodes, .nodes_n = 2, .data = { bytes, 3 } };
    struct relays relays = { 0 };

    for (uint32_t i = 0; i < 3; i++)
        relays_send(&relays, NULL, &relay);
    ck_assert_uint_eq(relays.kept_n, 3);
    ck_assert_uint_eq(relays.kept[2].number, 3);
    ck_assert_uint_eq(relays.kept[2].nodes_n, 2);

    relays_acknowledged(&relays, 2);
    ck_assert_uint_eq(relays.kept_n, 1);
    ck_assert_uint_eq(relays.kept[0].number, 3);
    ck_assert_uint_eq(relays.kept[0].data.n, 3);
    relays_acknowledged(&relays, 1); /* an old one that was slow */
    ck_assert_uint_eq(relays.kept_n, 1);
    relays_clear(&relays);
}
END_TEST

START_TEST(what_is_repeated_is_taken_but_once_and_in_order)
{
    static const struct {
        uint64_t number;
        bool is_new;
    } come[] = { { 1, true }, { 2, true }, { 1, false }, { 2, false }, { 4, false }, { 3, true } };
    struct relays relays = { 0 };

    for (size_t i = 0; i < ARRAY_N(come); i++) {
        const struct io_relay relay = { .number = come[i].number };

        ck_assert_int_eq(relays_take(&relays, NULL, &relay), come[i].is_new);
    }
    relays_clear(&relays);
}
END_TEST

CHECK_MAIN(relays, CASE(what_is_sent_is_kept_until_it_is_acknowledged),
           CASE(what_is_repeated_is_taken_but_once_and_in_order))
