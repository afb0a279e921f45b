/* What may be changed of jobs that are there. The codes are those of a Slurm 22.05. */
#include "unit/check_main.h"

#include <string.h>

#include "common/text/tasks.h"
#include "ctld/model/body.h"
#include "unit/ctld/control/lab.h"
#include "ctld/control/control.h"

/* "tag=value ..." of some fields; "hold", "uhold", "release", "limit=3", "more=60". */
static void read_update(const char *text, struct job_update *update)
{
    AUTO(words) struct words words = words_split(text, " ");
    const struct {
        const char *key;
        uint32_t tag;
    } fields[] = {
        { "time", SPEC_TAG_time_limit },    { "nodes", SPEC_TAG_min_nodes },
        { "part", SPEC_TAG_partition },     { "nice", SPEC_TAG_nice },
        { "priority", SPEC_TAG_priority },  { "on", SPEC_TAG_req_nodes },
        { "features", SPEC_TAG_features },  { "ntasks", SPEC_TAG_ntasks },
        { "begin", SPEC_TAG_begin },        { "mem", SPEC_TAG_mem_per_node },
        { "licenses", SPEC_TAG_licenses },  { "exclusive", SPEC_TAG_share },
        { "cpus", SPEC_TAG_cpus_per_task }, { "prefer", SPEC_TAG_prefer },
        { "deadline", SPEC_TAG_deadline },  { "time_min", SPEC_TAG_time_min },
        { "dir", BODY_TAG_work_dir },       { "out", BODY_TAG_std_out },
        { "account", SPEC_TAG_account },    { "qos", SPEC_TAG_qos },
    };

    job_update_init(update);
    update->spec = xmalloc(sizeof(*update->spec));
    lab_job_spec(text, update->spec);
    update->body = xmalloc(sizeof(*update->body));
    job_body_init(update->body);
    update->body->work_dir = lab_dup(&words, "dir");
    update->body->std_out = lab_dup(&words, "out");
    for (size_t i = 0; i < ARRAY_N(fields); i++)
        if (lab_text(&words, fields[i].key))
            *ARRAY_PUSH(update->set, update->set_n) = fields[i].tag;
    update->cpus = lab_number(&words, "in_all", 0);
    update->reset_accrue = strstr(text, "reset");
    update->array_limit = lab_number(&words, "limit", COUNT_UNSET);
    update->more_time_s = lab_number(&words, "more", 0);
    if (strstr(text, "release"))
        update->hold = HOLD_RELEASE;
    else if (strstr(text, "uhold"))
        update->hold = HOLD_AS_USER;
    else if (strstr(text, "hold"))
        update->hold = HOLD;
}

static const char *change_tasks(struct lab *lab, uint32_t uid, uint32_t job, const char *tasks,
                                const char *text)
{
    AUTO(job_update) struct job_update update;

    read_update(text, &update);
    update.job_id = job;
    update.tasks = xstrdup(tasks);
    return lab_change(lab, uid, &update);
}

static const char *change(struct lab *lab, uint32_t uid, uint32_t job, const char *text)
{
    return change_tasks(lab, uid, job, NULL, text);
}

/* ---- hold and release ---- */

