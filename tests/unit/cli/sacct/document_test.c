#include "unit/check_main.h"

#include <signal.h>

#include "cli/sacct/document.h"
#include "unit/json_read.h"

static struct usage_spread *spread(uint64_t amount)
{
    struct usage_spread *it = xcalloc(1, sizeof(*it));

    *it = (struct usage_spread){ .total = amount, .max = amount, .min = amount };
    return it;
}

static void add_step(struct history_job *history, uint32_t id)
{
    struct step_record *step = ARRAY_PUSH(history->steps, history->steps_n);
    struct step_node *node;

    step_record_init(step);
    step->job_id = history->job->id;
    step->step_id = id;
    step->name = xstrdup("say \"hi\"");
    step->spec = xcalloc(1, sizeof(*step->spec));
    step_spec_init(step->spec);
    step->spec->std_out = xstrdup("/tmp/%j.%s.%t");
    step->spec->time_limit = 61;
    step->state = STEP_ENDED;
    step->end_state = JOB_CANCELLED;
    step->exit_status = SIGTERM;
    step->start_time = 1000;
    step->end_time = 1060;
    node = ARRAY_PUSH(step->nodes, step->nodes_n);
    step_node_init(node);
    node->name = xstrdup("tux1");
    step->usage = xcalloc(1, sizeof(*step->usage));
    step_usage_init(step->usage);
    step->usage->tasks = 1;
    step->usage->user_us = 2500000;
    step->usage->cpu_us = spread(2500000);
    step->usage->memory_kb = spread(2048);
    step->usage->virtual_kb = spread(4096);
    step->usage->pages = spread(0);
    step->usage->read_bytes = spread(77);
    step->usage->written_bytes = spread(88);
}

static void fill(struct history_job *history, uint32_t id)
{
    struct job_record *job = xcalloc(1, sizeof(*job));

    history_job_init(history);
    history->job = job;
    history->body = xmalloc(sizeof(*history->body));
    job_body_init(history->body);
    history->now = 2000;
    job_record_init(job);
    job->spec = xcalloc(1, sizeof(*job->spec));
    job_spec_init(job->spec);
    job->id = id;
    job->user_name = xstrdup("ann");
    job->state = JOB_TIMEOUT;
    job->exit_status = SIGTERM;
    job->ncpus = 2;
    job->spec->name = xstrdup("run");
    job->spec->mem_per_node = 500;
    job->spec->time_limit = 61;
    job->eligible_time = 900;
    job->start_time = 1000;
    job->end_time = 1060;
    add_step(history, STEP_BATCH);
    add_step(history, 0);
}

/* Two jobs as one list, read back. */
static json_t *document(bool with_steps)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct json_writer json = json_writer_new(JSON_INDENTED, &out);
    const struct acct_document manner = { "lab", NULL, with_steps };

    json_open_array(&json, NULL);
    for (uint32_t id = 7; id < 9; id++) {
        AUTO(history_job) struct history_job history;

        fill(&history, id);
        history.is_earlier_run = id == 8;
        acct_document_add(&manner, &history, &json);
    }
    json_close(&json);
    return read_json(&out);
}

#define NUMBER_OF(number) "{'set': true, 'infinite': false, 'number': " #number "}"
#define NO_NUMBER         "{'set': false, 'infinite': false, 'number': 0}"

