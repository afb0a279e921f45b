/* verbs.c - up, env, status, down. */
#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/lib/cli.h"
#include "cli/sluice/cancel_all.h"
#include "cli/sluice/cluster.h"
#include "cli/sluice/cluster_conf.h"
#include "cli/sluice/ready.h"
#include "cli/sluice/sluice.h"
#include "common/msg/job.h"
#include "common/msg/node.h"
#include "common/msg/types.h"
#include "common/text/hostlist.h"
#include "common/text/words.h"

#define READY_WAIT_MS 30000
#define DRAIN_WAIT_MS 10000
#define CPUS_MAX      65536
#define MEMORY_MAX_MB (UINT64_C(1) << 40)

struct options {
    const char *dir;
    struct cluster_shape shape;
    bool fresh, keep;
};

enum { OPT_DIR = 1, OPT_CPUS, OPT_MEMORY, OPT_CONF, OPT_FRESH, OPT_KEEP };

static int read_number(const char *text, uint64_t max, const char *what, uint64_t *ret,
                       struct err *err)
{
    int rc = number_parse(text, 1, max, ret, err);

    return rc < 0 ? err_prefix(err, "%s", what) : 0;
}

static int read_option(int option, struct options *options, struct err *err)
{
    uint64_t number = 0;
    int rc = 0;

    switch (option) {
    case OPT_DIR:
        options->dir = optarg;
        break;
    case OPT_CPUS:
        rc = read_number(optarg, CPUS_MAX, "--cpus", &number, err);
        options->shape.cpus = (uint32_t)number;
        break;
    case OPT_MEMORY:
        rc = read_number(optarg, MEMORY_MAX_MB, "--memory", &options->shape.memory_mb, err);
        break;
    case OPT_CONF:
        options->shape.extra_conf = optarg;
        break;
    case OPT_FRESH:
        options->fresh = true;
        break;
    case OPT_KEEP:
        options->keep = true;
        break;
    default: /* getopt_long has told what it did not like */
        rc = err_set(err, EINVAL, "see `sluice --help`");
        break;
    }
    return rc;
}

/* Reads options, of which each verb takes a subset; with `takes_nodes` also the number of nodes. */
static int read_options(int argc, char **argv, const struct option *longs, bool takes_nodes,
                        struct options *options, struct err *err)
{
    uint64_t nodes = 0;
    int option, rc = 0;

    *options = (struct options){ 0 };
    while (rc == 0 && (option = getopt_long(argc, argv, "", longs, NULL)) != -1)
        rc = read_option(option, options, err);
    if (rc == 0 && takes_nodes && optind < argc)
        rc = read_number(argv[optind++], CLUSTER_NODES_MAX, "number of nodes", &nodes, err);
    if (rc == 0 && optind < argc)
        rc = err_set(err, EINVAL, "'%s' is not understood; see `sluice --help`", argv[optind]);
    options->shape.nodes = (uint32_t)nodes;
    return rc;
}

static const struct option with_dir[] = { { "dir", required_argument, NULL, OPT_DIR },
                                          { NULL, 0, NULL, 0 } };

static int open_cluster(int argc, char **argv, struct cluster *cluster, struct options *options,
                        const struct option *longs, struct err *err)
{
    int rc = read_options(argc, argv, longs, false, options, err);

    if (rc == 0)
        rc = cluster_init(cluster, options->dir, err);
    if (rc == 0 && !cluster_exists(cluster))
        rc = err_set(err, ENOENT, "there is no cluster in %s; `sluice up` makes one", cluster->dir);
    return rc;
}

static int fail(struct log *log, const struct err *err)
{
    log_error(log, "%s", err->text);
    return 1;
}

/* ---- asking its controller ---- */

static int open_client(const struct cluster *cluster, struct cli *cli, struct err *err)
{
    setenv("SLURM_CONF", cluster->conf_path, 1);
    return cli_open(cli, RPC_ROLE_CLIENT, err);
}

static int count_awaited(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    AUTO(node_info) struct node_info node;
    uint32_t *waiting = ctx;
    int rc;

    if (type != MSG_NODE_INFO)
        return 0;
    rc = rpc_decode(frame, node_info_schema(), &node, NULL);
    if (rc == 0 && node_is_awaited(&node))
        ++*waiting;
    return rc;
}

