#include "cli/scancel/scancel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/command.h"
#include "cli/lib/signals.h"
#include "cli/scancel/filter.h"
#include "common/base/version.h"
#include "common/msg/types.h"

extern char **environ;

struct scancel {
    struct command command;
    struct scancel_filter filter;
    struct job_info *jobs; /* that fit */
    uint32_t jobs_n;
    int status;
};

/* Errors about options have Slurm's form: some begin with "error:", some do not. */
static int refuse(const struct scancel *scancel, const struct err *err)
{
    const char *text = err->text;
    bool plain = err->code == EINVAL;

    if (err->code != E_SYNTAX && !plain) {
        command_report(&scancel->command, NULL, err);
        return 1;
    }
    while (*text) {
        size_t n = strcspn(text, "\n");

        fprintf(stderr, "%s%.*s\n", plain ? "" : "scancel: ", (int)n, text);
        text += n + (text[n] == '\n');
    }
    if (!plain)
        fprintf(stderr, "Try \"scancel --help\" for more information\n");
    return 1;
}

static void name_target(const struct job_signal *request, struct strbuf *out)
{
    struct job_ref ref = { request->job_id, NO_VAL, request->step_id, false };

    job_ref_format(out, &ref);
}

static void say_what(const struct scancel *scancel, const struct job_signal *request,
                     const char *target)
{
    const char *kind = request->step_id == COUNT_UNSET ? "job" : "step";

    if (request->signal == 0)
        log_verbose(scancel->command.log, "Terminating %s %s", kind, target);
    else
        log_verbose(scancel->command.log, "Signal %u to %s%s %s", request->signal,
                    request->flags & SIGNAL_BATCH_ONLY ? "batch " : "", kind, target);
}

/*
 * That a job which is to be ended is over, or not there, is an error only to those who want to know
 * (-v): Slurm exits 0 and scripts count on it.
 */
static void say_failed(struct scancel *scancel, const struct job_signal *request,
                       const char *target, const struct err *err)
{
    bool step = request->step_id != COUNT_UNSET;
    bool gone = err->code == E_JOB_ID || err->code == E_ALREADY_DONE;
    bool harmless = gone && request->signal == 0 && (!step || err->code == E_ALREADY_DONE);

    if (harmless && scancel->filter.verbose == 0)
        return;
    if (!(gone && scancel->filter.quiet))
        log_error(scancel->command.log, "Kill job error on job %sid %s: %s", step ? "step " : "",
                  target, err_string(err->code));
    if (!harmless)
        scancel->status = 1;
}

/* Returns less than 0 when the controller cannot be asked any more. */
static int send_signal(struct scancel *scancel, uint32_t job_id, uint32_t step_id)
{
    const struct scancel_filter *filter = &scancel->filter;
    struct job_signal request = { .job_id = job_id, .step_id = step_id };
    AUTO(strbuf) struct strbuf target = { 0 };
    struct err err = { 0 };

    request.signal = (uint32_t)filter->signal;
    if (filter->full)
        request.flags = SIGNAL_WITH_BATCH;
    else if (filter->batch && step_id == COUNT_UNSET)
        request.flags = SIGNAL_BATCH_ONLY;
    else if (filter->signal != 0)
        request.flags = SIGNAL_STEPS_ONLY;
    else
        request.flags = SIGNAL_CANCEL;
    if (request.signal == 0 && request.flags != SIGNAL_CANCEL)
        request.signal = 15;
    name_target(&request, &target);
    say_what(scancel, &request, strbuf_text(&target));
    if (client_call(scancel->command.cli.client, MSG_JOB_SIGNAL, &request, MSG_OK, NULL, &err) == 0)
        return 0;
    if (err.code == E_CLOSED || err.code == E_TIMEOUT || err.code == E_CONTACT) {
        command_report(&scancel->command, NULL, &err);
        scancel->status = 1;
        return -err.code;
    }
    say_failed(scancel, &request, strbuf_text(&target), &err);
    return 0;
}

/* Without arrays a task of one can only be a job that does not exist. */
static int signal_named(struct scancel *scancel)
{
    const struct job_refs *ids = &scancel->filter.ids;
    int rc = 0;

    for (uint32_t i = 0; i < ids->n && rc == 0; i++) {
        const struct job_ref *ref = &ids->at[i];

        if (ref->array_task == NO_VAL && !ref->all_tasks)
            rc = send_signal(scancel, ref->job, ref->step);
        else
            log_verbose(scancel->command.log, "job %u has no tasks", ref->job);
    }
    return rc;
}

/* ---- by what they are ---- */

static int on_job(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    struct scancel *scancel = ctx;
    struct job_info info;
    int rc;

    if (type != MSG_JOB_INFO)
        return 0;
    rc = rpc_decode(frame, job_info_schema(), &info, NULL);
    if (rc < 0)
        return rc;
    if (info.job && scancel_filter_fits(&scancel->filter, info.job))
        *ARRAY_PUSH(scancel->jobs, scancel->jobs_n) = info;
    else
        job_info_clear(&info);
    return 0;
}

