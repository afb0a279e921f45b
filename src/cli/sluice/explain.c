/* explain.c - sluice explain [--json] JOB...: why a job waits, and what for. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/lib/records.h"
#include "cli/lib/tasks.h"
#include "cli/sluice/adviser.h"
#include "cli/sluice/explain_json.h"
#include "cli/sluice/explain_text.h"
#include "cli/sluice/sluice.h"
#include "common/msg/node.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"

#define PLAN_LOOKS   10
#define PLAN_LOOK_MS 100

/* Records that the controller has told. */
struct told {
    struct records jobs;   /* that are to be explained */
    struct records nodes;  /* all that may be seen, where a job of these waits for room */
    struct records others; /* all jobs that run or wait, likewise */
};

/* The output as it is made: sentences at once, or one document. */
struct explained {
    bool is_json;
    struct json_writer json;
    struct strbuf text;
};

static void told_clear(struct told *told)
{
    records_clear(&told->jobs);
    records_clear(&told->nodes);
    records_clear(&told->others);
}

static int read_options(int argc, char **argv, bool *ret_json, struct err *err)
{
    static const struct option longs[] = { { "json", no_argument, NULL, 'j' },
                                           { NULL, 0, NULL, 0 } };
    int option;

    *ret_json = false;
    while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (option != 'j') /* getopt_long has told what it did not like */
            return err_set(err, EINVAL, "explain: see `sluice explain --help`");
        *ret_json = true;
    }
    return 0;
}

static int read_refs(int argc, char **argv, struct job_refs *ret, struct err *err)
{
    for (int i = optind; i < argc; i++) {
        AUTO(job_refs) struct job_refs refs = { 0 };
        int rc = job_refs_parse(argv[i], &refs, err);

        if (rc < 0)
            return rc;
        for (uint32_t j = 0; j < refs.n; j++)
            *ARRAY_PUSH(ret->at, ret->n) = refs.at[j];
    }
    return ret->n ? 0 : err_set(err, EINVAL, "explain: which job? sluice explain [--json] JOB...");
}

static void add_explained(const struct job_info *info, const struct told *told,
                          const struct advice *advice, struct explained *out)
{
    AUTO(standing) struct standing standing = { 0 };
    const bool has_standing = job_waits_for_room(info->job) && told->nodes.n > 0;

    if (has_standing)
        standing_find(info, &told->nodes, &told->others, &standing);
    if (out->is_json) {
        explain_json(info, has_standing ? &standing : NULL, advice, &out->json);
        return;
    }
    explain_job(info, has_standing ? &standing : NULL, &out->text);
    advice_format(advice, &out->text);
}

/* Explains all records that the reference names, of an array several. False: there are none. */
static bool explain_named(const struct told *told, const struct job_ref *ref,
                          struct adviser *adviser, struct explained *out)
{
    const struct job_refs one = { (struct job_ref *)ref, 1 };
    bool found = false;

    for (uint32_t i = 0; i < told->jobs.n; i++) {
        const struct job_info *info = record_at(&told->jobs, i);
        AUTO(advice) struct advice advice = { 0 };
        struct advice_asker asker;

        if (!refs_name_part(&one, info->job))
            continue;
        if (info->job->state == JOB_PENDING && adviser_stand_for(adviser, info->job, &asker))
            advice_find(info, &asker, &advice);
        add_explained(info, told, &advice, out);
        found = true;
    }
    return found;
}

/* Prints the sentences of each job at once: to look for changes that help takes a moment. */
static void print(struct explained *out)
{
    fputs(strbuf_text(&out->text), stdout);
    strbuf_truncate(&out->text, 0);
}

static void begin(struct explained *out, bool is_json)
{
    out->is_json = is_json;
    if (!is_json)
        return;
    out->json = json_writer_new(JSON_INDENTED, &out->text);
    json_open_object(&out->json, NULL);
    json_open_array(&out->json, "jobs");
}

static void end(struct explained *out)
{
    if (out->is_json) {
        json_close(&out->json);
        json_close(&out->json);
    }
    print(out);
    strbuf_clear(&out->text);
}

