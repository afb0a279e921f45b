#include "cli/sim/live.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/records.h"
#include "cli/sim/conf.h"
#include "cli/sim/spec.h"
#include "cli/sim/table.h"
#include "common/msg/types.h"
#include "common/text/duration.h"
#include "common/text/timetext.h"
#include "ctld/sim/world.h"

/* The cluster as its controller tells it, and how far to look. */
struct live {
    struct cli cli;
    struct records nodes, jobs;
    int64_t wall_s, until_ms;
    struct log *log;
};

static void live_clear(struct live *live)
{
    records_clear(&live->nodes);
    records_clear(&live->jobs);
    cli_close(&live->cli);
}

static int load(struct live *live, struct err *err)
{
    int rc = cli_open(&live->cli, RPC_ROLE_CLIENT, err);

    if (rc == 0)
        rc = records_load(live->cli.client, MSG_NODE_LIST, NULL, MSG_NODE_INFO, &live->nodes, err);
    if (rc == 0)
        rc = records_load(live->cli.client, MSG_JOB_LIST, NULL, MSG_JOB_INFO, &live->jobs, err);
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < live->nodes.n; i++)
        live->wall_s = ((const struct node_info *)record_at(&live->nodes, i))->now;
    return 0;
}

static int read_until(const char *text, struct live *live, struct err *err)
{
    int64_t seconds;

    live->until_ms = WORLD_NEVER;
    if (!text)
        return 0;
    if (duration_parse(text, &seconds, err) < 0)
        return err_prefix(err, "--time");
    if (seconds >= 0)
        live->until_ms = seconds * 1000;
    return 0;
}

/* ---- the two worlds ---- */

static int make_world(const struct live *live, struct world **ret, struct err *err)
{
    const struct world_begin begin = {
        .wall_s = live->wall_s,
        .nodes = live->nodes.at,
        .nodes_n = live->nodes.n,
        .jobs = live->jobs.at,
        .jobs_n = live->jobs.n,
    };
    struct model_config config;
    int rc = conf_from_file(live->cli.conf->path, live->log, &config, err);

    return rc < 0 ? rc : world_new(&config, &begin, ret, err);
}

static int add_job(const char *text, const struct live *live, struct world *world, struct err *err)
{
    AUTO(job_spec) struct job_spec spec;
    int64_t run_ms = WORLD_NEVER, number;
    int rc;

    job_spec_init(&spec);
    rc = spec_from_text(text, live->wall_s, &spec, err);
    if (rc < 0)
        return err_prefix(err, "--add");
    if (!spec.name)
        spec.name = xstrdup("added");
    if (spec.time_limit > 0)
        run_ms = spec.time_limit * 1000;
    number = world_submit(world, getuid(), &spec, run_ms, err);
    return number < 0 ? err_prefix(err, "--add") : 0;
}

static void pass_time(const struct live *live, struct world *world)
{
    while (world_advance(world, live->until_ms))
        ;
}

/* ---- what comes out ---- */

static void add_start(const struct live *live, const struct world_job *job, struct table *table)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (!job)
        strbuf_adds(&text, "-");
    else if (job->start_ms == WORLD_NEVER)
        strbuf_adds(&text, live->until_ms == WORLD_NEVER ? "never" : "later");
    else
        time_format(&text, live->wall_s + (job->start_ms + 999) / 1000, NULL, live->wall_s, "");
    table_add(table, "%s", strbuf_text(&text));
    table_add(table, "%s", job && job->nodes ? job->nodes : "-");
}

static const struct job_record *record_of(const struct live *live, uint32_t id)
{
    for (uint32_t i = 0; i < live->jobs.n; i++) {
        const struct job_info *info = record_at(&live->jobs, i);

        if (info->job->id == id)
            return info->job;
    }
    return NULL;
}

static void add_row(const struct live *live, const struct world_job *before,
                    const struct world_job *after, struct table *table)
{
    const struct job_record *rec = record_of(live, (before ? before : after)->id);

    table_add(table, rec ? "%u" : "added", rec ? rec->id : 0);
    table_add(table, "%s", rec ? rec->spec->name : "-");
    table_add(table, "%s", rec ? rec->user_name : "-");
    add_start(live, before, table);
    if (after)
        add_start(live, after, table);
}

/* Prints the waiting jobs, and the one that was added, which only the second world knows. */
static void print_starts(const struct live *live, const struct world *now, const struct world *then)
{
    static const char *const heads[] = {
        "JOBID", "NAME", "USER", "START", "NODES", "START", "NODES"
    };
    const uint32_t columns = then ? 7 : 5;
    AUTO(table) struct table table = table_begin(columns, columns);
    AUTO(strbuf) struct strbuf text = { 0 };
    const uint32_t jobs_n = world_jobs_n(then ? then : now);

    for (uint32_t i = 0; i < columns; i++)
        table_add(&table, i < 5 ? "%s" : "%s CHANGED", heads[i]);
    for (uint32_t i = 0; i < jobs_n; i++) {
        const struct world_job *before = i < world_jobs_n(now) ? world_job(now, i) : NULL;

        if (!before || before->start_ms == WORLD_NEVER || before->start_ms >= 0)
            add_row(live, before, then ? world_job(then, i) : NULL, &table);
    }
    table_format(&table, &text);
    fputs(strbuf_text(&text), stdout);
}

static int look_ahead(const struct live_options *options, struct live *live, struct err *err)
{
    const bool is_changed = options->drain || options->add;
    struct world *now = NULL, *then = NULL;
    int rc = load(live, err);

    if (rc == 0)
        rc = make_world(live, &now, err);
    if (rc == 0 && is_changed)
        rc = make_world(live, &then, err);
    if (rc == 0 && options->drain &&
        world_set_node(then, options->drain, NODE_UPDATE_DRAIN, err) < 0)
        rc = err_prefix(err, "--drain");
    if (rc == 0 && options->add)
        rc = add_job(options->add, live, then, err);
    if (rc == 0) {
        pass_time(live, now);
        if (then)
            pass_time(live, then);
        print_starts(live, now, then);
    }
    world_free(now);
    world_free(then);
    return rc;
}

int live_run(const struct live_options *options, struct log *log)
{
    struct live live = { .log = log };
    struct err err = { 0 };
    int rc = read_until(options->time, &live, &err);

    if (rc == 0)
        rc = look_ahead(options, &live, &err);
    live_clear(&live);
    if (rc < 0)
        log_error(log, "%s", err.text);
    return rc < 0 || fflush(stdout) != 0 ? 1 : 0;
}
