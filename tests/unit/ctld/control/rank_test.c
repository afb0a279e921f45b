/* Who comes first, and how that changes while jobs wait. */
#include "unit/check_main.h"

#include "unit/ctld/control/lab.h"
#include "ctld/control/load.h"
#include "ctld/control/feed/rank.h"

static uint64_t priority(const struct lab *lab, uint32_t job)
{
    return lab_job(lab, job)->rec.priority;
}

static const struct {
    const char *config, *job;
    uint64_t priority;
} given[] = {
    { "weight_size=1000", "ntasks=4", 500 }, /* 1 of 2 nodes, 4 of 8 cpus */
    { "weight_size=1000", "nodes=2", 625 },
    { "weight_part=1000", "", 100 },
    { "weight_part=1000", "part=debug", 1000 },
    { "weight_part=1000", "part=debug nice=300", 700 },
    { "weight_part=1000", "part=main,debug", 1000 },
    { "weight_tres=cpu=800,mem=1000,node=10", "ntasks=4 mem=500", 655 },
    { "weight_tres=cpu=800,mem=1000,node=10", "ntasks=4", 905 }, /* all memory of a node */
    { "weight_tres=cpu=800,mem=1000,node=10", "ntasks=4 nodes=2", 1410 },
    { "weight_tres=gres/gpu=100,license/x=50", "", 1 },
    { "weight_part=1000", "hold", 0 },
};

START_TEST(new_job_gets_its_factors)
{
    AUTO_FREE char *config = xasprintf("nodes=2 away multifactor %s", given[_i].config);
    struct lab *lab = lab_new(config);

    ck_assert_uint_eq(priority(lab, lab_submit(lab, given[_i].job)), given[_i].priority);
    lab_free(lab);
}
END_TEST

/* As in a Slurm 22.05, which was asked. */
static const struct {
    const char *job, *reason;
    bool is_listed;
} waiting[] = {
    { "time=600", "Resources", true },
    { "part=debug time=3600", "PartitionTimeLimit", true },
    { "hold", "JobHeldUser", false },
    { "begin=3600", "BeginTime", false },
    { "after=afterok:1", "Dependency", false },
};

START_TEST(sprio_lists_who_may_start_by_now_whatever_keeps_him_waiting)
{
    struct lab *lab = lab_new("nodes=1 multifactor weight_part=1000");
    struct priority_info info;
    uint32_t job;

    lab_submit(lab, "time=36000 exclusive=1");
    job = lab_submit(lab, waiting[_i].job);
    ck_assert_str_eq(lab_reason(lab, job), waiting[_i].reason);
    ck_assert_int_eq(control_priority_info(lab->control, lab->now, lab_job(lab, job), 0, &info),
                     waiting[_i].is_listed);
    if (waiting[_i].is_listed)
        priority_info_clear(&info);
    lab_free(lab);
}
END_TEST

#define AGEING "nodes=1 cpus=1 multifactor weight_age=1000 max_age=600 weight_part=500 "

START_TEST(who_waits_rises_until_max_age)
{
    struct lab *lab = lab_new(AGEING);
    uint32_t job;

    lab_submit(lab, "time=36000");
    job = lab_submit(lab, "");
    ck_assert_uint_eq(priority(lab, job), 50);

    lab_wait(lab, 299);
    ck_assert_uint_eq(priority(lab, job), 50);
    lab_wait(lab, 1);
    ck_assert_uint_eq(priority(lab, job), 550);
    lab_wait(lab, 300);
    ck_assert_uint_eq(priority(lab, job), 1050);
    lab_wait(lab, 600);
    ck_assert_uint_eq(priority(lab, job), 1050);
    lab_free(lab);
}
END_TEST

START_TEST(job_that_aged_starts_before_one_that_came_with_more)
{
    struct lab *lab = lab_new(AGEING);
    uint32_t runs = lab_submit(lab, "time=36000"), old, young;

    old = lab_submit(lab, "");
    lab_wait(lab, 300);
    young = lab_submit(lab, "part=debug");
    ck_assert_uint_lt(priority(lab, young), priority(lab, old));
    lab_exit(lab, runs, STEP_BATCH, 0);

    ck_assert_str_eq(lab_state(lab, old), "RUNNING");
    ck_assert_str_eq(lab_state(lab, young), "PENDING");
    lab_free(lab);
}
END_TEST

