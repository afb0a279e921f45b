#include "unit/check_main.h"

#include <string.h>
#include <time.h>

#include "cli/sluice/explain_json.h"
#include "cli/sluice/explain_text.h"
#include "common/text/dependency.h"

#define NOON INT64_C(1795176000) /* 2026-11-20T12:00:00 */

static struct job_info info;
static struct job_record *job;

static void before(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    job_info_init(&info);
    info.job = job = xcalloc(1, sizeof(*job));
    job_record_init(job);
    job->spec = xcalloc(1, sizeof(*job->spec));
    job_spec_init(job->spec);
    info.now = NOON;
    job->id = 12;
    job->user_name = xstrdup("ann");
    job->partition = xstrdup("main");
    job->state = JOB_PENDING;
    job->ncpus = 8;
    job->spec->name = xstrdup("story");
    job->spec->min_nodes = 2;
    job->spec->time_limit = 3600;
}

static void after(void)
{
    job_info_clear(&info);
}

static void set_reason(uint32_t reason, const char *text)
{
    job->reason = reason;
    job->reason_text = xstrdup(text);
}

static void add_blocker(uint32_t id, const char *user, bool waits, int64_t until)
{
    struct job_blocker *blocker = ARRAY_PUSH(info.blockers, info.blockers_n);

    job_blocker_init(blocker);
    blocker->job_id = id;
    blocker->user_name = xstrdup(user);
    blocker->waits = waits;
    blocker->until = until;
}

static void assert_text(const char *expected)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    explain_job(&info, NULL, &out);
    ck_assert_str_eq(strbuf_text(&out), expected);
}

START_TEST(planned_job_says_what_it_lacks_and_who_holds_it)
{
    set_reason(REASON_RESOURCES, "Resources: held by job 3, 4, 5");
    job->spec->mem_per_node = 1000;
    info.lacks = JOB_LACKS_CPUS | JOB_LACKS_MEMORY;
    add_blocker(3, "bob", false, NOON + 600);
    add_blocker(4, NULL, false, 0);
    add_blocker(5, "eve", true, 0);
    info.planned_start = NOON + 600;
    info.planned_nodes = xstrdup("n[1-2]");
    info.estimate = ESTIMATE_LIMITS;

    assert_text("Job 12 (story) of ann waits: Resources: held by job 3, 4, 5\n"
                "  It asks for 2 nodes and 8 cpus with 2000M of memory in partition main, for "
                "01:00:00.\n"
                "  It is first in line; what it asks for is in use.\n"
                "  It lacks cpus, memory.\n"
                "  What it needs is taken:\n"
                "    job 3 of bob holds it until 2026-11-20T12:10:00 at the latest\n"
                "    job 4 holds it without a time limit\n"
                "    job 5 of eve is planned to start before it\n"
                "  It is planned to start at 2026-11-20T12:10:00 on n[1-2]:\n"
                "  earlier when jobs end before their limits, later when jobs of higher priority "
                "come.\n");
}
END_TEST

START_TEST(tasks_of_arrays_are_named_as_such)
{
    set_reason(REASON_ARRAY_LIMIT, NULL);
    job->array_job_id = 12;
    job->array_tasks = xstrdup("4-9");
    job->array_limit = 2;
    add_blocker(12, "ann", false, NOON + 60);
    info.blockers[0].array_task = 3;

    assert_text("Job 12_[4-9%2] (story) of ann waits: JobArrayTaskLimit\n"
                "  It asks for 2 nodes and 8 cpus in partition main, for 01:00:00.\n"
                "  As many tasks of its array run as may run at once.\n"
                "  These are not over:\n"
                "    job 12_3 of ann runs until 2026-11-20T12:01:00 at the latest\n"
                "  No start is planned before these are over.\n");
}
END_TEST

static void add_dependency(uint32_t kind, uint32_t id, bool is_failed)
{
    struct job_dependency *dependency = ARRAY_PUSH(job->dependencies, job->dependencies_n);

    job_dependency_init(dependency);
    dependency->kind = kind;
    dependency->job_id = id;
    dependency->is_failed = is_failed;
}

