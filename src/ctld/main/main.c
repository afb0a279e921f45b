#include "ctld/main/main.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/base/version.h"
#include "common/net/manager.h"
#include "ctld/main/start.h"

#define SIGNALS_N 4

static const char usage[] =
    "Usage: slurmctld [OPTION...]\n"
    "  -c          forget jobs, nodes and history (the old state is kept as sluice.db.old)\n"
    "  -D          stay in the foreground, and log to stderr too\n"
    "  -f FILE     read this slurm.conf\n"
    "  -h          show this help\n"
    "  -L FILE     log to this file\n"
    "  -t          say what is wrong with slurm.conf, and start nothing; 0 when nothing is\n"
    "  -v          say more; may be given several times\n"
    "  -V          show the version\n"
    "Accepted as in Slurm, without effect: -i -R -s -B (state is always recovered, and never\n"
    "guessed), -n VALUE\n"
    "\n" VERSION_OURS;

/* Reads the options. Returns -1 to go on, else the exit status. */
static int read_options(int argc, char **argv, struct start_options *options)
{
    int c;

    while ((c = getopt(argc, argv, "cDf:hL:tvViRsBn:")) != -1) {
        switch (c) {
        case 'c':
            options->fresh = true;
            break;
        case 'D':
            options->foreground = true;
            break;
        case 'f':
            options->conf_path = optarg;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        case 'L':
            options->log_path = optarg;
            break;
        case 't':
            options->is_trial = true;
            break;
        case 'v':
            options->verbose++;
            break;
        case 'V':
            fputs(VERSION_TEXT, stdout);
            return 0;
        case 'i':
        case 'R':
        case 's':
        case 'B':
        case 'n':
            break;
        default:
            fputs(usage, stderr);
            return 1;
        }
    }
    return -1;
}

static void on_stop(evutil_socket_t signal_number, short what, void *arg)
{
    struct ctld *ctld = arg;

    (void)what;
    log_info(ctld->log, "signal %d: stopping", (int)signal_number);
    event_base_loopbreak(ctld->base);
}

static void reopen_log(struct ctld *ctld)
{
    struct err err = { 0 };

    if (ctld->conf->slurmctld_log_file &&
        log_open(ctld->log, ctld->conf->slurmctld_log_file, &err) < 0)
        log_error(ctld->log, "%s", err.text);
}

static void on_hup(evutil_socket_t signal_number, short what, void *arg)
{
    struct ctld *ctld = arg;
    struct err err = { 0 };

    (void)signal_number;
    (void)what;
    net_manager_reloading(ctld->manager);
    reopen_log(ctld);
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

static void add_signals(struct ctld *ctld, struct event *events[SIGNALS_N])
{
    const struct {
        int number;
        event_callback_fn call;
    } rows[SIGNALS_N] = {
        { SIGTERM, on_stop }, { SIGINT, on_stop }, { SIGHUP, on_hup }, { SIGUSR2, on_usr2 }
    };

    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < SIGNALS_N; i++) {
        events[i] = evsignal_new(ctld->base, rows[i].number, rows[i].call, ctld);
        event_add(events[i], NULL);
    }
}

static int run(struct ctld *ctld, struct started *started)
{
    struct event *signals[SIGNALS_N];
    struct err err = { 0 };
    int rc = start_process(ctld, started, &err);

    if (rc == 0) {
        ctld->base = event_base_new(); /* after the fork: an epoll descriptor is not to be shared */
        add_signals(ctld, signals);
        rc = start_service(ctld, started, &err);
    }
    if (rc < 0) {
        log_at(ctld->log, LOG_FATAL, "%s", err.text);
        net_manager_failed(err.text);
    } else {
        event_base_dispatch(ctld->base);
    }
    stop_service(ctld, started);
    for (int i = 0; ctld->base && i < SIGNALS_N; i++)
        event_free(signals[i]);
    if (ctld->base)
        event_base_free(ctld->base);
    return rc < 0 || ctld->failed ? 1 : 0;
}

int slurmctld_main(int argc, char **argv)
{
    struct started started = { .tcp_fd = -1, .options = { .conf_path = slurm_conf_path() } };
    struct ctld ctld = { .log = log_new_daemon("slurmctld", LOG_INFO) };
    int status = read_options(argc, argv, &started.options);

    cluster_clock_init(&ctld.clock, clock_from_env());
    if (status < 0)
        status =
            started.options.is_trial ? start_try(started.options.conf_path) : run(&ctld, &started);
    log_free(ctld.log);
    return status;
}