START_TEST(planner_hears_of_priorities_that_change_while_jobs_wait)
{
    struct lab *lab = lab_new(AGEING "calc_period=60");
    uint32_t runs = lab_submit(lab, "time=36000"), late, begins;

    begins = lab_submit(lab, "part=debug begin=599");
    late = lab_submit(lab, "");
    ck_assert_uint_lt(priority(lab, late), priority(lab, begins));
    lab_wait(lab, 601);
    ck_assert_uint_gt(priority(lab, late), priority(lab, begins));
    lab_exit(lab, runs, STEP_BATCH, 0);

    ck_assert_str_eq(lab_state(lab, late), "RUNNING");
    ck_assert_str_eq(lab_state(lab, begins), "PENDING");
    lab_free(lab);
}
END_TEST

START_TEST(held_jobs_and_set_priorities_stay)
{
    struct lab *lab = lab_new(AGEING);
    uint32_t held, set;

    lab_submit(lab, "time=36000");
    held = lab_submit(lab, "hold");
    set = lab_submit_as(lab, 0, "priority=7");
    lab_wait(lab, 900);

    ck_assert_uint_eq(priority(lab, held), 0);
    ck_assert_uint_eq(priority(lab, set), 7);
    lab_free(lab);
}
END_TEST

START_TEST(job_that_runs_keeps_the_priority_it_started_with)
{
    struct lab *lab = lab_new(AGEING);
    uint32_t job = lab_submit(lab, "time=36000");

    lab_wait(lab, 900);
    ck_assert_uint_eq(priority(lab, job), 50);
    lab_free(lab);

    lab = lab_new(AGEING "priority_flags=2"); /* CALCULATE_RUNNING */
    job = lab_submit(lab, "time=36000");
    lab_wait(lab, 900);
    ck_assert_uint_eq(priority(lab, job), 1050);
    lab_free(lab);
}
END_TEST

static const char *set_site(struct lab *lab, uint32_t uid, uint32_t job, int32_t site)
{
    uint32_t tag = SPEC_TAG_site_factor;
    struct job_spec spec;
    const struct job_update request = {
        .job_id = job, .spec = &spec, .set = &tag, .set_n = 1, .array_limit = COUNT_UNSET
    };
    const char *said;

    job_spec_init(&spec);
    spec.site_factor = site;
    said = lab_change(lab, uid, &request);
    job_spec_clear(&spec);
    return said;
}

START_TEST(site_factor_of_an_operator_raises_and_lowers)
{
    struct lab *lab = lab_new(AGEING);
    struct priority_info info;
    uint32_t job;

    lab_submit(lab, "time=36000");
    job = lab_submit(lab, "");
    ck_assert_str_eq(set_site(lab, 0, job, 500), "");
    ck_assert_uint_eq(priority(lab, job), 550);
    ck_assert(control_priority_info(lab->control, lab->now, lab_job(lab, job), 0, &info));
    ck_assert_int_eq(info.site, 500);
    ck_assert_uint_eq(info.priority, 550);
    priority_info_clear(&info);

    ck_assert_str_eq(set_site(lab, 0, job, -20), "");
    ck_assert_uint_eq(priority(lab, job), 30);
    ck_assert_str_eq(set_site(lab, 0, job, -2147483645), "");
    ck_assert_uint_eq(priority(lab, job), 1);
    lab_free(lab);
}
END_TEST

START_TEST(site_factor_is_not_the_owners)
{
    struct lab *lab = lab_new(AGEING);
    uint32_t job;

    lab_submit(lab, "time=36000");
    job = lab_submit(lab, "");

    ck_assert_str_eq(set_site(lab, LAB_USER, job, 5), err_string(E_ACCESS));

    ck_assert_uint_eq(priority(lab, job), 50);
    lab_free(lab);
}
END_TEST

START_TEST(site_factor_outlives_a_restart_and_what_the_owner_changes)
{
    struct lab *lab = lab_new(AGEING);
    uint32_t job;

    lab_submit(lab, "time=36000");
    job = lab_submit(lab, "");
    set_site(lab, 0, job, 100);
    lab_restart(lab, AGEING);
    ck_assert_uint_eq(priority(lab, job), 150);
    lab_hold(lab, LAB_USER, job, HOLD);
    lab_hold(lab, LAB_USER, job, HOLD_RELEASE);

    ck_assert_uint_eq(priority(lab, job), 150);
    lab_free(lab);
}
END_TEST

START_TEST(restart_and_new_weights_compute_again)
{
    struct lab *lab = lab_new(AGEING);
    uint32_t job;

    lab_submit(lab, "time=36000");
    job = lab_submit(lab, "");
    lab_wait(lab, 150);
    lab_restart(lab, AGEING);
    ck_assert_uint_eq(priority(lab, job), 300);
    lab_restart(lab, "nodes=1 cpus=1 multifactor weight_part=500");
    ck_assert_uint_eq(priority(lab, job), 50);
    lab_free(lab);
}
END_TEST

static void reconfigure(struct lab *lab, const char *text)
{
    struct model_config config = lab_config(text);

    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
    lab_settle(lab);
}

