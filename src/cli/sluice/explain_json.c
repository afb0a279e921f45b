#include "cli/sluice/explain_json.h"

#include "cli/lib/job_facts.h"

static void add_time(struct json_writer *json, const char *key, int64_t t)
{
    if (t)
        json_add_int(json, key, t);
    else
        json_add_null(json, key);
}

/* Writes the names: a task by its own number, tasks that wait together by theirs. */
static void add_names(const struct job_record *job, struct json_writer *json)
{
    AUTO(strbuf) struct strbuf name = { 0 };

    job_name_format(job, 0, &name);
    json_add_text(json, "id", strbuf_text(&name));
    json_add_int(json, "job_id", job->id);
    json_add_text(json, "name", job->spec->name);
    json_add_text(json, "user", job->user_name);
    json_add_text(json, "partition", job->partition);
    json_add_text(json, "state", job_state_name(job->state, 0));
}

/* ---- a waiting job ---- */

static void add_request(const struct job_record *job, struct json_writer *json)
{
    const struct job_spec *spec = job->spec;

    json_open_object(json, "asks");
    json_add_int(json, "nodes", spec->min_nodes);
    json_add_int(json, "cpus", job->ncpus);
    if (spec->time_limit < 0)
        json_add_null(json, "time_limit");
    else
        json_add_int(json, "time_limit", spec->time_limit);
    json_close(json);
}

static void add_dependencies(const struct job_record *job, struct json_writer *json)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (job->dependencies_n)
        job_dependencies_format(job, &text);
    json_add_text(json, "waits_for_jobs", job->dependencies_n ? strbuf_text(&text) : NULL);
}

static void add_lacks(uint32_t lacks, struct json_writer *json)
{
    static const struct {
        uint32_t lack;
        const char *word;
    } words[] = {
        { JOB_LACKS_CPUS, "cpus" },         { JOB_LACKS_MEMORY, "memory" },
        { JOB_LACKS_GRES, "gres" },         { JOB_LACKS_LICENSES, "licenses" },
        { JOB_LACKS_NODES, "whole nodes" },
    };

    json_open_array(json, "lacks");
    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (lacks & words[i].lack)
            json_add_text(json, NULL, words[i].word);
    }
    json_close(json);
}

static void add_blockers(const struct job_info *info, struct json_writer *json)
{
    json_open_array(json, "held_by");
    for (uint32_t i = 0; i < info->blockers_n; i++) {
        const struct job_blocker *blocker = &info->blockers[i];

        json_open_object(json, NULL);
        json_add_int(json, "job_id", blocker->job_id);
        if (blocker->array_task != COUNT_UNSET)
            json_add_int(json, "array_task", blocker->array_task);
        else
            json_add_null(json, "array_task");
        json_add_text(json, "user", blocker->user_name);
        json_add_bool(json, "runs", !blocker->waits);
        add_time(json, "until", blocker->until);
        json_close(json);
    }
    json_close(json);
}

static void add_nodes(const struct standing *standing, struct json_writer *json)
{
    static const char *const words[STANDING_KINDS_N] = {
        [STANDING_MATCHES] = "matches", [STANDING_BUSY] = "busy",
        [STANDING_DRAINED] = "drained", [STANDING_DOWN] = "down",
        [STANDING_UNFIT] = "unfit",     [STANDING_EXCLUDED] = "excluded",
    };

    json_open_array(json, "nodes");
    for (uint32_t i = 0; standing && i < standing->rows_n; i++) {
        const struct standing_row *row = &standing->rows[i];
        AUTO_FREE char *names = hostlist_format(row->nodes);

        json_open_object(json, NULL);
        json_add_text(json, "is", words[row->kind]);
        json_add_int(json, "count", hostlist_count(row->nodes));
        json_add_text(json, "nodes", names);
        add_time(json, "until", row->until);
        json_add_text(json, "lacks", row->lacks);
        json_close(json);
    }
    json_close(json);
    json_add_int(json, "jobs_before", standing ? standing->ahead_n : 0);
}

static void add_plan(const struct job_info *info, struct json_writer *json)
{
    add_time(json, "room", info->room_time);
    add_time(json, "used_up", info->used_up_time);
    if (!info->planned_start) {
        json_add_null(json, "planned");
        return;
    }
    json_open_object(json, "planned");
    json_add_int(json, "start", info->planned_start);
    json_add_text(json, "nodes", info->planned_nodes);
    json_add_text(json, "sure",
                  info->estimate == ESTIMATE_BEGIN      ? "begin"
                  : info->estimate == ESTIMATE_FORECAST ? "forecast"
                  : info->estimate == ESTIMATE_DECAY    ? "decay"
                                                        : "limits");
    json_close(json);
}

static void add_advice(const struct advice *advice, struct json_writer *json)
{
    if (!advice->is_sought) {
        json_add_null(json, "changes");
        return;
    }
    json_open_array(json, "changes");
    for (uint32_t i = 0; i < advice->n; i++) {
        const struct advice_change *change = &advice->changes[i];

        json_open_object(json, NULL);
        json_add_text(json, "change", change->change);
        json_add_text(json, "instead_of", change->before);
        json_add_int(json, "start", change->start);
        json_add_text(json, "nodes", change->nodes);
        json_close(json);
    }
    json_close(json);
}

static void add_waiting(const struct job_info *info, const struct standing *standing,
                        const struct advice *advice, struct json_writer *json)
{
    add_request(info->job, json);
    add_dependencies(info->job, json);
    add_time(json, "deadline", info->job->spec->deadline);
    json_add_text(json, "unavailable_nodes", info->unavailable_nodes);
    add_lacks(info->lacks, json);
    add_nodes(standing, json);
    add_blockers(info, json);
    add_plan(info, json);
    add_advice(advice, json);
}

/* ---- others ---- */

static void add_run(const struct job_record *job, struct json_writer *json)
{
    const bool runs = !job_state_is_over(job->state);

    json_add_text(json, "nodes", job->node_list);
    add_time(json, "start", job->start_time);
    add_time(json, "end", job_ended(job));
    add_time(json, "ends_by", runs ? job_end_from(job, job->start_time) : 0);
}

void explain_json(const struct job_info *info, const struct standing *standing,
                  const struct advice *advice, struct json_writer *json)
{
    const struct job_record *job = info->job;

    json_open_object(json, NULL);
    add_names(job, json);
    json_add_text(json, "reason", job_reason_name(job->reason));
    json_add_text(json, "reason_text", job->reason_text);
    if (job->state == JOB_PENDING)
        add_waiting(info, standing, advice, json);
    else
        add_run(job, json);
    json_close(json);
}
