/* serve.c - what a daemon that keeps records begins with, whichever its role. */
#include "ctld/dispatch/conn.h"
#include "ctld/main/start.h"

void start_readers(struct ctld *ctld)
{
    ctld->programs = programs_new(ctld->base, ctld->log);
    ctld->stream = turn_stream_new();
    ctld->completion = completion_new(ctld->stream, ctld->programs, ctld->log);
    ctld->event_log = event_log_new(ctld->stream, ctld->log);
}

void start_turns(struct ctld *ctld)
{
    ctld->started = clock_wall_s(&ctld->clock.clock);
    ctld->names = names_new(ctld->base);
    ctld->mails = programs_new(ctld->base, ctld->log);
    turn_init(&ctld->turn);
    meter_init(&ctld->meter, ctld->started);
    ctld_init(ctld);
}

static void on_session(struct rpc_session *session, void *ctx)
{
    conn_accept(ctx, session);
}

static void on_refused(const struct err *why, void *ctx)
{
    struct log *log = ((struct ctld *)ctx)->log;

    log_at(log, why->code == E_STANDBY ? LOG_DEBUG : LOG_ERROR, "connection refused: %s",
           why->text);
}

void start_server(struct ctld *ctld, const struct started *started,
                  const struct rpc_options *options)
{
    static const struct rpc_server_callbacks callbacks = { .on_session = on_session,
                                                           .on_refused = on_refused };

    ctld->server = rpc_server_new(ctld->base, options, 0, &callbacks, ctld);
    rpc_server_listen(ctld->server, started->tcp_fd);
    if (started->unix_listener)
        rpc_server_listen(ctld->server, net_unix_listener_fd(started->unix_listener));
}
