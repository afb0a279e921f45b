#include "noded/stepd/parent_inside.h"

#include <errno.h>

void parent_send_report(struct parent *parent, struct priv_channel **caller)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct priv_msg msg = { .verb = PRIV_STEP_REPORT };

    schema_encode(step_report_schema(), &parent->report, &bytes);
    msg.bytes = (const uint8_t *)bytes.data;
    msg.bytes_n = (uint32_t)bytes.len;
    if (priv_send(*caller, &msg, NULL) < 0)
        *caller = priv_channel_free(*caller); /* it calls again when it wants to know */
}

void parent_send_reports(struct parent *parent)
{
    for (uint32_t i = 0; i < CALLERS_MAX; i++) {
        if (parent->callers[i])
            parent_send_report(parent, &parent->callers[i]);
    }
}

void parent_set_failed(struct parent *parent, int code, const char *text)
{
    if (parent->report.code)
        return; /* the first trouble tells most */
    parent->report.code = code ? code : EIO;
    xstrset(&parent->report.error, text);
    log_error(parent->log, "step %s: %s", parent->title, text);
}
