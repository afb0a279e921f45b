#include "cli/sstat/sstat.h"

#include <stdio.h>

#include "cli/lib/flags.h"
#include "cli/lib/nodes.h"
#include "cli/lib/records.h"
#include "cli/lib/sight.h"
#include "cli/sstat/columns.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"
#include "ctld/control/step/usage.h"

#define AT(member) offsetof(struct options, member)

struct options {
    bool all_steps, helpformat, pids, no_convert, no_header, parsable, parsable2;
    struct words jobs, fields;
    uint32_t verbose;
};

/* clang-format off */
static const struct flag rows[] = {
    { "allsteps", 'a', FLAG_SET, AT(all_steps), NULL, NULL, "all steps of a job that is named without a step" },
    { "fields", 0, FLAG_WORDS, AT(fields), "FIELDS", NULL, "which columns, each NAME, NAME%20 or NAME%-20; see --helpformat" },
    { "format", 'o', FLAG_WORDS, AT(fields), "FIELDS", NULL, NULL },
    { "help", 'h', FLAG_HELP, 0, NULL, NULL, "print this text" },
    { "helpformat", 'e', FLAG_SET, AT(helpformat), NULL, NULL, "list the columns" },
    { "jobs", 'j', FLAG_WORDS, AT(jobs), "JOBS", NULL, "jobs or steps: 12,13.0,14.batch" },
    { "noconvert", 0, FLAG_SET, AT(no_convert), NULL, NULL, "amounts as they are, without units" },
    { "noheader", 'n', FLAG_SET, AT(no_header), NULL, NULL, "print no header" },
    { "parsable", 'p', FLAG_SET, AT(parsable), NULL, NULL, "fields followed by |" },
    { "parsable2", 'P', FLAG_SET, AT(parsable2), NULL, NULL, "fields divided by |" },
    { "pidformat", 'i', FLAG_SET, AT(pids), NULL, NULL, "the processes of each step, node by node" },
    { "usage", 0, FLAG_USAGE, 0, NULL, NULL, "print the options in short" },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "say what is done" },
    { "version", 'V', FLAG_VERSION, 0, NULL, NULL, "print the version" },
};
/* clang-format on */

