#include "ctld/dispatch/watch.h"

#include "common/msg/types.h"
#include "ctld/control/answer/attach.h"
#include "ctld/control/act/turn.h"

struct watch {
    struct watch *next;
    struct conn *conn;
    uint32_t request;
    uint32_t job_id, step_id;
};

void watch_add(struct request *request, uint32_t job_id, uint32_t step_id)
{
    struct watch *watch = xcalloc(1, sizeof(*watch));

    *watch = (struct watch){ .next = request->ctld->watches,
                             .conn = request->conn,
                             .request = request->id,
                             .job_id = job_id,
                             .step_id = step_id };
    request->ctld->watches = watch;
}

static bool send_to(struct ctld *ctld, const struct effect *event, uint32_t step_id)
{
    struct watch **slot = &ctld->watches;
    bool ends = event->last && step_id == event->step_id, found = false;

    while (*slot) {
        struct watch *watch = *slot;

        if (watch->job_id != event->job_id || watch->step_id != step_id) {
            slot = &watch->next;
            continue;
        }
        found = true;
        ctld_send(watch->conn, ctld_turn(ctld), event->type, watch->request, RPC_REPLY | RPC_MORE,
                  event->msg);
        if (!ends) {
            slot = &watch->next;
            continue;
        }
        ctld_send(watch->conn, ctld_turn(ctld), MSG_STREAM_END, watch->request, RPC_REPLY | RPC_END,
                  NULL);
        *slot = watch->next;
        free(watch);
    }
    return found;
}

void watch_send(struct ctld *ctld, const struct effect *event)
{
    /* The step of an srun outside an allocation has no stream of its own: the job's tells it. */
    if (!send_to(ctld, event, event->step_id) && event->step_id != COUNT_UNSET)
        send_to(ctld, event, COUNT_UNSET);
}

void watch_drop_conn(struct ctld *ctld, const struct conn *conn, bool closed)
{
    struct watch **slot = &ctld->watches;

    while (*slot) {
        struct watch *watch = *slot;

        if (watch->conn != conn) {
            slot = &watch->next;
            continue;
        }
        *slot = watch->next;
        control_client_gone(ctld_act(ctld), watch->job_id, watch->step_id, closed);
        free(watch);
    }
}
