#include "cli/sacct/document.h"

#include "cli/lib/document.h"
#include "cli/lib/job_facts.h"
#include "cli/lib/outcome.h"
#include "cli/lib/step_document.h"
#include "cli/lib/tres_document.h"
#include "common/text/duration.h"

static void add_text(struct json_writer *json, const char *key, const char *text)
{
    json_add_text(json, key, text ? text : "");
}

/* ---- who ---- */

static void add_comments(struct json_writer *json, const struct job_record *job)
{
    const struct job_spec *spec = job->spec;

    json_open_object(json, "comment");
    add_text(json, "administrator", spec->admin_comment);
    add_text(json, "job", spec->comment);
    add_text(json, "system", job->system_comment);
    json_close(json);
}

static void add_array(struct json_writer *json, const struct job_record *job)
{
    json_open_object(json, "array");
    json_add_int(json, "job_id", job->array_job_id);
    json_open_object(json, "limits");
    json_open_object(json, "max");
    json_open_object(json, "running");
    json_add_int(json, "tasks", job->array_limit);
    json_close(json);
    json_close(json);
    json_close(json);
    document_number(json, "task_id", job->array_task != COUNT_UNSET, false, job->array_task);
    add_text(json, "task", job->array_tasks);
    json_close(json);
}

static void add_association(struct json_writer *json, const struct job_record *job,
                            const char *cluster)
{
    json_open_object(json, "association");
    add_text(json, "account", job->spec->account);
    json_add_text(json, "cluster", cluster);
    json_add_text(json, "partition", "");
    add_text(json, "user", job->user_name);
    json_add_int(json, "id", 0);
    json_close(json);
}

/* ---- when ---- */

static void add_time(struct json_writer *json, const struct history_job *history, bool with_steps)
{
    const struct job_record *job = history->job;
    const int64_t limit = job->spec->time_limit;
    const bool has_waited = job_started(job) || job_state_is_over(job->state);

    json_open_object(json, "time");
    json_add_int(json, "elapsed", job_run_time(job, history->now));
    json_add_int(json, "eligible", job->eligible_time);
    json_add_int(json, "end", job_ended(job));
    document_number(json, "planned", has_waited && job->eligible_time, false,
                    job_waited(job, history->now));
    json_add_int(json, "start", job_started(job));
    json_add_int(json, "submission", job->submit_time);
    json_add_int(json, "suspended", job_suspended_time(job, history->now));
    document_number(json, "limit", limit >= 0, limit == LIMIT_INFINITE, duration_minutes(limit));
    document_cpu_times(json, step_cpu_times(history->steps, with_steps ? history->steps_n : 0));
    json_close(json);
}

/* ---- how it went ---- */

static void add_flags(struct json_writer *json, const struct job_record *job)
{
    const bool by_backfill = job->flags & JOB_FLAG_BACKFILLED;
    const char *started = by_backfill ? "STARTED_ON_BACKFILL" : "STARTED_ON_SCHEDULE";

    document_word(json, "flags", job->nodes_n ? started : NULL);
}

static void add_state(struct json_writer *json, const struct history_job *history)
{
    const struct job_record *job = history->job;
    const bool requeued = acct_is_requeued(job, history->is_earlier_run);

    json_open_object(json, "state");
    document_word(json, "current", requeued ? "REQUEUED" : job_state_name(job->state, 0));
    json_add_text(json, "reason", job_reason_name(job->reason));
    json_close(json);
}

/* ---- what it asked for, and had ---- */

static void add_required(struct json_writer *json, const struct job_record *job)
{
    const uint64_t per_cpu = job->spec->mem_per_cpu, per_node = job->spec->mem_per_node;

    json_open_object(json, "required");
    json_add_int(json, "CPUs", job->ncpus);
    document_number(json, "memory_per_cpu", per_cpu != MB_UNSET, false, (int64_t)per_cpu);
    document_number(json, "memory_per_node", per_node != MB_UNSET, false, (int64_t)per_node);
    json_close(json);
}

static void add_tres(struct json_writer *json, const struct job_record *job, const char *counted)
{
    AUTO(tres) struct tres asked = tres_requested(job), held = tres_allocated(job);

    json_open_object(json, "tres");
    document_tres(json, "allocated", &held, counted);
    document_tres(json, "requested", &asked, counted);
    json_close(json);
}

static void add_stream(struct json_writer *json, const char *key, const struct history_job *history,
                       const char *pattern)
{
    AUTO(strbuf) struct strbuf path = { 0 };

    outcome_add_stream(history->job, history->body, pattern, &path);
    json_add_text(json, key, strbuf_text(&path));
}

