#include "cli/srun/run_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "common/text/pattern.h"

static void on_consumed(uint32_t source, uint32_t n, void *ctx)
{
    struct run *run = ctx;

    io_server_consumed(run->io, source, n);
}

/*
 * Handles a reader that is gone as in a local pipeline: who writes to nobody gets SIGPIPE. A full
 * disk only loses output.
 */
static void on_broken(const struct err *why, void *ctx)
{
    struct run *run = ctx;

    if (why->code == EPIPE)
        io_server_signal(run->io, SIGPIPE);
    else
        log_error(run->command->log, "%s: output is lost", why->text);
    if (run->status < 0 && why->code != EPIPE)
        run->status = 1;
}

static void on_input(void *ctx)
{
    struct run *run = ctx;

    io_server_feed(run->io);
}

static int expand(const struct run *run, const char *pattern, char **ret_path, struct err *err)
{
    const struct pattern_values values = { .job = run->job_id,
                                           .array_job = run->job_id,
                                           .array_task = COUNT_UNSET,
                                           .step = run->step_id,
                                           .node = COUNT_UNSET,
                                           .task = COUNT_UNSET,
                                           .user_name = getenv("USER"),
                                           .job_name = run->options->job.name };

    return pattern ? pattern_expand(pattern, &values, ret_path, err) : 0;
}

static int open_output(struct run *run, struct err *err)
{
    const struct stream_plans *plans = run->request.plans;
    const struct output_callbacks callbacks = { on_consumed, on_broken, run_on_drained };
    AUTO_FREE char *out = NULL;
    AUTO_FREE char *errors = NULL;

    int rc = expand(run, plans->out.srun_path, &out, err);
    if (rc == 0)
        rc = expand(run, plans->err.srun_path, &errors, err);
    if (rc < 0)
        return rc;
    const struct output_options options = {
        .base = run->base,
        .out = { out, plans->out.only_task },
        .err = { errors, plans->err.only_task },
        .label = run->options->label,
        .append = run->options->body.open_mode == OPEN_APPEND,
        .out_fd = STDOUT_FILENO,
        .err_fd = STDERR_FILENO,
    };
    return output_new(&options, &callbacks, run, &run->output, err);
}

static int open_input(struct run *run, struct err *err)
{
    AUTO_FREE char *path = NULL;
    int rc;

    if (run->request.plans->no_input)
        return 0;
    rc = expand(run, run->request.plans->in.srun_path, &path, err);
    if (rc < 0)
        return rc;
    run->input_fd = path ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (run->input_fd < 0)
        return err_set(err, errno, "Could not open stdin file: %s", strerror(errno));
    run->input = input_new(run->base, run->input_fd, on_input, run);
    return 0;
}

int run_open_streams(struct run *run, struct err *err)
{
    int rc = open_output(run, err);

    return rc < 0 ? rc : open_input(run, err);
}
