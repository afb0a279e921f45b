#include "unit/check_main.h"

#include <jansson.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/sacct/document.h"

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
    job->start_time = 1000;
    job->end_time = 1060;
    add_step(history, STEP_BATCH);
    add_step(history, 0);
}

/* Two jobs as one document, read back. */
static json_t *document(bool with_steps)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    json_error_t error;
    json_t *json;

    acct_document_begin(&out);
    for (uint32_t id = 7; id < 9; id++) {
        AUTO(history_job) struct history_job history;

        fill(&history, id);
        acct_document_add(&history, "lab", with_steps, id == 7, &out);
    }
    acct_document_end(&out);
    json = json_loads(strbuf_text(&out), 0, &error);
    ck_assert_msg(json != NULL, "%s at %d", error.text, error.line);
    return json;
}

/* The value at "jobs.0.time.elapsed". */
static json_t *find(json_t *json, const char *path)
{
    AUTO_FREE char *copy = xstrdup(path);
    char *rest = NULL;

    for (char *key = strtok_r(copy, ".", &rest); key && json; key = strtok_r(NULL, ".", &rest))
        json = json_is_array(json) ? json_array_get(json, (size_t)atoi(key))
                                   : json_object_get(json, key);
    return json;
}

static const struct {
    const char *path;
    const char *text; /* or else the number */
    int64_t number;
} values[] = {
    { "jobs.0.job_id", NULL, 7 },
    { "jobs.1.job_id", NULL, 8 },
    { "jobs.0.name", "run", 0 },
    { "jobs.0.user", "ann", 0 },
    { "jobs.0.cluster", "lab", 0 },
    { "jobs.0.state.current", "TIMEOUT", 0 },
    { "jobs.0.exit_code.status", "SUCCESS", 0 },
    { "jobs.0.exit_code.return_code", NULL, 0 },
    { "jobs.0.time.elapsed", NULL, 60 },
    { "jobs.0.time.limit", NULL, 2 },
    { "jobs.0.time.total.seconds", NULL, 5 },
    { "jobs.0.required.memory", NULL, 500 },
    { "jobs.0.tres.requested.0.type", "cpu", 0 },
    { "jobs.0.tres.requested.1.count", NULL, 500 },
    { "jobs.0.steps.0.step.id", "batch", 0 },
    { "jobs.0.steps.0.state", "CANCELLED", 0 },
    { "jobs.0.steps.1.step.id", NULL, 0 },
    { "jobs.0.steps.1.step.name", "say \"hi\"", 0 },
    { "jobs.0.steps.1.exit_code.signal.signal_id", NULL, SIGTERM },
    { "jobs.0.steps.1.time.user.microseconds", NULL, 500000 },
    { "jobs.0.steps.1.tres.requested.max.1.count", NULL, 2097152 },
    { "jobs.0.steps.1.tres.requested.max.1.node", "tux1", 0 },
    { "jobs.0.steps.1.tres.consumed.total.0.count", NULL, 88 },
};

START_TEST(values_are_where_slurm_has_them)
{
    json_t *json = document(true);
    json_t *value = find(json, values[_i].path);

    ck_assert_msg(value != NULL, "%s is missing", values[_i].path);
    if (values[_i].text)
        ck_assert_str_eq(json_string_value(value), values[_i].text);
    else
        ck_assert_int_eq(json_integer_value(value), values[_i].number);
    json_decref(json);
}
END_TEST

START_TEST(without_steps_nothing_is_summed_up)
{
    json_t *json = document(false);

    ck_assert_uint_eq(json_array_size(find(json, "jobs.0.steps")), 0);
    ck_assert_int_eq(json_integer_value(find(json, "jobs.0.time.total.seconds")), 0);
    json_decref(json);
}
END_TEST

CHECK_MAIN(document, LOOP_CASE(values_are_where_slurm_has_them, ARRAY_N(values)),
           CASE(without_steps_nothing_is_summed_up))
