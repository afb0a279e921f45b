#include "cli/sluice/cancel_all.h"

#include <event2/event.h>

#include "common/msg/job.h"
#include "common/msg/types.h"

/* Asked at once, so that many cancellations share one commit. */
#define ASKED_MAX 256

struct cancelling {
    struct client *client; /* borrowed */
    uint32_t *ids;
    uint32_t ids_n, next; /* those before `next` are asked */
    uint32_t open;        /* and so many of them not answered */
};

void cancel_all_list(struct job_list *ret_list)
{
    static const uint32_t states[] = { JOB_PENDING, JOB_RUNNING, JOB_SUSPENDED };

    job_list_init(ret_list);
    for (size_t i = 0; i < ARRAY_N(states); i++)
        *ARRAY_PUSH(ret_list->states, ret_list->states_n) = states[i];
    ret_list->flags = JOB_FLAG_COMPLETING;
}

static int note_job(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    AUTO(job_info) struct job_info info;
    struct cancelling *cancelling = ctx;
    int rc;

    if (type != MSG_JOB_INFO)
        return 0;
    rc = rpc_decode(frame, job_info_schema(), &info, NULL);
    if (rc == 0 && !job_state_is_over(info.job->state))
        *ARRAY_PUSH(cancelling->ids, cancelling->ids_n) = info.job->id;
    return rc;
}

static int find_jobs(struct cancelling *cancelling, bool keep_waiting, struct err *err)
{
    AUTO(job_list) struct job_list list;

    cancel_all_list(&list);
    if (keep_waiting) {
        list.states_n = 0;
        *ARRAY_PUSH(list.states, list.states_n) = JOB_RUNNING;
    }
    return client_stream(cancelling->client, MSG_JOB_LIST, &list, note_job, cancelling, err);
}

static int on_answer(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    (void)type;
    (void)frame;
    (void)ctx;
    return 0;
}

static void ask_more(struct cancelling *cancelling);

static void on_end(const struct err *why, void *ctx)
{
    struct cancelling *cancelling = ctx;

    (void)why;
    cancelling->open--;
    ask_more(cancelling);
}

static void ask_more(struct cancelling *cancelling)
{
    while (cancelling->open < ASKED_MAX && cancelling->next < cancelling->ids_n) {
        AUTO(job_signal) struct job_signal signal;

        job_signal_init(&signal);
        signal.job_id = cancelling->ids[cancelling->next];
        signal.flags = SIGNAL_CANCEL;
        if (!client_watch(cancelling->client, MSG_JOB_SIGNAL, &signal, on_answer, on_end,
                          cancelling))
            return; /* not connected any more */
        cancelling->next++;
        cancelling->open++;
    }
}

int cancel_all(struct client *client, bool keep_waiting, struct err *err)
{
    struct cancelling cancelling = { .client = client };
    int rc = find_jobs(&cancelling, keep_waiting, err);

    if (rc == 0)
        ask_more(&cancelling);
    while (cancelling.open > 0) /* a controller that hangs is noticed by its heartbeats */
        event_base_loop(client_base(client), EVLOOP_ONCE);
    if (rc == 0 && cancelling.next < cancelling.ids_n)
        rc = err_set(err, E_CLOSED, "the controller is gone: %u job(s) were not cancelled",
                     cancelling.ids_n - cancelling.next);
    free(cancelling.ids);
    return rc;
}
