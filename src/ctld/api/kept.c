/* kept.c - the records that are kept beside jobs and steps: changing and listing them. */
#include "ctld/api/api.h"

#include "common/msg/types.h"
#include "ctld/control/acct/follow.h"
#include "ctld/control/act/kept.h"

static int on_kept_change(struct request *request, void *msg, struct err *err)
{
    AUTO(kept_changed) struct kept_changed changed;
    int rc;

    kept_changed_init(&changed);
    rc = acct_check_owner(request->act.control, msg, err);
    if (rc == 0)
        rc = control_kept_change(&request->act, msg, &changed, err);
    if (rc == 0)
        request_reply(request, MSG_KEPT_CHANGED, &changed);
    return rc;
}

static bool produce_kept(struct stream *stream)
{
    struct kept_listing *listing = stream->ctx;
    const void *record = control_kept_next(listing, stream->caller);
    AUTO(kept_info) struct kept_info info;

    kept_info_init(&info);
    if (!record)
        return false;
    info.record = schema_encode_blob(control_kept_list_kind(listing)->schema(), record);
    stream_send(stream, MSG_KEPT_INFO, &info);
    return true;
}

static void release_listing(void *listing)
{
    control_kept_list_free(listing);
}

static int on_kept_list(struct request *request, void *msg, struct err *err)
{
    struct kept_listing *listing;
    int rc = control_kept_list(request->act.control, request->act.caller, msg, &listing, err);

    if (rc == 0)
        request_stream(request, produce_kept, release_listing, listing);
    return rc;
}

const struct handler kept_handlers[] = {
    { MSG_KEPT_CHANGE, ROLE_USER, HANDLER_CHANGES, on_kept_change },
    { MSG_KEPT_LIST, ROLE_USER, HANDLER_LOOKS, on_kept_list },
};
const size_t kept_handlers_n = ARRAY_N(kept_handlers);
