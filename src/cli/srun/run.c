#include "cli/srun/run_inside.h"

#include <string.h>
#include <unistd.h>

#include "cli/srun/request.h"
#include "common/crypt/crypt.h"
#include "common/msg/types.h"

static void on_connected(void *ctx)
{
    (void)ctx;
}

static void on_closed(void *ctx)
{
    run_check_end(ctx);
}

/* Takes MPI_Abort and its like. */
static void on_abort(const char *node, const char *why, void *ctx)
{
    struct run *run = ctx;

    log_error(run->command->log, "%s: %s", node, why);
    run_abort(run);
}

static void on_refused(const struct err *why, void *ctx)
{
    struct run *run = ctx;

    log_verbose(run->command->log, "a connection was refused: %s", why->text);
}

static int begin_io(struct run *run, struct err *err)
{
    const struct slurm_conf *conf = run->command->cli.conf;
    struct step_spec *step = run->request.step;
    const struct io_server_options options = {
        .base = run->base,
        .cluster = conf->cluster_name,
        .authc = { .socket_path = conf->auth_socket },
        .clock = clock_from_env(),
        .first_port = (uint16_t)conf->srun_ports.first,
        .last_port = (uint16_t)conf->srun_ports.last,
    };
    const struct io_server_callbacks callbacks = { run_on_started, run_on_exited, run_on_broken,
                                                   on_abort,       on_connected,  on_closed,
                                                   on_refused };

    int rc = io_server_new(&options, &callbacks, run, &run->io, err);
    if (rc < 0)
        return rc;
    submit_blob(&step->io_token, io_server_token(run->io), IO_TOKEN_BYTES);
    srun_fill_addresses(step, run->io);
    rc = srun_make_environment(run->options, conf, run->in_job, io_server_port(run->io), step,
                               &run->environment, err);
    if (rc == 0) {
        uint8_t sha256[SHA256_BYTES];

        crypt_sha256(run->environment.data, run->environment.len, sha256);
        submit_blob(&step->environment_sha256, sha256, sizeof(sha256));
    }
    return rc;
}

static void on_not_immediate(struct run *run)
{
    const struct job_signal request = { .job_id = run->job_id,
                                        .step_id = run->in_job ? run->step_id : COUNT_UNSET,
                                        .flags = SIGNAL_CANCEL };

    log_error(run->command->log, "Unable to allocate resources: %s", err_string(E_NODES_BUSY));
    run->aborting = true;
    run->status = command_exit_immediate();
    if (run->job_id)
        killer_send(run->killer, &request);
    else
        run_leave(run, run->status);
}

static void begin_request(struct run *run)
{
    static const struct follow_callbacks callbacks = { run_on_job, run_on_step, run_on_lost,
                                                       run_on_back, run_on_over };
    struct job_allocate allocate = { run->request.job, run->request.step, run->request.body };
    struct step_run step = { run->job_id, run->request.step };
    const struct follow_request request = {
        .type = run->in_job ? MSG_STEP_RUN : MSG_JOB_ALLOCATE,
        .msg = run->in_job ? (const void *)&step : (const void *)&allocate,
        .blob = &run->environment,
        .sha256 = &run->request.step->environment_sha256,
        .token = run->in_job ? run->request.step->token : run->request.job->token,
        .job_id = run->job_id,
        .step_id = COUNT_UNSET,
    };

    run->follow = follow_new(run->command->cli.client, &request, &callbacks, run);
    if (run->options->immediate_s != COUNT_UNSET && run->options->immediate_s > 1)
        run_later(run, run->options->immediate_s, on_not_immediate);
    event_base_dispatch(run->base);
}

/* Runs SrunEpilog after a step that had come to be, and before srun says how it ended. */
static void run_epilog(const struct run *run)
{
    const struct slurm_conf *conf = run->command->cli.conf;
    const struct srun_hook_plan plan = {
        .path = srun_hook_program(run->options->epilog, conf->srun_epilog),
        .context = "epilog_srun",
        .step = &run->step,
        .command = run->request.step,
        .environment = &run->environment,
        .limit = slurm_conf_epilog_limit(conf),
        .log = run->command->log,
    };

    int code = run->created && plan.path ? srun_hook_run(&plan) : 0;

    if (code != 0)
        log_error(run->command->log, "srun epilog failed status=%d", code);
}

struct run *run_free(struct run *run)
{
    if (!run)
        return NULL;
    srun_hook_free(run->prolog);
    step_record_clear(&run->step);
    pty_end(&run->pty);
    follow_free(run->follow);
    killer_free(run->killer);
    io_server_free(run->io);
    input_free(run->input);
    if (run->input_fd > STDIN_FILENO)
        close(run->input_fd);
    output_free(run->output);
    tasks_free(run->tasks);
    strbuf_clear(&run->environment);
    event_free(run->report);
    event_free(run->too_late);
    for (uint32_t i = 0; i < run->signals_n; i++)
        event_free(run->signals[i]);
    free(run);
    return NULL;
}

int run_new(const struct run_request *request, struct run **ret, struct err *err)
{
    struct client *client = request->command->cli.client;
    struct run *run = xcalloc(1, sizeof(*run));
    int rc;

    *run = (struct run){
        .request = *request,
        .command = request->command,
        .options = request->options,
        .base = client_base(client),
        .tasks = tasks_new(),
        .killer = killer_new(client),
        .job_id = request->job_id,
        .step_id = COUNT_UNSET,
        .in_job = !request->job,
        .status = -1,
    };
    step_record_init(&run->step);
    run->report = evtimer_new(run->base, run_on_report, run);
    run->too_late = evtimer_new(run->base, run_on_timer, run);
    rc = begin_io(run, err);
    if (rc < 0)
        run_free(run);
    else
        *ret = run;
    return rc;
}

int run_step(struct run *run)
{
    int status;

    run_catch_signals(run);
    srun_add_controllers_address(run->request.step, run->io,
                                 client_session(run->command->cli.client));
    begin_request(run);
    status = run->status >= 0 ? run->status : 1;
    run_epilog(run);
    run_free(run);
    return status;
}
