/* What is accepted, what is refused with which words, and what waits although it cannot start. */
#include "unit/check_main.h"

#include <errno.h>

#include "unit/ctld/control/lab.h"
#include "ctld/control/control.h"
#include "ctld/control/answer/info.h"
#include "ctld/control/answer/question.h"
#include "ctld/control/act/state.h"

static const struct {
    const char *job;
    int code;
    const char *text; /* how it begins */
} refused[] = {
    { "part=nope", E_PARTITION_NAME, "invalid partition specified: nope" },
    { "on=mars", E_NODE_NAME, "Invalid node name specified: mars" },
    { "not=mars", E_NODE_NAME, "Invalid node name specified: mars" },
    { "nodes=0", E_NODE_COUNT, "--nodes: 0 is not between 1 and 65536" },
    { "nodes=1024000000 max_nodes=1024000000", E_TOO_MANY_CPUS,
      "--nodes: 1024000000 is more than 65536" },
    { "nodes=3 max_nodes=2", E_NODE_COUNT, "Node count specification invalid" },
    { "ntasks=0", E_TASK_COUNT, "--ntasks: 0 is not between 1 and 1048576" },
    { "cpus=5", E_NODE_CONFIG,
      "Requested node configuration is not available: no node of partition main has 5 cpus, 4 at "
      "most" },
    { "mem=99999", E_NODE_CONFIG,
      "Requested node configuration is not available: no node of partition main has 99999 MB of "
      "memory, 1000 at most" },
    { "not=n[1-3]", E_NODE_CONFIG, "Requested node configuration is not available" },
    { "tmp=5", E_NODE_CONFIG, "Requested node configuration is not available" },
    { "sockets=9", E_NODE_CONFIG, "Requested node configuration is not available" },
    { "on=n1 not=n1", E_NODE_CONFIG, "Requested node configuration is not available" },
    { "arbitrary", E_DISTRIBUTION, "Task distribution specification invalid" },
    { "arbitrary on=n1,n2 ntasks=3", E_DISTRIBUTION, "Task distribution specification invalid" },
    { "arbitrary on=n1,n1 nodes=2", E_NODE_COUNT, "Node count specification invalid" },
    { "arbitrary on=n1,n1,n1,n1,n1,n2", E_NODE_CONFIG,
      "Requested node configuration is not available" },
    { "mincpus=100", E_NODE_CONFIG,
      "Requested node configuration is not available: no node of partition main has 100 cpus, "
      "4 at most" },
    { "mincpus=999999", E_NODE_CONFIG, "--mincpus: 999999 is not between 1 and 65536" },
    { "features=gpu", E_FEATURE, "Invalid feature specification: no node has 'gpu'" },
    { "features=fast|gpu", E_FEATURE, "Invalid feature specification: no node has 'gpu'" },
    { "prefer=gpu", E_PREFER, "Invalid preferred feature specification: no node has 'gpu'" },
    { "prefer=fast&", E_PREFER,
      "Invalid preferred feature specification: 'fast&', column 6: the name of a feature is "
      "missing" },
    { "features=fast||fast", E_FEATURE,
      "Invalid feature specification: 'fast||fast', column 6: the name of a feature is missing" },
    { "nice=-5", E_ACCESS, "Invalid --nice value: -5" },
    { "warn=65", EINVAL, "--signal: there is no signal 65" },
};

START_TEST(what_cannot_be_is_refused_with_slurms_words)
{
    struct lab *lab = lab_new("nodes=3 memory=1000 features=fast,slow");

    ck_assert_uint_eq(lab_submit(lab, refused[_i].job), 0);

    ck_assert_msg(lab->rc == -refused[_i].code, "%s: %d %s", refused[_i].job, lab->rc,
                  lab->err.text);
    ck_assert_msg(strncmp(lab->err.text, refused[_i].text, strlen(refused[_i].text)) == 0, "%s",
                  lab->err.text);
    ck_assert_ptr_null(control_model(lab->control)->jobs);
    lab_free(lab);
}
END_TEST