static int count_jobs(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    uint32_t *alive = ctx;

    (void)frame;
    *alive += type == MSG_JOB_INFO;
    return 0;
}

/* Asks again and again until the count is 0. */
static int wait_for_none(struct client *client, uint32_t type, const void *list,
                         client_record_fn *count, int limit_ms, struct err *err)
{
    for (int waited = 0;; waited += 20) {
        uint32_t left = 0;
        int rc = client_stream(client, type, list, count, &left, err);

        if (rc < 0 || left == 0)
            return rc;
        if (waited >= limit_ms)
            return err_set(err, ETIMEDOUT, "%u %s after %d s", left,
                           type == MSG_NODE_LIST ? "node(s) have not registered"
                                                 : "job(s) have not ended",
                           limit_ms / 1000);
        nanosleep(&(struct timespec){ .tv_nsec = 20 * 1000000 }, NULL);
    }
}

/* ---- up ---- */

static int prepare(struct cluster *cluster, const struct options *options, struct err *err)
{
    int rc = 0;

    if (options->fresh && cluster_exists(cluster)) {
        if (cluster_pid(cluster, "slurmctld"))
            return err_set(err, EBUSY, "the cluster in %s runs; `sluice down` first", cluster->dir);
        rc = cluster_remove(cluster, err);
    }
    if (rc < 0)
        return rc;
    return cluster_exists(cluster) ? cluster_conf_is_as_asked(cluster, &options->shape, err)
                                   : cluster_write(cluster, &options->shape, err);
}

/* Fails unless every node takes jobs but those that an operator has drained, and one does. */
static int await_nodes(const struct cluster *cluster, struct nodes_ready *ret, struct err *err)
{
    struct cli cli = { 0 };
    int rc = open_client(cluster, &cli, err);

    if (rc == 0)
        rc = wait_for_none(cli.client, MSG_NODE_LIST, NULL, count_awaited, READY_WAIT_MS, err);
    if (rc == 0 || rc == -ETIMEDOUT)
        rc = nodes_ready_read(cli.client, ret, err);
    cli_close(&cli);
    if (rc == 0 && ret->lost.len > 0)
        rc = err_set(err, EHOSTDOWN, "%s\n%u node(s) ready; the others' logs are in %s/log",
                     strbuf_text(&ret->lost), ret->n, cluster->dir);
    else if (rc == 0 && ret->n == 0)
        rc = err_set(err, EHOSTDOWN, "no node is ready\n%s", strbuf_text(&ret->drained));
    return rc;
}

static void say_ready(const struct cluster *cluster, const struct nodes_ready *ready,
                      struct log *log)
{
    AUTO_FREE char *option = cluster_dir_option(cluster);

    if (ready->drained.len > 0)
        log_info(log, "%s", strbuf_text(&ready->drained));
    log_info(log, "%u node(s) ready under %s", ready->n, cluster->dir);
    if (geteuid() != 0)
        log_info(log, "not started by root: all jobs run as you, without cgroups");
    log_info(log, "to use it: eval \"$(%s env%s)\"", program_invocation_name, option);
}

int sluice_up(int argc, char **argv, struct log *log)
{
    static const struct option longs[] = { { "dir", required_argument, NULL, OPT_DIR },
                                           { "cpus", required_argument, NULL, OPT_CPUS },
                                           { "memory", required_argument, NULL, OPT_MEMORY },
                                           { "conf", required_argument, NULL, OPT_CONF },
                                           { "fresh", no_argument, NULL, OPT_FRESH },
                                           { NULL, 0, NULL, 0 } };
    AUTO(cluster) struct cluster cluster = { 0 };
    struct nodes_ready ready = { 0 };
    struct options options;
    struct err err = { 0 };
    int rc = read_options(argc, argv, longs, true, &options, &err);

    if (rc == 0)
        rc = cluster_init(&cluster, options.dir, &err);
    if (rc == 0)
        rc = prepare(&cluster, &options, &err);
    if (rc == 0)
        rc = cluster_start(&cluster, &err);
    if (rc == 0)
        rc = await_nodes(&cluster, &ready, &err);
    if (rc == 0)
        say_ready(&cluster, &ready, log);
    nodes_ready_clear(&ready);
    return rc < 0 ? fail(log, &err) : 0;
}

