/* run.c - the loop of a daemon, from its start to the signal that ends it. */
#include <errno.h>
#include <signal.h>

#include <event2/event.h>

#include "common/net/manager.h"
#include "ctld/main/start.h"

#define SIGNALS_N 4

/* What signals are about. */
struct run {
    struct ctld *ctld;
    const struct started *started;
    const struct start_role *role;
    struct event *signals[SIGNALS_N];
};

static void on_stop(evutil_socket_t signal_number, short what, void *arg)
{
    struct ctld *ctld = ((struct run *)arg)->ctld;

    (void)what;
    log_info(ctld->log, "signal %d: stopping", (int)signal_number);
    event_base_loopbreak(ctld->base);
}

static void reopen_log(const struct run *run)
{
    const char *given = run->started->options.log_path;
    const char *path = given ? given : run->role->log_path(run->ctld);
    struct err err = { 0 };

    if (path && log_open(run->ctld->log, path, &err) < 0)
        log_error(run->ctld->log, "%s", err.text);
}

static void on_hup(evutil_socket_t signal_number, short what, void *arg)
{
    const struct run *run = arg;
    struct ctld *ctld = run->ctld;
    struct err err = { 0 };

    (void)signal_number;
    (void)what;
    if (!ctld->reconfigure) { /* it has not begun to serve */
        reopen_log(run);
        return;
    }
    net_manager_reloading(ctld->manager);
    reopen_log(run);
    if (ctld->reconfigure(ctld, &err) < 0)
        log_error(ctld->log, "the old configuration stays in force: %s", err.text);
    ctld_end_turn(ctld);
    net_manager_ready(ctld->manager);
}

static void on_usr2(evutil_socket_t signal_number, short what, void *arg)
{
    (void)signal_number;
    (void)what;
    reopen_log(arg);
}

static void add_signals(struct run *run)
{
    const struct {
        int number;
        event_callback_fn call;
    } rows[SIGNALS_N] = {
        { SIGTERM, on_stop }, { SIGINT, on_stop }, { SIGHUP, on_hup }, { SIGUSR2, on_usr2 }
    };

    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < SIGNALS_N; i++) {
        run->signals[i] = evsignal_new(run->ctld->base, rows[i].number, rows[i].call, run);
        event_add(run->signals[i], NULL);
    }
}

/* Serves, as often as the role begins again. */
static int serve(struct ctld *ctld, struct started *started, const struct start_role *role,
                 struct err *err)
{
    int rc;

    do {
        rc = role->service(ctld, started, err);
        if (rc == 0)
            event_base_dispatch(ctld->base);
    } while (role->begins_again && role->begins_again(ctld, rc));
    return rc == -ECANCELED ? 0 : rc;
}

int start_run(struct ctld *ctld, struct started *started, const struct start_role *role)
{
    struct run run = { .ctld = ctld, .started = started, .role = role };
    struct err err = { 0 };
    int rc = role->process(ctld, started, &err);

    if (rc == 0) {
        ctld->base = event_base_new(); /* after the fork: an epoll descriptor is not to be shared */
        add_signals(&run);
        rc = serve(ctld, started, role, &err);
    }
    if (rc < 0) {
        log_at(ctld->log, LOG_FATAL, "%s", err.text);
        net_manager_failed(err.text);
    }
    role->stop(ctld, started);
    for (int i = 0; ctld->base && i < SIGNALS_N; i++)
        event_free(run.signals[i]);
    if (ctld->base)
        event_base_free(ctld->base);
    return rc < 0 || ctld->failed ? 1 : 0;
}
