#include "cli/sacct/document.h"

#include <string.h>
#include <sys/wait.h>

#include "cli/lib/outcome.h"
#include "common/json/json.h"
#include "common/msg/tres.h"
#include "common/text/jobid.h"

/* Numbers of TRES as in a new database of Slurm's. */
enum tres_id {
    TRES_CPU = 1,
    TRES_MEM,
    TRES_ENERGY,
    TRES_NODE,
    TRES_BILLING,
    TRES_DISK,
    TRES_VMEM,
    TRES_PAGES
};

#define US 1000000

/* ---- parts that several places have ---- */

static void put_count(struct json *object, const char *key, uint32_t count)
{
    if (count == COUNT_UNSET)
        json_put_text(object, key, NULL);
    else
        json_put_int(object, key, count);
}

static void put_exit(struct json *object, const char *key, int32_t status)
{
    struct json *code = json_put_object(object, key);
    struct json *signal;

    if (!WIFSIGNALED(status)) {
        json_put_text(code, "status", WEXITSTATUS(status) ? "ERROR" : "SUCCESS");
        json_put_int(code, "return_code", WEXITSTATUS(status));
        return;
    }
    json_put_text(code, "status", "SIGNALED");
    json_put_text(code, "return_code", NULL);
    signal = json_put_object(code, "signal");
    json_put_int(signal, "signal_id", WTERMSIG(status));
    json_put_text(signal, "name", strsignal(WTERMSIG(status)));
}

static void put_cpu(struct json *time, const char *key, uint64_t us)
{
    struct json *cpu = json_put_object(time, key);

    json_put_int(cpu, "seconds", (int64_t)(us / US));
    json_put_int(cpu, "microseconds", (int64_t)(us % US));
}

static void put_cpus(struct json *time, uint64_t user_us, uint64_t system_us)
{
    put_cpu(time, "system", system_us);
    put_cpu(time, "total", user_us + system_us);
    put_cpu(time, "user", user_us);
}

/* ---- TRES ---- */

static struct json *push_tres(struct json *list, enum tres_id id, const char *type,
                              const char *name, uint64_t count)
{
    struct json *tres = json_new_object();

    json_put_text(tres, "type", type);
    json_put_text(tres, "name", name);
    json_put_int(tres, "id", id);
    json_put_int(tres, "count", (int64_t)count);
    json_push(list, tres);
    return tres;
}

static void put_tres(struct json *object, const char *key, const struct tres *tres)
{
    struct json *list = json_new_array();

    if (tres->cpus)
        push_tres(list, TRES_CPU, "cpu", NULL, tres->cpus);
    if (tres->mem_mb && tres->mem_mb != MB_UNSET)
        push_tres(list, TRES_MEM, "mem", NULL, tres->mem_mb);
    if (tres->nodes)
        push_tres(list, TRES_NODE, "node", NULL, tres->nodes);
    if (tres->billing)
        push_tres(list, TRES_BILLING, "billing", NULL, tres->billing);
    json_put(object, key, list);
}

enum pick { PICK_AVERAGE, PICK_TOTAL, PICK_MAX, PICK_MIN };

static void push_usage(struct json *list, const struct step_record *step, enum tres_id id,
                       const char *type, const char *name, const struct usage_spread *spread,
                       enum pick pick, uint64_t unit)
{
    const bool max = pick == PICK_MAX;
    const uint64_t amounts[] = { [PICK_AVERAGE] = spread->total / step->usage->tasks,
                                 [PICK_TOTAL] = spread->total,
                                 [PICK_MAX] = spread->max,
                                 [PICK_MIN] = spread->min };
    struct json *tres = push_tres(list, id, type, name, amounts[pick] * unit);
    uint32_t node = max ? spread->max_node : spread->min_node;

    if (pick != PICK_MAX && pick != PICK_MIN)
        return;
    json_put_text(tres, "node", node < step->nodes_n ? step->nodes[node].name : NULL);
    json_put_int(tres, "task", max ? spread->max_task : spread->min_task);
}

static void put_usage(struct json *object, const char *key, const struct step_record *step,
                      enum pick pick, bool is_out)
{
    const struct step_usage *usage = step->usage;
    struct json *list = json_new_array();