START_TEST(a_held_job_waits_until_it_is_released)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t first = lab_submit(lab, "");
    const uint32_t id = lab_submit(lab, "");

    ck_assert_str_eq(change(lab, LAB_USER, id, "hold"), "");
    ck_assert_str_eq(lab_reason(lab, id), "JobHeldUser");
    lab_exit(lab, first, STEP_BATCH, 0);
    lab_wait(lab, 100);
    ck_assert_str_eq(lab_state(lab, id), "PENDING");
    lab_restart(lab, "nodes=1 cpus=1");
    lab_wait(lab, 10);
    ck_assert_str_eq(lab_state(lab, id), "PENDING");

    ck_assert_str_eq(change(lab, LAB_USER, id, "release"), "");
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(what_an_operator_holds_its_owner_cannot_release)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t id = lab_submit(lab, "hold=1");

    ck_assert_str_eq(change(lab, 0, id, "hold"), "");
    ck_assert_str_eq(lab_reason(lab, id), "JobHeldAdmin");
    ck_assert_str_eq(change(lab, LAB_USER, id, "release"), "Access/permission denied");
    ck_assert_str_eq(change(lab, LAB_USER, id, "hold"), "");
    ck_assert_str_eq(lab_reason(lab, id), "JobHeldAdmin");
    lab_restart(lab, "nodes=1 cpus=1");
    ck_assert_str_eq(change(lab, LAB_USER, id, "release"), "Access/permission denied");

    ck_assert_str_eq(change(lab, 0, id, "release"), "");
    lab_wait(lab, 10);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(an_operator_may_hold_so_that_the_owner_can_release)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t id = lab_submit(lab, "hold=1");

    change(lab, 0, id, "hold");
    ck_assert_str_eq(change(lab, LAB_USER, id, "uhold"), "");
    ck_assert_str_eq(lab_reason(lab, id), "JobHeldAdmin");
    change(lab, 0, id, "uhold");
    ck_assert_str_eq(lab_reason(lab, id), "JobHeldUser");
    ck_assert_str_eq(change(lab, LAB_USER, id, "release"), "");
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(tasks_are_held_and_released_alone)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t first = lab_submit(lab, "");
    const uint32_t id = lab_submit(lab, "array=1-4");

    ck_assert_str_eq(change_tasks(lab, LAB_USER, id, "2-3", "hold"), "");
    lab_exit(lab, first, STEP_BATCH, 0);
    ck_assert_uint_eq(model_find_task(control_model(lab->control), id, 1)->rec.state, JOB_RUNNING);
    lab_exit(lab, model_find_task(control_model(lab->control), id, 1)->rec.id, STEP_BATCH, 0);
    ck_assert_uint_eq(model_find_task(control_model(lab->control), id, 4)->rec.state, JOB_RUNNING);
    lab_exit(lab, model_find_task(control_model(lab->control), id, 4)->rec.id, STEP_BATCH, 0);
    ck_assert_uint_eq(model_find_task(control_model(lab->control), id, 2)->rec.state, JOB_PENDING);

    ck_assert_str_eq(change_tasks(lab, LAB_USER, id, "3", "release"), "");
    ck_assert_uint_eq(model_find_task(control_model(lab->control), id, 3)->rec.state, JOB_RUNNING);
    ck_assert_str_eq(change(lab, LAB_USER, id, "hold"), "1,4: Job has already finished");
    ck_assert_str_eq(change_tasks(lab, LAB_USER, id, "9", "hold"), "Invalid job id specified");
    lab_free(lab);
}
END_TEST

START_TEST(a_held_task_makes_room_under_the_limit)
{
    struct lab *lab = lab_new("nodes=1 cpus=4");
    uint32_t id;

    lab_submit(lab, "cpus=4");
    id = lab_submit(lab, "array=1-3%1 cpus=1 mem=1");
    change_tasks(lab, LAB_USER, id, "1", "hold");
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_uint_eq(model_find_task(control_model(lab->control), id, 2)->rec.state, JOB_RUNNING);
    ck_assert_uint_eq(model_find_task(control_model(lab->control), id, 3)->rec.state, JOB_PENDING);

    /* By the array's id, or by that of one of its tasks. */
    if (_i)
        id = model_find_task(control_model(lab->control), id, 2)->rec.id;
    ck_assert_str_eq(change(lab, LAB_USER, id, "limit=2"), "");
    id = lab_job(lab, id)->array->id;
    ck_assert_uint_eq(model_find_task(control_model(lab->control), id, 3)->rec.state, JOB_RUNNING);
    lab_free(lab);
}
END_TEST

START_TEST(a_job_that_runs_is_held_only_for_the_next_time)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    const uint32_t id = lab_submit(lab, "on=n1 requeue=2");

    ck_assert_str_eq(change(lab, LAB_USER, id, "hold"), "");
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_lose(lab, "n1");
    lab_reboot(lab, "n1");
    lab_wait(lab, 100);
    ck_assert_str_eq(lab_state(lab, id), "PENDING");
    ck_assert_str_eq(lab_reason(lab, id), "JobHeldUser");
    lab_free(lab);
}
END_TEST

