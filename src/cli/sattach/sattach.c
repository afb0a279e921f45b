#include "cli/sattach/sattach.h"

#include <stdio.h>
#include <string.h>

#include "cli/lib/flags.h"
#include "cli/sattach/attach.h"
#include "common/msg/job.h"
#include "common/msg/node.h"
#include "common/msg/types.h"
#include "common/text/jobid.h"
#include "common/text/words.h"

#define AT(member) offsetof(struct options, member)
#define WHAT       "Could not get job step info"

struct options {
    const char *input_filter, *output_filter, *error_filter;
    bool label, layout, pty;
    uint32_t verbose, quiet;
};

/* clang-format off */
static const struct flag rows[] = {
    { "error-filter", 0, FLAG_TEXT, AT(error_filter), "TASK", NULL, "print only this task's standard error" },
    { "help", 'h', FLAG_HELP, 0, NULL, NULL, "print this text" },
    { "input-filter", 0, FLAG_TEXT, AT(input_filter), "TASK", NULL, "send standard input to this task only" },
    { "label", 'l', FLAG_SET, AT(label), NULL, NULL, "begin each line with the number of its task" },
    { "layout", 0, FLAG_SET, AT(layout), NULL, NULL, "print where the tasks run, and do not attach" },
    { "output-filter", 0, FLAG_TEXT, AT(output_filter), "TASK", NULL, "print only this task's standard output" },
    { "pty", 0, FLAG_SET, AT(pty), NULL, NULL, "use the terminal as it is, for a step begun with --pty" },
    { "quiet", 'Q', FLAG_MORE, AT(quiet), NULL, NULL, "print no remarks" },
    { "usage", 'u', FLAG_USAGE, 0, NULL, NULL, "print the options in short" },
    { "verbose", 'v', FLAG_MORE, AT(verbose), NULL, NULL, "print more remarks" },
    { "version", 'V', FLAG_VERSION, 0, NULL, NULL, "print the version" },
};
/* clang-format on */

static const struct flag_table table = {
    .purpose =
        "Joins the streams of a step that runs: prints what its tasks print from now on, and "
        "sends them\nwhat comes at standard input.",
    .operands = "JOB.STEP",
    .flags = rows,
    .flags_n = ARRAY_N(rows),
};

/* ---- what was asked ---- */

static int read_filter(const struct command *command, const char *name, const char *text,
                       uint32_t *ret)
{
    uint64_t number;

    *ret = COUNT_UNSET;
    if (!text)
        return 0;
    if (number_parse(text, 0, COUNT_UNSET - 1, &number, NULL) < 0) {
        log_error(command->log, "Invalid numeric value \"%s\" for %s.", text, name);
        return -EINVAL;
    }
    *ret = (uint32_t)number;
    return 0;
}

/* Reads filters: when only standard output is named it counts for both streams, as in Slurm. */
static int read_filters(struct attach_request *request, const struct options *options)
{
    const struct command *command = request->command;
    const char *error = options->error_filter ? options->error_filter : options->output_filter;
    int rc = read_filter(command, "input-filter", options->input_filter, &request->input_task);

    if (rc == 0)
        rc = read_filter(command, "output-filter", options->output_filter, &request->output_task);
    if (rc == 0)
        rc = read_filter(command, "error-filter", error, &request->error_task);
    if (rc == 0 && options->pty &&
        (options->input_filter || options->output_filter || options->error_filter)) {
        log_error(command->log, "--pty does not go with --input-filter, --output-filter and "
                                "--error-filter: only task 0 has the terminal");
        rc = -EINVAL;
    }
    return rc;
}

/* Reads the step, which needs its number; an array's task must be named by its own job id. */
static int read_step(const struct command *command, const char *const *operands, uint32_t n,
                     struct job_ref *ret)
{
    AUTO(strbuf) struct strbuf usage = { 0 };

    if (n == 1 && job_ref_parse(operands[0], ret, NULL) == 0 && ret->step != NO_VAL &&
        ret->array_task == NO_VAL && !ret->all_tasks)
        return 0;
    log_error(command->log,
              n == 1 ? "Failed to parse stepid from command line options" : "too many parameters");
    flags_usage(&table, command->name, &usage);
    fputs(strbuf_text(&usage), stderr);
    return -EINVAL;
}

static int check_filter(const struct command *command, const char *name, uint32_t task,
                        uint32_t ntasks)
{
    if (task == COUNT_UNSET || task < ntasks)
        return 0;
    log_error(command->log, "--%s: the step has no task %u, it has tasks 0 to %u", name, task,
              ntasks - 1);
    return -EINVAL;
}

static int check_filters(const struct attach_request *request)
{
    const uint32_t ntasks = request->step->ntasks;
    int rc = check_filter(request->command, "input-filter", request->input_task, ntasks);

    if (rc == 0)
        rc = check_filter(request->command, "output-filter", request->output_task, ntasks);
    if (rc == 0)
        rc = check_filter(request->command, "error-filter", request->error_task, ntasks);
    return rc;
}

