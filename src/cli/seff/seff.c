#include "cli/seff/seff.h"

#include <stdio.h>

#include "cli/lib/command.h"
#include "cli/lib/flags.h"
#include "cli/seff/advice.h"
#include "cli/seff/summary.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"

#define EXIT_NOT_FOUND 2 /* as Slurm's */

static const struct flag rows[] = {
    { "help", 'h', FLAG_HELP, 0, NULL, NULL, "print this text" },
    { "usage", 0, FLAG_USAGE, 0, NULL, NULL, "print the options in short" },
    { "version", 'v', FLAG_VERSION, 0, NULL, NULL, "print the version" },
};

static const struct flag_table table = {
    .purpose = "Tells how well a job used its cpus and memory, and what to ask for next time.",
    .operands = "JOB",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

/* The one job that is asked for, taken out of the answer. */
struct wanted {
    struct job_ref ref;
    struct history_job history;
    struct err err;
};

static bool is_wanted(const struct job_ref *ref, const struct job_record *job)
{
    if (ref->array_task == NO_VAL)
        return job->id == ref->job;
    return job->array_job_id == ref->job && job->array_task == ref->array_task;
}

static int on_job(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    struct wanted *wanted = ctx;
    AUTO(history_job) struct history_job history;
    int rc;

    history_job_init(&history);
    if (type != MSG_HISTORY_JOB)
        return err_set(&wanted->err, E_PROTO, "%s in a history", msg_name(type));
    rc = schema_decode(history_job_schema(), frame->body, frame->body_n, &history, &wanted->err);
    if (rc < 0 || !is_wanted(&wanted->ref, history.job))
        return rc;
    history_job_clear(&wanted->history);
    wanted->history = history;
    history_job_init(&history);
    return 0;
}

static int ask(struct command *command, struct wanted *wanted)
{
    AUTO(history_list) struct history_list request;

    history_list_init(&request);
    *ARRAY_PUSH(request.job_ids, request.job_ids_n) = wanted->ref.job;
    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &wanted->err) < 0 ||
        client_stream(command->cli.client, MSG_HISTORY_LIST, &request, on_job, wanted,
                      &wanted->err) < 0) {
        command_report(command, NULL, &wanted->err);
        return 1;
    }
    if (wanted->history.job)
        return 0;
    fputs("Job not found.\n", stderr);
    return EXIT_NOT_FOUND;
}

static int print(const struct history_job *history, const char *cluster)
{
    const struct seff_figures figures = seff_figures_of(history);
    AUTO(strbuf) struct strbuf text = { 0 };

    seff_summary(history, cluster, &text);
    seff_advise(history->job, &figures, &text);
    fputs(strbuf_text(&text), stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}

static int tell(struct command *command, const char *id)
{
    struct wanted wanted = { 0 };
    int status;

    if (job_ref_parse(id, &wanted.ref, &wanted.err) < 0 || wanted.ref.step != NO_VAL) {
        fprintf(stderr, "seff: error: '%s' is no job: 12 or 12_3\n", id);
        return 1;
    }
    history_job_init(&wanted.history);
    status = ask(command, &wanted);
    if (status == 0)
        status = print(&wanted.history, command->cli.conf->cluster_name);
    history_job_clear(&wanted.history);
    return status;
}

static int run(struct command *command, int argc, char **argv)
{
    AUTO_FREE const char **operands = NULL;
    uint32_t operands_n = 0;
    struct err err = { 0 };
    char nothing;
    int status = flags_read(&table, command, argc, argv, &nothing, &operands, &operands_n);

    if (status >= 0)
        return status;
    if (operands_n != 1) {
        AUTO(strbuf) struct strbuf usage = { 0 };

        flags_usage(&table, "seff", &usage);
        fputs(strbuf_text(&usage), stderr);
        return 1;
    }
    if (cli_load(&command->cli, &err) < 0) {
        command_report(command, NULL, &err);
        return 1;
    }
    return tell(command, operands[0]);
}

int seff_main(int argc, char **argv)
{
    struct command command;
    int status;

    command_init(&command, "seff");
    status = run(&command, argc, argv);
    command_clear(&command);
    return status;
}