START_TEST(tasks_that_are_not_there_are_refused_beside_the_others)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t id = lab_submit(lab, "array=1-3 hold=1");

    ck_assert_str_eq(change_tasks(lab, LAB_USER, id, "2-5", "time=300"),
                     "4-5: Invalid job id specified");
    ck_assert_int_eq(model_find_task(control_model(lab->control), id, 2)->rec.spec->time_limit,
                     300);
    ck_assert_int_ne(model_find_task(control_model(lab->control), id, 1)->rec.spec->time_limit,
                     300);
    lab_free(lab);
}
END_TEST

/* ---- fields ---- */

START_TEST(cpus_in_all_stay_when_the_nodes_change)
{
    struct lab *lab = lab_new("nodes=2 cpus=4");
    const uint32_t id = lab_submit(lab, "hold=1 nodes=1");

    ck_assert_str_eq(change(lab, LAB_USER, id, "in_all=4"), "");
    ck_assert_str_eq(change(lab, LAB_USER, id, "nodes=2"), "");

    ck_assert_uint_eq(lab_job(lab, id)->rec.ncpus, 4);
    lab_free(lab);
}
END_TEST

START_TEST(cpus_in_all_are_asked_of_each_node)
{
    struct lab *lab = lab_new("nodes=2 cpus=4");
    const uint32_t id = lab_submit(lab, "hold=1 ntasks=2 nodes=2");
    const struct job_record *rec = &lab_job(lab, id)->rec;

    ck_assert_str_eq(change(lab, LAB_USER, id, "in_all=5"), "");
    ck_assert_uint_eq(rec->spec->min_cpus, 5);
    ck_assert_uint_eq(rec->ncpus, 5);
    ck_assert_str_eq(change(lab, LAB_USER, id, "in_all=1"), "");
    ck_assert_uint_eq(rec->ncpus, 2);
    ck_assert_str_eq(change(lab, LAB_USER, id, "release"), "");
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    ck_assert_str_eq(change(lab, LAB_USER, id, "in_all=1"), "Job is no longer pending execution");
    lab_free(lab);
}
END_TEST

START_TEST(an_age_counts_anew_when_that_is_asked_for)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t id;

    lab_submit(lab, "time=600");
    id = lab_submit(lab, "time=600");
    lab_wait(lab, 10);
    ck_assert_str_eq(change(lab, LAB_USER, id, "reset"), "");
    ck_assert_int_gt(lab_job(lab, id)->rec.accrue_time, lab_job(lab, id)->rec.eligible_time);
    lab_free(lab);
}
END_TEST

START_TEST(what_means_nothing_to_a_running_job_is_not_taken)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t id = lab_submit(lab, "time=600");

    ck_assert_str_eq(change(lab, LAB_USER, id, "time_min=60"), "");
    ck_assert_int_eq(lab_job(lab, id)->rec.spec->time_min, LIMIT_UNSET);
    lab_free(lab);
}
END_TEST

