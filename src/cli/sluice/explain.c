/* explain.c - sluice explain [--json] JOB...: why a job waits, and what for. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/records.h"
#include "cli/lib/tasks.h"
#include "cli/sluice/advice.h"
#include "cli/sluice/explain_json.h"
#include "cli/sluice/explain_text.h"
#include "cli/sluice/sluice.h"
#include "common/msg/node.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"

/* What is printed, as it is made: sentences at once, or one document. */
struct explained {
    bool is_json;
    struct json_writer json;
    struct strbuf text;
};

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

/* ---- what would help ---- */

/* The connection, and the names of all partitions. Owns the names. */
struct adviser {
    struct client *client;
    char **partitions;
    uint32_t partitions_n;
};

static bool ask_start(void *ctx, const struct job_spec *spec, int64_t *ret_start, char **ret_nodes)
{
    struct adviser *adviser = ctx;
    const struct job_submit request = { .spec = (struct job_spec *)(uintptr_t)spec,
                                        .test_only = true };
    AUTO(job_submitted) struct job_submitted answer;

    if (client_call(adviser->client, MSG_JOB_SUBMIT, &request, MSG_JOB_SUBMITTED, &answer, NULL) <
        0)
        return false;
    *ret_start = answer.planned_start;
    *ret_nodes = STEAL(answer.planned_nodes);
    return true;
}

static void adviser_open(struct adviser *adviser, struct client *client)
{
    AUTO(records) struct records partitions = { 0 };

    *adviser = (struct adviser){ .client = client };
    if (records_load(client, MSG_PARTITION_LIST, NULL, MSG_PARTITION_INFO, &partitions, NULL) < 0)
        return;
    for (uint32_t i = 0; i < partitions.n; i++) {
        const struct partition_info *part = record_at(&partitions, i);

        if (!part->hidden)
            *ARRAY_PUSH(adviser->partitions, adviser->partitions_n) = xstrdup(part->name);
    }
}

static void adviser_close(struct adviser *adviser)
{
    for (uint32_t i = 0; i < adviser->partitions_n; i++)
        free(adviser->partitions[i]);
    free(adviser->partitions);
}

static void add_explained(const struct job_info *info, const struct advice *advice,
                          struct explained *out)
{
    if (out->is_json) {
        explain_json(info, advice, &out->json);
        return;
    }
    explain_job(info, &out->text);
    advice_format(advice, &out->text);
}

/* All records that the reference names, of an array more than one. False: there is none. */
static bool explain_named(const struct records *jobs, const struct job_ref *ref,
                          struct adviser *adviser, struct explained *out)
{
    const struct advice_asker asker = { ask_start, adviser, adviser->partitions,
                                        adviser->partitions_n };
    const struct job_refs one = { (struct job_ref *)ref, 1 };
    bool found = false;

    for (uint32_t i = 0; i < jobs->n; i++) {
        const struct job_info *info = record_at(jobs, i);
        AUTO(advice) struct advice advice = { 0 };

        if (!refs_name_part(&one, info->job))
            continue;
        advice_find(info, &asker, &advice);
        add_explained(info, &advice, out);
        found = true;
    }
    return found;
}

/* Sentences go out with each job: to look for changes that help takes a moment. */
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

static int load(struct command *command, const struct job_refs *refs, struct records *jobs,
                struct err *err)
{
    AUTO(job_list) struct job_list list;
    int rc = cli_open(&command->cli, RPC_ROLE_CLIENT, err);

    job_list_init(&list);
    for (uint32_t i = 0; i < refs->n; i++)
        *ARRAY_PUSH(list.job_ids, list.job_ids_n) = refs->at[i].job;
    if (rc == 0)
        rc = records_load(command->cli.client, MSG_JOB_LIST, &list, MSG_JOB_INFO, jobs, err);
    return rc;
}

static int explain_all(struct command *command, const struct job_refs *refs,
                       const struct records *jobs, struct explained *out)
{
    struct adviser adviser;
    int status = 0;

    adviser_open(&adviser, command->cli.client);
    for (uint32_t i = 0; i < refs->n; i++) {
        AUTO(strbuf) struct strbuf name = { 0 };

        if (explain_named(jobs, &refs->at[i], &adviser, out)) {
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
    AUTO(records) struct records jobs = { 0 };
    struct explained out = { 0 };
    struct err err = { 0 };
    int status;

    if (load(command, refs, &jobs, &err) < 0) {
        command_report(command, "explain", &err);
        return 1;
    }
    begin(&out, is_json);
    status = explain_all(command, refs, &jobs, &out);
    end(&out);
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