START_TEST(jobs_that_it_waits_for_are_named)
{
    set_reason(REASON_DEPENDENCY, NULL);
    add_dependency(DEPEND_AFTER_OK, 11, false);
    add_blocker(11, "bob", true, 0);

    assert_text("Job 12 (story) of ann waits: Dependency\n"
                "  It asks for 2 nodes and 8 cpus in partition main, for 01:00:00.\n"
                "  It waits for another job: afterok:11(unfulfilled).\n"
                "  These are not over:\n"
                "    job 11 of bob waits itself\n"
                "  No start is planned before these are over.\n");
}
END_TEST

START_TEST(a_dependency_that_failed_and_a_deadline_are_told)
{
    set_reason(REASON_DEPENDENCY_NEVER, NULL);
    add_dependency(DEPEND_AFTER_OK, 11, true);
    add_dependency(DEPEND_AFTER_ANY, 10, false);
    job->spec->deadline = NOON;

    assert_text("Job 12 (story) of ann waits: DependencyNeverSatisfied\n"
                "  It asks for 2 nodes and 8 cpus in partition main, for 01:00:00.\n"
                "  It waits for all of these: afterok:11(failed),afterany:10(unfulfilled); what "
                "failed can not come true any more.\n"
                "  It is not started when it could not be over by 2026-11-20T12:00:00.\n"
                "  No start is planned while that is so.\n");
}
END_TEST

START_TEST(a_job_that_is_suspended_does_not_run)
{
    job->state = JOB_SUSPENDED;
    job->node_list = xstrdup("n1");
    job->suspend_time = NOON;

    assert_text("Job 12 (story) of ann is suspended on n1 since 2026-11-20T12:00:00; scontrol "
                "resume 12 lets it go on.\n");
}
END_TEST

START_TEST(many_blockers_are_said_to_be_not_all)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    set_reason(REASON_PRIORITY, NULL);
    for (uint32_t i = 1; i <= JOB_BLOCKERS_MAX; i++)
        add_blocker(i, "bob", false, NOON);
    explain_job(&info, NULL, &out);

    ck_assert(strstr(strbuf_text(&out), "waits: Priority\n"));
    ck_assert(strstr(strbuf_text(&out), "is taken (others may be in the way too):\n"));
}
END_TEST

START_TEST(begin_is_told)
{
    set_reason(REASON_BEGIN_TIME, "BeginTime");
    job->spec->begin = info.planned_start = NOON + 60;
    job->spec->time_limit = LIMIT_INFINITE;
    job->spec->min_nodes = job->ncpus = 1;
    info.estimate = ESTIMATE_BEGIN;

    assert_text("Job 12 (story) of ann waits: BeginTime\n"
                "  It asks for 1 node and 1 cpu in partition main, without a time limit.\n"
                "  It is not to start before 2026-11-20T12:01:00.\n"
                "  It is planned to start at 2026-11-20T12:01:00, if there is room then.\n");
}
END_TEST

START_TEST(a_limit_that_will_be_used_up_is_told_instead_of_a_start)
{
    set_reason(REASON_RESOURCES, "Resources");
    info.used_up = xstrdup("GrpTRESMins=cpu=1 of account physics");
    info.used_up_time = NOON + 20;

    assert_text("Job 12 (story) of ann waits: Resources\n"
                "  It asks for 2 nodes and 8 cpus in partition main, for 01:00:00.\n"
                "  It is first in line; what it asks for is in use.\n"
                "  Jobs that run will have used up GrpTRESMins=cpu=1 of account physics at "
                "2026-11-20T12:00:20, and are ended then.\n"
                "  No start is planned before decay has made room again.\n");
}
END_TEST

START_TEST(a_start_that_waits_for_decay_says_so)
{
    set_reason(REASON_ASSOC_GRP_MINS_CPU, "AssocGrpCPUMinutesLimit");
    info.planned_start = NOON + 60;
    info.estimate = ESTIMATE_DECAY;

    assert_text("Job 12 (story) of ann waits: AssocGrpCPUMinutesLimit\n"
                "  It asks for 2 nodes and 8 cpus in partition main, for 01:00:00.\n"
                "  It is planned to start at 2026-11-20T12:01:00:\n"
                "  decay will have made room in its limit, if nothing else is used of it until "
                "then.\n");
}
END_TEST

