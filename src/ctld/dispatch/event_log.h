/* event_log.h - writes events into the daemon's log, once they are on disk. */
#pragma once

#include "common/base/log.h"

struct event_log;
struct turn_stream;

/* Makes the reader that logs events; stream and log are borrowed. */
struct event_log *event_log_new(struct turn_stream *stream, struct log *log);
struct event_log *event_log_free(struct event_log *event_log); /* NULL is fine */
