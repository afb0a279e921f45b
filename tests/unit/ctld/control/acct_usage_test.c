/* What associations and QOS have used: counted once, whatever dies, and decaying by a formula. */
#include "unit/check_main.h"

#include <math.h>
#include <time.h>

#include "unit/ctld/control/acct_desk.h"
#include "ctld/control/acct/usage.h"

#define PLACE "nodes=2 cpus=4 memory=4000 share_memory=1 multifactor=1 "
#define DAY_S 86400

/* chem (with organic below it) and phys; ann in chem and organic, bob in phys. */
static struct desk begin(const char *config)
{
    struct desk desk = desk_new(config);

    ck_assert_int_eq(add_account(&desk, 0, "chem", "root"), 0);
    ck_assert_int_eq(add_account(&desk, 0, "organic", "chem"), 0);
    ck_assert_int_eq(add_account(&desk, 0, "phys", "root"), 0);
    ck_assert_int_eq(add_user(&desk, 0, "ann", "chem"), 0);
    ck_assert_int_eq(add_user(&desk, 0, "bob", "phys"), 0);
    put_assoc(&desk, "organic", "ann", NULL);
    ck_assert_int_eq(send(&desk, 0), 0);
    return desk;
}

static const struct assoc *assoc(const struct desk *desk, const char *account, const char *user)
{
    AUTO_FREE char *key = acct_assoc_key("lab", account, user, NULL);

    (void)acct_tree_root(desk->lab->control);
    return kept_find(control_kept(desk->lab->control, KEPT_ASSOC), key);
}

static double used(const struct desk *desk, const char *account, const char *user, const char *tres)
{
    return usage_of_assoc(desk->lab->control, desk->lab->now, assoc(desk, account, user), tres,
                          USAGE_OF_ALL);
}

static double used_by_qos(const struct desk *desk, const char *qos, const char *tres)
{
    return usage_of_qos(desk->lab->control, desk->lab->now, qos, tres, USAGE_OF_ALL);
}

static void assert_near(double is, double should)
{
    ck_assert_msg(fabs(is - should) < 0.002, "%.6f, not %.6f", is, should);
}

static void add_qos(struct desk *desk, struct qos_record qos)
{
    struct qos_record record;

    qos_record_init(&record);
    record.name = qos.name;
    record.flags = qos.flags;
    record.usage_factor_above_1 = qos.usage_factor_above_1;
    put(desk, KEPT_ADD, KEPT_QOS, &record);
    ck_assert_int_eq(send(desk, 0), 0);
}

START_TEST(usage_is_that_of_running_and_of_past_jobs_and_goes_up_the_tree)
{
    struct desk desk = begin(PLACE);
    const uint32_t job = lab_submit(desk.lab, "account=organic ntasks=3 mem=1000");

    lab_wait(desk.lab, 10);
    assert_near(used(&desk, "organic", "ann", "cpu"), 30);
    assert_near(used(&desk, "organic", "ann", USAGE_WALL), 10);
    assert_near(used(&desk, "organic", NULL, "mem"), 10000);
    assert_near(used(&desk, "chem", NULL, "node"), 10);
    assert_near(used(&desk, "root", NULL, "billing"), 30);
    assert_near(used(&desk, "chem", "ann", "cpu"), 0);
    assert_near(used(&desk, "phys", NULL, "cpu"), 0);
    assert_near(used_by_qos(&desk, "normal", "cpu"), 30);

    lab_exit(desk.lab, job, STEP_BATCH, 0);
    lab_wait(desk.lab, 50);
    assert_near(used(&desk, "root", NULL, "cpu"), 30);
    assert_near(used(&desk, "organic", "ann", USAGE_WALL), 10);
    assert_near(used_by_qos(&desk, "normal", USAGE_WALL), 10);
    ck_assert_int_eq(lab_job(desk.lab, job)->rec.usage_ms, 0);
    desk_free(&desk);
}
END_TEST

