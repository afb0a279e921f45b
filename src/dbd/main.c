#include "dbd/main.h"

#include <getopt.h>
#include <stdio.h>

#include "common/base/version.h"
#include "dbd/dbd.h"

static const char usage[] =
    "Usage: slurmdbd [OPTION...]\n"
    "  -D          stay in the foreground, and log to stderr too\n"
    "  -h          show this help\n"
    "  -v          say more; may be given several times\n"
    "  -V          show the version\n"
    "Accepted as in Slurm, without effect: -R (nothing rolls up, sums are always as of now), -s,\n"
    "-u (the database is brought up to date at the start), -n VALUE\n"
    "\n"
    "It reads slurmdbd.conf, which stands beside slurm.conf.\n"
    "\n" VERSION_OURS;

/* Reads the options. Returns -1 to go on, else the exit status. */
static int read_options(int argc, char **argv, struct start_options *options)
{
    int c;

    while ((c = getopt(argc, argv, "DhvVR::sun:")) != -1) {
        switch (c) {
        case 'D':
            options->foreground = true;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        case 'v':
            options->verbose++;
            break;
        case 'V':
            fputs(VERSION_TEXT, stdout);
            return 0;
        case 'R':
        case 's':
        case 'u':
        case 'n':
            break;
        default:
            fputs(usage, stderr);
            return 1;
        }
    }
    return -1;
}

static const struct start_role role = { dbd_process, dbd_service, dbd_stop, dbd_log_path,
                                        dbd_begins_again };

int slurmdbd_main(int argc, char **argv)
{
    struct started started = { .tcp_fd = -1, .options = { .conf_path = slurm_conf_path() } };
    struct dbd dbd = { .ctld = { .log = log_new_daemon("slurmdbd", LOG_INFO) } };
    int status = read_options(argc, argv, &started.options);

    cluster_clock_init(&dbd.ctld.clock, clock_from_env());
    if (status < 0)
        status = start_run(&dbd.ctld, &started, &role);
    log_free(dbd.ctld.log);
    return status;
}
