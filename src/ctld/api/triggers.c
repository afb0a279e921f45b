/* triggers.c - strigger: setting, clearing and listing triggers. */
#include "ctld/api/api.h"

#include <unistd.h>

#include "common/msg/types.h"
#include "common/text/words.h"

/* Programs run as who has set the trigger: as others than itself only a controller that is root can
 * do that. */
static int check_setter(const struct request *request, struct err *err)
{
    const struct ctld *ctld = request->ctld;
    const char *params = ctld->conf->slurmctld_params;
    AUTO(words) struct words words = words_split(params ? params : "", ",");

    if (request->act.caller->uid == ctld->slurm_uid)
        return 0;
    if (!words_have(&words, "allow_user_triggers"))
        return err_set(err, E_ACCESS, "%s: only %s, the SlurmUser, may set triggers",
                       err_string(E_ACCESS), ctld->conf->slurm_user);
    if (geteuid() != 0)
        return err_set(err, E_ACCESS,
                       "%s: allow_user_triggers takes SlurmUser=root: slurmctld runs as %s and "
                       "cannot run the programs of others",
                       err_string(E_ACCESS), ctld->conf->slurm_user);
    return 0;
}

static int on_trigger_set(struct request *request, void *msg, struct err *err)
{
    int rc = check_setter(request, err);

    if (rc < 0)
        return rc;
    rc = control_trigger_set(&request->act, msg, err);
    if (rc == 0)
        request_reply(request, MSG_OK, NULL);
    return rc;
}

static int on_trigger_clear(struct request *request, void *msg, struct err *err)
{
    int rc = control_trigger_clear(&request->act, msg, err);

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
    { MSG_TRIGGER_CLEAR, ROLE_USER, true, on_trigger_clear },
    { MSG_TRIGGER_LIST, ROLE_USER, false, on_trigger_list },
};
const size_t trigger_handlers_n = ARRAY_N(trigger_handlers);
