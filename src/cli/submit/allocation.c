#include "cli/submit/allocation.h"

#include <event2/event.h>

#include "cli/lib/outcome.h"
#include "cli/submit/follow.h"
#include "cli/submit/killer.h"
#include "common/msg/types.h"

#define RELEASE_MS 10000

struct allocation {
    struct command *command;
    const struct submit_options *options;
    struct allocation_callbacks callbacks;
    void *ctx;
    struct job_allocate request;
    struct follow *follow;
    struct killer *killer;
    struct event *immediate;
    uint32_t job_id;
    bool queued, granted, ready, revoked;
    bool taken_back;
    int status; /* once taken back */
};

/* True for salloc; srun has a step to talk of, and says less of the job. */
static bool is_salloc(const struct allocation *allocation)
{
    return allocation->options->command == SUBMIT_SALLOC;
}

static const char *failure_words(const struct allocation *allocation)
{
    return is_salloc(allocation) ? ALLOCATION_FAILED : ALLOCATION_NO_RESOURCES;
}

bool allocation_was_queued(const struct allocation *allocation)
{
    return allocation->queued;
}

/* ---- what the controller tells ---- */

static void queued(struct allocation *allocation, const struct job_record *job)
{
    struct log *log = allocation->command->log;
    const char *why = job ? outcome_wait_words(job->reason) : NULL;

    if (allocation->queued)
        return;
    allocation->queued = true;
    if (why)
        log_info(log, "%s", why);
    if (is_salloc(allocation))
        log_info(log, "Pending job allocation %u", allocation->job_id);
    log_info(log, "job %u queued and waiting for resources", allocation->job_id);
}

static void granted(struct allocation *allocation)
{
    struct log *log = allocation->command->log;

    if (allocation->granted)
        return;
    allocation->granted = true;
    event_del(allocation->immediate);
    if (allocation->queued)
        log_info(log, "job %u has been allocated resources", allocation->job_id);
    if (is_salloc(allocation))
        log_info(log, "Granted job allocation %u", allocation->job_id);
}

/* Notes the job's nodes; called once more when the cluster has got them ready. */
static void has_nodes(struct allocation *allocation, const struct job_event *event)
{
    struct log *log = allocation->command->log;
    const bool waited = allocation->granted;

    if (allocation->ready || !event->job)
        return;
    granted(allocation);
    allocation->ready = !(event->job->flags & JOB_FLAG_CONFIGURING);
    if (!allocation->ready && !waited)
        log_info(log, "Waiting for resource configuration");
    if (!allocation->ready)
        return;
    if (waited)
        log_info(log, "Nodes %s are ready for job", event->job->node_list);
    allocation->callbacks.on_ready(event, allocation->ctx);
}

void allocation_say_cancelled(const struct command *command, const char *what)
{
    log_info(command->log, "Job has been cancelled");
    log_error(command->log, "%s: %s", what, err_string(E_ALREADY_DONE));
}

static void revoked(struct allocation *allocation, const struct job_record *job)
{
    struct log *log = allocation->command->log;

    if (allocation->revoked)
        return;
    allocation->revoked = true;
    if (!allocation->granted && !allocation->taken_back) {
        allocation->taken_back = true;
        allocation->status = command_exit_error();
        allocation_say_cancelled(allocation->command, failure_words(allocation));
    }
    if (job && job->state == JOB_TIMEOUT)
        log_info(log, "Job %u has exceeded its time limit and its allocation has been revoked.",
                 allocation->job_id);
    else
        log_info(log, "Job allocation %u has been revoked.", allocation->job_id);
    if (allocation->taken_back)
        allocation->callbacks.on_failed(allocation->status, allocation->ctx);
    else
        allocation->callbacks.on_revoked(allocation->ctx);
}

static void on_job(const struct job_event *event, void *ctx)
{
    struct allocation *allocation = ctx;

    if (event->job)
        allocation->job_id = event->job->id;
    switch (event->kind) {
    case JOB_EVENT_QUEUED:
        queued(allocation, event->job);
        break;
    case JOB_EVENT_GRANTED:
        has_nodes(allocation, event);
        break;
    case JOB_EVENT_WARNING:
        command_say(allocation->command, event->text ? event->text : "");
        break;
    case JOB_EVENT_ENDED:
        revoked(allocation, event->job);
        break;
    default:
        break;
    }
}

