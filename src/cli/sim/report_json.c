#include "cli/sim/groups.h"
#include "cli/sim/report.h"
#include "common/json/writer.h"

static void add_spread(struct json_writer *json, const char *key, const struct spread *spread)
{
    json_open_object(json, key);
    json_add_real(json, "mean", spread->mean);
    json_add_real(json, "median", spread->median);
    json_add_real(json, "p95", spread->p95);
    json_add_real(json, "p99", spread->p99);
    json_add_real(json, "max", spread->max);
    json_add_real(json, "rms", spread->rms);
    json_close(json);
}

static void add_group(struct json_writer *json, const struct group *group,
                      const struct report_run *run)
{
    const struct metrics metrics = group_metrics(group, run->workload);

    json_open_object(json, NULL);
    json_add_text(json, "group", group->name);
    json_add_int(json, "jobs", metrics.jobs_n);
    json_add_int(json, "unstarted", metrics.unstarted_n);
    json_add_real(json, "utilisation", metrics.utilisation);
    json_add_real(json, "makespan_s", metrics.makespan_s);
    add_spread(json, "wait_s", &metrics.wait_s);
    add_spread(json, "bounded_slowdown", &metrics.slowdown);
    json_close(json);
}

static void add_run(struct json_writer *json, const struct report_run *run)
{
    AUTO(groups) struct groups groups = groups_of(run->workload);

    json_open_object(json, NULL);
    json_add_text(json, "policy", run->title);
    json_add_int(json, "passes", (int64_t)run->passes_n);
    json_open_array(json, "groups");
    for (uint32_t i = 0; i < groups.n; i++)
        add_group(json, &groups.at[i], run);
    json_close(json);
    json_close(json);
}

static void add_dropped(struct json_writer *json, const struct workload_dropped *dropped)
{
    json_open_object(json, "dropped");
    json_add_int(json, "no_submit_time", dropped->no_submit);
    json_add_int(json, "no_run_time", dropped->no_run);
    json_add_int(json, "no_requested_time", dropped->no_request);
    json_add_int(json, "no_size", dropped->no_size);
    json_add_int(json, "too_wide", dropped->too_wide);
    json_close(json);
}

void report_json(const char *trace, const struct report_run *runs, uint32_t runs_n,
                 struct strbuf *out)
{
    const struct workload *first = runs[0].workload;
    struct json_writer json = json_writer_new(JSON_INDENTED, out);

    json_open_object(&json, NULL);
    json_add_text(&json, "trace", trace);
    json_add_int(&json, "processors", first->procs);
    json_add_int(&json, "jobs", first->jobs_n);
    add_dropped(&json, &first->dropped);
    json_add_bool(&json, "request_is_run", first->request_is_run);
    json_add_text(&json, "estimate", runs[0].estimate);
    json_open_array(&json, "runs");
    for (uint32_t i = 0; i < runs_n; i++)
        add_run(&json, &runs[i]);
    json_close(&json);
    json_close(&json);
}
