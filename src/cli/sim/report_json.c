#include "cli/sim/groups.h"
#include "cli/sim/report.h"

static struct json *spread_json(const struct spread *spread)
{
    struct json *json = json_new_object();

    json_put_real(json, "mean", spread->mean);
    json_put_real(json, "median", spread->median);
    json_put_real(json, "p95", spread->p95);
    json_put_real(json, "p99", spread->p99);
    json_put_real(json, "max", spread->max);
    json_put_real(json, "rms", spread->rms);
    return json;
}

static struct json *group_json(const struct group *group, const struct report_run *run)
{
    const struct metrics metrics = group_metrics(group, run->workload);
    struct json *json = json_new_object();

    json_put_text(json, "group", group->name);
    json_put_int(json, "jobs", metrics.jobs_n);
    json_put_int(json, "unstarted", metrics.unstarted_n);
    json_put_real(json, "utilisation", metrics.utilisation);
    json_put_real(json, "makespan_s", metrics.makespan_s);
    json_put(json, "wait_s", spread_json(&metrics.wait_s));
    json_put(json, "bounded_slowdown", spread_json(&metrics.slowdown));
    return json;
}

static struct json *run_json(const struct report_run *run)
{
    AUTO(groups) struct groups groups = groups_of(run->workload);
    struct json *json = json_new_object();
    struct json *array = json_new_array();

    json_put_text(json, "policy", run->title);
    json_put_int(json, "passes", (int64_t)run->passes_n);
    for (uint32_t i = 0; i < groups.n; i++)
        json_push(array, group_json(&groups.at[i], run));
    json_put(json, "groups", array);
    return json;
}

static struct json *dropped_json(const struct workload_dropped *dropped)
{
    struct json *json = json_new_object();

    json_put_int(json, "no_submit_time", dropped->no_submit);
    json_put_int(json, "no_run_time", dropped->no_run);
    json_put_int(json, "no_requested_time", dropped->no_request);
    json_put_int(json, "no_size", dropped->no_size);
    json_put_int(json, "too_wide", dropped->too_wide);
    return json;
}

struct json *report_json(const char *trace, const struct report_run *runs, uint32_t runs_n)
{
    const struct workload *first = runs[0].workload;
    struct json *json = json_new_object();
    struct json *array = json_new_array();

    json_put_text(json, "trace", trace);
    json_put_int(json, "processors", first->procs);
    json_put_int(json, "jobs", first->jobs_n);
    json_put(json, "dropped", dropped_json(&first->dropped));
    json_put_bool(json, "request_is_run", first->request_is_run);
    json_put_text(json, "estimate", runs[0].estimate);
    for (uint32_t i = 0; i < runs_n; i++)
        json_push(array, run_json(&runs[i]));
    json_put(json, "runs", array);
    return json;
}
