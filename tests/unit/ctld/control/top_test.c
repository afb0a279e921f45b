/* scontrol top: the order of one user's jobs. */
#include "unit/check_main.h"

#include "unit/ctld/control/lab.h"
#include "ctld/control/act/act.h"
#include "ctld/control/job/top.h"

static const char *top(struct lab *lab, uint32_t uid, uint32_t job)
{
    struct caller caller = lab_caller(uid);
    const struct job_top request = { .job_id = job };
    struct job_altered altered;

    job_altered_init(&altered);
    lab->rc = control_top(lab_act(lab, &caller), &request, &altered, NULL);
    return lab_altered(lab, &altered);
}

START_TEST(a_job_goes_before_the_others_of_its_user)
{
    struct lab *lab =
        lab_new(_i ? "nodes=1 cpus=1 multifactor=1 weight_part=1000" : "nodes=1 cpus=1");
    uint32_t jobs[4];

    for (int i = 0; i < 4; i++)
        jobs[i] = lab_submit(lab, "time=60");
    ck_assert_str_eq(top(lab, 0, jobs[3]), "");
    lab_restart(lab, _i ? "nodes=1 cpus=1 multifactor=1 weight_part=1000" : "nodes=1 cpus=1");
    lab_exit(lab, jobs[0], STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, jobs[3]), "RUNNING");
    lab_exit(lab, jobs[3], STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, jobs[1]), "RUNNING");
    lab_exit(lab, jobs[1], STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, jobs[2]), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(other_users_are_not_passed)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t other, first, last;

    lab_submit(lab, "time=60");
    other = lab_submit_as(lab, LAB_OTHER, "time=60");
    first = lab_submit(lab, "time=60");
    last = lab_submit(lab, "time=60");
    top(lab, 0, last);
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, other), "RUNNING");
    lab_exit(lab, other, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, last), "RUNNING");
    ck_assert_str_eq(lab_state(lab, first), "PENDING");
    lab_free(lab);
}
END_TEST

START_TEST(only_operators_and_only_what_waits)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t runs = lab_submit(lab, "");
    const uint32_t held = lab_submit(lab, "hold=1");

    ck_assert_str_eq(top(lab, LAB_USER, held), "Access/permission denied");
    ck_assert_str_eq(top(lab, 0, held), "Job is in held state, pending scheduler release");
    ck_assert_str_eq(top(lab, 0, runs), "Job is no longer pending execution");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(top, LOOP_CASE(a_job_goes_before_the_others_of_its_user, 2),
           CASE(other_users_are_not_passed), CASE(only_operators_and_only_what_waits))