START_TEST(incr_only_never_takes_back)
{
    struct lab *lab = lab_new("nodes=1 away multifactor weight_part=500");
    uint32_t job = lab_submit(lab, "");

    reconfigure(lab, "nodes=1 multifactor weight_part=400 priority_flags=16");
    ck_assert_uint_eq(priority(lab, job), 50);
    reconfigure(lab, "nodes=1 multifactor weight_part=600 priority_flags=16");
    ck_assert_uint_eq(priority(lab, job), 60);
    reconfigure(lab, "nodes=1 multifactor weight_part=400");
    ck_assert_uint_eq(priority(lab, job), 40);
    lab_free(lab);
}
END_TEST

/* Jobs with different factors, some of which age past others, and one that may start in the end. */
static struct lab *tell_story(uint32_t work)
{
    struct lab *lab = lab_new(AGEING "calc_period=60");
    uint32_t runs;

    lab->work = work;
    runs = lab_submit(lab, "time=36000");
    for (uint32_t i = 0; i < 20; i++) {
        AUTO_FREE char *job = xasprintf("%s nice=%u time=%u", i % 3 ? "" : "part=debug",
                                        i * 7 % 5 * 100, 600 + i % 4 * 60);

        lab_submit(lab, job);
        lab_wait(lab, 20);
    }
    lab_exit(lab, runs, STEP_BATCH, 0);
    lab_wait(lab, 240);
    return lab;
}

static const uint32_t slices[] = { 1, 2, 7, 20 };

START_TEST(computed_in_slices_all_happens_as_in_one_piece)
{
    struct lab *whole = tell_story(UINT32_MAX), *sliced = tell_story(slices[_i]);

    for (uint32_t job = 1; job <= 21; job++)
        ck_assert_uint_eq(priority(whole, job), priority(sliced, job));
    ck_assert_uint_eq(whole->turns.len, sliced->turns.len);
    ck_assert_mem_eq(whole->turns.data, sliced->turns.data, whole->turns.len);
    lab_free(whole);
    lab_free(sliced);
}
END_TEST

START_TEST(what_happens_between_slices_is_left_as_it_is)
{
    struct lab *lab = lab_new(AGEING);
    uint32_t jobs[10], late;

    lab_submit(lab, "time=36000");
    for (uint32_t i = 0; i < ARRAY_N(jobs); i++)
        jobs[i] = lab_submit(lab, "");
    lab_wait(lab, 299);
    lab->work = 1;
    lab->lazy = true;
    lab_wait(lab, 1);
    ck_assert_int_eq(lab_cancel(lab, jobs[8]), 0);
    late = lab_submit(lab, "");
    ck_assert_uint_eq(priority(lab, jobs[0]), 50); /* they were answered in between */

    lab->lazy = false;
    lab_settle(lab);
    for (uint32_t i = 0; i < ARRAY_N(jobs); i++)
        ck_assert_uint_eq(priority(lab, jobs[i]), i == 8 ? 50 : 550);
    ck_assert_uint_eq(priority(lab, late), 50);
    lab_free(lab);
}
END_TEST

START_TEST(none_has_aged_before_all_have)
{
    struct lab *lab = lab_new(AGEING);
    uint32_t first, last;

    lab_submit(lab, "time=36000");
    first = lab_submit(lab, "");
    last = lab_submit(lab, "");
    lab_wait(lab, 299);
    lab->work = 1;
    lab->lazy = true;
    lab_wait(lab, 1);
    ck_assert_uint_eq(priority(lab, first), 50);
    lab_settle(lab);
    ck_assert_uint_eq(priority(lab, first), 550);
    ck_assert_uint_eq(priority(lab, last), 550);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(rank, LOOP_CASE(new_job_gets_its_factors, ARRAY_N(given)),
           LOOP_CASE(sprio_lists_who_may_start_by_now_whatever_keeps_him_waiting, ARRAY_N(waiting)),
           CASE(who_waits_rises_until_max_age),
           CASE(job_that_aged_starts_before_one_that_came_with_more),
           CASE(planner_hears_of_priorities_that_change_while_jobs_wait),
           CASE(held_jobs_and_set_priorities_stay),
           CASE(job_that_runs_keeps_the_priority_it_started_with),
           CASE(site_factor_of_an_operator_raises_and_lowers), CASE(site_factor_is_not_the_owners),
           CASE(site_factor_outlives_a_restart_and_what_the_owner_changes),
           CASE(restart_and_new_weights_compute_again), CASE(incr_only_never_takes_back),
           LOOP_CASE(computed_in_slices_all_happens_as_in_one_piece, ARRAY_N(slices)),
           CASE(what_happens_between_slices_is_left_as_it_is), CASE(none_has_aged_before_all_have))