/* ---- what the controller knows ---- */

static const struct step_record *find_step(const struct records *steps, const struct job_ref *ref)
{
    for (uint32_t i = 0; i < steps->n; i++) {
        const struct step_record *step = record_at(steps, i);

        if (step->job_id == ref->job && step->step_id == ref->step)
            return step;
    }
    return NULL;
}

static int load_step(struct command *command, const struct job_ref *ref, struct records *ret_steps,
                     const struct step_record **ret_step)
{
    uint32_t job_id = ref->job;
    const struct job_list list = { .job_ids = &job_id, .job_ids_n = 1 };
    const struct step_record *step;
    struct err err = { 0 };
    int rc =
        records_load(command->cli.client, MSG_STEP_LIST, &list, MSG_STEP_INFO, ret_steps, &err);

    step = rc == 0 ? find_step(ret_steps, ref) : NULL;
    if (rc == 0 && !step)
        rc = err_set(&err, E_JOB_ID, "%s", err_string(E_JOB_ID));
    else if (rc == 0 && step->state == STEP_ENDED)
        rc = err_set(&err, E_ALREADY_DONE, "%s", err_string(E_ALREADY_DONE));
    else if (rc == 0 && step->nodes_n == 0)
        rc = err_set(&err, E_JOB_PENDING, "the step waits for cpus of its job");
    if (rc < 0)
        command_report(command, WHAT, &err);
    *ret_step = step;
    return rc;
}

static int load_nodes(struct command *command, const struct step_record *step,
                      struct records *ret_nodes)
{
    const struct node_list list = { .job_id = step->job_id };
    struct err err = { 0 };
    int rc =
        records_load(command->cli.client, MSG_NODE_LIST, &list, MSG_NODE_INFO, ret_nodes, &err);

    if (rc < 0)
        command_report(command, WHAT, &err);
    return rc;
}

static void print_layout(const struct step_record *step)
{
    printf("Job step layout:\n\t%u tasks, %u nodes (%s)\n\n", step->ntasks, step->nodes_n,
           step->node_list);
    for (uint32_t i = 0; i < step->nodes_n; i++) {
        const struct step_node *node = &step->nodes[i];

        printf("\tNode %u (%s), %u task(s): ", i, node->name, node->tasks_n);
        for (uint32_t j = 0; j < node->tasks_n; j++)
            printf("%u ", node->tasks[j]);
        printf("\n");
    }
}

/* ---- from options to the end ---- */

static bool is_attachable(const struct command *command, const struct step_record *step)
{
    if (step->step_id != STEP_BATCH)
        return true;
    log_error(command->log,
              "%u.batch: a batch script reads and prints files, there are no streams to join",
              step->job_id);
    return false;
}

static void say_options(const struct command *command, const struct options *options)
{
    log_verbose(command->log, "label       : %s", options->label ? "true" : "false");
    log_verbose(command->log, "pty         : %s", options->pty ? "true" : "false");
    log_verbose(command->log, "verbose     : %u", options->verbose);
}

static int attach(struct attach_request *request, const struct options *options,
                  const struct job_ref *ref)
{
    AUTO(records) struct records steps = { 0 };
    AUTO(records) struct records nodes = { 0 };
    struct command *command = request->command;
    struct err err = { 0 };

    if (cli_open(&command->cli, RPC_ROLE_CLIENT, &err) < 0) {
        command_report(command, WHAT, &err);
        return command_exit_error();
    }
    if (load_step(command, ref, &steps, &request->step) < 0)
        return command_exit_error();
    if (options->layout) {
        print_layout(request->step);
        return fflush(stdout) == 0 ? 0 : command_exit_error();
    }
    if (check_filters(request) < 0 || !is_attachable(command, request->step) ||
        load_nodes(command, request->step, &nodes) < 0)
        return command_exit_error();
    request->nodes = &nodes;
    return attach_run(request);
}

static int run(struct command *command, int argc, char **argv)
{
    AUTO_FREE const char **operands = NULL;
    uint32_t operands_n = 0;
    struct options options = { 0 };
    struct attach_request request = { .command = command };
    struct job_ref ref;
    int status = flags_read(&table, command, argc, argv, &options, &operands, &operands_n);

    if (status >= 0)
        return status;
    command_set_verbosity(command, options.verbose, options.quiet);
    if (read_filters(&request, &options) < 0 || read_step(command, operands, operands_n, &ref) < 0)
        return command_exit_error();
    say_options(command, &options);
    request.label = options.label;
    request.pty = options.pty;
    return attach(&request, &options, &ref);
}

int sattach_main(int argc, char **argv)
{
    struct command command;
    int status;

    command_init(&command, "sattach");
    status = run(&command, argc, argv);
    command_clear(&command);
    return status;
}