START_TEST(nodes_that_are_out_are_told)
{
    set_reason(REASON_NODES_UNAVAILABLE, "ReqNodeNotAvail, UnavailableNodes:n2");
    info.unavailable_nodes = xstrdup("n2");

    assert_text(
        "Job 12 (story) of ann waits: ReqNodeNotAvail, UnavailableNodes:n2\n"
        "  It asks for 2 nodes and 8 cpus in partition main, for 01:00:00.\n"
        "  It needs nodes of these, which are down, drained or do not respond: n2 (sinfo -R -n n2 "
        "and sluice doctor tell why)\n"
        "  No start is planned while that is so.\n");
}
END_TEST

static const struct {
    uint32_t reason;
    const char *text, *says;
} meanings[] = {
    { REASON_PRIORITY, NULL, "  Jobs of higher priority come first.\n" },
    { REASON_HELD_USER, NULL, "  It is held until its owner or an operator releases it.\n" },
    { REASON_HELD_ADMIN, NULL, "  It is held until an operator releases it.\n" },
    { REASON_LICENSES, NULL,
      "  Licenses that it asks for are in use, or there are not so many.\n" },
    { REASON_RESERVATION, NULL, "  The reservation that it asks for is not open.\n" },
    { REASON_BAD_CONSTRAINTS, NULL, "could ever hold it.\n" },
    { REASON_PARTITION_DOWN, NULL, "  The partition starts no jobs.\n" },
    { REASON_NODES_UNAVAILABLE, "ReqNodeNotAvail, May be reserved for other job",
      "  Nodes that it needs are reserved for other jobs.\n" },
    { REASON_PARTITION_NODE_LIMIT, "PartitionNodeLimit: asks for 9 nodes", "asks for 9 nodes\n" },
};

START_TEST(word_is_put_into_a_sentence)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    set_reason(meanings[_i].reason, meanings[_i].text);
    explain_job(&info, NULL, &out);

    ck_assert_msg(strstr(strbuf_text(&out), meanings[_i].says) != NULL, "%s", strbuf_text(&out));
    ck_assert(strstr(strbuf_text(&out), "  No start is planned"));
    ck_assert(!strstr(strbuf_text(&out), "  No start is planned.\n"));
}
END_TEST

START_TEST(job_that_runs_says_until_when)
{
    job->state = JOB_RUNNING;
    job->start_time = NOON;
    job->node_list = xstrdup("n1");

    assert_text("Job 12 (story) of ann runs on n1 since 2026-11-20T12:00:00; its limit ends it at "
                "2026-11-20T13:00:00.\n");
}
END_TEST

/* A pause moves the end: the record has the moment. */
START_TEST(job_that_was_resumed_says_the_end_that_its_pause_has_moved)
{
    job->state = JOB_RUNNING;
    job->start_time = NOON;
    job->end_time = NOON + 3600 + 300;
    job->node_list = xstrdup("n1");

    assert_text("Job 12 (story) of ann runs on n1 since 2026-11-20T12:00:00; its limit ends it at "
                "2026-11-20T13:05:00.\n");
}
END_TEST

START_TEST(job_that_ended_says_how)
{
    job->state = JOB_FAILED;
    job->flags = JOB_FLAG_COMPLETING;
    set_reason(REASON_NON_ZERO_EXIT, NULL);

    assert_text("Job 12 (story) of ann is over: FAILED (NonZeroExitCode); its nodes are being "
                "cleaned.\n");
}
END_TEST

/* Blanks between words go, so that a line can say much. */
static void assert_json(const struct advice *advice, const char *expected)
{
    AUTO(strbuf) struct strbuf out = { 0 }, packed = { 0 };
    struct json_writer json = json_writer_new(JSON_INDENTED, &out);
    bool is_text = false;

    explain_json(&info, NULL, advice, &json);
    for (const char *at = strbuf_text(&out); *at; at++) {
        is_text ^= *at == '"';
        if (is_text || (*at != ' ' && *at != '\n'))
            strbuf_addc(&packed, *at);
    }
    ck_assert_str_eq(strbuf_text(&packed), expected);
}

