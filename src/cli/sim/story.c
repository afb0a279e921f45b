#include "cli/sim/story.h"

#include <stdio.h>
#include <string.h>

#include "cli/scontrol/ask_reservation.h"
#include "cli/sim/conf.h"
#include "cli/sim/output.h"
#include "cli/sim/spec.h"
#include "cli/sim/table.h"
#include "common/conf/file.h"
#include "ctld/sim/gantt.h"
#include "ctld/sim/play.h"

#define SUFFIX ".scn"

bool story_is_one(const char *path)
{
    const size_t n = strlen(path);

    return n > strlen(SUFFIX) && strcmp(path + n - strlen(SUFFIX), SUFFIX) == 0;
}

static int make_spec(void *ctx, const struct words *words, int64_t wall_s, struct job_spec *ret,
                     struct err *err)
{
    (void)ctx;
    return spec_from_words(words, wall_s, ret, err);
}

static int make_ask(void *ctx, enum reservation_verb verb, const struct words *words,
                    int64_t wall_s, struct reservation_ask *ret, struct err *err)
{
    (void)ctx;
    return ask_parse_reservation(verb, (int)words->n, words->at, wall_s, ret, err);
}

/* ---- what came of it ---- */

static void add_time(struct table *table, int64_t ms)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (ms == WORLD_NEVER)
        strbuf_adds(&text, "-");
    else
        play_format_time(ms, &text);
    table_add(table, "%s", strbuf_text(&text));
}

static void add_state(struct table *table, const struct play *play, uint32_t i)
{
    const struct world_job *job = world_job(play->world, i);
    AUTO(job_info) struct job_info info;

    if (!world_job_info(play->world, i, &info))
        job_info_init(&info);
    if (play->refusals[i])
        table_add(table, "refused: %s", play->refusals[i]);
    else if (job->state == JOB_PENDING && info.job)
        table_add(table, "waits: %s", job_reason_name(info.job->reason));
    else
        table_add(table, "%s", job_state_name(job->state, 0));
}

static void print_jobs(const struct scenario *scenario, const struct play *play)
{
    static const char *const heads[] = { "job", "nodes", "state", "submit", "start", "end" };
    AUTO(table) struct table table = table_begin(ARRAY_N(heads), 3);
    AUTO(strbuf) struct strbuf text = { 0 };

    for (size_t i = 0; i < ARRAY_N(heads); i++)
        table_add(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < world_jobs_n(play->world); i++) {
        const struct world_job *job = world_job(play->world, i);

        table_add(&table, "%s", scenario->jobs[i]);
        table_add(&table, "%s", job->nodes ? job->nodes : "-");
        add_state(&table, play, i);
        add_time(&table, job->submit_ms);
        add_time(&table, job->start_ms);
        add_time(&table, job->end_ms);
    }
    table_format(&table, &text);
    fputs(strbuf_text(&text), stdout);
}

static int report(const struct scenario *scenario, const struct play *play, bool check)
{
    if (!check)
        print_jobs(scenario, play);
    fputs(strbuf_text(&play->failures), stdout);
    if (check)
        printf("%s: %u of %u expectations met\n", scenario->name,
               play->expectations_n - play->failures_n, play->expectations_n);
    return fflush(stdout) != 0 || play->failures_n ? 1 : 0;
}

static int read_scenario(const char *path, struct scenario *ret, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    int rc = conf_read_disk(NULL, path, &text, err);

    if (rc < 0)
        return err_prefix(err, "cannot read %s", path);
    return scenario_parse(path, strbuf_text(&text), text.len, ret, err);
}

static int write_gantt(const char *path, const struct scenario *scenario, const struct play *play,
                       struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    int rc = gantt_draw(play->world, scenario->jobs, &text, err);

    return rc < 0 ? err_prefix(err, "--gantt") : output_write(path, &text, err);
}

int story_run(const char *path, bool check, const char *gantt, struct log *log)
{
    static const struct play_hooks hooks = { .make_spec = make_spec, .make_ask = make_ask };
    AUTO(scenario) struct scenario scenario = { 0 };
    AUTO(play) struct play play = { 0 };
    struct model_config config;
    struct err err = { 0 };
    int rc = read_scenario(path, &scenario, &err);

    if (rc == 0)
        rc = conf_from_scenario(&scenario, log, &config, &err);
    if (rc == 0)
        rc = play_run(&scenario, &config, &hooks, &play, &err);
    if (rc == 0 && gantt)
        rc = write_gantt(gantt, &scenario, &play, &err);
    if (rc < 0) {
        log_error(log, "%s", err.text);
        return 1;
    }
    return report(&scenario, &play, check);
}