    json_put(object, key, list);
    if (!usage || !usage->tasks)
        return;
    if (is_out) {
        push_usage(list, step, TRES_DISK, "fs", "disk", usage->written_bytes, pick, 1);
        return;
    }
    push_usage(list, step, TRES_CPU, "cpu", NULL, usage->cpu_us, pick, 1);
    push_usage(list, step, TRES_MEM, "mem", NULL, usage->memory_kb, pick, 1024);
    push_usage(list, step, TRES_DISK, "fs", "disk", usage->read_bytes, pick, 1);
    push_usage(list, step, TRES_VMEM, "vmem", NULL, usage->virtual_kb, pick, 1024);
    push_usage(list, step, TRES_PAGES, "pages", NULL, usage->pages, pick, 1);
}

static void put_step_tres(struct json *json, const struct step_record *step)
{
    const struct tres allocated = tres_of_step(step);
    struct json *tres = json_put_object(json, "tres");
    struct json *in = json_put_object(tres, "requested");
    struct json *out = json_put_object(tres, "consumed");

    put_usage(in, "max", step, PICK_MAX, false);
    put_usage(in, "min", step, PICK_MIN, false);
    put_usage(in, "average", step, PICK_AVERAGE, false);
    put_usage(in, "total", step, PICK_TOTAL, false);
    put_usage(out, "max", step, PICK_MAX, true);
    put_usage(out, "min", step, PICK_MIN, true);
    put_usage(out, "average", step, PICK_AVERAGE, true);
    put_usage(out, "total", step, PICK_TOTAL, true);
    put_tres(tres, "allocated", &allocated);
}

/* ---- a step ---- */

static void put_step_id(struct json *json, const struct step_record *step)
{
    struct json *id = json_put_object(json, "step");
    AUTO(strbuf) struct strbuf word = { 0 };

    json_put_int(id, "job_id", step->job_id);
    step_id_format(&word, step->step_id);
    if (step->step_id < STEP_MAX)
        json_put_int(id, "id", step->step_id);
    else
        json_put_text(id, "id", strbuf_text(&word));
    json_put_text(id, "name", step->name);
}

static void put_step_time(struct json *json, const struct step_record *step, int64_t now)
{
    int64_t until = step->end_time ? step->end_time : now;
    struct json *time = json_put_object(json, "time");

    json_put_int(time, "elapsed", step->start_time ? until - step->start_time : 0);
    json_put_int(time, "end", step->end_time);
    json_put_int(time, "start", step->start_time);
    json_put_int(time, "suspended", 0);
    put_cpus(time, step->usage ? step->usage->user_us : 0,
             step->usage ? step->usage->system_us : 0);
}

static struct json *step_json(const struct step_record *step, int64_t now)
{
    struct json *json = json_new_object();
    struct json *nodes = json_put_object(json, "nodes");

    json_put_int(nodes, "count", step->nodes_n);
    json_put_text(nodes, "range", step->node_list);
    put_step_time(json, step, now);
    put_exit(json, "exit_code", step->exit_status);
    json_put_int(json_put_object(json, "tasks"), "count", step->ntasks);
    put_count(json, "kill_request_user", acct_step_ended_by(step));
    json_put_text(json, "state", job_state_name(acct_step_state(step), 0));
    put_step_id(json, step);
    put_step_tres(json, step);
    return json;
}

/* ---- a job ---- */

static void put_job_time(struct json *json, const struct history_job *history, bool with_steps)
{
    const struct job_record *job = history->job;
    struct json *time = json_put_object(json, "time");
    uint64_t user_us = 0, system_us = 0;

    for (uint32_t i = 0; with_steps && i < history->steps_n; i++) {
        const struct step_usage *usage = history->steps[i].usage;

        user_us += usage ? usage->user_us : 0;
        system_us += usage ? usage->system_us : 0;
    }
    json_put_int(time, "elapsed", outcome_run_time(job, history->now));
    json_put_int(time, "eligible", job->eligible_time);
    json_put_int(time, "end", job_state_is_over(job->state) ? job->end_time : 0);
    json_put_int(time, "start", job->state == JOB_PENDING ? 0 : job->start_time);
    json_put_int(time, "submission", job->submit_time);
    json_put_int(time, "suspended", outcome_suspended_time(job, history->now));
    if (job->spec->time_limit >= 0)
        json_put_int(time, "limit", (job->spec->time_limit + 59) / 60);
    else
        json_put_text(time, "limit", NULL);
    put_cpus(time, user_us, system_us);
}

