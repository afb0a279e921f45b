#include "ctld/dispatch/event_log.h"

#include "common/msg/event.h"
#include "ctld/dispatch/turn_stream.h"

struct event_log {
    struct turn_stream *stream;
    struct turn_reader reader;
    struct log *log;
};

static bool take(const struct change *change, uint64_t turn, void *ctx)
{
    const struct event_log *event_log = ctx;
    AUTO(event_record) struct event_record event;
    AUTO(strbuf) struct strbuf line = { 0 };

    (void)turn;
    if (schema_decode(event_record_schema(), change->record.data, change->record.n, &event, NULL) <
        0)
        return true; /* this very process has encoded it */
    event_format(&event, &line);
    log_info(event_log->log, "%s", strbuf_text(&line));
    return true;
}

struct event_log *event_log_new(struct turn_stream *stream, struct log *log)
{
    struct event_log *event_log = xcalloc(1, sizeof(*event_log));

    event_log->stream = stream;
    event_log->log = log;
    event_log->reader =
        (struct turn_reader){ .kinds = TURN_KIND(CHANGE_EVENT), .take = take, .ctx = event_log };
    turn_stream_add(stream, &event_log->reader);
    return event_log;
}

struct event_log *event_log_free(struct event_log *event_log)
{
    if (event_log)
        turn_stream_remove(event_log->stream, &event_log->reader);
    free(event_log);
    return NULL;
}
