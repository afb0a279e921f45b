/* reservations.c - scontrol create, update and delete of reservations. */
#include "ctld/api/api.h"

#include "common/msg/types.h"
#include "ctld/control/reserve/reserve.h"

static int on_reservation_change(struct request *request, void *msg, struct err *err)
{
    AUTO(reservation_changed) struct reservation_changed changed;
    int rc;

    reservation_changed_init(&changed);
    rc = reserve_change(&request->act, msg, &changed, err);
    if (rc == 0)
        request_reply(request, MSG_RESERVATION_CHANGED, &changed);
    return rc;
}

const struct handler reservation_handlers[] = {
    { MSG_RESERVATION_CHANGE, ROLE_USER, HANDLER_CHANGES, on_reservation_change },
};
const size_t reservation_handlers_n = ARRAY_N(reservation_handlers);
