/* Which sums of a slurmdbd come, and as whose: read from a dump to which rows are appended. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "cli/import/usage.h"
#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "unit/check_main.h"
#include "unit/cli/import/dump_file.h"

#define DUMP "data/import/22.05.sql" /* jobs are of the tenth of March 2025 */

#define FEBRUARY "1738368000"
#define MARCH    "1740787200"
#define APRIL    "1743465600"

#define MONTHS(rows) "INSERT INTO `lab_assoc_usage_month_table` VALUES " rows ";\n"
#define DAYS(rows)   "INSERT INTO `lab_assoc_usage_day_table` VALUES " rows ";\n"
#define ROW(id, tres, at, amount)                                                                  \
    "(1,1,0," #id "," #tres "," at "," #amount ")" /* made, changed, deleted, ... */
#define OLD MONTHS(ROW(13, 1, FEBRUARY, 500))      /* something was purged */

struct told {
    char kind; /* of which this tells: h, d, m, or c for the cluster */
    struct strbuf text;
};

static void tell_row(const struct sum_whole *row, struct strbuf *out)
{
    strbuf_addf(out, " %lld=%llu/%llu/%llu/%llu", (long long)row->at, (unsigned long long)row->cpu,
                (unsigned long long)row->mem, (unsigned long long)row->node,
                (unsigned long long)row->billing);
    if (row->waited)
        strbuf_addf(out, " waited %llu", (unsigned long long)row->waited);
    for (uint32_t i = 0; i < row->more_n; i++)
        strbuf_addf(out, " %s %llu", row->more[i].tres, (unsigned long long)row->more[i].amount);
}

static int take(const struct sums_whole *whole, void *ctx, struct err *err)
{
    struct told *told = ctx;

    ck_assert_int_eq(sums_whole_check(whole, err), 0);
    if (told->kind != (whole->user ? "hdm"[whole->period] : 'c'))
        return 0;
    if (whole->user)
        strbuf_addf(&told->text, "%s/%s", whole->account, whole->user);
    if (whole->partition)
        strbuf_addf(&told->text, "/%s", whole->partition);
    for (uint32_t i = 0; i < whole->apart_n; i++)
        strbuf_addf(&told->text, " without %s", whole->apart[i]);
    for (uint32_t i = 0; i < whole->rows_n; i++)
        tell_row(&whole->rows[i], &told->text);
    strbuf_addc(&told->text, '\n');
    return 0;
}

static void tell_bytes(uint64_t bytes, void *ctx)
{
    (void)bytes;
    (void)ctx;
}

/* Makes one comment of the statement with all jobs. */
static void cut_jobs(char *text)
{
    char *begin = strstr(text, "INSERT INTO `lab_job_table`");
    char *end = strstr(begin, ";\n/*!40000");

    memcpy(begin, "/*", 2);
    memcpy(end - 1, "*/", 2);
}

/* Reads the dump with what is appended, and with its rows of jobs or without. */
static int read_dump(const char *appended, bool has_jobs, struct told *told, struct plan *plan,
                     struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct survey survey;
    struct foreign foreign = { 0 };
    const struct usage usage = { .survey = &survey,
                                 .foreign = &foreign,
                                 .plan = plan,
                                 .take = take,
                                 .tell = tell_bytes,
                                 .ctx = told };
    const int fd = memfd_create("dump", MFD_CLOEXEC);
    struct dump *dump;
    int rc;

    add_file(DUMP, &text);
    if (!has_jobs)
        cut_jobs(text.data);
    strbuf_adds(&text, appended);
    ck_assert_int_eq(write(fd, text.data, text.len), (int)text.len);
    dump = dump_new(fd, "a.sql");
    rc = survey_make(&survey, dump, NULL, "lab", tell_bytes, NULL, err);
    if (rc == 0)
        rc = foreign_make(&foreign, &survey, "lab", err);
    if (rc == 0)
        rc = usage_read(&usage, err);
    foreign_clear(&foreign);
    survey_clear(&survey);
    dump_free(dump);
    close(fd);
    return rc;
}