START_TEST(jobs_without_an_association_count_nowhere)
{
    struct desk desk = begin(PLACE);

    lab_submit(desk.lab, "account=phys ntasks=3");
    lab_wait(desk.lab, 10);

    assert_near(used(&desk, "root", NULL, "cpu"), 0);
    assert_near(used_by_qos(&desk, "normal", "cpu"), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(billing_is_by_weights)
{
    struct desk desk = begin(PLACE "bill=CPU=2,Node=5");

    lab_submit(desk.lab, "part=debug account=chem ntasks=3");
    lab_wait(desk.lab, 10);

    assert_near(used(&desk, "chem", "ann", "billing"), 110);
    assert_near(used(&desk, "chem", "ann", "cpu"), 30);
    desk_free(&desk);
}
END_TEST

/* An hour's half-life: a job that runs for t seconds leaves 3600 / ln 2 * (1 - 2^(-t / 3600)) of
 * each of its cpus. */
START_TEST(usage_decays_by_the_formula_however_often_one_looks)
{
    const double hour = 3600 / log(2);
    struct desk desk = begin(PLACE "half_life=3600");
    const uint32_t job = lab_submit(desk.lab, "account=chem ntasks=2");

    for (int i = 0; i < 36; i++) {
        lab_wait(desk.lab, 100);
        used(&desk, "chem", "ann", "cpu");
    }
    assert_near(used(&desk, "chem", "ann", "cpu"), 2 * hour * 0.5);
    lab_exit(desk.lab, job, STEP_BATCH, 0);
    assert_near(used(&desk, "chem", "ann", "cpu"), 2 * hour * 0.5);
    lab_wait(desk.lab, 7200);
    assert_near(used(&desk, "chem", "ann", "cpu"), 2 * hour * 0.125);
    assert_near(used_by_qos(&desk, "normal", "cpu"), 2 * hour * 0.125);
    desk_free(&desk);
}
END_TEST

START_TEST(priority_basic_has_no_decay)
{
    struct desk desk = begin("nodes=2 cpus=4 half_life=3600");
    const uint32_t job = lab_submit(desk.lab, "account=chem");

    lab_wait(desk.lab, 3600);
    lab_exit(desk.lab, job, STEP_BATCH, 0);
    lab_wait(desk.lab, 3600);

    assert_near(used(&desk, "chem", "ann", "cpu"), 3600);
    desk_free(&desk);
}
END_TEST

/* At each place of the story the controller dies and another one goes on from what is on disk. */
enum { AFTER_START, AFTER_SUSPEND, AFTER_RESUME, AFTER_END, DEATHS };

static double story(int dies)
{
    struct desk desk = begin(PLACE "half_life=3600");
    struct lab *lab = desk.lab;
    const uint32_t job = lab_submit(lab, "account=organic ntasks=2 mem=100");
    double result;

    lab_wait(lab, 100);
    if (dies == AFTER_START)
        lab_restart(lab, PLACE "half_life=3600");
    lab_wait(lab, 100);
    lab_suspend(lab, 0, job, false);
    if (dies == AFTER_SUSPEND)
        lab_restart(lab, PLACE "half_life=3600");
    lab_wait(lab, 500);
    lab_suspend(lab, 0, job, true);
    if (dies == AFTER_RESUME)
        lab_restart(lab, PLACE "half_life=3600");
    lab_wait(lab, 300);
    lab_exit(lab, job, STEP_BATCH, 0);
    if (dies == AFTER_END)
        lab_restart(lab, PLACE "half_life=3600");
    lab_wait(lab, 60);
    result = used(&desk, "chem", NULL, "cpu");
    assert_near(used_by_qos(&desk, "normal", "cpu"), result);
    desk_free(&desk);
    return result;
}

START_TEST(a_controller_that_dies_counts_everything_once)
{
    const double whole = story(DEATHS);
    const double hour = 3600 / log(2);

    assert_near(whole, 2 * hour *
                           ((1 - exp2(-200.0 / 3600)) * exp2(-860.0 / 3600) +
                            (1 - exp2(-300.0 / 3600)) * exp2(-60.0 / 3600)));
    assert_near(story(_i), whole);
}
END_TEST

START_TEST(a_requeued_job_counts_for_each_run)
{
    struct desk desk = begin(PLACE);
    const uint32_t job = lab_submit(desk.lab, "account=chem ntasks=2 requeue=2");

    lab_wait(desk.lab, 50);
    lab_requeue(desk.lab, LAB_USER, job, 0);
    assert_near(used(&desk, "chem", "ann", "cpu"), 100);
    while (lab_job(desk.lab, job)->rec.state != JOB_RUNNING)
        lab_wait(desk.lab, 1);
    assert_near(used(&desk, "chem", "ann", "cpu"), 100);
    lab_wait(desk.lab, 25);
    assert_near(used(&desk, "chem", "ann", "cpu"), 150);
    desk_free(&desk);
}
END_TEST

START_TEST(nodes_that_are_given_back_count_no_longer)
{
    struct desk desk = begin(PLACE);
    const uint32_t job = lab_submit(desk.lab, "account=chem nodes=2 ntasks=2");
    AUTO(job_update) struct job_update update;

    lab_wait(desk.lab, 10);
    job_update_init(&update);
    update.job_id = job;
    update.spec = xmalloc(sizeof(*update.spec));
    job_spec_init(update.spec);
    update.spec->min_nodes = 1;
    *ARRAY_PUSH(update.set, update.set_n) = SPEC_TAG_min_nodes;
    lab_change(desk.lab, 0, &update);
    lab_wait(desk.lab, 10);

    assert_near(used(&desk, "chem", "ann", "node"), 30);
    assert_near(used(&desk, "chem", "ann", "cpu"), 30);
    desk_free(&desk);
}
END_TEST

START_TEST(the_qos_weighs_usage_and_another_factor_counts_from_when_it_is_set)
{
    struct desk desk = begin(PLACE);

    add_qos(&desk, (struct qos_record){ .name = TEXT("dear"), .usage_factor_above_1 = 1000000 });
    lab_submit(desk.lab, "account=chem qos=dear ntasks=3");
    lab_wait(desk.lab, 10);
    assert_near(used(&desk, "chem", "ann", "cpu"), 60);
    assert_near(used_by_qos(&desk, "dear", USAGE_WALL), 20);

    set_qos(&desk, "dear", "usage_factor_above_1",
            (struct qos_record){ .usage_factor_above_1 = -500000 });
    ck_assert_int_eq(send(&desk, 0), 0);
    lab_wait(desk.lab, 10);
    assert_near(used(&desk, "chem", "ann", "cpu"), 75);
    lab_restart(desk.lab, PLACE);
    assert_near(used(&desk, "chem", NULL, "cpu"), 75);
    desk_free(&desk);
}
END_TEST

START_TEST(what_a_qos_with_no_decay_has_used_stays)
{
    const double hour = 3600 / log(2);
    struct desk desk = begin(PLACE "half_life=3600");
    uint32_t job;

    add_qos(&desk, (struct qos_record){ .name = TEXT("stay"), .flags = QOS_NO_DECAY });
    job = lab_submit(desk.lab, "account=chem qos=stay");
    lab_wait(desk.lab, 3600);
    assert_near(used_by_qos(&desk, "stay", "cpu"), 3600);
    assert_near(used(&desk, "chem", NULL, "cpu"), hour / 2);
    lab_exit(desk.lab, job, STEP_BATCH, 0);
    lab_wait(desk.lab, 3600);
    assert_near(used_by_qos(&desk, "stay", "cpu"), 3600);
    assert_near(used(&desk, "chem", NULL, "cpu"), hour / 4);

    set_qos(&desk, "stay", "flags", (struct qos_record){ .flags = 0 });
    ck_assert_int_eq(send(&desk, 0), 0);
    lab_wait(desk.lab, 3600);
    assert_near(used_by_qos(&desk, "stay", "cpu"), 1800);
    desk_free(&desk);
}
END_TEST

START_TEST(an_account_that_moves_takes_its_usage_along)
{
    struct desk desk = begin(PLACE);

    lab_submit(desk.lab, "account=organic");
    lab_wait(desk.lab, 10);
    ck_assert_int_eq(move(&desk, 0, "organic", "phys"), 0);
    lab_wait(desk.lab, 10);

    assert_near(used(&desk, "chem", NULL, "cpu"), 0);
    assert_near(used(&desk, "phys", NULL, "cpu"), 20);
    assert_near(used(&desk, "root", NULL, "cpu"), 20);
    desk_free(&desk);
}
END_TEST

/* Many jobs that come and go leave what the sum of their times says. */
START_TEST(sums_stay_those_of_the_jobs)
{
    struct desk desk = begin(PLACE);
    double cpus = 0;

    for (uint32_t i = 0; i < 60; i++) {
        AUTO_FREE char *spec =
            xasprintf("account=%s ntasks=%u", i % 2 ? "chem" : "organic", 1 + i % 4);
        const uint32_t job = lab_submit(desk.lab, spec);

        lab_wait(desk.lab, 1 + i % 7);
        cpus += (1 + i % 4) * (1 + i % 7);
        if (i % 3 == 0)
            assert_near(used(&desk, "chem", NULL, "cpu"), cpus);
        lab_exit(desk.lab, job, STEP_BATCH, 0);
    }
    assert_near(used(&desk, "chem", NULL, "cpu"), cpus);
    lab_restart(desk.lab, PLACE);
    assert_near(used(&desk, "chem", NULL, "cpu"), cpus);
    desk_free(&desk);
}
END_TEST

START_TEST(it_can_be_told_when_usage_will_have_decayed)
{
    struct desk desk = begin(PLACE "half_life=3600");
    const uint32_t job = lab_submit(desk.lab, "account=chem ntasks=2");
    struct lab *lab = desk.lab;
    int64_t due_ms;

    lab_wait(lab, 3600);
    lab_exit(lab, job, STEP_BATCH, 0);
    due_ms =
        usage_of_assoc_below_ms(lab->control, lab->now, assoc(&desk, "chem", "ann"), "cpu", 1000);
    lab_wait(lab, (due_ms - lab->now.cluster_ms) / 1000 - 1);
    ck_assert(used(&desk, "chem", "ann", "cpu") >= 1000);
    lab_wait(lab, 2);
    ck_assert(used(&desk, "chem", "ann", "cpu") < 1000);
    ck_assert_int_eq(
        usage_of_assoc_below_ms(lab->control, lab->now, assoc(&desk, "chem", "ann"), "cpu", 1000),
        lab->now.cluster_ms);
    ck_assert_int_eq(
        usage_of_assoc_below_ms(lab->control, lab->now, assoc(&desk, "chem", "ann"), "cpu", 0),
        INT64_MAX);
    desk_free(&desk);
}
END_TEST

static struct tm date_of(const struct lab *lab)
{
    const time_t at = (time_t)lab->now.wall_s;
    struct tm date;

    localtime_r(&at, &date);
    return date;
}

/* The day begins a month, a quarter or a year; 1 of January 2027 is the wall time of tests. */
static bool is_end_of_period(uint32_t period, const struct tm *date)
{
    switch (period) {
    case PRIORITY_RESET_DAILY:
        return true;
    case PRIORITY_RESET_WEEKLY:
        return date->tm_wday == 0;
    case PRIORITY_RESET_MONTHLY:
        return date->tm_mday == 1;
    case PRIORITY_RESET_QUARTERLY:
        return date->tm_mday == 1 && date->tm_mon % 3 == 0;
    default:
        return date->tm_yday == 0;
    }
}

static double cpus_used_on_the_day(const struct lab *lab)
{
    const struct tm date = date_of(lab);

    return date.tm_hour * 3600 + date.tm_min * 60 + date.tm_sec;
}

START_TEST(usage_is_forgotten_at_the_end_of_a_period_also_of_jobs_that_run)
{
    const uint32_t period = PRIORITY_RESET_DAILY + (uint32_t)_i;
    AUTO_FREE char *config = xasprintf(PLACE "reset=%u", period);
    struct desk desk = begin(config);
    double expected = 0;

    lab_submit(desk.lab, "account=chem part=main");
    for (int day = 0; day < 400; day++) {
        struct tm date;

        lab_wait(desk.lab, DAY_S);
        date = date_of(desk.lab);
        expected =
            is_end_of_period(period, &date) ? cpus_used_on_the_day(desk.lab) : expected + DAY_S;
        ck_assert_msg(fabs(used(&desk, "chem", NULL, "cpu") - expected) < 1, "day %d: %f, not %f",
                      day, used(&desk, "chem", NULL, "cpu"), expected);
    }
    desk_free(&desk);
}
END_TEST

START_TEST(a_controller_that_was_not_there_at_the_end_of_a_period_catches_up)
{
    struct desk desk = begin(PLACE "reset=3");
    const uint32_t job = lab_submit(desk.lab, "account=chem");

    lab_wait(desk.lab, 100);
    lab_exit(desk.lab, job, STEP_BATCH, 0);
    desk.lab->now.wall_s += 8 * DAY_S;
    desk.lab->now.cluster_ms += 8 * DAY_S * INT64_C(1000);
    lab_restart(desk.lab, PLACE "reset=3");

    assert_near(used(&desk, "chem", NULL, "cpu"), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(another_half_life_counts_from_when_it_is_configured)
{
    const double hour = 3600 / log(2);
    struct desk desk = begin(PLACE "half_life=3600");
    struct model_config config = lab_config(PLACE "half_life=7200");

    lab_submit(desk.lab, "account=chem");
    lab_wait(desk.lab, 3600);
    ck_assert_int_eq(control_reconfigure(lab_act(desk.lab, NULL), &config, NULL), 0);
    lab_settle(desk.lab);
    assert_near(used(&desk, "chem", NULL, "cpu"), hour / 2);
    lab_wait(desk.lab, 7200);

    assert_near(used(&desk, "chem", NULL, "cpu"), hour / 4 + hour);
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(acct_usage, CASE(usage_is_that_of_running_and_of_past_jobs_and_goes_up_the_tree),
           CASE(jobs_without_an_association_count_nowhere), CASE(billing_is_by_weights),
           CASE(usage_decays_by_the_formula_however_often_one_looks),
           CASE(priority_basic_has_no_decay),
           LOOP_CASE(a_controller_that_dies_counts_everything_once, DEATHS),
           CASE(a_requeued_job_counts_for_each_run),
           CASE(nodes_that_are_given_back_count_no_longer),
           CASE(the_qos_weighs_usage_and_another_factor_counts_from_when_it_is_set),
           CASE(what_a_qos_with_no_decay_has_used_stays),
           CASE(an_account_that_moves_takes_its_usage_along), CASE(sums_stay_those_of_the_jobs),
           CASE(it_can_be_told_when_usage_will_have_decayed),
           LOOP_CASE(usage_is_forgotten_at_the_end_of_a_period_also_of_jobs_that_run, 5),
           CASE(a_controller_that_was_not_there_at_the_end_of_a_period_catches_up),
           CASE(another_half_life_counts_from_when_it_is_configured))
