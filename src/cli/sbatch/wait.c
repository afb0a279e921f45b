#include "cli/sbatch/wait.h"

#include <sys/wait.h>

#include <event2/event.h>

#include "cli/submit/follow.h"
#include "common/msg/types.h"

struct wait {
    struct command *command;
    bool over;
    int status;
};

static int exit_status_of(const struct job_record *job)
{
    int status = WIFEXITED(job->exit_status) ? WEXITSTATUS(job->exit_status) : 1;

    if (status == 0 && job->state != JOB_COMPLETE)
        return 1;
    return status;
}

static void on_job(const struct job_event *event, void *ctx)
{
    struct wait *wait = ctx;

    if (event->kind == JOB_EVENT_ENDED && event->job) {
        wait->over = true;
        wait->status = exit_status_of(event->job);
    }
}

static void on_over(const struct err *why, void *ctx)
{
    struct wait *wait = ctx;

    if (why && !wait->over)
        command_report(wait->command, NULL, why);
    event_base_loopbreak(client_base(wait->command->cli.client));
}

int sbatch_wait(struct command *command, uint32_t job_id)
{
    struct wait wait = { command, false, command_exit_error() };
    const struct job_attach msg = { .job_id = job_id, .step_id = COUNT_UNSET };
    const struct follow_request request = {
        .type = MSG_JOB_ATTACH, .msg = &msg, .job_id = job_id, .step_id = COUNT_UNSET
    };
    const struct follow_callbacks callbacks = { .on_job = on_job, .on_over = on_over };
    struct follow *follow = follow_new(command->cli.client, &request, &callbacks, &wait);

    event_base_dispatch(client_base(command->cli.client));
    follow_free(follow);
    return wait.status;
}