/* True if a job has just come, so that a plan for it may be a moment away. */
static bool may_get_a_plan(const struct records *jobs)
{
    for (uint32_t i = 0; i < jobs->n; i++) {
        const struct job_info *info = record_at(jobs, i);

        if (!info->planned_start && job_waits_for_others(info->job))
            return true;
    }
    return false;
}

static bool one_waits_for_room(const struct records *jobs)
{
    for (uint32_t i = 0; i < jobs->n; i++) {
        if (job_waits_for_room(((const struct job_info *)record_at(jobs, i))->job))
            return true;
    }
    return false;
}

/*
 * Loads nodes and jobs where they can be had; what the jobs themselves say is told without them,
 * too.
 */
static void load_surroundings(struct command *command, struct told *told)
{
    static const uint32_t states[] = { JOB_PENDING, JOB_RUNNING, JOB_SUSPENDED };
    AUTO(job_list) struct job_list list;

    job_list_init(&list);
    for (size_t i = 0; i < ARRAY_N(states); i++)
        *ARRAY_PUSH(list.states, list.states_n) = states[i];
    if (!one_waits_for_room(&told->jobs) || records_load(command->cli.client, MSG_NODE_LIST, NULL,
                                                         MSG_NODE_INFO, &told->nodes, NULL) < 0)
        return;
    (void)records_load(command->cli.client, MSG_JOB_LIST, &list, MSG_JOB_INFO, &told->others, NULL);
}

static int load(struct command *command, const struct job_refs *refs, struct records *jobs,
                struct err *err)
{
    const struct timespec moment = { .tv_nsec = PLAN_LOOK_MS * 1000000L };
    AUTO(job_list) struct job_list list;
    int rc = cli_open(&command->cli, RPC_ROLE_CLIENT, err);

    job_list_init(&list);
    for (uint32_t i = 0; i < refs->n; i++)
        *ARRAY_PUSH(list.job_ids, list.job_ids_n) = refs->at[i].job;
    for (uint32_t i = 0; rc == 0 && i < PLAN_LOOKS; i++) {
        if (i > 0)
            nanosleep(&moment, NULL);
        records_clear(jobs);
        rc = records_load(command->cli.client, MSG_JOB_LIST, &list, MSG_JOB_INFO, jobs, err);
        if (!may_get_a_plan(jobs))
            break;
    }
    return rc;
}

static int explain_all(struct command *command, const struct job_refs *refs,
                       const struct told *told, struct explained *out)
{
    struct adviser adviser = { 0 };
    int status = 0;

    for (uint32_t i = 0; i < refs->n; i++) {
        AUTO(strbuf) struct strbuf name = { 0 };

        if (explain_named(told, &refs->at[i], &adviser, out)) {
            print(out);
            continue;
        }
        job_ref_format(&name, &refs->at[i]);
        log_error(command->log, "job %s is not known; of an old one sacct -j %s may tell more",
                  strbuf_text(&name), strbuf_text(&name));
        status = 1;
    }
    adviser_close(&adviser);
    return status;
}

static int explain(struct command *command, const struct job_refs *refs, bool is_json)
{
    struct told told = { 0 };
    struct explained out = { 0 };
    struct err err = { 0 };
    int status;

    if (load(command, refs, &told.jobs, &err) < 0) {
        command_report(command, "explain", &err);
        return 1;
    }
    load_surroundings(command, &told);
    begin(&out, is_json);
    status = explain_all(command, refs, &told, &out);
    end(&out);
    told_clear(&told);
    return fflush(stdout) == 0 ? status : 1;
}

int sluice_explain(int argc, char **argv, struct log *log)
{
    AUTO(command) struct command command = { 0 };
    AUTO(job_refs) struct job_refs refs = { 0 };
    struct err err = { 0 };
    bool is_json;

    command_init(&command, "sluice");
    if (read_options(argc, argv, &is_json, &err) < 0 || read_refs(argc, argv, &refs, &err) < 0) {
        log_error(log, "%s", err.text);
        return 2;
    }
    return explain(&command, &refs, is_json);
}