START_TEST(programs_are_told_the_whole_chain)
{
    struct advice_change shorter = { .change = (char[]){ "--time=00:45:00" },
                                     .before = (char[]){ "01:00:00" },
                                     .start = NOON + 60,
                                     .nodes = (char[]){ "tux1" } };
    const struct advice advice = { .is_sought = true, .changes = &shorter, .n = 1 };
    set_reason(REASON_RESOURCES, "Resources: held by job 3");
    info.lacks = JOB_LACKS_CPUS | JOB_LACKS_NODES;
    info.planned_start = NOON + 3600;
    info.planned_nodes = xstrdup("tux[1-2]");
    info.estimate = ESTIMATE_FORECAST;
    add_blocker(3, "bob", false, NOON + 3600);
    add_blocker(4, NULL, true, 0);

    assert_json(
        &advice,
        "{\"id\":\"12\",\"job_id\":12,\"name\":\"story\",\"user\":\"ann\","
        "\"partition\":\"main\",\"state\":\"PENDING\",\"reason\":\"Resources\","
        "\"reason_text\":\"Resources: held by job 3\","
        "\"asks\":{\"nodes\":2,\"cpus\":8,\"time_limit\":3600},"
        "\"waits_for_jobs\":null,\"deadline\":null,\"unavailable_nodes\":null,"
        "\"lacks\":[\"cpus\",\"whole nodes\"],\"nodes\":[],\"jobs_before\":0,"
        "\"held_by\":[{\"job_id\":3,\"array_task\":null,\"user\":\"bob\","
        "\"runs\":true,\"until\":1795179600},"
        "{\"job_id\":4,\"array_task\":null,\"user\":null,\"runs\":false,"
        "\"until\":null}],"
        "\"room\":null,\"used_up\":null,\"planned\":{\"start\":1795179600,\"nodes\":\"tux[1-2]\","
        "\"sure\":\"forecast\"},"
        "\"changes\":[{\"change\":\"--time=00:45:00\",\"instead_of\":\"01:00:00\","
        "\"start\":1795176060,\"nodes\":\"tux1\"}]}");
}
END_TEST

START_TEST(programs_are_told_of_a_held_job_and_of_one_that_runs)
{
    const struct advice none = { .is_sought = false };
    set_reason(REASON_HELD_USER, NULL);
    job->spec->time_limit = -1;

    assert_json(&none, "{\"id\":\"12\",\"job_id\":12,\"name\":\"story\",\"user\":\"ann\","
                       "\"partition\":\"main\",\"state\":\"PENDING\","
                       "\"reason\":\"JobHeldUser\",\"reason_text\":null,"
                       "\"asks\":{\"nodes\":2,\"cpus\":8,\"time_limit\":null},"
                       "\"waits_for_jobs\":null,\"deadline\":null,\"unavailable_nodes\":null,"
                       "\"lacks\":[],\"nodes\":[],\"jobs_before\":0,\"held_by\":[],\"room\":null,"
                       "\"used_up\":null,\"planned\":"
                       "null,\"changes\":null}");

    job->state = JOB_RUNNING;
    job->reason = REASON_NONE;
    job->node_list = xstrdup("tux1");
    job->start_time = NOON;
    job->end_time = NOON + 60;
    job->spec->time_limit = 60;
    assert_json(&none, "{\"id\":\"12\",\"job_id\":12,\"name\":\"story\",\"user\":\"ann\","
                       "\"partition\":\"main\",\"state\":\"RUNNING\",\"reason\":\"None\","
                       "\"reason_text\":null,\"nodes\":\"tux1\",\"start\":1795176000,"
                       "\"end\":null,\"ends_by\":1795176060}");
}
END_TEST

CHECK_MAIN_WITH(explain, before, after, CASE(programs_are_told_the_whole_chain),
                CASE(programs_are_told_of_a_held_job_and_of_one_that_runs),
                CASE(planned_job_says_what_it_lacks_and_who_holds_it),
                CASE(tasks_of_arrays_are_named_as_such), CASE(many_blockers_are_said_to_be_not_all),
                CASE(a_job_that_is_suspended_does_not_run), CASE(jobs_that_it_waits_for_are_named),
                CASE(a_dependency_that_failed_and_a_deadline_are_told), CASE(begin_is_told),
                CASE(a_limit_that_will_be_used_up_is_told_instead_of_a_start),
                CASE(a_start_that_waits_for_decay_says_so), CASE(nodes_that_are_out_are_told),
                LOOP_CASE(word_is_put_into_a_sentence, ARRAY_N(meanings)),
                CASE(job_that_runs_says_until_when),
                CASE(job_that_was_resumed_says_the_end_that_its_pause_has_moved),
                CASE(job_that_ended_says_how))