/* ---- env ---- */

static void print_export(const char *name, const char *value, const char *after)
{
    AUTO(strbuf) struct strbuf quoted = { 0 };

    shell_quote(value, &quoted);
    printf("export %s=%s%s\n", name, strbuf_text(&quoted), after);
}

int sluice_env(int argc, char **argv, struct log *log)
{
    AUTO(cluster) struct cluster cluster = { 0 };
    struct options options;
    struct err err = { 0 };
    char self[4096] = "";

    if (open_cluster(argc, argv, &cluster, &options, with_dir, &err) < 0)
        return fail(log, &err);
    if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
        return fail(log, &(struct err){ errno, "cannot tell where this program lies" });
    print_export("SLURM_CONF", cluster.conf_path, "");
    print_export("MUNGE_SOCKET", cluster.auth_socket, "");
    print_export("SLUICE_DIR", cluster.dir, "");
    print_export("PATH", dirname(self), ":\"$PATH\"");
    return 0;
}

/* ---- status ---- */

static bool print_daemon(const struct cluster *cluster, const char *name)
{
    pid_t pid = cluster_pid(cluster, name);

    if (pid)
        printf("%-12s running, pid %d\n", name, (int)pid);
    else
        printf("%-12s not running\n", name);
    return pid;
}

int sluice_status(int argc, char **argv, struct log *log)
{
    AUTO(cluster) struct cluster cluster = { 0 };
    AUTO(hostlist) struct hostlist *nodes = NULL;
    struct options options;
    struct err err = { 0 };
    bool all;

    if (open_cluster(argc, argv, &cluster, &options, with_dir, &err) < 0 ||
        cluster_nodes(&cluster, &nodes, &err) < 0)
        return fail(log, &err);
    all = print_daemon(&cluster, "munged");
    all = print_daemon(&cluster, "slurmctld") && all;
    for (uint32_t i = 0; i < hostlist_count(nodes); i++)
        all = print_daemon(&cluster, hostlist_get(nodes, i)) && all;
    return all ? 0 : 1;
}

/* ---- down ---- */

static void end_jobs(const struct cluster *cluster, bool keep, struct log *log)
{
    AUTO(job_list) struct job_list alive;
    struct cli cli = { 0 };
    struct err err = { 0 };
    int rc = open_client(cluster, &cli, &err);

    cancel_all_list(&alive);
    if (rc == 0)
        rc = cancel_all(cli.client, keep, &err);
    if (rc == 0 && !keep)
        rc = wait_for_none(cli.client, MSG_JOB_LIST, &alive, count_jobs, DRAIN_WAIT_MS, &err);
    if (rc < 0)
        log_error(log, "%s; going on", err.text);
    cli_close(&cli);
}

int sluice_down(int argc, char **argv, struct log *log)
{
    static const struct option longs[] = { { "dir", required_argument, NULL, OPT_DIR },
                                           { "keep", no_argument, NULL, OPT_KEEP },
                                           { NULL, 0, NULL, 0 } };
    AUTO(cluster) struct cluster cluster = { 0 };
    AUTO(hostlist) struct hostlist *nodes = NULL;
    struct options options;
    struct err err = { 0 };

    if (open_cluster(argc, argv, &cluster, &options, longs, &err) < 0 ||
        cluster_nodes(&cluster, &nodes, &err) < 0)
        return fail(log, &err);
    if (cluster_pid(&cluster, "slurmctld"))
        end_jobs(&cluster, options.keep, log);
    for (uint32_t i = 0; i < hostlist_count(nodes); i++)
        cluster_stop(&cluster, hostlist_get(nodes, i));
    cluster_stop(&cluster, "slurmctld");
    cluster_stop(&cluster, "munged");
    if (!options.keep && cluster_remove(&cluster, &err) < 0)
        return fail(log, &err);
    return 0;
}
