#include "cli/sluice/cancel_all.h"

#include "cli/lib/many.h"
#include "common/msg/job.h"
#include "common/msg/types.h"

struct cancelling {
    struct client *client; /* borrowed */
    uint32_t *ids;
    uint32_t ids_n;
    uint32_t unasked_n; /* of them, because the controller is gone */
    struct job_signal signal;
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

static const void *make_signal(void *ctx, uint32_t i)
{
    struct cancelling *cancelling = ctx;

    cancelling->signal.job_id = cancelling->ids[i];
    return &cancelling->signal;
}

static void on_answer(void *ctx, uint32_t i, const struct err *why)
{
    struct cancelling *cancelling = ctx;

    (void)i;
    cancelling->unasked_n += why && (why->code == E_CLOSED || why->code == E_CONTACT);
}

int cancel_all(struct client *client, bool keep_waiting, struct err *err)
{
    struct cancelling cancelling = { .client = client, .signal.step_id = COUNT_UNSET };
    const struct many many = { MSG_JOB_SIGNAL, make_signal, on_answer, &cancelling };
    int rc = find_jobs(&cancelling, keep_waiting, err);

    cancelling.signal.flags = SIGNAL_CANCEL;
    if (rc == 0)
        many_ask(client, &many, cancelling.ids_n);
    if (cancelling.unasked_n > 0)
        rc = err_set(err, E_CLOSED, "the controller is gone: %u job(s) were not cancelled",
                     cancelling.unasked_n);
    free(cancelling.ids);
    return rc;
}
