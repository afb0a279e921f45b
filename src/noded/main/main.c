#include "noded/main/main.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/version.h"
#include "common/text/words.h"
#include "noded/inventory/gpus.h"
#include "noded/inventory/inventory.h"
#include "noded/main/daemon.h"

static const char usage[] =
    "Usage: slurmd [OPTION...]\n"
    "  -C          print what this machine has, as a line for slurm.conf\n"
    "  -D          stay in the foreground, and log to stderr too\n"
    "  -f FILE     read this slurm.conf\n"
    "  -G          print the generic resources that this node is configured to have\n"
    "  -h          show this help\n"
    "  -L FILE     log to this file\n"
    "  -M          lock the daemon's memory\n"
    "  -n VALUE    run with this nice value\n"
    "  -N NAME     be this node, whatever the host's name is\n"
    "  -v          say more; may be given several times\n"
    "  -V          show the version\n"
    "  --systemd   as -D, for a unit of systemd\n"
    "Accepted as in Slurm, without effect: -b (a reboot is noticed "
    "anyway), -c (there are no locks\n"
    "to clear), -d FILE (one program is all daemons), -s\n"
    "\n" VERSION_OURS;

/* Values for getopt_long; those of options without a letter are from here on. */
enum { LONG_SYSTEMD = 256, LONG_DYNAMIC };

static const struct option long_options[] = {
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { "systemd", no_argument, NULL, LONG_SYSTEMD },
    { "conf", required_argument, NULL, LONG_DYNAMIC },
    { "conf-server", required_argument, NULL, LONG_DYNAMIC },
    { "extra", required_argument, NULL, LONG_DYNAMIC },
    { "instance-id", required_argument, NULL, LONG_DYNAMIC },
    { "instance-type", required_argument, NULL, LONG_DYNAMIC },
    { NULL, 0, NULL, 0 },
};

/* Refuses what Slurm has and this has not: dynamic nodes, and nodes without a file of their own. */
static int refuse_dynamic(void)
{
    fputs(
        "slurmd: error: -F, -Z, --conf, --conf-server, --extra and --instance-* are not "
        "supported: each node has a slurm.conf with its NodeName; `sluice join` brings it there\n",
        stderr);
    return 1;
}

static int print_hardware(const char *host)
{
    AUTO(node_hardware) struct node_hardware hardware;
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(gpus) struct gpus gpus = { 0 };
    AUTO_FREE char *name = xstrndup(host, strcspn(host, "."));

    inventory_read(&INVENTORY_WHERE, &hardware);
    (void)gpus_find(&GPUS_WHERE, &gpus, NULL); /* a machine without gpus has no library either */
    for (uint32_t i = 0; i < gpus.n; i++) {
        struct node_gpu *gpu = ARRAY_PUSH(hardware.gpus, hardware.gpus_n);

        node_gpu_init(gpu);
        gpu->name = xstrdup(gpus.at[i].name);
    }
    inventory_format(name, &hardware, inventory_load(&INVENTORY_WHERE).uptime_s, &text);
    fputs(strbuf_text(&text), stdout);
    return 0;
}

static int read_nice(const char *text, int *ret)
{
    uint64_t value;
    bool minus = *text == '-';
    struct err err = { 0 };

    if (number_parse(text + minus, 0, 20, &value, &err) < 0) {
        fprintf(stderr, "slurmd: error: -n: %s\n", err.text);
        return 1;
    }
    *ret = minus ? -(int)value : (int)value;
    return -1;
}

/* Reads one option; returns -1 to go on, else the exit status. */
static int read_option(int c, struct daemon *daemon)
{
    struct daemon_options *options = &daemon->options;

    switch (c) {
    case 'C':
        return print_hardware(daemon->host);
    case 'D':
    case LONG_SYSTEMD:
        options->foreground = true;
        break;
    case 'f':
        options->conf_path = optarg;
        break;
    case 'G':
        options->print_gres = true;
        break;
    case 'h':
        fputs(usage, stdout);
        return 0;
    case 'L':
        options->log_path = optarg;
        break;
    case 'M':
        options->lock_memory = true;
        break;
    case 'n':
        return read_nice(optarg, &options->nice);
    case 'N':
        options->node_name = optarg;
        break;
    case 'v':
        options->verbose++;
        break;
    case 'V':
        fputs(VERSION_TEXT, stdout);
        return 0;
    case 'b':
    case 'c':
    case 'd':
    case 's':
        break;
    case 'F':
    case 'Z':
    case LONG_DYNAMIC:
        return refuse_dynamic();
    default:
        fputs(usage, stderr);
        return 1;
    }
    return -1;
}

static int read_options(int argc, char **argv, struct daemon *daemon)
{
    int status = -1, c;

    while (status < 0 &&
           (c = getopt_long(argc, argv, "bcCd:Df:F::GhL:Mn:N:svVZ", long_options, NULL)) != -1)
        status = read_option(c, daemon);
    if (status < 0 && optind < argc) {
        fprintf(stderr, "slurmd: error: '%s' is not an option\n%s", argv[optind], usage);
        return 1;
    }
    return status;
}

static int run(struct daemon *daemon)
{
    AUTO_FREE char *path = realpath(daemon->options.conf_path, NULL); /* we go to "/" */
    struct err err = { 0 };
    int rc;

    if (path)
        daemon->options.conf_path = path;
    rc = service_start(daemon, &err);
    if (rc < 0) {
        log_set_stderr(daemon->log, true); /* whoever started us waits for it there */
        log_at(daemon->log, LOG_FATAL, "%s", err.text);
        net_manager_failed(err.text);
    } else {
        event_base_dispatch(daemon->base);
    }
    service_stop(daemon);
    return rc < 0 ? 1 : 0;
}

static int print_gres(const struct daemon *daemon)
{
    struct err err = { 0 };

    if (gres_lines_print(daemon, &err) == 0)
        return 0;
    fprintf(stderr, "slurmd: error: %s\n", err.text);
    return 1;
}

int slurmd_main(int argc, char **argv)
{
    struct daemon daemon = { .log = log_new_daemon("slurmd", LOG_INFO), .signal_fd = -1 };
    int status;

    (void)gethostname(daemon.host, sizeof(daemon.host) - 1);
    daemon.clock = clock_from_env();
    status = read_options(argc, argv, &daemon);
    if (!daemon.options.conf_path)
        daemon.options.conf_path = slurm_conf_path();
    if (status < 0)
        status = daemon.options.print_gres ? print_gres(&daemon) : run(&daemon);
    log_free(daemon.log);
    return status;
}
