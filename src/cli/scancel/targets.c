#include "cli/scancel/targets.h"

#include <signal.h>
#include <string.h>

#include "cli/lib/many.h"
#include "cli/lib/tasks.h"
#include "common/msg/types.h"

void targets_clear(struct scancel_targets *targets)
{
    for (uint32_t i = 0; i < targets->n; i++)
        free(targets->at[i].tasks);
    free(targets->at);
    *targets = (struct scancel_targets){ 0 };
}

void targets_add(struct scancel_targets *targets, uint32_t job_id, const char *tasks,
                 uint32_t step_id)
{
    *ARRAY_PUSH(targets->at, targets->n) =
        (struct scancel_target){ job_id, step_id, xstrdup(tasks) };
}

struct signalling {
    struct command *command;
    const struct scancel_filter *filter;
    const struct scancel_targets *targets;
    struct job_signal request; /* the last one made */
    uint32_t *unanswered;      /* numbers of targets: the connection broke */
    uint32_t unanswered_n;
    int status;
};

/* ---- what is said ---- */

/* Appends the target's name: "12", "12.0", "12_4", "12_[4-7]". */
static void name_target(const struct job_signal *request, struct strbuf *out)
{
    strbuf_addf(out, "%u", request->job_id);
    if (request->tasks)
        strbuf_addf(out, strpbrk(request->tasks, ",-") ? "_[%s]" : "_%s", request->tasks);
    if (request->step_id == COUNT_UNSET)
        return;
    strbuf_addc(out, '.');
    step_id_format(out, request->step_id);
}

static void say_what(const struct signalling *signalling, const struct job_signal *request,
                     const char *target)
{
    const char *kind = request->step_id == COUNT_UNSET ? "job" : "step";

    if (request->signal == 0)
        log_verbose(signalling->command->log, "Terminating %s %s", kind, target);
    else
        log_verbose(signalling->command->log, "Signal %u to %s%s %s", request->signal,
                    request->flags & SIGNAL_BATCH_ONLY ? "batch " : "", kind, target);
}

/*
 * Returns the exit status. Slurm exits with the last byte of its error's number; 1 is for what it
 * refuses before it asks: jobs that it does not find.
 */
static int status_of(const struct err *err)
{
    switch (err->code) {
    case E_ACCESS:
    case E_USER_ID:
    case E_TRANSITION:
        return err->code & 0xff;
    case E_STEP_ID: /* has no number of its own there */
        return E_JOB_ID & 0xff;
    default:
        return 1;
    }
}

/* Notes a failure; of several the largest status is scancel's. */
static void fail_with(struct signalling *signalling, int status)
{
    if (status > signalling->status)
        signalling->status = status;
}

/*
 * Tells of a failure. That a job to be ended is over, or not there, is an error only to those who
 * want to know (-v): Slurm exits 0 and scripts count on it. For a step it is an error, there too.
 */
static void say_failed(struct signalling *signalling, const struct job_signal *request,
                       const char *target, const struct err *err)
{
    bool step = request->step_id != COUNT_UNSET;
    bool gone = err->code == E_JOB_ID || err->code == E_ALREADY_DONE;
    bool harmless = gone && request->signal == 0 && !step;

    if (harmless && signalling->filter->verbose == 0)
        return;
    if (!(gone && signalling->filter->quiet))
        log_error(signalling->command->log, "Kill job error on job %sid %s: %s",
                  step ? "step " : "", target, err_string(err->code));
    if (!harmless)
        fail_with(signalling, status_of(err));
}

/* ---- asking ---- */

/*
 * Returns the request's flags. KILL for a whole job is its end, and so is no signal at all; but
 * with -b both are only the end of the script, whatever else is said: so does 22.05, other than its
 * manual.
 */
static uint32_t flags_of(const struct scancel_filter *filter, const struct scancel_target *target)
{
    const bool whole = target->step_id == NO_VAL;
    const bool kills = filter->signal == 0 || filter->signal == SIGKILL;

    if (filter->batch && whole && (kills || !filter->full))
        return SIGNAL_BATCH_ONLY;
    if (filter->signal == 0 || (kills && whole))
        return SIGNAL_CANCEL;
    return filter->full ? SIGNAL_WITH_BATCH : SIGNAL_STEPS_ONLY;
}

static const struct job_signal *make_request(struct signalling *signalling, uint32_t i)
{
    const struct scancel_target *target = &signalling->targets->at[i];
    const uint32_t flags = flags_of(signalling->filter, target);
    const uint32_t signal = (uint32_t)signalling->filter->signal;

    signalling->request = (struct job_signal){
        .job_id = target->job_id,
        .step_id = target->step_id,
        .tasks = target->tasks,
        .flags = flags,
        .signal = signal == 0 && flags != SIGNAL_CANCEL ? SIGKILL : signal,
    };
    return &signalling->request;
}

static const void *make(void *ctx, uint32_t i)
{
    AUTO(strbuf) struct strbuf target = { 0 };
    const struct job_signal *request = make_request(ctx, i);

    name_target(request, &target);
    say_what(ctx, request, strbuf_text(&target));
    return request;
}

static bool is_lost(const struct err *why)
{
    return why->code == E_CLOSED || why->code == E_TIMEOUT || why->code == E_CONTACT;
}

static void on_answer(void *ctx, uint32_t i, const struct err *why)
{
    struct signalling *signalling = ctx;
    AUTO(strbuf) struct strbuf target = { 0 };
    const struct job_signal *request;

    if (!why)
        return;
    if (is_lost(why)) {
        *ARRAY_PUSH(signalling->unanswered, signalling->unanswered_n) = i;
        return;
    }
    request = make_request(signalling, i);
    name_target(request, &target);
    say_failed(signalling, request, strbuf_text(&target), why);
}

/* Asks again, one by one, waiting for a controller that restarts. */
static void ask_again(struct signalling *signalling)
{
    for (uint32_t i = 0; i < signalling->unanswered_n; i++) {
        const uint32_t number = signalling->unanswered[i];
        struct err err = { 0 };
        int rc = client_call(signalling->command->cli.client, MSG_JOB_SIGNAL,
                             make_request(signalling, number), MSG_OK, NULL, &err);

        if (rc < 0 && is_lost(&err)) {
            command_report(signalling->command, NULL, &err);
            fail_with(signalling, 1);
            return;
        }
        if (rc < 0)
            on_answer(signalling, number, &err);
    }
}

int targets_signal(struct scancel_targets *targets, struct command *command,
                   const struct scancel_filter *filter)
{
    struct signalling signalling = { .command = command, .filter = filter, .targets = targets };
    const struct many many = { MSG_JOB_SIGNAL, make, on_answer, &signalling };

    many_ask(command->cli.client, &many, targets->n);
    ask_again(&signalling);
    free(signalling.unanswered);
    targets_clear(targets);
    return signalling.status;
}