START_TEST(at_most_more_nodes_than_can_be_is_no_limit)
{
    struct lab *lab = lab_new("nodes=3");
    const uint32_t id = lab_submit(lab, "nodes=1 max_nodes=1024000000");

    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

static const struct {
    const char *job, *reason, *text;
} waiting[] = {
    { "nodes=9", "PartitionNodeLimit",
      "PartitionNodeLimit: asks for 9 nodes, partition main allows 3" },
    { "nodes=13", "PartitionConfig",
      "PartitionConfig: asks for 13 nodes, partition main allows 3" },
    { "part=debug nodes=9 time=3600", "PartitionNodeLimit",
      "PartitionNodeLimit: asks for 9 nodes, partition debug allows 3" },
    { "part=debug time=3600", "PartitionTimeLimit",
      "PartitionTimeLimit: asks for 01:00:00, partition debug allows 00:30:00" },
    { "part=debug time=0", "PartitionTimeLimit",
      "PartitionTimeLimit: asks for UNLIMITED, partition debug allows 00:30:00" },
    { "hold", "JobHeldUser", NULL },
    { "hold cpus=5", "JobHeldUser", NULL },
    { "ntasks=100", "PartitionConfig",
      "PartitionConfig: asks for 100 cpus, partition main gives 12" },
    { "begin=60", "BeginTime", "BeginTime" },
};

START_TEST(what_cannot_be_yet_waits_and_says_why)
{
    struct lab *lab = lab_new("nodes=3");
    uint32_t job = lab_submit(lab, waiting[_i].job);

    ck_assert_str_eq(lab_state(lab, job), "PENDING");
    ck_assert_str_eq(lab_reason(lab, job), waiting[_i].reason);
    ck_assert_pstr_eq(lab_reason_text(lab, job), waiting[_i].text);
    lab_free(lab);
}
END_TEST

static const struct {
    const char *job;
    uint32_t min_nodes, ntasks, ncpus;
    int64_t limit;
} filled[] = {
    { "", 1, COUNT_UNSET, 1, LIMIT_INFINITE },
    { "part=debug", 1, COUNT_UNSET, 1, 1800 },
    { "nodes=2 per_node=2 cpus=2 time=60", 2, 4, 8, 60 },
    { "ntasks=5 per_node=2", 3, 5, 5, LIMIT_INFINITE },
    { "on=n[1-2]", 2, COUNT_UNSET, 2, LIMIT_INFINITE },
    { "ntasks=4 overcommit", 1, 4, 1, LIMIT_INFINITE },
};

START_TEST(what_is_left_open_is_filled_in)
{
    struct lab *lab = lab_new("nodes=3 away");
    uint32_t id = lab_submit(lab, filled[_i].job);
    const struct job *job = lab_job(lab, id);

    ck_assert_uint_eq(job->rec.spec->min_nodes, filled[_i].min_nodes);
    ck_assert_uint_eq(job->rec.spec->ntasks, filled[_i].ntasks);
    ck_assert_uint_eq(job->rec.ncpus, filled[_i].ncpus);
    ck_assert_int_eq(job->rec.spec->time_limit, filled[_i].limit);
    lab_free(lab);
}
END_TEST

START_TEST(priorities_count_down_from_slurms_first_one)
{
    struct lab *lab = lab_new("nodes=1 away");

    ck_assert_uint_eq(lab_job(lab, lab_submit(lab, ""))->rec.priority, 4294901759);
    ck_assert_uint_eq(lab_job(lab, lab_submit(lab, "nice=100"))->rec.priority, 4294901658);
    ck_assert_uint_eq(lab_job(lab, lab_submit(lab, "priority=7"))->rec.priority, 4294901757);
    ck_assert_uint_eq(lab_job(lab, lab_submit_as(lab, 0, "priority=7"))->rec.priority, 7);
    ck_assert_uint_eq(lab_job(lab, lab_submit(lab, "priority=0"))->rec.priority, 0);
    lab_free(lab);
}
END_TEST

START_TEST(the_same_token_is_the_same_job_for_its_owner_alone)
{
    struct lab *lab = lab_new("nodes=1");
    uint32_t job = lab_submit(lab, "token=once");

    ck_assert_uint_eq(lab_submit(lab, "token=once"), job);
    ck_assert_uint_ne(lab_submit_as(lab, LAB_OTHER, "token=once"), job);
    lab_free(lab);
}
END_TEST

START_TEST(a_request_of_a_known_job_needs_a_body_too)
{
    struct lab *lab = lab_new("nodes=1");
    struct caller caller = lab_caller(LAB_USER);
    AUTO(job_submit) struct job_submit submit;
    AUTO(job_allocate) struct job_allocate allocate;
    uint32_t id = 0;

    lab_submit(lab, "token=once");
    job_submit_init(&submit);
    submit.spec = xmalloc(sizeof(*submit.spec));
    lab_job_spec("token=once", submit.spec);
    job_allocate_init(&allocate);
    allocate.spec = xmalloc(sizeof(*allocate.spec));
    lab_job_spec("token=once", allocate.spec);
    ck_assert_int_eq(control_submit(lab_act(lab, &caller), &submit, &id, NULL), -E_PROTO);
    ck_assert_int_eq(control_allocate(lab_act(lab, &caller), &allocate, &id, NULL), -E_PROTO);
    lab_free(lab);
}
END_TEST

START_TEST(no_two_known_jobs_have_the_same_id)
{
    struct lab *lab = lab_new("nodes=1 cpus=1 max_id=3");
    uint32_t job = lab_submit(lab, "time=600");
    uint32_t launch = lab_job(lab, job)->rec.launch_number;

    ck_assert_uint_eq(lab_submit(lab, "hold=1"), 2);
    lab_exit(lab, job, STEP_BATCH, 0);
    lab_wait(lab, 400);
    ck_assert_uint_eq(lab_submit(lab, "hold=1"), 3);
    ck_assert_uint_eq(lab_submit(lab, ""), 1);
    ck_assert_uint_eq(lab_submit(lab, ""), 0);

    ck_assert_str_eq(lab->err.text,
                     "all job ids from FirstJobId=1 to MaxJobId=3 are in use; raise MaxJobId");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING"); /* its launch is no repeat to the node */
    ck_assert_uint_gt(lab_job(lab, 1)->rec.launch_number, launch);
    lab_free(lab);
}
END_TEST

START_TEST(a_restart_knows_that_ids_have_begun_again)
{
    struct lab *lab = lab_new("nodes=1 cpus=1 max_id=3");

    for (uint32_t i = 0; i < 4; i++) {
        uint32_t job = lab_submit(lab, "");

        lab_exit(lab, job, STEP_BATCH, 0);
        lab_wait(lab, 400);
    }
    lab_restart(lab, "nodes=1 cpus=1 max_id=3");
    lab_wait(lab, 5);
    ck_assert_uint_eq(lab_submit(lab, ""), 2);

    ck_assert_str_eq(lab_state(lab, 2), "RUNNING");
    ck_assert_uint_eq(job_round(lab_job(lab, 2)->rec.launch_number), 1);
    ck_assert_uint_eq(job_runs(&lab_job(lab, 2)->rec), 1);
    lab_free(lab);
}
END_TEST

START_TEST(more_jobs_than_max_job_count_are_refused)
{
    struct lab *lab = lab_new("nodes=1 max_jobs=2");

    lab_submit(lab, "");
    lab_submit(lab, "");
    ck_assert_uint_eq(lab_submit(lab, ""), 0);

    ck_assert_int_eq(lab->rc, -EAGAIN);
    lab_free(lab);
}
END_TEST

START_TEST(an_allocation_that_must_not_wait_is_refused_when_nodes_are_busy)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");

    ck_assert_uint_ne(lab_allocate(lab, "immediate", ""), 0);
    ck_assert_uint_eq(lab_allocate(lab, "immediate", ""), 0);

    ck_assert_str_eq(lab->err.text, "Requested nodes are busy");
    lab_free(lab);
}
END_TEST

