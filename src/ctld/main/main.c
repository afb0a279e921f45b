#include "ctld/main/main.h"

#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

#include "common/base/version.h"
#include "ctld/main/start.h"

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

static const struct start_role role = { start_process, start_service, stop_service, start_log_path,
                                        NULL };

int slurmctld_main(int argc, char **argv)
{
    struct started started = { .tcp_fd = -1, .options = { .conf_path = slurm_conf_path() } };
    struct ctld ctld = { .log = log_new_daemon("slurmctld", LOG_INFO) };
    int status = read_options(argc, argv, &started.options);

    cluster_clock_init(&ctld.clock, clock_from_env());
    if (status < 0)
        status = started.options.is_trial ? start_try(started.options.conf_path)
                                          : start_run(&ctld, &started, &role);
    log_free(ctld.log);
    return status;
}