/* `waits` and `runs` are what is said of a job that waits, or runs; NULL: nothing. */
static const struct {
    const char *text;
    uint32_t uid;
    const char *waits, *runs;
} rights[] = {
    { "time=300", LAB_USER, "", "" },
    { "time=1200", LAB_USER, "", "Access/permission denied" },
    { "time=1200", 0, "", "" },
    { "more=60", LAB_USER, "", "Access/permission denied" },
    { "nice=10", LAB_USER, "", "" },
    { "nice=-10", LAB_USER, "Access/permission denied", "Access/permission denied" },
    { "nice=-10", 0, "", "" },
    { "priority=4294967000", LAB_USER, "Access/permission denied", "Access/permission denied" },
    { "priority=1", LAB_USER, "", "" },
    { "nodes=2", LAB_USER, "", "" },
    { "cpus=2", LAB_USER, "Requested node configuration is not available",
      "Job is no longer pending execution" },
    { "in_all=3", LAB_USER, "Requested partition configuration not available now",
      "Job is no longer pending execution" },
    { "ntasks=3", LAB_USER, "Requested partition configuration not available now",
      "Job is no longer pending execution" },
    { "part=none", LAB_USER, "Invalid partition name specified",
      "Job is no longer pending execution" },
    { "on=n2", LAB_USER, "", "Invalid node name specified" },
    { "on=n9", LAB_USER, "Invalid node name specified", "Invalid node name specified" },
    { "features=none", LAB_USER, "Invalid feature specification",
      "Job is no longer pending execution" },
    { "deadline=6000", LAB_USER, "Access/permission denied", "Access/permission denied" },
    { "deadline=6000", 0, "", "" },
    { "part=", LAB_USER, "Invalid partition name specified", "Job is no longer pending execution" },
    { "prefer=none", LAB_USER, "Invalid preferred feature specification",
      "Job is no longer pending execution" },
    { "licenses=none", LAB_USER, "Invalid license specification", "Invalid license specification" },
    { "exclusive=1", LAB_USER, "Access/permission denied", "Job is no longer pending execution" },
    { "time=60", LAB_USER + 1, "Invalid user id", "Invalid user id" },
};

START_TEST(rights_are_as_in_slurm)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    const uint32_t runs = lab_submit(lab, "nodes=2 time=600");
    const uint32_t waits = lab_submit(lab, "nodes=1 time=600");
    AUTO(job_spec) struct job_spec before;

    schema_copy(job_spec_schema(), &before, lab_job(lab, waits)->rec.spec);
    ck_assert_str_eq(change(lab, rights[_i].uid, waits, rights[_i].text), rights[_i].waits);
    ck_assert_int_eq(schema_equal(job_spec_schema(), &before, lab_job(lab, waits)->rec.spec),
                     rights[_i].waits[0] != '\0');
    ck_assert_str_eq(change(lab, rights[_i].uid, runs, rights[_i].text), rights[_i].runs);
    lab_free(lab);
}
END_TEST

START_TEST(a_changed_job_is_planned_anew)
{
    struct lab *lab = lab_new("nodes=2 cpus=1");
    uint32_t id;

    lab_submit(lab, "on=n1 time=600");
    id = lab_submit(lab, "nodes=2 time=600");
    ck_assert_str_eq(lab_state(lab, id), "PENDING");
    ck_assert_str_eq(change(lab, LAB_USER, id, "nodes=1"), "");
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_shorter_job_may_go_before_others)
{
    struct lab *lab = lab_new("nodes=2 cpus=1 backfill=1");
    uint32_t id;

    lab_submit(lab, "on=n1 time=600");
    lab_submit(lab, "nodes=2 time=600");
    id = lab_submit(lab, "on=n2 time=1200");
    ck_assert_str_eq(lab_state(lab, id), "PENDING");
    change(lab, LAB_USER, id, "time=300");
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_running_job_ends_at_its_new_limit)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    const uint32_t id = lab_submit(lab, "time=600");

    lab_wait(lab, 100);
    change(lab, LAB_USER, id, "time=120");
    ck_assert_int_eq(lab_job(lab, id)->rec.end_time, lab_job(lab, id)->rec.start_time + 120);
    lab_wait(lab, 15);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_restart(lab, "nodes=1 cpus=1");
    lab_wait(lab, 40);
    ck_assert_str_eq(lab_state(lab, id), "TIMEOUT");
    ck_assert_str_eq(change(lab, 0, id, "time=600"), "Job has already finished");
    lab_free(lab);
}
END_TEST

START_TEST(jobs_behind_a_shortened_one_start_when_it_ends)
{
    struct lab *lab = lab_new("nodes=2 cpus=1 backfill=1");
    const uint32_t first = lab_submit(lab, "on=n1 time=6000");
    uint32_t small;

    lab_submit(lab, "nodes=2 time=600");
    small = lab_submit(lab, "on=n2 time=600");
    ck_assert_str_eq(lab_state(lab, small), "RUNNING");
    lab_exit(lab, small, STEP_BATCH, 0);
    change(lab, LAB_USER, first, "time=60");
    small = lab_submit(lab, "on=n2 time=600");
    ck_assert_str_eq(lab_state(lab, small), "PENDING");
    lab_free(lab);
}
END_TEST