START_TEST(a_question_about_a_job_makes_none)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    struct control_answer answer;
    struct job_spec spec;

    lab_submit(lab, "nodes=2 time=600");
    lab_job_spec("nodes=1 time=60", &spec);
    ck_assert(lab_ask(lab, &spec, &answer));

    ck_assert(!answer.starts);
    ck_assert_int_eq(answer.would.planned_start, lab->now.wall_s + 600);
    ck_assert_str_eq(answer.would.planned_nodes, "n1");
    ck_assert_str_eq(answer.would.partition, "main");
    ck_assert_uint_eq(HASH_COUNT(control_model(lab->control)->jobs), 1);
    ck_assert_uint_eq(answer.would.job_id, lab_submit(lab, ""));
    job_submitted_clear(&answer.would);
    job_spec_clear(&spec);
    lab_free(lab);
}
END_TEST

START_TEST(a_waiting_job_knows_when_it_is_planned_to_start)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    AUTO(job_info) struct job_info info;
    uint32_t waits;

    lab_submit(lab, "time=600");
    waits = lab_submit(lab, "time=60");
    control_job_info(lab->control, lab->now, lab_job(lab, waits), &info);

    ck_assert_int_eq(info.planned_start, lab->now.wall_s + 600);
    ck_assert_str_eq(info.planned_nodes, "n1");
    ck_assert_str_eq(lab_reason_text(lab, waits), "Resources: held by job 1");
    lab_free(lab);
}
END_TEST

