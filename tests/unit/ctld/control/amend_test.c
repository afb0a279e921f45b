/* What may be changed of jobs that are history: which members, by whom, and of whose jobs. */
#include "unit/check_main.h"

#include "unit/ctld/control/acct_desk.h"
#include "ctld/control/job/amend.h"

struct rights_case {
    uint32_t uid;
    enum job_amendment_tag tag;
    int rc;
    bool asks_owner;
};

static const struct rights_case rights[] = {
    { LAB_USER, AMENDMENT_TAG_comment, 0, true },
    { LAB_USER, AMENDMENT_TAG_extra, 0, true },
    { LAB_USER, AMENDMENT_TAG_derived_status, 0, true },
    { LAB_USER, AMENDMENT_TAG_admin_comment, -E_ACCESS, true },
    { LAB_USER, AMENDMENT_TAG_system_comment, -E_ACCESS, true },
    { LAB_USER, AMENDMENT_TAG_wckey, -E_ACCESS, true },
    { 0, AMENDMENT_TAG_comment, 0, false },
    { 0, AMENDMENT_TAG_admin_comment, 0, false },
    { 0, AMENDMENT_TAG_wckey, 0, false },
    { LAB_USER, AMENDMENT_TAG_ends, -E_ACCESS, true },
    { 0, AMENDMENT_TAG_ends, 0, false },
    { 0, AMENDMENT_TAG_user, -EINVAL, false },
};

/* A request about one job, of one member. */
static void fill(struct history_amend *request, uint32_t job_id, uint32_t run,
                 enum job_amendment_tag tag)
{
    history_amend_init(request);
    *ARRAY_PUSH(request->job_ids, request->job_ids_n) = job_id;
    *ARRAY_PUSH(request->runs, request->runs_n) = run;
    request->amendment = xmalloc(sizeof(*request->amendment));
    job_amendment_init(request->amendment);
    *ARRAY_PUSH(request->amendment->set, request->amendment->set_n) = (uint32_t)tag;
}

START_TEST(owners_change_remarks_and_exit_codes_operators_all)
{
    const struct rights_case *row = &rights[_i];
    const struct caller caller = lab_caller(row->uid);
    struct desk desk = desk_new("nodes=1");
    AUTO(history_amend) struct history_amend request;
    bool asks_owner;

    fill(&request, 7, 1, row->tag);

    ck_assert_int_eq(control_amend_check(lab_act(desk.lab, &caller), &request, &asks_owner, NULL),
                     row->rc);
    ck_assert_int_eq(asks_owner, row->asks_owner);
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_of_somebody_else_is_refused_another_run_of_that_number_is_not_meant)
{
    const struct caller caller = lab_caller(LAB_USER);
    struct job_record job = { .id = 7, .launch_number = 1, .uid = BOB };
    AUTO(history_amend) struct history_amend request;
    struct bitset found;

    fill(&request, 7, 1, AMENDMENT_TAG_comment);
    bitset_init(&found, 1);

    ck_assert_int_eq(control_amend_check_owner(&caller, &request, &job, &found, NULL), -E_ACCESS);
    job.launch_number = 2;
    ck_assert_int_eq(control_amend_check_owner(&caller, &request, &job, &found, NULL), 0);
    ck_assert(bitset_is_empty(&found));
    job.launch_number = 1;
    job.uid = LAB_USER;
    ck_assert_int_eq(control_amend_check_owner(&caller, &request, &job, &found, NULL), 0);
    ck_assert(bitset_has(&found, 0));
    bitset_clear(&found);
}
END_TEST

