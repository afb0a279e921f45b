#include "cli/srun/srun.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/salloc/run.h"
#include "cli/srun/multi_prog.h"
#include "cli/srun/program.h"
#include "cli/srun/request.h"
#include "cli/srun/run.h"
#include "cli/submit/destination.h"
#include "common/msg/types.h"
#include "common/text/words.h"

#define IN_JOB_MS 300000 /* while a daemon restarts, is upgraded, or its machine boots */

struct srun {
    struct command command;
    struct submit_options options;
    struct stream_plans plans;
    struct step_spec step;
};

static bool is_in_job(const struct srun *srun)
{
    return srun->options.job_id != COUNT_UNSET;
}

/* Asks when the job would start. */
static int test_only(struct srun *srun)
{
    struct job_submit request;
    AUTO(job_submitted) struct job_submitted planned;
    struct err err = { 0 };

    job_submit_init(&request);
    job_submitted_init(&planned);
    request.spec = &srun->options.job;
    request.test_only = true;
    if (client_call(srun->command.cli.client, MSG_JOB_SUBMIT, &request, MSG_JOB_SUBMITTED, &planned,
                    &err) < 0) {
        fprintf(stderr, "allocation failure: %s\n", err.text);
        return command_exit_error();
    }
    submit_say_planned(&srun->command, &planned);
    return 0;
}

static void fill(struct srun *srun, int argc, char **argv, int operand)
{
    struct submit_options *options = &srun->options;
    struct job_spec *job = &options->job;
    struct job_body *body = &options->body;
    const struct slurm_conf *conf = srun->command.cli.conf;

    stream_plans_make(options, options->cwd ? options->cwd : "/", &srun->plans);
    srun_fill_step(&srun->step, options, &srun->plans, conf, is_in_job(srun), argc, argv, operand);
    if (is_in_job(srun))
        return;
    if (!job->name)
        job->name = xstrdup(srun->step.name);
    job->kind = JOB_KIND_RUN;
    xstrset(&body->command, argv[operand]);
    /* The step decides where the streams go. */
    xstrset(&body->std_in, NULL);
    xstrset(&body->std_out, NULL);
    xstrset(&body->std_err, NULL);
    submit_obey_conf(&srun->command, options);
    submit_fill_job(&srun->command, options, argc, argv);
}

/*
 * Waits for the controller: what runs in a job does not fail because a daemon is being restarted or
 * upgraded.
 */
static int await_controller(struct srun *srun, struct err *err)
{
    struct client *client = srun->command.cli.client;
    int rc = client_await(client, err);

    if (rc == 0 || !is_in_job(srun) || !command_is_away(rc))
        return rc;
    command_say_waiting(&srun->command);
    return client_reconnect(client, IN_JOB_MS - COMMAND_QUIET_MS, err);
}

static void report_no_controller(const struct srun *srun, const struct err *why)
{
    AUTO_FREE char *what =
        is_in_job(srun) ? xasprintf("Unable to confirm allocation for job %u", srun->options.job_id)
                        : xstrdup("Unable to allocate resources");

    command_report(&srun->command, what, why);
}

static int connect_and_run(struct srun *srun)
{
    struct command *command = &srun->command;
    struct err err = { 0 };
    const struct run_request request = {
        .command = command,
        .options = &srun->options,
        .plans = &srun->plans,
        .job = is_in_job(srun) ? NULL : &srun->options.job,
        .body = is_in_job(srun) ? NULL : &srun->options.body,
        .step = &srun->step,
        .job_id = is_in_job(srun) ? srun->options.job_id : 0,
    };

    struct run *run = NULL;
    int status = 0;

    cli_start_connecting(&command->cli, RPC_ROLE_SRUN,
                         is_in_job(srun) ? COMMAND_QUIET_MS
                                         : (int)command->cli.conf->message_timeout_s * 1000);
    if (!srun->options.test_only && run_new(&request, &run, &err) < 0) {
        command_report(command, NULL, &err);
        return command_exit_error();
    }
    if (await_controller(srun, &err) < 0) {
        report_no_controller(srun, &err);
        run_free(run);
        return command_exit_error();
    }
    if (srun->options.test_only)
        return test_only(srun);
    if (program_is_sent(&srun->options))
        status = program_send(command, &srun->options, request.job_id, &srun->step);
    if (status == 0)
        return run_step(run);
    run_free(run);
    return status;
}

/*
 * Runs srun again inside of a job: what has to be done on the nodes before the step is done from
 * there.
 */