START_TEST(priority_zero_is_a_hold_and_a_held_job_has_no_priority)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t id;

    lab_submit(lab, "");
    id = lab_submit(lab, "");
    ck_assert_str_eq(change(lab, LAB_USER, id, "priority=0"), "");
    ck_assert_str_eq(lab_reason(lab, id), "JobHeldUser");
    ck_assert_str_eq(change(lab, 0, id, "priority=7"),
                     "Job is in held state, pending scheduler release");
    change(lab, 0, id, "priority=0");
    ck_assert_str_eq(lab_reason(lab, id), "JobHeldAdmin");
    change(lab, 0, id, "release");
    change(lab, 0, id, "priority=7");
    ck_assert_uint_eq(lab_job(lab, id)->rec.priority, 7);
    lab_free(lab);
}
END_TEST

START_TEST(a_new_priority_changes_the_order)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t second;

    lab_submit(lab, "");
    lab_submit(lab, "");
    second = lab_submit(lab, "");
    change(lab, 0, second, "priority=4294967000");
    lab_exit(lab, 1, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, second), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(more_time_than_can_be_reckoned_with_is_refused)
{
    const struct job_update request = { .job_id = 1,
                                        .array_limit = COUNT_UNSET,
                                        .more_time_s = INT64_MAX };
    struct lab *lab = lab_new("nodes=1");

    lab_submit(lab, "time=60");

    ck_assert_str_ne(lab_change(lab, 0, &request), "");
    ck_assert_int_eq(lab_job(lab, 1)->rec.spec->time_limit, 60);
    lab_free(lab);
}
END_TEST

/* What the task's record names, and its body's directory and file. */
static const struct body *body_of(struct lab *lab, uint32_t job)
{
    const struct job *known = lab_job(lab, job);

    ck_assert_ptr_eq(model_find_body(control_model(lab->control), known->rec.body_sha256.data),
                     known->body);
    return known->body;
}

START_TEST(jobs_with_the_same_body_share_it_until_one_gets_another)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t first = lab_submit(lab, "hold=1"), second = lab_submit(lab, "hold=1");
    const struct body *before = body_of(lab, first);

    ck_assert_ptr_eq(body_of(lab, second), before);
    ck_assert_str_eq(change(lab, LAB_USER, first, "dir=/new out=o"), "");

    ck_assert_ptr_ne(body_of(lab, first), before);
    ck_assert_str_eq(body_of(lab, first)->msg.work_dir, "/new");
    ck_assert_str_eq(body_of(lab, first)->msg.std_out, "o");
    ck_assert_uint_eq(body_of(lab, first)->msg.script_sha256.n, SHA256_BYTES);
    ck_assert_ptr_eq(body_of(lab, second), before);
    ck_assert_str_eq(before->msg.work_dir, "/lab");
    lab_free(lab);
}
END_TEST

START_TEST(a_new_body_is_there_after_a_restart)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t job = lab_submit(lab, "hold=1");

    ck_assert_str_eq(change(lab, LAB_USER, job, "dir=/new"), "");
    lab_restart(lab, "nodes=1 cpus=1");

    ck_assert_str_eq(body_of(lab, job)->msg.work_dir, "/new");
    lab_free(lab);
}
END_TEST

START_TEST(a_body_that_nobody_has_is_forgotten)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t job = lab_submit(lab, "hold=1");
    uint8_t before[SHA256_BYTES];

    memcpy(before, body_of(lab, job)->sha256, sizeof(before));
    ck_assert_str_eq(change(lab, LAB_USER, job, "dir=/new"), "");

    ck_assert_ptr_null(model_find_body(control_model(lab->control), before));
    lab_free(lab);
}
END_TEST

START_TEST(one_that_runs_keeps_its_body)
{
    struct lab *lab = lab_new("nodes=1 cpus=1");
    uint32_t job = lab_submit(lab, "");

    ck_assert_str_ne(change(lab, LAB_USER, job, "dir=/new"), "");

    ck_assert_str_eq(body_of(lab, job)->msg.work_dir, "/lab");
    lab_free(lab);
}
END_TEST

