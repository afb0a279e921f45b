#include "cli/scancel/scancel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/lib/clusters.h"
#include "cli/lib/job_facts.h"
#include "cli/lib/records.h"
#include "cli/lib/tasks.h"
#include "cli/scancel/filter.h"
#include "cli/scancel/targets.h"
#include "common/base/plain.h"
#include "common/base/version.h"
#include "common/msg/types.h"
#include "common/text/tasks.h"

#define EXIT_NOT_FEDERATED 191 /* the last byte of Slurm's number for it */

extern char **environ;

struct scancel {
    struct command command;
    struct scancel_filter filter;
    struct job_info *jobs; /* that fit */
    uint32_t jobs_n;
    bool *found; /* of each id in the filter: some job is called so */
    struct scancel_targets targets;
    int status;
};

/* Prints errors about options in Slurm's form: some begin with "error:", some do not. */
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

static void signal_targets(struct scancel *scancel)
{
    int status = targets_signal(&scancel->targets, &scancel->command, &scancel->filter);

    if (status > scancel->status)
        scancel->status = status;
}

/* Signals what is named; tasks of one array go in one request. */
static void signal_named(struct scancel *scancel)
{
    const struct job_refs *ids = &scancel->filter.ids;

    for (uint32_t i = 0; i < ids->n;) {
        const struct job_ref *ref = &ids->at[i];
        AUTO_FREE char *tasks = refs_take_tasks(ids, &i);

        targets_add(&scancel->targets, ref->job, tasks, ref->step);
    }
}

/* ---- by what they are ---- */

/* Notes a job that was found: to Slurm, one that is over is not there for who filters. */
static void note_found(struct scancel *scancel, const struct job_record *job)
{
    if (job_state_is_over(job->state))
        return;
    for (uint32_t i = 0; i < scancel->filter.ids.n; i++) {
        struct job_refs one = { &scancel->filter.ids.at[i], 1 };

        if (refs_name_part(&one, job))
            scancel->found[i] = true;
    }
}

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
    if (info.job)
        note_found(scancel, info.job);
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

    scancel->found = xcalloc(filter->ids.n + 1, sizeof(*scancel->found));
    job_list_init(&request);
    if (filter->has_uid)
        *ARRAY_PUSH(request.uids, request.uids_n) = filter->uid;
    for (uint32_t i = 0; i < filter->ids.n; i++)
        *ARRAY_PUSH(request.job_ids, request.job_ids_n) = filter->ids.at[i].job;
    return client_stream(scancel->command.cli.client, MSG_JOB_LIST, &request, on_job, scancel, err);
}

static bool confirm(const struct job_record *job, uint32_t step)
{
    AUTO_FREE char *title = plain_copy(job->spec->name);
    AUTO(strbuf) struct strbuf name = { 0 };
    char answer[64] = "";

    job_name_format(job, 0, &name);
    if (step != NO_VAL)
        strbuf_addf(&name, ".%u", step);
    for (;;) {
        printf("Cancel %s_id=%s name=%s partition=%s [y/n]? ", step == NO_VAL ? "job" : "step",
               strbuf_text(&name), title ? title : "", job->partition ? job->partition : "");
        fflush(stdout);
        if (!fgets(answer, sizeof(answer), stdin))
            return false; /* no more answers: no */
        if (answer[0] == 'y' || answer[0] == 'Y')
            return true;
        if (answer[0] == 'n' || answer[0] == 'N')
            return false;
    }
}

/* Signals the record's tasks, where it has any; an array's id alone would mean all of them. */
static void signal_record(struct scancel *scancel, const struct job_record *job, const char *tasks,
                          uint32_t step)
{
    const bool asks = scancel->filter.interactive;

    if (asks && !confirm(job, step))
        return;
    targets_add(&scancel->targets, job_array_id(job), tasks, step);
    if (asks) /* before the next question */
        signal_targets(scancel);
}

static void signal_tasks(struct scancel *scancel, const struct job_record *job,
                         const struct bitset *tasks, uint32_t step)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    tasks_format(tasks, &text);
    signal_record(scancel, job, text.len ? strbuf_text(&text) : NULL, step);
}

/* Signals what the command line names of this job: the whole, steps, tasks. */
static void signal_job(struct scancel *scancel, const struct job_record *job)
{
    const struct job_refs *ids = &scancel->filter.ids;
    AUTO(bitset) struct bitset all = { 0 };

    job_tasks(job, &all);
    if (ids->n == 0)
        signal_tasks(scancel, job, &all, NO_VAL);
    for (uint32_t i = 0; i < ids->n; i++) {
        struct job_refs one = { &ids->at[i], 1 };
        AUTO(bitset) struct bitset named = { 0 };

        refs_name_tasks(&one, job, &named);
        if (refs_name_job(&one, job))
            signal_tasks(scancel, job, &all, ids->at[i].step);
        else if (!bitset_is_empty(&named))
            signal_tasks(scancel, job, &named, ids->at[i].step);
    }
}

