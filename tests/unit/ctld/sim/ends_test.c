#include "unit/check_main.h"

#include "ctld/sim/ends.h"

START_TEST(those_of_one_instant_come_in_order_of_start)
{
    struct ends ends = { 0 };
    const struct run_end in[] = {
        { 20, true, 1, 0 },  { 10, true, 3, 1 }, { 10, true, 2, 2 },
        { 10, false, 9, 3 }, { 30, true, 4, 4 }, { 5, true, 8, 5 },
    };
    const uint32_t order[] = { 5, 2, 1, 3, 0, 4 };

    for (uint32_t i = 0; i < 6; i++)
        ends_push(&ends, in[i]);

    for (uint32_t i = 0; i < 6; i++)
        ck_assert_uint_eq(ends_pop(&ends).job, order[i]);
    ck_assert_uint_eq(ends.n, 0);
    ends_clear(&ends);
}
END_TEST

START_TEST(many_come_out_sorted)
{
    struct ends ends = { 0 };
    uint32_t number = 1;
    int64_t last = 0;

    for (uint32_t i = 0; i < 1000; i++) {
        number = number * 1103515245 + 12345;
        ends_push(&ends, (struct run_end){ .at_ms = number >> 20, .serial = i });
    }
    for (uint32_t i = 0; i < 1000; i++) {
        const struct run_end end = ends_pop(&ends);

        ck_assert_int_le(last, end.at_ms);
        last = end.at_ms;
    }
    ends_clear(&ends);
}
END_TEST

CHECK_MAIN(ends, CASE(those_of_one_instant_come_in_order_of_start), CASE(many_come_out_sorted))
