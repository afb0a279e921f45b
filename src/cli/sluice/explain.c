/* explain.c - sluice explain JOB...: why a job waits, and what for. */
#include <stdio.h>
#include <string.h>

#include "cli/lib/records.h"
#include "cli/lib/tasks.h"
#include "cli/sluice/advice.h"
#include "cli/sluice/explain_text.h"
#include "cli/sluice/sluice.h"
#include "common/msg/node.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"

static int read_refs(int argc, char **argv, struct job_refs *ret, struct err *err)
{
    for (int i = 1; i < argc; i++) {
        AUTO(job_refs) struct job_refs refs = { 0 };
        int rc = job_refs_parse(argv[i], &refs, err);

        if (rc < 0)
            return rc;
        for (uint32_t j = 0; j < refs.n; j++)
            *ARRAY_PUSH(ret->at, ret->n) = refs.at[j];
    }
    return ret->n ? 0 : err_set(err, EINVAL, "explain: which job? sluice explain JOB...");
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

/* All records that the reference names, of an array more than one. False: there is none. */
static bool print_named(const struct records *jobs, const struct job_ref *ref,
                        struct adviser *adviser)
{
    const struct advice_asker asker = { ask_start, adviser, adviser->partitions,
                                        adviser->partitions_n };
    const struct job_refs one = { (struct job_ref *)ref, 1 };
    bool found = false;

    for (uint32_t i = 0; i < jobs->n; i++) {
        const struct job_info *info = record_at(jobs, i);
        AUTO(strbuf) struct strbuf text = { 0 };

        if (!refs_name_part(&one, info->job))
            continue;
        explain_job(info, &text);
        advice_add(info, &asker, &text);
        fputs(strbuf_text(&text), stdout);
        found = true;
    }
    return found;
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

static int explain(struct command *command, const struct job_refs *refs)
{
    AUTO(records) struct records jobs = { 0 };
    struct adviser adviser;
    struct err err = { 0 };
    int status = 0;

    if (load(command, refs, &jobs, &err) < 0) {
        command_report(command, "explain", &err);
        return 1;
    }
    adviser_open(&adviser, command->cli.client);
    for (uint32_t i = 0; i < refs->n; i++) {
        AUTO(strbuf) struct strbuf name = { 0 };

        if (print_named(&jobs, &refs->at[i], &adviser))
            continue;
        job_ref_format(&name, &refs->at[i]);
        log_error(command->log, "job %s is not known; of an old one sacct -j %s may tell more",
                  strbuf_text(&name), strbuf_text(&name));
        status = 1;
    }
    adviser_close(&adviser);
    return fflush(stdout) == 0 ? status : 1;
}

int sluice_explain(int argc, char **argv, struct log *log)
{
    AUTO(command) struct command command = { 0 };
    AUTO(job_refs) struct job_refs refs = { 0 };
    struct err err = { 0 };

    command_init(&command, "sluice");
    if (read_refs(argc, argv, &refs, &err) < 0) {
        log_error(log, "%s", err.text);
        return 2;
    }
    return explain(&command, &refs);
}