/* Of two jobs that the history has not, one is nowhere and one in memory: somebody's. */
START_TEST(jobs_that_nobody_knows_are_left_out_those_in_memory_are_looked_at)
{
    const struct caller caller = lab_caller(LAB_USER), other = lab_caller(BOB);
    struct desk desk = desk_new("nodes=1");
    const uint32_t id = lab_submit(desk.lab, "");
    AUTO(history_amend) struct history_amend request;
    struct bitset found;

    fill(&request, 4711, 1, AMENDMENT_TAG_comment);
    *ARRAY_PUSH(request.job_ids, request.job_ids_n) = id;
    *ARRAY_PUSH(request.runs, request.runs_n) =
        model_find_job(control_model(desk.lab->control), id)->rec.launch_number;
    bitset_init(&found, 2);

    ck_assert_int_eq(control_amend_drop_unknown(lab_act(desk.lab, &other), &request, &found, NULL),
                     -E_ACCESS);
    ck_assert_int_eq(control_amend_drop_unknown(lab_act(desk.lab, &caller), &request, &found, NULL),
                     0);
    ck_assert_uint_eq(request.job_ids_n, 1);
    ck_assert_uint_eq(request.runs_n, 1);
    ck_assert_uint_eq(request.job_ids[0], id);
    bitset_clear(&found);
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_in_memory_changes_with_the_record_on_disk)
{
    const struct caller caller = lab_caller(0);
    struct desk desk = desk_new("nodes=1");
    const uint32_t id = lab_submit(desk.lab, "");
    struct job *job = model_find_job(control_model(desk.lab->control), id);
    AUTO(history_amend) struct history_amend request;
    struct act *act = lab_act(desk.lab, &caller);
    const struct turn_changes *changes = &act->turn->changes;

    fill(&request, id, job->rec.launch_number, AMENDMENT_TAG_comment);
    request.amendment->comment = xstrdup("slow");

    control_amend(act, &request);

    ck_assert_str_eq(job->rec.spec->comment, "slow");
    ck_assert_uint_eq(changes->changes_n, 2);
    ck_assert_int_eq((int)changes->changes[0].kind, CHANGE_AMEND);
    ck_assert_uint_eq(changes->changes[0].job_id, id);
    ck_assert_int_eq((int)changes->changes[1].kind, CHANGE_EVENT);
    lab_settle(desk.lab);
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_is_named_once_and_its_remarks_are_bounded)
{
    const struct caller caller = lab_caller(LAB_USER);
    struct desk desk = desk_new("nodes=1");
    AUTO(history_amend) struct history_amend twice, large;
    bool asks_owner;

    fill(&twice, 7, 1, AMENDMENT_TAG_comment);
    *ARRAY_PUSH(twice.job_ids, twice.job_ids_n) = 7;
    *ARRAY_PUSH(twice.runs, twice.runs_n) = 1;
    fill(&large, 7, 1, AMENDMENT_TAG_comment);
    large.amendment->comment = xcalloc(1, AMENDMENT_TEXT_MAX + 2);
    memset(large.amendment->comment, 'x', AMENDMENT_TEXT_MAX + 1);

    ck_assert_int_eq(control_amend_check(lab_act(desk.lab, &caller), &twice, &asks_owner, NULL),
                     -EINVAL);
    ck_assert_int_eq(control_amend_check(lab_act(desk.lab, &caller), &large, &asks_owner, NULL),
                     -E2BIG);
    large.amendment->comment[AMENDMENT_TEXT_MAX] = '\0';
    ck_assert_int_eq(control_amend_check(lab_act(desk.lab, &caller), &large, &asks_owner, NULL), 0);
    desk_free(&desk);
}
END_TEST

START_TEST(a_request_names_as_many_runs_as_jobs)
{
    const struct caller caller = lab_caller(0);
    struct desk desk = desk_new("nodes=1");
    AUTO(history_amend) struct history_amend request;
    bool asks_owner;

    fill(&request, 7, 1, AMENDMENT_TAG_comment);
    request.runs_n = 0;

    ck_assert_int_eq(control_amend_check(lab_act(desk.lab, &caller), &request, &asks_owner, NULL),
                     -EINVAL);
    desk_free(&desk);
}
END_TEST

CHECK_MAIN(amend, LOOP_CASE(owners_change_remarks_and_exit_codes_operators_all, ARRAY_N(rights)),
           CASE(a_job_of_somebody_else_is_refused_another_run_of_that_number_is_not_meant),
           CASE(jobs_that_nobody_knows_are_left_out_those_in_memory_are_looked_at),
           CASE(a_job_is_named_once_and_its_remarks_are_bounded),
           CASE(a_job_in_memory_changes_with_the_record_on_disk),
           CASE(a_request_names_as_many_runs_as_jobs))
