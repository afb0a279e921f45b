#include "cli/lib/step_document.h"

#include "cli/lib/document.h"
#include "cli/lib/outcome.h"
#include "cli/lib/tasks.h"
#include "cli/lib/tres_document.h"
#include "common/text/duration.h"
#include "common/text/jobid.h"
#include "common/text/pattern.h"

#define US 1000000

/* ---- when ---- */

static void add_cpu_time(struct json_writer *json, const char *key, uint64_t us)
{
    json_open_object(json, key);
    json_add_int(json, "seconds", (int64_t)(us / US));
    json_add_int(json, "microseconds", (int64_t)(us % US));
    json_close(json);
}

void document_cpu_times(struct json_writer *json, struct cpu_times times)
{
    add_cpu_time(json, "system", times.system_us);
    add_cpu_time(json, "total", times.user_us + times.system_us);
    add_cpu_time(json, "user", times.user_us);
}

static void add_time(struct json_writer *json, const struct step_record *step, int64_t now)
{
    const int64_t limit = step_time_limit(step); /* a step that has none of its own has its job's */

    json_open_object(json, "time");
    json_add_int(json, "elapsed", step_run_time(step, now));
    document_number(json, "end", true, false, step->end_time);
    document_number(json, "start", true, false, step->start_time);
    json_add_int(json, "suspended", 0);
    document_cpu_times(json, step_cpu_times(step, 1));
    document_number(json, "limit", limit != LIMIT_UNSET && limit != LIMIT_INFINITE,
                    limit == LIMIT_INFINITE, duration_minutes(limit));
    json_close(json);
}

/* ---- where ---- */

static void add_nodes(struct json_writer *json, const struct step_record *step)
{
    json_open_object(json, "nodes");
    json_add_int(json, "count", step->nodes_n);
    json_add_text(json, "range", step->node_list ? step->node_list : "");
    json_open_array(json, "list");
    for (uint32_t i = 0; i < step->nodes_n; i++)
        json_add_text(json, NULL, step->nodes[i].name);
    json_close(json);
    json_close(json);
}

/* ---- TRES ---- */

static const char *const pick_keys[] = {
    [PICK_MAX] = "max", [PICK_MIN] = "min", [PICK_AVERAGE] = "average", [PICK_TOTAL] = "total"
};

static void add_usage(struct json_writer *json, const struct step_record *step, enum tres_id id,
                      const struct usage_spread *spread, enum usage_pick pick)
{
    const uint64_t unit = id == TRES_MEM || id == TRES_VMEM ? 1024 : 1; /* bytes, of kilobytes */

    document_open_tres(json, id, step_usage_amount(step, spread, pick) * unit);
    if (pick == PICK_MAX || pick == PICK_MIN) {
        json_add_text(json, "node", step_usage_node(step, spread, pick));
        json_add_int(json, "task", step_usage_task(spread, pick));
    }
    json_close(json);
}

static void add_reads(struct json_writer *json, const struct step_record *step,
                      enum usage_pick pick)
{
    const struct step_usage *usage = step->usage;

    add_usage(json, step, TRES_CPU, usage->cpu_us, pick);
    add_usage(json, step, TRES_MEM, usage->memory_kb, pick);
    add_usage(json, step, TRES_DISK, usage->read_bytes, pick);
    add_usage(json, step, TRES_VMEM, usage->virtual_kb, pick);
    add_usage(json, step, TRES_PAGES, usage->pages, pick);
}

/* Writes the usages. In Slurm's words what is read is requested, what is written consumed. */
static void add_usages(struct json_writer *json, const char *key, const struct step_record *step,
                       bool is_written)
{
    const bool is_known = step->usage && step->usage->tasks;

    json_open_object(json, key);
    for (enum usage_pick pick = PICK_MAX; pick <= PICK_TOTAL; pick++) {
        json_open_array(json, pick_keys[pick]);
        if (is_known && is_written)
            add_usage(json, step, TRES_DISK, step->usage->written_bytes, pick);
        else if (is_known)
            add_reads(json, step, pick);
        json_close(json);
    }
    json_close(json);
}