static void put_array(struct json *json, const struct job_record *job)
{
    struct json *array = json_put_object(json, "array");
    struct json *limits = json_put_object(array, "limits");

    json_put_int(array, "job_id", job->array_job_id);
    json_put_int(json_put_object(json_put_object(limits, "max"), "running"), "tasks",
                 job->array_limit);
    json_put_text(array, "task", job->array_tasks);
    put_count(array, "task_id", job->array_task);
}

static void put_texts(struct json *json, const struct job_record *job, const char *cluster)
{
    const struct job_spec *spec = job->spec;
    struct json *comment = json_put_object(json, "comment");

    json_put_text(json, "account", spec->account);
    json_put_text(comment, "administrator", NULL);
    json_put_text(comment, "job", spec->comment);
    json_put_text(comment, "system", NULL);
    json_put_text(json, "cluster", cluster);
    json_put_text(json, "constraints", spec->features);
    json_put_text(json, "container", NULL);
    json_put_text(json, "group", job->group_name);
    json_put_text(json, "name", spec->name);
    json_put_text(json, "nodes", job->node_list ? job->node_list : "None assigned");
    json_put_text(json, "partition", job->partition);
    json_put_text(json, "qos", spec->qos);
    json_put_text(json, "user", job->user_name);
    json_put_text(json, "wckey", spec->wckey);
    json_put_text(json, "working_directory", spec->work_dir);
    json_put_text(json_put_object(json, "reservation"), "name", spec->reservation);
}

static void put_outcome(struct json *json, const struct job_record *job)
{
    struct json *flags = json_new_array();
    struct json *state = json_put_object(json, "state");

    put_exit(json, "derived_exit_code", job->derived_status);
    put_exit(json, "exit_code", acct_job_exit(job));
    if (job->nodes_n)
        json_push(flags, json_new_text(job->flags & JOB_FLAG_BACKFILLED ? "STARTED_ON_BACKFILL"
                                                                        : "STARTED_ON_SCHEDULE"));
    json_put(json, "flags", flags);
    put_count(json, "kill_request_user", job->ended_by);
    json_put_text(state, "current", job_state_name(job->state, 0));
    json_put_text(state, "reason", job_reason_name(job->reason));
}

static void put_amounts(struct json *json, const struct job_record *job)
{
    const struct tres asked = tres_requested(job), held = tres_allocated(job);
    struct json *required = json_put_object(json, "required");
    struct json *tres = json_put_object(json, "tres");

    json_put_int(json, "allocation_nodes", job->nodes_n);
    json_put_int(json, "priority", (int64_t)job->priority);
    json_put_int(required, "CPUs", job->ncpus);
    json_put_int(required, "memory", asked.mem_mb == MB_UNSET ? 0 : (int64_t)asked.mem_mb);
    put_tres(tres, "allocated", &held);
    put_tres(tres, "requested", &asked);
}

static struct json *job_json(const struct history_job *history, const char *cluster,
                             bool with_steps)
{
    const struct job_record *job = history->job;
    struct json *json = json_new_object();
    struct json *steps = json_new_array();

    json_put_int(json, "job_id", job->id);
    put_texts(json, job, cluster);
    put_array(json, job);
    put_outcome(json, job);
    put_amounts(json, job);
    put_job_time(json, history, with_steps);
    for (uint32_t i = 0; with_steps && i < history->steps_n; i++)
        json_push(steps, step_json(&history->steps[i], history->now));
    json_put(json, "steps", steps);
    return json;
}

void acct_document_begin(struct strbuf *out)
{
    struct json *meta = json_new_object();
    struct json *plugin = json_put_object(meta, "plugin");

    json_put_text(plugin, "type", "openapi/dbv0.0.38");
    json_put_text(plugin, "name", "Sluice, in the form of Slurm OpenAPI DB v0.0.38");
    strbuf_adds(out, "{\n\"meta\": ");
    json_format(meta, out);
    strbuf_adds(out, ",\n\"errors\": [],\n\"jobs\": [\n");
    json_free(meta);
}

void acct_document_add(const struct history_job *history, const char *cluster, bool with_steps,
                       bool is_first, struct strbuf *out)
{
    struct json *json = job_json(history, cluster, with_steps);

    strbuf_adds(out, is_first ? "" : ",\n");
    json_format(json, out);
    json_free(json);
}

void acct_document_end(struct strbuf *out)
{
    strbuf_adds(out, "]\n}\n");
}
