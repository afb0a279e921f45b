/* import.c - the history of another controller is taken over. */
#include "ctld/api/api.h"

#include <errno.h>
#include <string.h>

#include "common/msg/types.h"
#include "ctld/control/job/import.h"

/* Fails where the history of another cluster comes. */
static int check_cluster(const struct request *request, const char *cluster, struct err *err)
{
    const char *own = request->ctld->conf->cluster_name;

    if (!cluster || strcmp(cluster, own) == 0)
        return 0;
    return err_set(err, EINVAL, "the history of cluster %.60s comes to the controller of %s",
                   cluster, own);
}

static int on_import_begin(struct request *request, void *msg, struct err *err)
{
    struct import_begun begun;
    int rc = check_cluster(request, ((const struct import_begin *)msg)->cluster, err);

    if (rc < 0)
        return rc;
    import_begun_init(&begun);
    rc = control_import_begin(&request->act, msg, &begun, err);
    if (rc == 0)
        request_reply(request, MSG_IMPORT_BEGUN, &begun);
    return rc;
}

static int on_import_page(struct request *request, void *msg, struct err *err)
{
    AUTO(import_taken) struct import_taken taken;
    int rc = check_cluster(request, ((const struct import_page *)msg)->cluster, err);

    import_taken_init(&taken);
    if (rc == 0)
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