static const struct flag_table table = {
    .purpose = "Tells what the steps of running jobs use now, as their nodes say.",
    .heading = "Valid <OPTION> values are",
    .needed = "-j <job[.step],...>",
    .operands = "[JOB[.STEP]]...",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

struct sstat {
    struct command *command;
    struct options options;
    struct report_format format;
    struct acct_context context;
};

/* ---- one step ---- */

/* Returns what the step's nodes say, one for each; prints which of them do not answer. */
static struct sight *look(const struct sstat *sstat, const struct step_record *step)
{
    struct sight *sights = xcalloc(step->nodes_n, sizeof(*sights));
    AUTO(records) struct records nodes = { 0 };
    const struct node_list of_job = { .job_id = step->job_id };
    struct err err = { 0 };

    if (records_load(sstat->command->cli.client, MSG_NODE_LIST, &of_job, MSG_NODE_INFO, &nodes,
                     &err) < 0)
        command_report(sstat->command, NULL, &err);

    for (uint32_t i = 0; i < step->nodes_n; i++) {
        const struct node_info *node = nodes_find(&nodes, step->nodes[i].name);

        sights[i] = (struct sight){
            .node = step->nodes[i].name,
            .host = node && node->address ? node->address : step->nodes[i].name,
            .port = (uint16_t)(node ? node->port : 0),
            .preface = { RPC_TARGET_STEP, step->job_id, step->step_id },
            .uid = step->uid,
        };
    }
    sights_load(sstat->command->cli.conf, sights, step->nodes_n);
    for (uint32_t i = 0; i < step->nodes_n; i++) {
        if (sights[i].why.code)
            log_error(sstat->command->log, "%s", sights[i].why.text);
    }
    return sights;
}

/* Adds up the usage of the step as if it ended now. */
static void add_usage(struct step_record *step, const struct sight *sights)
{
    for (uint32_t i = 0; i < step->nodes_n; i++) {
        const struct step_report report = { .usage = sights[i].step.usage,
                                            .usage_n = sights[i].step.usage_n };

        step_add_usage(step, i, &report);
    }
}

static void print_row(const struct sstat *sstat, const struct stat_row *row)
{
    const struct report_context ctx = { .exact_units = sstat->options.no_convert,
                                        .user = &sstat->context };
    AUTO(strbuf) struct strbuf line = { 0 };

    report_line(&sstat->format, &ctx, row, &line);
    fputs(strbuf_text(&line), stdout);
}

static void print_step(const struct sstat *sstat, const struct step_record *known)
{
    struct sight *sights = look(sstat, known);
    AUTO(step_record) struct step_record step;

    schema_copy(step_record_schema(), &step, known);
    add_usage(&step, sights);
    for (uint32_t i = 0; i < step.nodes_n && sstat->options.pids; i++)
        print_row(sstat, &(struct stat_row){ { .step = &step }, sights[i].node, &sights[i].step });
    if (!sstat->options.pids)
        print_row(sstat, &(struct stat_row){ { .step = &step },
                                             step.node_list,
                                             step.nodes_n == 1 ? &sights[0].step : NULL });
    sights_clear(sights, step.nodes_n);
    free(sights);
}

/* ---- which steps ---- */

static bool is_running(const struct step_record *step)
{
    return step->state != STEP_ENDED && step->nodes_n > 0;
}

/* Orders steps by number, batch and its like before the numbered ones: as Slurm lists them. */
static int compare(const void *a, const void *b)
{
    const struct step_record *one = a, *other = b;
    bool special = one->step_id >= STEP_MAX, other_special = other->step_id >= STEP_MAX;

    if (special != other_special)
        return special ? -1 : 1;
    return (one->step_id > other->step_id) - (one->step_id < other->step_id);
}

/* Returns the step with the lowest number, or the first when none has a number. */
static const struct step_record *first_of(const struct records *steps)
{
    const struct step_record *first = NULL;

    for (uint32_t i = 0; i < steps->n; i++) {
        const struct step_record *step = record_at(steps, i);

        if (is_running(step) && (!first || (first->step_id >= STEP_MAX)))
            first = step;
    }
    return first;
}

static bool is_wanted(const struct sstat *sstat, const struct job_ref *ref,
                      const struct records *steps, const struct step_record *step)
{
    if (!is_running(step))
        return false;
    if (ref->step != NO_VAL)
        return step->step_id == ref->step;
    return sstat->options.all_steps || step == first_of(steps);
}

static void say_missing(const struct sstat *sstat, const struct job_ref *ref)
{
    AUTO(strbuf) struct strbuf id = { 0 };

    job_ref_format(&id, ref);
    if (ref->step == NO_VAL)
        log_error(sstat->command->log, "couldn't get steps for job %u", ref->job);
    else
        log_error(sstat->command->log, "StepId=%s not found running.", strbuf_text(&id));
}

static void print_steps(const struct sstat *sstat, const struct job_ref *ref)
{
    AUTO(records) struct records steps = { 0 };
    uint32_t id = ref->job, printed = 0;
    const struct job_list list = { .job_ids = &id, .job_ids_n = 1 };

    if (records_load(sstat->command->cli.client, MSG_STEP_LIST, &list, MSG_STEP_INFO, &steps,
                     NULL) < 0) {
        log_error(sstat->command->log, "couldn't get steps for job %u", ref->job);
        return;
    }
    if (steps.n)
        qsort(steps.at, steps.n, sizeof(struct step_record), compare);
    for (uint32_t i = 0; i < steps.n; i++) {
        if (!is_wanted(sstat, ref, &steps, record_at(&steps, i)))
            continue;
        print_step(sstat, record_at(&steps, i));
        printed++;
    }
    if (printed == 0)
        say_missing(sstat, ref);
}

/* ---- from options to the end ---- */

static enum acct_style style_of(const struct options *options)
{
    if (options->parsable2)
        return ACCT_PARSABLE2;
    return options->parsable ? ACCT_PARSABLE : ACCT_COLUMNS;
}

static int read_fields(struct sstat *sstat, struct err *err)
{
    const char *usual = sstat->options.pids ? STAT_PID_FIELDS : STAT_FIELDS;

    if (sstat->options.fields.n == 0)
        sstat->options.fields = words_split(usual, ",");
    return acct_layout(&stat_choice, &sstat->options.fields, style_of(&sstat->options), "|",
                       &sstat->format, err);
}

static int read_jobs(const struct sstat *sstat, struct job_refs *ret)
{
    const struct words *jobs = &sstat->options.jobs;

    if (jobs->n == 0) {
        log_error(sstat->command->log, "You didn't give me any jobs to stat.");
        return -EINVAL;
    }
    for (uint32_t i = 0; i < jobs->n; i++) {
        struct job_ref *ref = ARRAY_PUSH(ret->at, ret->n);

        if (job_ref_parse(jobs->at[i], ref, NULL) == 0 && ref->array_task == NO_VAL)
            continue;
        log_at(sstat->command->log, LOG_FATAL, "Bad job/step specified: %s", jobs->at[i]);
        return -EINVAL;
    }
    return 0;
}

static int print_all(struct sstat *sstat, const struct job_refs *jobs)
{
    AUTO(strbuf) struct strbuf header = { 0 };
    struct command *command = sstat->command;
    struct err err = { 0 };

    if (cli_load(&command->cli, &err) < 0) {
        command_report(command, NULL, &err);
        return 1;
    }
    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0) {
        command_report(command, "couldn't get steps", &err);
        return 1;
    }
    acct_header(&sstat->format, style_of(&sstat->options), &header);
    if (!sstat->options.no_header)
        fputs(strbuf_text(&header), stdout);
    for (uint32_t i = 0; i < jobs->n; i++)
        print_steps(sstat, &jobs->at[i]);
    return fflush(stdout) == 0 ? 0 : 1;
}

static int run_with(struct sstat *sstat)
{
    AUTO(job_refs) struct job_refs jobs = { 0 };
    struct err err = { 0 };

    if (sstat->options.helpformat) {
        AUTO(strbuf) struct strbuf names = { 0 };

        acct_names(&stat_choice, ACCT_NAMES_WIDTH, &names);
        fputs(strbuf_text(&names), stdout);
        return 0;
    }
    if (read_jobs(sstat, &jobs) < 0)
        return 1;
    if (read_fields(sstat, &err) < 0) {
        log_error(sstat->command->log, "%s", err.text);
        return 1;
    }
    return print_all(sstat, &jobs);
}

int sstat_main(int argc, char **argv)
{
    AUTO_FREE const char **operands = NULL;
    uint32_t operands_n = 0;
    struct command command;
    struct sstat sstat = { .command = &command, .context = { .plain_bytes = true } };
    int status;

    command_init(&command, "sstat");
    status = flags_read(&table, &command, argc, argv, &sstat.options, &operands, &operands_n);
    if (status < 0) {
        /* Operands are jobs named without --jobs, as with Slurm. */
        for (uint32_t i = 0; i < operands_n; i++)
            words_add(&sstat.options.jobs, operands[i], ",");
        command_set_verbosity(&command, sstat.options.verbose, 0);
        status = run_with(&sstat);
    }
    report_format_clear(&sstat.format);
    words_clear(&sstat.options.jobs);
    words_clear(&sstat.options.fields);
    command_clear(&command);
    return status;
}
