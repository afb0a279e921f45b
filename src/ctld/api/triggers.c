/* triggers.c - strigger: setting, clearing and listing triggers. */
#include "ctld/api/api.h"

#include "common/msg/types.h"

/* The controller runs programs as the user it is, so only that one may name them. */
static int on_trigger_set(struct request *request, void *msg, struct err *err)
{
    struct ctld *ctld = request->ctld;
    int rc;

    if (request->caller->uid != ctld->slurm_uid)
        return err_set(err, E_ACCESS, "%s: only %s, the SlurmUser, may set triggers",
                       err_string(E_ACCESS), ctld->conf->slurm_user);
    rc = control_trigger_set(ctld->control, ctld_now(ctld), request->caller, msg, &ctld->turn, err);
    if (rc == 0)
        request_reply(request, MSG_OK, NULL);
    return rc;
}

static int on_trigger_clear(struct request *request, void *msg, struct err *err)
{
    struct ctld *ctld = request->ctld;
    int rc = control_trigger_clear(ctld->control, msg, &ctld->turn, err);

    if (rc == 0)
        request_reply(request, MSG_OK, NULL);
    return rc;
}

static bool produce_trigger(struct stream *stream)
{
    uint32_t *last = stream->ctx;
    const struct trigger_record *trigger =
        control_trigger_after(stream->conn->ctld->control, *last);

    if (!trigger)
        return false;
    *last = trigger->id;
    stream_send(stream, MSG_TRIGGER_INFO, trigger);
    return true;
}

static int on_trigger_list(struct request *request, void *msg, struct err *err)
{
    (void)msg;
    (void)err;
    request_stream(request, produce_trigger, free, xcalloc(1, sizeof(uint32_t)));
    return 0;
}

const struct handler trigger_handlers[] = {
    { MSG_TRIGGER_SET, ROLE_USER, true, on_trigger_set },
    { MSG_TRIGGER_CLEAR, ROLE_ADMIN, true, on_trigger_clear },
    { MSG_TRIGGER_LIST, ROLE_USER, false, on_trigger_list },
};
const size_t trigger_handlers_n = ARRAY_N(trigger_handlers);
