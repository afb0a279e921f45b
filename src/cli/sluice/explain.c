/* explain.c - sluice explain JOB...: why a job waits, and what for. */
#include <stdio.h>
#include <string.h>

#include "cli/lib/records.h"
#include "cli/lib/tasks.h"
#include "cli/sluice/explain_text.h"
#include "cli/sluice/sluice.h"
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

/* All records that the reference names, of an array more than one. False: there is none. */
static bool print_named(const struct records *jobs, const struct job_ref *ref)
{
    const struct job_refs one = { (struct job_ref *)ref, 1 };
    bool found = false;

    for (uint32_t i = 0; i < jobs->n; i++) {
        const struct job_info *info = record_at(jobs, i);
        AUTO(strbuf) struct strbuf text = { 0 };

        if (!refs_name_part(&one, info->job))
            continue;
        explain_job(info, &text);
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
    struct err err = { 0 };
    int status = 0;

    if (load(command, refs, &jobs, &err) < 0) {
        command_report(command, "explain", &err);
        return 1;
    }
    for (uint32_t i = 0; i < refs->n; i++) {
        AUTO(strbuf) struct strbuf name = { 0 };

        if (print_named(&jobs, &refs->at[i]))
            continue;
        job_ref_format(&name, &refs->at[i]);
        log_error(command->log, "job %s is not known; of an old one sacct -j %s may tell more",
                  strbuf_text(&name), strbuf_text(&name));
        status = 1;
    }
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
