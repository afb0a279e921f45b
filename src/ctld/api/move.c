/* move.c - accounts and history on their way between this controller and its slurmdbd. */
#include "ctld/api/api.h"

#include "common/msg/move.h"
#include "common/msg/types.h"
#include "ctld/dispatch/dbd_link.h"

static int on_move(struct request *request, void *msg, struct err *err)
{
    int rc = dbd_link_move(request->ctld->dbd_link, msg, err);

    if (rc == 0)
        request_reply(request, MSG_OK, NULL);
    return rc;
}

static int on_look(struct request *request, void *msg, struct err *err)
{
    AUTO(move_status) struct move_status status;

    (void)msg;
    (void)err;
    move_status_init(&status);
    dbd_link_look(request->ctld->dbd_link, &status);
    request_reply(request, MSG_MOVE_STATUS, &status);
    return 0;
}

const struct handler move_handlers[] = {
    { MSG_MOVE_ACCOUNTING, ROLE_ROOT, HANDLER_CHANGES, on_move },
    { MSG_MOVE_LOOK, ROLE_ROOT, HANDLER_LOOKS, on_look },
};
const size_t move_handlers_n = ARRAY_N(move_handlers);