/* ---- what partitions take: debug takes account b, QOS q and 30 minutes ---- */

#define NO_ACCOUNT "Invalid account or account/partition combination specified"
#define NO_QOS     "Invalid qos specification"
#define NO_ACCESS  "Access/permission denied"

static const struct {
    const char *job, *change;
    uint32_t uid;
    const char *no, *any, *all; /* the answer with EnforcePartLimits=NO, ANY and ALL */
} taken[] = {
    { "part=debug", "account=a", LAB_USER, "", NO_ACCOUNT, NO_ACCOUNT },
    { "part=debug", "account=a", 0, "", "", "" },
    { "part=debug", "account=a part=main", LAB_USER, "", "", "" },
    { "part=debug,main", "account=a", LAB_USER, "", "", NO_ACCOUNT },
    { "part=debug", "qos=normal", LAB_USER, "", NO_QOS, NO_QOS },
    { "part=debug", "qos=normal", 0, "", "", "" },
    { "part=debug", "time=1860", LAB_USER, NO_ACCESS, NO_ACCESS, NO_ACCESS },
    { "part=debug", "time=1800", LAB_USER, "", "", "" },
    { "part=debug", "more=1860", LAB_USER, NO_ACCESS, NO_ACCESS, NO_ACCESS },
    { "part=debug", "time=1860", 0, "", "", "" },
    { "part=debug", "time=1860 part=main", LAB_USER, "", "", "" },
    { "part=main", "time=1860", LAB_USER, "", "", "" },
};

START_TEST(a_user_changes_nothing_into_what_the_partition_does_not_take)
{
    const uint32_t row = (uint32_t)_i / 3, enforce = (uint32_t)_i % 3;
    const char *const answers[] = { taken[row].no, taken[row].any, taken[row].all };
    AUTO_FREE char *cluster = xasprintf("nodes=2 accounts=b qos=q part_limits=%u", enforce);
    AUTO_FREE char *spec = xasprintf("hold=1 account=b qos=q time=60 %s", taken[row].job);
    struct lab *lab = lab_new(cluster);
    const uint32_t id = lab_submit(lab, spec);

    ck_assert_uint_ne(id, 0);
    ck_assert_str_eq(change(lab, taken[row].uid, id, taken[row].change), answers[enforce]);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(update, CASE(a_held_job_waits_until_it_is_released),
           CASE(more_time_than_can_be_reckoned_with_is_refused),
           CASE(what_an_operator_holds_its_owner_cannot_release),
           CASE(an_operator_may_hold_so_that_the_owner_can_release),
           CASE(tasks_are_held_and_released_alone),
           LOOP_CASE(a_held_task_makes_room_under_the_limit, 2),
           CASE(a_job_that_runs_is_held_only_for_the_next_time),
           CASE(tasks_that_are_not_there_are_refused_beside_the_others),
           CASE(cpus_in_all_stay_when_the_nodes_change), CASE(cpus_in_all_are_asked_of_each_node),
           CASE(an_age_counts_anew_when_that_is_asked_for),
           CASE(what_means_nothing_to_a_running_job_is_not_taken),
           LOOP_CASE(rights_are_as_in_slurm, ARRAY_N(rights)), CASE(a_changed_job_is_planned_anew),
           CASE(a_shorter_job_may_go_before_others), CASE(a_running_job_ends_at_its_new_limit),
           CASE(jobs_behind_a_shortened_one_start_when_it_ends),
           CASE(priority_zero_is_a_hold_and_a_held_job_has_no_priority),
           CASE(a_new_priority_changes_the_order),
           CASE(jobs_with_the_same_body_share_it_until_one_gets_another),
           CASE(a_new_body_is_there_after_a_restart), CASE(a_body_that_nobody_has_is_forgotten),
           CASE(one_that_runs_keeps_its_body),
           LOOP_CASE(a_user_changes_nothing_into_what_the_partition_does_not_take,
                     ARRAY_N(taken) * 3))
