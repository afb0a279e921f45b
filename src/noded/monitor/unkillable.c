#include "noded/monitor/unkillable.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <utlist.h>

#include "common/base/safe_path.h"
#include "noded/hooks/runner.h"

#define DIR_NAME "unkillable"

struct watch {
    struct watch *next;
    struct unkillable *unkillable;
    struct event *timer;
    uint32_t job_id, step_id;
    uint32_t launch_number; /* later ones were not told to end */
};

struct unkillable {
    struct event_base *base;
    int spool_fd;
    const struct held_table *held;
    struct unkillable_options options;
    struct watch *watches;
    unkillable_fn *on_found;
    void *ctx;
};

struct unkillable *unkillable_new(struct event_base *base, int spool_fd,
                                  const struct held_table *held,
                                  const struct unkillable_options *options, unkillable_fn *on_found,
                                  void *ctx)
{
    struct unkillable *unkillable = xcalloc(1, sizeof(*unkillable));

    *unkillable = (struct unkillable){ .base = base,
                                       .spool_fd = spool_fd,
                                       .held = held,
                                       .options = *options,
                                       .on_found = on_found,
                                       .ctx = ctx };
    return unkillable;
}

static void end_watch(struct watch *watch)
{
    LL_DELETE(watch->unkillable->watches, watch);
    event_free(watch->timer);
    free(watch);
}

struct unkillable *unkillable_free(struct unkillable *unkillable)
{
    while (unkillable && unkillable->watches)
        end_watch(unkillable->watches);
    free(unkillable);
    return NULL;
}

/* Runs the program, one at a time: what it is to look at is the node. */
static void run_program(const struct unkillable *unkillable, uint32_t job_id, const char *step)
{
    const struct unkillable_options *options = &unkillable->options;
    AUTO_FREE char *job = xasprintf("SLURM_JOB_ID=%u", job_id);
    AUTO_FREE char *step_id = xasprintf("SLURM_STEP_ID=%s", step);
    AUTO_FREE char *node = xasprintf("SLURMD_NODENAME=%s", options->node);
    AUTO_FREE char *conf = xasprintf("SLURM_CONF=%s", options->conf_path);
    char *environment[] = { job, step_id, node, conf, NULL };
    AUTO_CLOSE int fd = safe_own_dir(unkillable->spool_fd, DIR_NAME, 0700, DIR_NAME, NULL);
    const struct hook_run run = {
        .setting = options->program,
        .environment = environment,
        .record_fd = fd,
        .result = "result",
        .report = { .job_id = job_id, .kind = HOOK_UNKILLABLE },
    };
    struct err err = { 0 };

    if (fd < 0)
        log_error(options->log, "cannot make %s: %s", DIR_NAME, strerror(-fd));
    else if (hook_runner_start(&run, &err) < 0)
        log_error(options->log, "UnkillableStepProgram is not run: %s", err.text);
}

static void on_alive(void *ctx, const struct spool_name *name)
{
    const struct watch *watch = ctx;
    const struct unkillable *unkillable = watch->unkillable;
    char word[SPOOL_NAME_MAX];

    if (name->launch_number > watch->launch_number)
        return;
    step_word(name->step_id, word);
    log_error(unkillable->options.log,
              "step %u.%s: processes do not die, %u s after KILL; look at what they wait for "
              "(ps -eo stat,wchan,args), then scontrol update nodename=%s state=resume",
              name->job_id, word, unkillable->options.timeout_s, unkillable->options.node);
    if (unkillable->options.program)
        run_program(unkillable, name->job_id, word);
    unkillable->on_found(unkillable->ctx, name->job_id, name->step_id);
}

static void on_time(evutil_socket_t fd, short what, void *arg)
{
    struct watch *watch = arg;

    (void)fd;
    (void)what;
    held_each_alive(watch->unkillable->held, watch->job_id, watch->step_id, on_alive, watch);
    end_watch(watch);
}

static void take_launch(void *ctx, const struct spool_name *name)
{
    uint32_t *last = ctx;

    if (name->launch_number > *last)
        *last = name->launch_number;
}

void unkillable_watch(struct unkillable *unkillable, uint32_t job_id, uint32_t step_id,
                      uint32_t kill_wait_s)
{
    const struct timeval wait = { (time_t)kill_wait_s + unkillable->options.timeout_s, 0 };
    uint32_t launch_number = 0;
    struct watch *watch;

    held_each_alive(unkillable->held, job_id, step_id, take_launch, &launch_number);
    if (launch_number == 0)
        return;
    LL_FOREACH (unkillable->watches, watch) {
        if (watch->job_id == job_id && watch->step_id == step_id)
            return;
    }
    watch = xcalloc(1, sizeof(*watch));
    *watch = (struct watch){ .unkillable = unkillable,
                             .job_id = job_id,
                             .step_id = step_id,
                             .launch_number = launch_number };
    watch->timer = evtimer_new(unkillable->base, on_time, watch);
    evtimer_add(watch->timer, &wait);
    LL_PREPEND(unkillable->watches, watch);
}