/* Tells of a job that is not there; one that does not fit is passed over in silence. */
static void say_missing(struct scancel *scancel, const struct job_ref *ref)
{
    AUTO(strbuf) struct strbuf name = { 0 };

    scancel->status = 1;
    if (scancel->filter.quiet)
        return;
    job_ref_format(&name, ref);
    log_error(scancel->command.log, "Kill job error on job id %s: %s", strbuf_text(&name),
              err_string(E_JOB_ID));
}

/* Prints Slurm's words for each job that was named, or for those that could not be looked up. */
static void say_away(const struct scancel *scancel, const struct err *err)
{
    const struct job_refs *ids = &scancel->filter.ids;

    if (!command_is_away(-err->code)) {
        command_report(&scancel->command, NULL, err);
        return;
    }
    if (scancel_filter_needs_jobs(&scancel->filter)) {
        records_report(&scancel->command, "slurm_load_jobs error", err);
        return;
    }
    command_report(&scancel->command, NULL, err);
    for (uint32_t i = 0; i < ids->n; i++) {
        AUTO(strbuf) struct strbuf name = { 0 };

        job_ref_format(&name, &ids->at[i]);
        log_error(scancel->command.log, "Kill job error on job id %s: %s", strbuf_text(&name),
                  err_string(err->code));
    }
}

static void signal_fitting(struct scancel *scancel)
{
    AUTO(strbuf) struct strbuf filters = { 0 };
    struct err err = { 0 };

    if (find_jobs(scancel, &err) < 0 && err.code != E_JOB_ID) {
        command_report(&scancel->command, NULL, &err);
        scancel->status = 1;
        return;
    }
    for (uint32_t i = 0; i < scancel->filter.ids.n; i++) {
        if (!scancel->found[i])
            say_missing(scancel, &scancel->filter.ids.at[i]);
    }
    scancel_filter_describe(&scancel->filter, &filters);
    if (scancel->jobs_n == 0 && scancel->filter.verbose > 0)
        log_error(scancel->command.log, "No active jobs match ALL job filters, including: %s",
                  strbuf_text(&filters));
    for (uint32_t i = 0; i < scancel->jobs_n; i++)
        signal_job(scancel, scancel->jobs[i].job);
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
        strbuf_adds(&text, VERSION_TEXT);
    else
        return false;
    fputs(strbuf_text(&text), stdout);
    return true;
}

/* Refuses --sibling: no job here has any. */
static int refuse_sibling(const struct scancel *scancel)
{
    const struct job_refs *ids = &scancel->filter.ids;

    for (uint32_t i = 0; i < ids->n; i++) {
        AUTO(strbuf) struct strbuf name = { 0 };

        job_ref_format(&name, &ids->at[i]);
        log_error(scancel->command.log, "Kill job error on job id %s: Not a valid federated job",
                  strbuf_text(&name));
    }
    return EXIT_NOT_FEDERATED;
}

static void clear_jobs(struct scancel *scancel)
{
    for (uint32_t i = 0; i < scancel->jobs_n; i++)
        job_info_clear(&scancel->jobs[i]);
    free(scancel->jobs);
    free(scancel->found);
    scancel->jobs = NULL;
    scancel->found = NULL;
    scancel->jobs_n = 0;
}

/* Signals the jobs of the cluster that the command is at. */
static void signal_here(struct scancel *scancel)
{
    struct err err = { 0 };

    if (cli_connect(&scancel->command.cli, RPC_ROLE_CLIENT, &err) < 0) {
        say_away(scancel, &err);
        scancel->status = 1;
        return;
    }
    if (scancel_filter_needs_jobs(&scancel->filter))
        signal_fitting(scancel);
    else
        signal_named(scancel);
    signal_targets(scancel);
    clear_jobs(scancel);
}

static int signal_clusters(struct scancel *scancel)
{
    struct command *command = &scancel->command;
    AUTO(clusters) struct clusters clusters = { 0 };
    struct err err = { 0 };

    if (cli_load(&command->cli, &err) < 0) {
        say_away(scancel, &err);
        return 1;
    }
    if (clusters_find(command, scancel->filter.clusters, &clusters) < 0)
        return 1;
    for (uint32_t i = 0; i < clusters.n; i++) {
        clusters_go(command, &clusters, i);
        signal_here(scancel);
    }
    return scancel->status;
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
    for (uint32_t i = 0; i < filter->warnings.n; i++)
        log_error(command->log, "%s", filter->warnings.at[i]);
    if (scancel_filter_is_empty(filter)) {
        log_error(command->log, "No job identification provided");
        return 1;
    }
    if (filter->sibling)
        return refuse_sibling(scancel);
    return signal_clusters(scancel);
}

int scancel_main(int argc, char **argv)
{
    struct scancel scancel = { 0 };
    int status;

    command_init(&scancel.command, "scancel");
    status = run(&scancel, argc, argv);
    clear_jobs(&scancel);
    targets_clear(&scancel.targets);
    scancel_filter_clear(&scancel.filter);
    command_clear(&scancel.command);
    return status;
}
