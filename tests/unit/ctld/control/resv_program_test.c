/* ResvProlog and ResvEpilog: when they are run, and how often. */
#include "unit/check_main.h"

#include <string.h>

#include "unit/ctld/control/resv_desk.h"

#define NODES "nodes=2 cpus=2 timeout=0"

/* Returns the programs that were run, "+r" ResvProlog, "-r" ResvEpilog. Valid until the next
 * call. */
static const char *told(const struct lab *lab)
{
    static char text[256];
    AUTO(strbuf) struct strbuf out = { 0 };

    for (const char *at = strbuf_text(&lab->orders); (at = strstr(at, "head: Resv")); at++) {
        const char *name = strchr(at + 6, ' ') + 1;

        strbuf_addf(&out, "%s%c%.*s", out.len ? " " : "", at[10] == 'P' ? '+' : '-',
                    (int)strcspn(name, "\n"), name);
    }
    snprintf(text, sizeof(text), "%s", strbuf_text(&out));
    return text;
}

START_TEST(programs_run_at_the_begin_and_the_end)
{
    struct lab *lab = lab_new(NODES);

    resv_have(lab, "reservationname=r start=now+60 duration=10 users=root nodes=n1");
    lab_wait(lab, 50);
    ck_assert_str_eq(told(lab), "");

    lab_wait(lab, 20);
    ck_assert_str_eq(told(lab), "+r");

    lab_wait(lab, 700);
    ck_assert_str_eq(told(lab), "+r -r");
    ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    lab_free(lab);
}
END_TEST

START_TEST(programs_run_once_whatever_happens_to_the_controller)
{
    struct lab *lab = lab_new(NODES);

    resv_have(lab, "reservationname=r start=now duration=10 users=root nodes=n1");
    lab_wait(lab, 1);
    ck_assert_str_eq(told(lab), "+r");

    lab_restart(lab, NODES);
    lab_wait(lab, 60);
    ck_assert_str_eq(told(lab), "+r");

    lab_wait(lab, 600);
    lab_restart(lab, NODES);
    lab_wait(lab, 60);
    ck_assert_str_eq(told(lab), "+r -r");
    lab_free(lab);
}
END_TEST

START_TEST(programs_run_each_time_it_comes_again)
{
    struct lab *lab = lab_new(NODES);

    resv_have(lab, "reservationname=r start=now duration=10 users=root nodes=n1 flags=hourly");
    lab_wait(lab, 660);
    ck_assert_str_eq(told(lab), "+r -r");

    lab_wait(lab, 3000);
    ck_assert_str_eq(told(lab), "+r -r +r");

    ck_assert_str_eq(resv_update(lab, "reservationname=r skip"), "");
    lab_wait(lab, 1);
    ck_assert_str_eq(told(lab), "+r -r +r -r");
    lab_free(lab);
}
END_TEST

START_TEST(the_epilog_runs_once_though_jobs_run_on)
{
    struct lab *lab = lab_new(NODES " over_run=4294967295");
    uint32_t job;

    resv_have(lab, "reservationname=r start=now duration=10 users=ann nodes=n1");
    lab_wait(lab, 1);
    job = lab_submit(lab, "ntasks=1 time=3600 resv=r");
    lab_wait(lab, 660);
    ck_assert_str_eq(told(lab), "+r -r");
    ck_assert_str_ne(resv_shown(lab, "r"), "gone");

    lab_cancel(lab, job);
    lab_wait(lab, 60);
    ck_assert_str_eq(resv_shown(lab, "r"), "gone");
    ck_assert_str_eq(told(lab), "+r -r");
    lab_free(lab);
}
END_TEST

START_TEST(the_epilog_runs_for_what_is_purged_and_not_for_what_is_deleted)
{
    struct lab *lab = lab_new(NODES);

    resv_have(lab, "reservationname=r start=now duration=10 users=root nodes=n1");
    resv_have(lab, "reservationname=s start=now duration=10 users=root nodes=n2 "
                   "flags=purge_comp=1");

    lab_wait(lab, 1);
    ck_assert_str_eq(resv_delete(lab, "r"), "");
    lab_wait(lab, 120);

    ck_assert_str_eq(resv_shown(lab, "s"), "gone");
    ck_assert_str_eq(told(lab), "+r +s -s");
    lab_free(lab);
}
END_TEST

START_TEST(nothing_runs_for_one_whose_start_stays_away)
{
    struct lab *lab = lab_new(NODES);

    resv_have(lab,
              "reservationname=r start=now+60 duration=10 users=root nodes=n1 flags=time_float");
    lab_wait(lab, 1200);

    ck_assert_str_eq(told(lab), "");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(resv_program, CASE(programs_run_at_the_begin_and_the_end),
           CASE(programs_run_once_whatever_happens_to_the_controller),
           CASE(programs_run_each_time_it_comes_again),
           CASE(the_epilog_runs_once_though_jobs_run_on),
           CASE(the_epilog_runs_for_what_is_purged_and_not_for_what_is_deleted),
           CASE(nothing_runs_for_one_whose_start_stays_away))