static const struct {
    const char *title;
    const char *appended;
    char kind;
    bool has_no_jobs;
    const char *told;
    const char *note; /* of the plan, or NULL */
} rows[] = {
    { "no sum comes where no job was purged", "", 'd', false, "", NULL },
    { "a month before jobs, its TRES together",
      MONTHS(ROW(13, 1, FEBRUARY, 500) "," ROW(13, 1, MARCH, 7) "," ROW(13, 4, FEBRUARY, 100)), 'm',
      false, "astro/bob 1738368000=500/0/100/0 1740787200=7/0/0/0\n", NULL },
    { "later months do not come", MONTHS(ROW(13, 1, FEBRUARY, 5) "," ROW(13, 1, APRIL, 7)), 'm',
      false, "astro/bob 1738368000=5/0/0/0\n", NULL },
    { "but where there are no jobs", MONTHS(ROW(13, 1, FEBRUARY, 5) "," ROW(13, 1, APRIL, 7)), 'm',
      true, "astro/bob 1738368000=5/0/0/0 1743465600=7/0/0/0\n", NULL },
    { "times need not rise from TRES to TRES",
      MONTHS(ROW(13, 1, MARCH, 7) "," ROW(13, 1001, FEBRUARY, 3) "," ROW(13, 1001, MARCH, 4)), 'm',
      false, "astro/bob 1738368000=0/0/0/0 gres/gpu 3 1740787200=7/0/0/0 gres/gpu 4\n", NULL },
    { "days of the month come with it", OLD, 'd', false,
      "optics/alice without debug 1741564800=48/0/34/48\nastro/alice 1741564800=12/0/9/12\n"
      "chem/bob 1741564800=15/0/11/15\nastro/bob 1741564800=272/0/275/275 gres/gpu 3\n"
      "astro/carol 1741564800=85/0/82/85 license/matlab 6\n",
      NULL },
    { "an association of a partition has sums of its own",
      MONTHS(ROW(9, 1, FEBRUARY, 1) "," ROW(11, 1, FEBRUARY, 2)), 'm', false,
      "optics/alice without debug 1738368000=1/0/0/0\noptics/alice/debug 1738368000=2/0/0/0\n",
      NULL },
    { "what was removed counts", MONTHS("(1,1,1,13,1," FEBRUARY ",5)"), 'm', false,
      "astro/bob 1738368000=5/0/0/0\n", NULL },
    { "accounts are the sum of their users", MONTHS(ROW(6, 1, FEBRUARY, 5)), 'm', false, "", NULL },
    { "nothing held is nothing to come", MONTHS(ROW(13, 1, FEBRUARY, 0)), 'd', false, "", NULL },
    { "an association that is not there", MONTHS(ROW(99, 1, FEBRUARY, 5)), 'm', false, "",
      "associations have sums that do not come: they are not there, or their names are none here" },
    { "a TRES that is not there", MONTHS(ROW(13, 77, FEBRUARY, 5)), 'm', false, "",
      "sums do not come: their TRES is none of the database" },
    { "a month of another time zone", MONTHS(ROW(13, 1, "1738371600", 5)), 'm', false, "",
      "sums do not come: their day or month began in another time zone" },
    { "more than can be", MONTHS(ROW(13, 1, FEBRUARY, 18446744073709551614)), 'm', false, "",
      "sums do not come: nobody can have held so much" },
    { "months of wckeys",
      OLD "INSERT INTO `lab_wckey_usage_month_table` VALUES " ROW(1, 1, FEBRUARY, 5) ";\n", 'm',
      false, "astro/bob 1738368000=500/0/0/0\n",
      "months have no sums by wckey: those that are there are of no account" },
};

static bool has_note(const struct plan *plan, const char *text)
{
    for (uint32_t i = 0; i < plan->notes_n; i++) {
        if (strcmp(plan->notes[i].text, text) == 0)
            return true;
    }
    return false;
}

START_TEST(sums_of_the_time_before_jobs_come)
{
    struct told told = { .kind = rows[_i].kind };
    struct plan plan = { 0 };
    struct err err = { 0 };

    ck_assert_msg(read_dump(rows[_i].appended, !rows[_i].has_no_jobs, &told, &plan, &err) == 0,
                  "%s: %s", rows[_i].title, err.text);

    ck_assert_msg(strcmp(strbuf_text(&told.text), rows[_i].told) == 0, "%s:\n%s", rows[_i].title,
                  strbuf_text(&told.text));
    if (rows[_i].note)
        ck_assert_msg(has_note(&plan, rows[_i].note), "%s", rows[_i].title);
    ck_assert_uint_eq(plan.notes_n, rows[_i].note != NULL);
    strbuf_clear(&told.text);
    plan_clear(&plan);
}
END_TEST

START_TEST(hours_of_the_cluster_come_with_what_jobs_waited)
{
    struct told told = { .kind = 'c' };
    struct plan plan = { 0 };
    const char *first = " 1741600800=98/0/0/101 waited 91 gres/gpu 3 license/matlab 6"
                        " 1741604400=332/0/0/332 waited 3535";

    ck_assert_int_eq(read_dump(OLD, true, &told, &plan, NULL), 0);

    ck_assert_msg(strncmp(strbuf_text(&told.text), first, strlen(first)) == 0, "%s",
                  strbuf_text(&told.text));
    ck_assert_uint_eq(plan.periods[PERIOD_MONTH], 1);
    ck_assert_uint_eq(plan.periods[PERIOD_DAY], 1);
    ck_assert_uint_eq(plan.periods[PERIOD_HOUR], 2);
    strbuf_clear(&told.text);
    plan_clear(&plan);
}
END_TEST

START_TEST(a_table_that_comes_back_to_an_association_is_refused)
{
    struct told told = { 0 };
    struct plan plan = { 0 };
    struct err err = { 0 };

    ck_assert_int_lt(read_dump(MONTHS(ROW(13, 1, FEBRUARY, 5) "," ROW(9, 1, FEBRUARY, 5) "," ROW(
                                   13, 4, FEBRUARY, 5)),
                               true, &told, &plan, &err),
                     0);

    ck_assert_msg(strstr(err.text, "lab_assoc_usage_month_table are not in the order of id: make "
                                   "the dump with --order-by-primary"),
                  "%s", err.text);
    plan_clear(&plan);
}
END_TEST

static void set_zone(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
}

static void nothing(void)
{
}

CHECK_MAIN_WITH(usage, set_zone, nothing,
                LOOP_CASE(sums_of_the_time_before_jobs_come, ARRAY_N(rows)),
                CASE(hours_of_the_cluster_come_with_what_jobs_waited),
                CASE(a_table_that_comes_back_to_an_association_is_refused))
