/* Whole sums that cannot be are refused: what is kept of them has to be added up later. */
#include "unit/check_main.h"

#include "common/base/alloc.h"
#include "common/msg/sums.h"
#include "common/text/period.h"

#define PLENTY (SUM_WHOLE_MAX + 1)

static const struct {
    const char *title;
    uint32_t period;
    const char *account, *user, *partition, *apart;
    int64_t at, then; /* 0: there is no second row */
    uint64_t cpu, waited, more;
    const char *tres; /* of `more`; NULL: there is none */
    bool is_good;
} rows[] = {
    { "of a user", PERIOD_MONTH, "a", "u", NULL, NULL, 9, 10, 1, 0, 1, "gres/gpu", true },
    { "of a partition", PERIOD_DAY, "a", "u", "p", NULL, 9, 0, 1, 0, 0, NULL, true },
    { "without one", PERIOD_DAY, "a", "u", NULL, "p", 9, 0, 1, 0, 0, NULL, true },
    { "of the cluster", PERIOD_HOUR, NULL, NULL, NULL, NULL, 9, 0, 1, 2, 0, NULL, true },
    { "the greatest", PERIOD_HOUR, NULL, NULL, NULL, NULL, PERIOD_LAST, 0, SUM_WHOLE_MAX,
      SUM_WHOLE_MAX, SUM_WHOLE_MAX, "x", true },
    { "a period of no kind", PERIODS_N, "a", "u", NULL, NULL, 9, 0, 1, 0, 0, NULL, false },
    { "days of the cluster", PERIOD_DAY, NULL, NULL, NULL, NULL, 9, 0, 1, 0, 0, NULL, false },
    { "an account alone", PERIOD_HOUR, "a", NULL, NULL, NULL, 9, 0, 1, 0, 0, NULL, false },
    { "a user alone", PERIOD_HOUR, NULL, "u", NULL, NULL, 9, 0, 1, 0, 0, NULL, false },
    { "a partition alone", PERIOD_HOUR, NULL, NULL, "p", NULL, 9, 0, 1, 0, 0, NULL, false },
    { "the cluster apart", PERIOD_HOUR, NULL, NULL, NULL, "p", 9, 0, 1, 0, 0, NULL, false },
    { "a partition apart", PERIOD_HOUR, "a", "u", "p", "p", 9, 0, 1, 0, 0, NULL, false },
    { "an empty account", PERIOD_HOUR, "", "u", NULL, NULL, 9, 0, 1, 0, 0, NULL, false },
    { "a user of two lines", PERIOD_HOUR, "a", "u\nv", NULL, NULL, 9, 0, 1, 0, 0, NULL, false },
    { "a partition of two", PERIOD_HOUR, "a", "u", "p,q", NULL, 9, 0, 1, 0, 0, NULL, false },
    { "an empty one apart", PERIOD_HOUR, "a", "u", NULL, "", 9, 0, 1, 0, 0, NULL, false },
    { "before 1970", PERIOD_HOUR, "a", "u", NULL, NULL, -1, 0, 1, 0, 0, NULL, false },
    { "too late", PERIOD_HOUR, "a", "u", NULL, NULL, PERIOD_LAST + 1, 0, 1, 0, 0, NULL, false },
    { "twice the same", PERIOD_HOUR, "a", "u", NULL, NULL, 9, 9, 1, 0, 0, NULL, false },
    { "back in time", PERIOD_HOUR, "a", "u", NULL, NULL, 9, 8, 1, 0, 0, NULL, false },
    { "too much", PERIOD_HOUR, "a", "u", NULL, NULL, 9, 0, PLENTY, 0, 0, NULL, false },
    { "a user's waiting", PERIOD_HOUR, "a", "u", NULL, NULL, 9, 0, 1, 1, 0, NULL, false },
    { "too much waiting", PERIOD_HOUR, NULL, NULL, NULL, NULL, 9, 0, 1, PLENTY, 0, NULL, false },
    { "too much more", PERIOD_HOUR, "a", "u", NULL, NULL, 9, 0, 1, 0, PLENTY, "x", false },
    { "more of nothing", PERIOD_HOUR, "a", "u", NULL, NULL, 9, 0, 1, 0, 1, "", false },
};

static struct sum_whole *add_row(struct sums_whole *whole, int64_t at)
{
    struct sum_whole *row = ARRAY_PUSH(whole->rows, whole->rows_n);

    sum_whole_init(row);
    row->at = at;
    return row;
}

static void fill(struct sums_whole *whole, int i)
{
    struct sum_whole *row = add_row(whole, rows[i].at);

    whole->period = rows[i].period;
    whole->account = xstrdup(rows[i].account);
    whole->user = xstrdup(rows[i].user);
    whole->partition = xstrdup(rows[i].partition);
    if (rows[i].apart)
        *ARRAY_PUSH(whole->apart, whole->apart_n) = xstrdup(rows[i].apart);
    row->cpu = rows[i].cpu;
    row->waited = rows[i].waited;
    if (rows[i].tres) {
        struct acct_amount *more = ARRAY_PUSH(row->more, row->more_n);

        acct_amount_init(more);
        more->tres = xstrdup(rows[i].tres);
        more->amount = rows[i].more;
    }
    if (rows[i].then)
        add_row(whole, rows[i].then);
}

START_TEST(only_what_can_be_is_taken)
{
    AUTO(sums_whole) struct sums_whole whole;
    struct err err = { 0 };
    int rc;

    sums_whole_init(&whole);
    fill(&whole, _i);
    rc = sums_whole_check(&whole, &err);

    ck_assert_msg((rc == 0) == rows[_i].is_good, "%s: %s", rows[_i].title, err.text);
}
END_TEST

START_TEST(so_many_periods_and_no_more)
{
    AUTO(sums_whole) struct sums_whole whole;

    sums_whole_init(&whole);
    while (whole.rows_n < SUMS_WHOLE_ROWS_MAX)
        add_row(&whole, whole.rows_n);
    ck_assert_int_eq(sums_whole_check(&whole, NULL), 0);
    add_row(&whole, whole.rows_n);

    ck_assert_int_lt(sums_whole_check(&whole, NULL), 0);
}
END_TEST

CHECK_MAIN(sums, LOOP_CASE(only_what_can_be_is_taken, ARRAY_N(rows)),
           CASE(so_many_periods_and_no_more))