static void add_tres(struct json_writer *json, const struct step_record *step, const char *counted)
{
    AUTO(tres) struct tres allocated = tres_of_step(step);

    json_open_object(json, "tres");
    add_usages(json, "requested", step, false);
    add_usages(json, "consumed", step, true);
    document_tres(json, "allocated", &allocated, counted);
    json_close(json);
}

/* ---- the rest ---- */

/* Writes the pid of the step's srun. */
static void add_pid(struct json_writer *json, const struct step_record *step)
{
    AUTO(strbuf) struct strbuf pid = { 0 };

    if (step->spec && step->spec->srun_pid)
        strbuf_addu(&pid, step->spec->srun_pid);
    json_add_text(json, "pid", strbuf_text(&pid));
}

/* Frequency and energy are 0: clocks are not set here, and energy is not measured. */
static void add_frequency(struct json_writer *json)
{
    json_open_object(json, "CPU");
    json_open_object(json, "requested_frequency");
    document_number(json, "min", true, false, 0);
    document_number(json, "max", true, false, 0);
    json_close(json);
    json_add_text(json, "governor", "0");
    json_close(json);
}

static void add_statistics(struct json_writer *json)
{
    json_open_object(json, "statistics");
    json_open_object(json, "CPU");
    json_add_int(json, "actual_frequency", 0);
    json_close(json);
    json_open_object(json, "energy");
    document_number(json, "consumed", false, false, 0);
    json_close(json);
    json_close(json);
}

/* Writes a stream's name, and what is known of it when it is unfolded: not tasks, nor nodes. */
static void add_stream(struct json_writer *json, const char *key, const struct step_record *step,
                       const char *pattern)
{
    const struct pattern_values values = { .job = step->job_id,
                                           .array_job = NO_VAL,
                                           .array_task = NO_VAL,
                                           .step = step->step_id,
                                           .node = NO_VAL,
                                           .task = NO_VAL };
    AUTO_FREE char *expanded_key = xasprintf("%s_expanded", key);
    AUTO_FREE char *name = NULL;

    json_add_text(json, key, pattern ? pattern : "");
    if (pattern && pattern_expand(pattern, &values, &name, NULL) < 0)
        name = NULL;
    json_add_text(json, expanded_key, name ? name : "");
}

static void add_streams(struct json_writer *json, const struct step_record *step)
{
    const struct step_spec *spec = step->spec;

    add_stream(json, "stderr", step, spec ? spec->std_err : NULL);
    add_stream(json, "stdin", step, spec ? spec->std_in : NULL);
    add_stream(json, "stdout", step, spec ? spec->std_out : NULL);
}

static void add_id(struct json_writer *json, const struct step_record *step)
{
    const struct job_ref ref = step_ref(step);
    AUTO(strbuf) struct strbuf id = { 0 };

    job_ref_format(&id, &ref);
    json_open_object(json, "step");
    json_add_text(json, "id", strbuf_text(&id));
    json_add_text(json, "name", step->name ? step->name : "");
    add_streams(json, step);
    json_close(json);
}

static void add_task(struct json_writer *json, const struct step_record *step)
{
    AUTO(strbuf) struct strbuf distribution = { 0 };

    outcome_add_distribution(step, &distribution);
    json_open_object(json, "task");
    json_add_text(json, "distribution", distribution.len ? strbuf_text(&distribution) : "Unknown");
    json_close(json);
}

struct step_document_row step_document_row(const struct step_record *step,
                                           const struct report_context *ctx)
{
    return (struct step_document_row){ step, step_job_state(step), step->ended_by, ctx };
}

void step_document(const struct step_document_row *row, struct json_writer *json)
{
    const struct step_record *step = row->step;

    json_open_object(json, NULL);
    add_time(json, step, row->ctx->now);
    document_exit(json, "exit_code", step->state == STEP_PENDING, step->exit_status);
    add_nodes(json, step);
    json_open_object(json, "tasks");
    json_add_int(json, "count", step->ntasks);
    json_close(json);
    add_pid(json, step);
    add_frequency(json);
    document_user(json, "kill_request_user", row->ended_by);
    document_word(json, "state", job_state_name(row->state, 0));
    add_statistics(json);
    add_id(json, step);
    add_task(json, step);
    add_tres(json, step, row->ctx->counted);
    json_close(json);
}