static void on_over(const struct err *why, void *ctx)
{
    struct allocation *allocation = ctx;

    if (!why || allocation->granted || allocation->taken_back) {
        revoked(allocation, NULL);
        return;
    }
    const bool busy = why->code == E_NODES_BUSY;

    command_report(allocation->command, busy ? ALLOCATION_NO_RESOURCES : failure_words(allocation),
                   why);
    allocation->callbacks.on_failed(busy ? command_exit_immediate() : command_exit_error(),
                                    allocation->ctx);
}

static void on_back(void *ctx)
{
    struct allocation *allocation = ctx;

    killer_try_again(allocation->killer);
}

/* ---- beginning and end ---- */

void allocation_take_back(struct allocation *allocation, int status)
{
    const struct job_signal request = { .job_id = allocation->job_id,
                                        .step_id = COUNT_UNSET,
                                        .flags = SIGNAL_CANCEL };

    if (allocation->taken_back || allocation->job_id == 0) {
        allocation->callbacks.on_failed(status, allocation->ctx);
        return;
    }
    allocation->taken_back = true;
    allocation->status = status;
    killer_send(allocation->killer, &request);
}

static void on_not_immediate(evutil_socket_t fd, short what, void *ctx)
{
    struct allocation *allocation = ctx;

    (void)fd;
    (void)what;
    log_error(allocation->command->log, ALLOCATION_NO_RESOURCES ": %s", strerror(ETIMEDOUT));
    allocation_take_back(allocation, command_exit_immediate());
}

struct allocation *allocation_new(struct command *command, const struct submit_options *options,
                                  const struct allocation_callbacks *callbacks, void *ctx)
{
    static const struct follow_callbacks followed = { .on_job = on_job,
                                                      .on_back = on_back,
                                                      .on_over = on_over };
    struct allocation *allocation = xcalloc(1, sizeof(*allocation));
    const struct follow_request request = { .type = MSG_JOB_ALLOCATE,
                                            .msg = &allocation->request,
                                            .token = options->job.token,
                                            .step_id = COUNT_UNSET };
    struct client *client = command->cli.client;
    const uint32_t seconds = options->immediate_s;

    allocation->command = command;
    allocation->options = options;
    allocation->callbacks = *callbacks;
    allocation->ctx = ctx;
    allocation->request.spec = (struct job_spec *)(uintptr_t)&options->job;  /* only read, */
    allocation->request.body = (struct job_body *)(uintptr_t)&options->body; /* this too */
    allocation->killer = killer_new(client);
    allocation->immediate = evtimer_new(client_base(client), on_not_immediate, allocation);
    if (seconds != COUNT_UNSET && seconds > 1)
        event_add(allocation->immediate, &(struct timeval){ (time_t)seconds, 0 });
    allocation->follow = follow_new(client, &request, &followed, allocation);
    return allocation;
}

void allocation_release(struct allocation *allocation, int wait_status)
{
    const struct job_release request = { .job_id = allocation->job_id, .exit_status = wait_status };
    struct client *client = allocation->command->cli.client;
    struct err err = { 0 };

    if (!allocation->granted || allocation->revoked)
        return;
    if (is_salloc(allocation))
        log_info(allocation->command->log, "Relinquishing job allocation %u", allocation->job_id);
    allocation->follow = follow_free(allocation->follow);
    if (client_reconnect(client, RELEASE_MS, &err) < 0 ||
        client_call(client, MSG_JOB_RELEASE, &request, MSG_OK, NULL, &err) < 0)
        command_report(allocation->command, NULL, &err);
}

struct allocation *allocation_free(struct allocation *allocation)
{
    if (!allocation)
        return NULL;
    follow_free(allocation->follow);
    killer_free(allocation->killer);
    event_free(allocation->immediate);
    free(allocation);
    return NULL;
}
