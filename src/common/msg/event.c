#include "common/msg/event.h"

static void add(struct strbuf *out, const char *before, const char *text)
{
    if (text && *text)
        strbuf_addf(out, "%s%s", before, text);
}

static void add_job(const struct event_record *event, struct strbuf *out)
{
    if (event->array_job_id && event->array_task != COUNT_UNSET)
        strbuf_addf(out, "job %u_%u(%u)", event->array_job_id, event->array_task, event->job_id);
    else
        strbuf_addf(out, "job %u", event->job_id);
}

static void add_caller(const struct event_record *event, struct strbuf *out)
{
    if (event->user)
        strbuf_adds(out, event->user);
    else
        strbuf_addf(out, "uid %u", event->uid);
    add(out, "@", event->host);
}

/* Appends "by alice", with `before` in front of it, when a user caused the event. */
static void add_by(const struct event_record *event, const char *before, struct strbuf *out)
{
    if (!event->has_caller)
        return;
    strbuf_adds(out, before);
    add_caller(event, out);
}

static void add_subject(const struct event_record *event, struct strbuf *out)
{
    strbuf_adds(out, event->what ? event->what : "a request");
    if (event->job_id) {
        strbuf_adds(out, " of ");
        add_job(event, out);
    }
    add(out, " of ", event->nodes);
    add(out, " of ", event->partition);
}

void event_format(const struct event_record *event, struct strbuf *out)
{
    switch (event->kind) {
    case EVENT_CONTROLLER_STARTED:
        strbuf_adds(out, "controller started");
        break;
    case EVENT_RECONFIGURED:
        strbuf_adds(out, "configuration read again");
        add_by(event, " for ", out);
        break;
    case EVENT_JOB_SUBMITTED:
        add_job(event, out);
        add(out, " submitted to partition ", event->partition);
        add_by(event, " by ", out);
        add(out, ", ", event->text);
        break;
    case EVENT_JOB_STARTED:
        add_job(event, out);
        add(out, " started on ", event->nodes);
        add(out, " in partition ", event->partition);
        add(out, " ", event->text);
        break;
    case EVENT_JOB_ENDED:
    case EVENT_JOB_REQUEUED:
        add_job(event, out);
        strbuf_adds(out, event->kind == EVENT_JOB_ENDED ? " ended" : " requeued");
        add(out, ": ", event->text);
        add_by(event, ", by ", out);
        break;
    case EVENT_NODE_CHANGED:
        add(out, "node ", event->nodes);
        add(out, " is now ", event->text);
        add_by(event, ", by ", out);
        break;
    case EVENT_ACCOUNTING:
        strbuf_adds(out, "accounts: ");
        add(out, "", event->what);
        add(out, " ", event->text);
        add_by(event, ", by ", out);
        break;
    case EVENT_REQUEST:
        add_caller(event, out);
        strbuf_adds(out, " asked for ");
        add_subject(event, out);
        add(out, ": ", event->text);
        break;
    case EVENT_REFUSED:
        add_caller(event, out);
        strbuf_adds(out, " was refused ");
        add_subject(event, out);
        add(out, ": ", event->text);
        break;
    default: /* of a later version */
        strbuf_addf(out, "event of kind %u", event->kind);
        add(out, ": ", event->text);
    }
}
