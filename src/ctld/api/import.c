/* import.c - the history of another controller is taken over. */
#include "ctld/api/api.h"

#include "common/msg/types.h"
#include "ctld/control/job/import.h"

static int on_import_begin(struct request *request, void *msg, struct err *err)
{
    struct import_begun begun;
    int rc;

    import_begun_init(&begun);
    rc = control_import_begin(&request->act, msg, &begun, err);
    if (rc == 0)
        request_reply(request, MSG_IMPORT_BEGUN, &begun);
    return rc;
}

static int on_import_page(struct request *request, void *msg, struct err *err)
{
    AUTO(import_taken) struct import_taken taken;
    int rc;

    import_taken_init(&taken);
    rc = control_import_page(&request->act, msg, &taken, err);
    if (rc == 0)
        request_reply(request, MSG_IMPORT_TAKEN, &taken);
    return rc;
}

const struct handler import_handlers[] = {
    { MSG_IMPORT_BEGIN, ROLE_USER, HANDLER_CHANGES, on_import_begin },
    { MSG_IMPORT_PAGE, ROLE_USER, HANDLER_CHANGES, on_import_page },
};
const size_t import_handlers_n = ARRAY_N(import_handlers);