static int run_inside(struct srun *srun, char **argv)
{
    struct command *command = &srun->command;
    struct err err = { 0 };

    if (cli_connect(&command->cli, RPC_ROLE_CLIENT, &err) < 0) {
        command_report(command, "Unable to allocate resources", &err);
        return command_exit_error();
    }
    srun->options.job.kind = JOB_KIND_ALLOC;
    srun->options.bell = SAID_NO;
    return salloc_run(command, &srun->options, argv);
}

/* Reads the programs' file, which may tell how many tasks there are. */
static int read_programs(struct srun *srun, int argc, char **argv, int operand, struct err *err)
{
    struct multi_prog file = {
        .name = argv[operand],
        .ntasks = srun->options.job.ntasks,
        .extra = argv + operand + 1,
        .extra_n = (uint32_t)(argc - operand - 1),
    };
    int rc = srun->options.multi_prog ? multi_prog_read(&file, &srun->step, err) : 0;

    srun->options.job.ntasks = file.ntasks;
    return rc;
}

/* Drops --pty without a terminal here: there is none to show there. */
static void check_terminal(struct srun *srun)
{
    if (!srun->options.pty || isatty(STDIN_FILENO) || isatty(STDOUT_FILENO))
        return;
    log_error(srun->command.log, "Not using a pseudo-terminal, disregarding --pty option");
    srun->options.pty = false;
}

static void check_binding(const struct srun *srun)
{
    if (submit_options_source(&srun->options, "cpu-bind") != FROM_NOWHERE &&
        !(srun->command.cli.conf->task_plugins & CONF_TASK_AFFINITY))
        log_info(srun->command.log, "cluster configuration lacks support for cpu binding");
}

/*
 * Decides as Slurm: so many tasks on so many nodes go before what was said of each node, if that is
 * not their quotient. A step goes by its tasks in any case.
 */
static void check_per_node(struct srun *srun)
{
    struct job_spec *job = &srun->options.job;
    const uint32_t nodes = job->min_nodes, each = job->ntasks_per_node;
    const bool is_said = job->ntasks != COUNT_UNSET && nodes != COUNT_UNSET && each != COUNT_UNSET;

    if (!is_said || nodes == 0 || each >= job->ntasks)
        return;
    if (each == job->ntasks / nodes && !(is_in_job(srun) && (uint64_t)nodes * each < job->ntasks))
        return;
    log_info(srun->command.log,
             "Warning: can't honor --ntasks-per-node set to %u which doesn't match the requested "
             "tasks %u with the number of requested nodes %u. Ignoring --ntasks-per-node.",
             each, job->ntasks, nodes);
    job->ntasks_per_node = COUNT_UNSET;
}

static int run(struct srun *srun, int argc, char **argv)
{
    struct command *command = &srun->command;
    struct err err = { 0 };
    int operand = 0;

    int status = submit_begin(command, &srun->options, argc, argv, &operand);
    if (status >= 0)
        return status;
    if (word_is(srun->options.mpi, "list")) {
        printf("MPI plugin types are...\n\tnone\n\tpmi2\n\tpmix\n");
        return 0;
    }
    if (operand >= argc) {
        log_at(command->log, LOG_FATAL, "No command given to execute.");
        return command_exit_error();
    }
    if (read_programs(srun, argc, argv, operand, &err) < 0) {
        command_report(command, NULL, &err);
        return command_exit_error();
    }
    status = submit_check(command, &srun->options);
    if (status >= 0)
        return status;
    check_terminal(srun);
    if (cli_load(&command->cli, &err) < 0 ||
        submit_check_by_conf(command, &srun->options, &err) < 0) {
        command_report(command, NULL, &err);
        return command_exit_error();
    }
    /* --relative counts the nodes of an allocation that exists. */
    if (srun->options.relative != COUNT_UNSET && !is_in_job(srun)) {
        log_at(command->log, LOG_FATAL, "--relative option invalid for job allocation request");
        return 1;
    }
    check_binding(srun);
    check_per_node(srun);
    fill(srun, argc, argv, operand);
    if (is_in_job(srun))
        destination_follow(command);
    else if (destination_choose(command, &srun->options) < 0)
        return command_exit_error();
    if (program_is_sent(&srun->options) && !is_in_job(srun) && !srun->options.test_only)
        return run_inside(srun, argv);
    return connect_and_run(srun);
}

int srun_main(int argc, char **argv)
{
    struct srun srun = { 0 };
    int status;

    command_init(&srun.command, "srun");
    submit_options_init(&srun.options, SUBMIT_SRUN);
    step_spec_init(&srun.step);
    status = run(&srun, argc, argv);
    step_spec_clear(&srun.step);
    stream_plans_clear(&srun.plans);
    submit_options_clear(&srun.options);
    command_clear(&srun.command);
    return status;
}