static void add_streams(struct json_writer *json, const struct history_job *history)
{
    const struct job_body *body = history->body;

    add_stream(json, "stdin_expanded", history, job_std_in(body));
    add_stream(json, "stdout_expanded", history, job_std_out(history->job, body));
    add_stream(json, "stderr_expanded", history, job_std_err(history->job, body));
    add_text(json, "stdout", body->std_out);
    add_text(json, "stderr", body->std_err);
    add_text(json, "stdin", body->std_in);
}

static void add_mcs(struct json_writer *json)
{
    json_open_object(json, "mcs");
    json_add_text(json, "label", "");
    json_close(json);
}

static void add_reservation(struct json_writer *json, const struct job_record *job,
                            const struct job_spec *spec)
{
    json_open_object(json, "reservation");
    json_add_int(json, "id", job->resv_id);
    add_text(json, "name", job->resv_name ? job->resv_name : spec->reservation);
    add_text(json, "requested", spec->reservation);
    json_close(json);
}

static void add_het(struct json_writer *json)
{
    json_open_object(json, "het");
    json_add_int(json, "job_id", 0);
    document_number(json, "job_offset", false, false, 0);
    json_close(json);
}

static void add_wckey(struct json_writer *json, const struct job_spec *spec)
{
    json_open_object(json, "wckey");
    add_text(json, "wckey", spec->wckey);
    document_word(json, "flags", NULL);
    json_close(json);
}

/* ---- a job ---- */

static void add_steps(struct json_writer *json, const struct acct_document *document,
                      const struct history_job *history)
{
    const struct report_context ctx = { .now = history->now, .counted = document->counted };

    json_open_array(json, "steps");
    for (uint32_t i = 0; document->with_steps && i < history->steps_n; i++) {
        const struct step_record *step = &history->steps[i];
        const bool is_over = step->state == STEP_ENDED;

        step_document(&(struct step_document_row){ step,
                                                   is_over ? acct_step_state(step) : JOB_RUNNING,
                                                   acct_step_ended_by(step), &ctx },
                      json);
    }
    json_close(json);
}

/* The members come in the order of the published description, which is why they are not grouped. */
static void add_identity(struct json_writer *json, const struct acct_document *document,
                         const struct history_job *history)
{
    const struct job_record *job = history->job;
    const bool is_pending = job->state == JOB_PENDING;

    add_text(json, "account", job->spec->account);
    add_comments(json, job);
    json_add_int(json, "allocation_nodes", job->nodes_n);
    add_array(json, job);
    add_association(json, job, document->cluster);
    json_add_text(json, "block", "");
    json_add_text(json, "cluster", document->cluster);
    add_text(json, "constraints", job->spec->features);
    json_add_text(json, "container", "");
    document_exit(json, "derived_exit_code", is_pending, job->derived_status);
    add_time(json, history, document->with_steps);
    document_exit(json, "exit_code", is_pending, acct_job_exit(job));
    add_text(json, "extra", job->spec->extra);
    json_add_text(json, "failed_node", "");
    add_flags(json, job);
    add_text(json, "group", job->group_name);
    add_het(json);
    json_add_int(json, "job_id", job->id);
}

static void add_rest(struct json_writer *json, const struct acct_document *document,
                     const struct history_job *history)
{
    const struct job_record *job = history->job;
    const struct job_spec *spec = job->spec;

    add_text(json, "name", spec->name);
    add_text(json, "licenses", spec->licenses);
    add_mcs(json);
    json_add_text(json, "nodes", job->node_list ? job->node_list : "None assigned");
    add_text(json, "partition", job->partition);
    json_add_bool(json, "hold", job_waits_held(job));
    document_number(json, "priority", true, false, (int64_t)job->priority);
    add_text(json, "qos", spec->qos);
    add_text(json, "qosreq", spec->qos);
    add_required(json, job);
    document_user(json, "kill_request_user", job->ended_by);
    json_add_int(json, "restart_cnt", job->restarts);
    add_reservation(json, job, spec);
    json_add_text(json, "script", "");
    json_add_int(json, "segment_size", 0);
    add_streams(json, history);
    add_state(json, history);
    add_steps(json, document, history);
    add_text(json, "submit_line", history->body->submit_line);
    add_tres(json, job, document->counted);
    json_add_text(json, "used_gres", "");
    add_text(json, "user", job->user_name);
    add_wckey(json, spec);
    add_text(json, "working_directory", history->body->work_dir);
}

void acct_document_add(const struct acct_document *document, const struct history_job *history,
                       struct json_writer *json)
{
    json_open_object(json, NULL);
    add_identity(json, document, history);
    add_rest(json, document, history);
    json_close(json);
}