/* What a program of before there were bodies asks. */
START_TEST(a_job_without_a_body_is_refused_with_what_to_do)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    struct caller caller = lab_caller(LAB_USER);
    AUTO(job_submit) struct job_submit request;
    struct err err = { 0 };
    uint32_t id;

    job_submit_init(&request);
    request.spec = xmalloc(sizeof(*request.spec));
    lab_job_spec("", request.spec);

    ck_assert_int_eq(control_submit(lab_act(lab, &caller), &request, &id, &err), -E_PROTO);
    ck_assert_ptr_nonnull(strstr(err.text, "of an older version than slurmctld"));
    request.body = xmalloc(sizeof(*request.body));
    job_body_init(request.body);
    ck_assert_int_eq(control_submit(lab_act(lab, &caller), &request, &id, NULL), -E_NO_SCRIPT);
    lab_free(lab);
}
END_TEST

/* What AccountingStorageEnforce says, and what the history does not keep of a job by it. */
static const struct {
    const char *config;
    uint32_t unrecorded;
} recorded[] = {
    { "nodes=1 cpus=4 enforce=0", UNRECORDED_NOTHING },
    { "nodes=1 cpus=4 enforce=8", UNRECORDED_STEPS },
    { "nodes=1 cpus=4 enforce=12", UNRECORDED_ALL },
    { "nodes=1 cpus=4 enforce=4", UNRECORDED_ALL },
};

/* Each job and its steps stay as they were to be when it was submitted. */
START_TEST(what_is_recorded_is_decided_when_a_job_is_submitted)
{
    for (size_t later = 0; later < ARRAY_N(recorded); later++) {
        struct lab *lab = lab_new(recorded[_i].config);
        const uint32_t job = lab_allocate(lab, "cpus=1", NULL);

        ck_assert_uint_eq(lab_job(lab, job)->rec.unrecorded, recorded[_i].unrecorded);
        lab_restart(lab, recorded[later].config);
        lab_step(lab, job, "");
        ck_assert_uint_eq(lab_job(lab, job)->rec.unrecorded, recorded[_i].unrecorded);
        ck_assert_uint_eq(lab_job(lab, job)->steps->rec.unrecorded, recorded[_i].unrecorded);
        ck_assert_uint_eq(lab_job(lab, lab_submit(lab, ""))->rec.unrecorded,
                          recorded[later].unrecorded);
        lab_free(lab);
    }
}
END_TEST

CHECK_MAIN(submit, CASE(at_most_more_nodes_than_can_be_is_no_limit),
           LOOP_CASE(what_cannot_be_is_refused_with_slurms_words, ARRAY_N(refused)),
           LOOP_CASE(what_cannot_be_yet_waits_and_says_why, ARRAY_N(waiting)),
           LOOP_CASE(what_is_left_open_is_filled_in, ARRAY_N(filled)),
           CASE(priorities_count_down_from_slurms_first_one),
           CASE(the_same_token_is_the_same_job_for_its_owner_alone),
           CASE(a_request_of_a_known_job_needs_a_body_too),
           CASE(no_two_known_jobs_have_the_same_id),
           CASE(a_restart_knows_that_ids_have_begun_again),
           CASE(more_jobs_than_max_job_count_are_refused),
           CASE(an_allocation_that_must_not_wait_is_refused_when_nodes_are_busy),
           CASE(a_question_about_a_job_makes_none),
           LOOP_CASE(what_is_recorded_is_decided_when_a_job_is_submitted, ARRAY_N(recorded)),
           CASE(a_waiting_job_knows_when_it_is_planned_to_start),
           CASE(a_job_without_a_body_is_refused_with_what_to_do))
