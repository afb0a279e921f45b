/* Words, their order and how far they may be cut short are those of a Slurm 22.05. */
#include "unit/check_main.h"

#include <string.h>

#include "common/msg/reservation.h"

static const struct {
    const char *word;
    uint64_t flags;
} typed[] = {
    { "MAINT", RESV_MAINT },
    { "mai", RESV_MAINT },
    { "Flex", RESV_FLEX },
    { "f", RESV_FLEX },
    { "o", RESV_OVERLAP },
    { "i", RESV_IGNORE_JOBS },
    { "h", RESV_HOURLY },
    { "d", RESV_DAILY },
    { "week", RESV_WEEKDAY },
    { "weeke", RESV_WEEKEND },
    { "weekl", RESV_WEEKLY },
    { "any", RESV_ANY_NODES },
    { "a", RESV_ANY_NODES },
    { "license_only", RESV_ANY_NODES | RESV_LICENSE_ONLY },
    { "static", RESV_STATIC_ALLOC },
    { "static_alloc", RESV_STATIC_ALLOC },
    { "pa", RESV_PART_NODES },
    { "fi", RESV_FIRST_CORES },
    { "t", RESV_TIME_FLOAT },
    { "replace", RESV_REPLACE },
    { "r", RESV_REPLACE },
    { "replace_", RESV_REPLACE_DOWN },
    { "pu", RESV_PURGE_COMP },
    { "no_hold_jobs_after", RESV_NO_HOLD_JOBS },
    { "NO_HOLD_JOBS_AFTER_END", RESV_NO_HOLD_JOBS },
    { "mag", RESV_MAGNETIC },
    { "user_delete", RESV_USER_DELETE },
    { "force_start", RESV_FORCE_START },
    /* none: too short, too long, or what only the controller sets */
    { "ma", 0 },
    { "p", 0 },
    { "", 0 },
    { "dailyx", 0 },
    { "spec_nodes", 0 },
    { "all_nodes", 0 },
    { "nonsense", 0 },
};

START_TEST(a_flag_is_read_in_any_case_and_cut_short)
{
    ck_assert_uint_eq(reservation_flag_read(typed[_i].word, strlen(typed[_i].word)),
                      typed[_i].flags);
}
END_TEST

START_TEST(only_so_many_letters_are_read)
{
    ck_assert_uint_eq(reservation_flag_read("daily=5", 5), RESV_DAILY);
}
END_TEST

static const struct {
    uint64_t flags;
    uint32_t purge_comp_s;
    const char *text;
} shown[] = {
    { 0, 0, "" },
    { RESV_MAINT | RESV_FLEX | RESV_OVERLAP | RESV_IGNORE_JOBS | RESV_HOURLY | RESV_SPEC_NODES |
          RESV_STATIC_ALLOC | RESV_PART_NODES | RESV_FIRST_CORES | RESV_PURGE_COMP |
          RESV_NO_HOLD_JOBS | RESV_MAGNETIC,
      7200,
      "MAINT,FLEX,OVERLAP,IGNORE_JOBS,HOURLY,SPEC_NODES,STATIC,PART_NODES,FIRST_CORES,"
      "PURGE_COMP=02:00:00,NO_HOLD_JOBS_AFTER_END,MAGNETIC" },
    { RESV_SPEC_NODES | RESV_ALL_NODES | RESV_MAINT | RESV_IGNORE_JOBS, 0,
      "MAINT,IGNORE_JOBS,SPEC_NODES,ALL_NODES" },
    { RESV_STATIC_ALLOC | RESV_TIME_FLOAT | RESV_REPLACE | RESV_REPLACE_DOWN, 0,
      "STATIC,TIME_FLOAT,REPLACE,REPLACE_DOWN" },
    { RESV_COMES_AGAIN, 0, "HOURLY,DAILY,WEEKDAY,WEEKEND,WEEKLY" },
    { RESV_SPEC_NODES | RESV_ANY_NODES, 0, "SPEC_NODES,ANY_NODES" },
    { RESV_LICENSE_ONLY | RESV_ANY_NODES, 0, "ANY_NODES" },
};

START_TEST(flags_are_shown_in_the_order_of_slurm)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    strbuf_adds(&out, "Flags=");
    reservation_flags_format(shown[_i].flags, shown[_i].purge_comp_s, &out);

    ck_assert_str_eq(strbuf_text(&out) + strlen("Flags="), shown[_i].text);
}
END_TEST

START_TEST(a_bit_has_the_word_that_is_shown)
{
    ck_assert_str_eq(reservation_flag_word(RESV_STATIC_ALLOC), "STATIC");
    ck_assert_str_eq(reservation_flag_word(RESV_LICENSE_ONLY), "ANY_NODES");
    ck_assert_ptr_null(reservation_flag_word(UINT64_C(1) << 60));
}
END_TEST

CHECK_MAIN(reservation, LOOP_CASE(a_flag_is_read_in_any_case_and_cut_short, ARRAY_N(typed)),
           CASE(only_so_many_letters_are_read),
           LOOP_CASE(flags_are_shown_in_the_order_of_slurm, ARRAY_N(shown)),
           CASE(a_bit_has_the_word_that_is_shown))
