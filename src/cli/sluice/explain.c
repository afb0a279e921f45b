/* explain.c - sluice explain JOB...: why a job waits, and what for. */
#include <stdio.h>
#include <string.h>

#include "cli/lib/records.h"
#include "cli/sluice/explain_text.h"
#include "cli/sluice/sluice.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"

static int read_ids(int argc, char **argv, struct job_list *list, struct err *err)
{
    for (int i = 1; i < argc; i++) {
        AUTO(job_refs) struct job_refs refs = { 0 };
        int rc = job_refs_parse(argv[i], &refs, err);

        if (rc < 0)
            return rc;
        for (uint32_t j = 0; j < refs.n; j++)
            *ARRAY_PUSH(list->job_ids, list->job_ids_n) = refs.at[j].job;
    }
    return list->job_ids_n ? 0 : err_set(err, EINVAL, "explain: which job? sluice explain JOB...");
}

/* False: the controller does not know it. */
static bool print_job(const struct records *jobs, uint32_t id)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    for (uint32_t i = 0; i < jobs->n; i++) {
        const struct job_info *info = record_at(jobs, i);

        if (info->job->id != id)
            continue;
        explain_job(info, &text);
        fputs(strbuf_text(&text), stdout);
        return true;
    }
    return false;
}

static int explain(struct command *command, const struct job_list *list)
{
    AUTO(records) struct records jobs = { 0 };
    struct err err = { 0 };
    int status = 0;

    if (cli_open(&command->cli, RPC_ROLE_CLIENT, &err) < 0 ||
        records_load(command->cli.client, MSG_JOB_LIST, list, MSG_JOB_INFO, &jobs, &err) < 0) {
        command_report(command, "explain", &err);
        return 1;
    }
    for (uint32_t i = 0; i < list->job_ids_n; i++) {
        if (print_job(&jobs, list->job_ids[i]))
            continue;
        log_error(command->log, "job %u is not known; of an old one sacct -j %u may tell more",
                  list->job_ids[i], list->job_ids[i]);
        status = 1;
    }
    return fflush(stdout) == 0 ? status : 1;
}

int sluice_explain(int argc, char **argv, struct log *log)
{
    AUTO(command) struct command command = { 0 };
    AUTO(job_list) struct job_list list;
    struct err err = { 0 };

    job_list_init(&list);
    command_init(&command, "sluice");
    if (read_ids(argc, argv, &list, &err) < 0) {
        log_error(log, "%s", err.text);
        return 2;
    }
    return explain(&command, &list);
}