static const struct {
    const char *path, *expected;
} values[] = {
    { "0.job_id", "7" },
    { "1.job_id", "8" },
    { "0.name", "'run'" },
    { "0.user", "'ann'" },
    { "0.cluster", "'lab'" },
    { "0.account", "''" },
    { "0.association",
      "{'account': '', 'cluster': 'lab', 'partition': '', 'user': 'ann', 'id': 0}" },
    { "0.array.limits", "{'max': {'running': {'tasks': 0}}}" },
    { "0.array.task_id", NO_NUMBER },
    { "0.state", "{'current': ['TIMEOUT'], 'reason': 'None'}" },
    { "1.state", "{'current': ['REQUEUED'], 'reason': 'None'}" },
    { "0.exit_code", "{'status': ['SUCCESS'], 'return_code': " NUMBER_OF(
                         0) ", 'signal': {'id': " NO_NUMBER ", 'name': ''}}" },
    { "0.het", "{'job_id': 0, 'job_offset': " NO_NUMBER "}" },
    { "0.kill_request_user", "''" },
    { "0.nodes", "'None assigned'" },
    { "0.time.elapsed", "60" },
    { "0.time.limit", NUMBER_OF(2) },
    { "0.time.planned", NUMBER_OF(100) },
    { "0.time.total", "{'seconds': 5, 'microseconds': 0}" },
    { "0.required.memory_per_node", NUMBER_OF(500) },
    { "0.required.memory_per_cpu", NO_NUMBER },
    { "0.tres.allocated", "[]" },
    { "0.tres.requested.0", "{'type': 'cpu', 'name': '', 'id': 1, 'count': 2}" },
    { "0.tres.requested.1", "{'type': 'mem', 'name': '', 'id': 2, 'count': 500}" },
    { "0.wckey", "{'wckey': '', 'flags': []}" },
    { "0.steps.0.step.id", "'7.batch'" },
    { "0.steps.0.step.name", "'say \\'hi\\''" },
    { "0.steps.0.step.stdout", "'/tmp/%j.%s.%t'" },
    { "0.steps.0.step.stdout_expanded", "'/tmp/7.batch.%t'" },
    { "0.steps.0.step.stdin", "''" },
    { "0.steps.0.step.stdin_expanded", "''" },
    { "0.steps.0.time.limit", "{'set': true, 'infinite': false, 'number': 2}" },
    { "0.steps.0.state", "['CANCELLED']" },
    { "0.steps.1.step.id", "'7.0'" },
    { "0.steps.1.nodes", "{'count': 1, 'range': '', 'list': ['tux1']}" },
    { "0.steps.1.exit_code.status", "['SIGNALED']" },
    { "0.steps.1.exit_code.signal", "{'id': " NUMBER_OF(15) ", 'name': 'TERM'}" },
    { "0.steps.1.time.end", NUMBER_OF(1060) },
    { "0.steps.1.time.user", "{'seconds': 2, 'microseconds': 500000}" },
    { "0.steps.1.tres.requested.max.1.count", "2097152" },
    { "0.steps.1.tres.requested.max.1.node", "'tux1'" },
    { "0.steps.1.tres.requested.total.0",
      "{'type': 'cpu', 'name': '', 'id': 1, 'count': 2500000}" },
    { "0.steps.1.tres.consumed.total", "[{'type': 'fs', 'name': 'disk', 'id': 6, 'count': 88}]" },
};

START_TEST(values_are_where_slurm_has_them)
{
    json_t *json = document(true);

    ck_json(json, values[_i].path, values[_i].expected);
    json_decref(json);
}
END_TEST

START_TEST(without_steps_nothing_is_summed_up)
{
    json_t *json = document(false);

    ck_json(json, "0.steps", "[]");
    ck_json(json, "0.time.total.seconds", "0");
    json_decref(json);
}
END_TEST

/* Returns the "time" of a job that was cancelled while it waited. */
static json_t *time_of_cancelled(int64_t start)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct json_writer json = json_writer_new(JSON_INDENTED, &out);
    const struct acct_document manner = { "lab", NULL, true };
    AUTO(history_job) struct history_job history;

    fill(&history, 7);
    history.job->state = JOB_CANCELLED;
    history.job->start_time = start;
    acct_document_add(&manner, &history, &json);
    return read_json(&out);
}

START_TEST(a_job_that_never_began_has_no_start)
{
    static const int64_t starts[] = { 1060, 0 }; /* of this cluster's records, of imported ones */
    json_t *json = time_of_cancelled(starts[_i]);

    ck_json(json, "time.start", "0");
    ck_json(json, "time.end", "1060");
    ck_json(json, "time.planned", NUMBER_OF(160));
    json_decref(json);
}
END_TEST

CHECK_MAIN(document, LOOP_CASE(values_are_where_slurm_has_them, ARRAY_N(values)),
           LOOP_CASE(a_job_that_never_began_has_no_start, 2),
           CASE(without_steps_nothing_is_summed_up))
