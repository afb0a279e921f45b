/* How the time of an hour is shared out, as Slurm 22.05 does it. */
#include "unit/check_main.h"

#include "ctld/store/hour.h"

/* What was said of an hour of 8 cpus, and what Slurm's hourly table has for it. */
static const struct {
    uint64_t allocated, down, planned_down, waited;
    struct hour_share share;
} rows[] = {
    { 0, 0, 0, 0, { 28800, 0, 0, 0, 0, 0, 28800 } },
    { 14600, 0, 0, 35800, { 28800, 14600, 0, 0, 14200, 21600, 0 } },
    { 400, 0, 0, 28800, { 28800, 400, 0, 0, 28400, 400, 0 } },
    { 0, 7200, 0, 14400, { 28800, 0, 7200, 0, 14400, 0, 7200 } },
    { 28800, 2400, 0, 0, { 28800, 28800, 0, 0, 0, 0, 0 } },
    { 14400, 21600, 0, 0, { 28800, 14400, 14400, 0, 0, 0, 0 } },
    { 43200, 0, 0, 7200, { 28800, 28800, 0, 0, 0, 7200, 0 } },
    { 21600, 0, 14400, 0, { 28800, 21600, 0, 7200, 0, 0, 0 } },
    { 7200, 14400, 14400, 0, { 28800, 7200, 14400, 7200, 0, 0, 0 } },
    { 0, 14400, 0, 21600, { 28800, 0, 14400, 0, 14400, 7200, 0 } },
};

START_TEST(an_hour_is_shared_out_as_in_slurm)
{
    const struct hour_share *expected = &rows[_i].share;
    struct hour_share share = { .whole = 28800,
                                .allocated = rows[_i].allocated,
                                .down = rows[_i].down,
                                .planned_down = rows[_i].planned_down };

    hour_share_out(&share, rows[_i].waited);

    ck_assert_uint_eq(share.allocated, expected->allocated);
    ck_assert_uint_eq(share.down, expected->down);
    ck_assert_uint_eq(share.planned_down, expected->planned_down);
    ck_assert_uint_eq(share.planned, expected->planned);
    ck_assert_uint_eq(share.over, expected->over);
    ck_assert_uint_eq(share.idle, expected->idle);
    ck_assert_uint_eq(share.allocated + share.down + share.planned_down + share.planned +
                          share.idle,
                      share.whole);
}
END_TEST

CHECK_MAIN(hour, LOOP_CASE(an_hour_is_shared_out_as_in_slurm, sizeof(rows) / sizeof(rows[0])))