static int find_jobs(struct scancel *scancel, struct err *err)
{
    const struct scancel_filter *filter = &scancel->filter;
    AUTO(job_list) struct job_list request;

    job_list_init(&request);
    if (filter->has_uid)
        *ARRAY_PUSH(request.uids, request.uids_n) = filter->uid;
    for (uint32_t i = 0; i < filter->ids.n; i++)
        *ARRAY_PUSH(request.job_ids, request.job_ids_n) = filter->ids.at[i].job;
    return client_stream(scancel->command.cli.client, MSG_JOB_LIST, &request, on_job, scancel, err);
}

static bool confirm(const struct job_record *job, uint32_t step)
{
    char answer[64] = "";

    for (;;) {
        if (step == NO_VAL)
            printf("Cancel job_id=%u name=%s partition=%s [y/n]? ", job->id,
                   job->spec->name ? job->spec->name : "", job->partition ? job->partition : "");
        else
            printf("Cancel step_id=%u.%u name=%s partition=%s [y/n]? ", job->id, step,
                   job->spec->name ? job->spec->name : "", job->partition ? job->partition : "");
        fflush(stdout);
        if (!fgets(answer, sizeof(answer), stdin))
            return false; /* no more answers: no */
        if (answer[0] == 'y' || answer[0] == 'Y')
            return true;
        if (answer[0] == 'n' || answer[0] == 'N')
            return false;
    }
}

/* The step that the command line names for this job, NO_VAL for the job itself. */
static int signal_job(struct scancel *scancel, const struct job_record *job)
{
    const struct job_refs *ids = &scancel->filter.ids;
    int rc = 0;

    if (ids->n == 0) {
        if (!scancel->filter.interactive || confirm(job, NO_VAL))
            rc = send_signal(scancel, job->id, COUNT_UNSET);
        return rc;
    }
    for (uint32_t i = 0; i < ids->n && rc == 0; i++) {
        if (ids->at[i].job != job->id)
            continue;
        if (!scancel->filter.interactive || confirm(job, ids->at[i].step))
            rc = send_signal(scancel, job->id, ids->at[i].step);
    }
    return rc;
}

static void say_missing(struct scancel *scancel, uint32_t job_id)
{
    for (uint32_t i = 0; i < scancel->jobs_n; i++) {
        if (scancel->jobs[i].job->id == job_id)
            return;
    }
    if (scancel->filter.quiet)
        return;
    log_error(scancel->command.log, "Kill job error on job id %u: %s", job_id,
              err_string(E_JOB_ID));
    scancel->status = 1;
}

static void signal_fitting(struct scancel *scancel)
{
    AUTO(strbuf) struct strbuf filters = { 0 };
    struct err err = { 0 };

    if (find_jobs(scancel, &err) < 0) {
        command_report(&scancel->command, NULL, &err);
        scancel->status = 1;
        return;
    }
    for (uint32_t i = 0; i < scancel->filter.ids.n; i++)
        say_missing(scancel, scancel->filter.ids.at[i].job);
    scancel_filter_describe(&scancel->filter, &filters);
    if (scancel->jobs_n == 0 && scancel->filter.verbose > 0)
        log_error(scancel->command.log, "No active jobs match ALL job filters, including: %s",
                  strbuf_text(&filters));
    for (uint32_t i = 0; i < scancel->jobs_n; i++) {
        if (signal_job(scancel, scancel->jobs[i].job) < 0)
            return;
    }
}

/* ---- the way through ---- */

static bool answer_questions(const struct scancel_filter *filter)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    if (filter->help)
        scancel_help(&text);
    else if (filter->usage)
        scancel_usage(&text);
    else if (filter->version)
        strbuf_adds(&text, VERSION_TEXT("scancel"));
    else
        return false;
    fputs(strbuf_text(&text), stdout);
    return true;
}

static int run(struct scancel *scancel, int argc, char **argv)
{
    struct scancel_filter *filter = &scancel->filter;
    struct command *command = &scancel->command;
    struct err err = { 0 };

    if (scancel_filter_parse(filter, argc, argv, environ, &err) < 0)
        return refuse(scancel, &err);
    if (answer_questions(filter))
        return 0;
    command_set_verbosity(command, filter->verbose, filter->quiet);
    if (scancel_filter_is_empty(filter)) {
        log_error(command->log, "No job identification provided");
        return 1;
    }
    if (cli_open(&command->cli, RPC_ROLE_CLIENT, &err) < 0) {
        command_report(command, NULL, &err);
        return 1;
    }
    if (scancel_filter_needs_jobs(filter))
        signal_fitting(scancel);
    else
        signal_named(scancel);
    return scancel->status;
}

int scancel_main(int argc, char **argv)
{
    struct scancel scancel = { 0 };
    int status;

    command_init(&scancel.command, "scancel");
    status = run(&scancel, argc, argv);
    for (uint32_t i = 0; i < scancel.jobs_n; i++)
        job_info_clear(&scancel.jobs[i]);
    free(scancel.jobs);
    scancel_filter_clear(&scancel.filter);
    command_clear(&scancel.command);
    return status;
}
