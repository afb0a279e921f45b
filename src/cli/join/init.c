/* init.c - `sluice init`: this machine becomes the head of a new cluster. */
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/join/await.h"
#include "cli/join/conf.h"
#include "cli/join/exchange.h"
#include "cli/join/files.h"
#include "cli/join/invite.h"
#include "cli/join/look.h"
#include "cli/join/run.h"
#include "cli/join/setup.h"
#include "cli/join/survey.h"
#include "cli/join/verbs.h"
#include "common/conf/slurm_conf.h"
#include "noded/inventory/inventory.h"

struct init {
    const char *conf_path, *cluster, *nodes, *address;
    bool force;
    uint32_t minutes, port;
    char *host;              /* this machine */
    struct hostlist *all;    /* nodes of the cluster */
    struct hostlist *others; /* those that are not this machine */
    struct hostlist *known;  /* those of which it is known what they have */
};

enum { OPT_NODES = 1, OPT_CLUSTER, OPT_ADDRESS, OPT_FORCE, OPT_MINUTES, OPT_PORT };

static const struct option longs[] = { { "nodes", required_argument, NULL, OPT_NODES },
                                       { "cluster", required_argument, NULL, OPT_CLUSTER },
                                       { "address", required_argument, NULL, OPT_ADDRESS },
                                       { "force", no_argument, NULL, OPT_FORCE },
                                       { "minutes", required_argument, NULL, OPT_MINUTES },
                                       { "port", required_argument, NULL, OPT_PORT },
                                       { NULL, 0, NULL, 0 } };

static int read_option(int option, struct init *init, struct err *err)
{
    switch (option) {
    case OPT_NODES:
        init->nodes = optarg;
        return 0;
    case OPT_CLUSTER:
        init->cluster = optarg;
        return 0;
    case OPT_ADDRESS:
        init->address = optarg;
        return 0;
    case OPT_FORCE:
        init->force = true;
        return 0;
    case OPT_MINUTES:
        return setup_read_number(optarg, INVITE_MINUTES_MAX, "--minutes", &init->minutes, err);
    case OPT_PORT:
        return setup_read_number(optarg, UINT16_MAX, "--port", &init->port, err);
    default: /* getopt_long has told what it did not like */
        return err_set(err, EINVAL, "see `sluice --help`");
    }
}

static int read_options(int argc, char **argv, struct init *init, struct err *err)
{
    int option, rc = 0;

    while (rc == 0 && (option = getopt_long(argc, argv, "", longs, NULL)) != -1)
        rc = read_option(option, init, err);
    if (rc == 0 && optind < argc)
        rc = err_set(err, EINVAL, "'%s' is not understood; the nodes are given as --nodes LIST",
                     argv[optind]);
    if (rc == 0 && !join_name_is_plain(init->cluster, 40))
        rc = err_set(err, EINVAL, "--cluster '%s': letters, digits, '-' and '_', at most 40",
                     init->cluster);
    if (rc == 0 && init->address && strpbrk(init->address, " \t\n()#\"\\"))
        rc = err_set(err, EINVAL, "--address '%s': not an address", init->address);
    return rc;
}

/* Reads who is a node; a host that is named twice is one. */
static int read_hosts(struct init *init, struct err *err)
{
    int rc;

    init->host = setup_host();
    rc = hostlist_parse(init->nodes ? init->nodes : init->host, &init->all, err);
    if (rc < 0)
        return err_prefix(err, "--nodes");
    if (hostlist_count(init->all) == 0)
        return err_set(err, EINVAL, "--nodes '%s' names no host", init->nodes);
    hostlist_uniq(init->all);
    init->others = hostlist_new();
    init->known = hostlist_new();
    for (uint32_t i = 0; i < hostlist_count(init->all); i++) {
        const char *name = hostlist_get(init->all, i);

        if (!join_name_is_plain(name, JOIN_HOST_MAX))
            return err_set(err, EINVAL, "--nodes: '%s' is no host's name", name);
        if (strcmp(name, init->host) != 0)
            hostlist_add(init->others, name);
    }
    return 0;
}

static bool is_node(const struct init *init)
{
    return hostlist_count(init->others) < hostlist_count(init->all);
}

struct writing {
    struct hostlist *known; /* hosts whose line is true */
    char *text;
    int rc;
    struct err *err;
};

static void write_known(void *ctx, const char *host, const struct node_hardware *hardware)
{
    struct writing *writing = ctx;
    AUTO_FREE char *description = nodes_describe(hardware);
    char *changed = NULL;

    if (writing->rc < 0)
        return;
    writing->rc = nodes_update(writing->text, host, description, &changed, writing->err);
    if (writing->rc < 0)
        return;
    free(writing->text);
    writing->text = changed;
    hostlist_add(writing->known, host);
}

/* Makes the text of slurm.conf: this machine and those that answer as they are, others assumed. */
static int write_text(struct init *init, char **ret_text, struct err *err)
{
    const struct conf_plan plan = {
        .cluster = init->cluster, .head = init->host, .address = init->address, .hosts = init->all
    };
    struct writing writing = { .known = init->known, .err = err };
    AUTO(node_hardware) struct node_hardware hardware;
    AUTO(strbuf) struct strbuf text = { 0 };

    node_hardware_init(&hardware);
    conf_write_slurm(&plan, &text);
    writing.text = strbuf_steal(&text);
    if (is_node(init)) {
        inventory_read(&INVENTORY_WHERE, &hardware);
        write_known(&writing, init->host, &hardware);
    }
    survey_hosts(init->others, write_known, &writing);
    *ret_text = writing.text;
    return writing.rc;
}

static int check_conf_path(const struct init *init, struct err *err)
{
    if (access(init->conf_path, F_OK) == 0 && !init->force)
        return err_set(
            err, EEXIST,
            "there is a %s already: `sluice token HOSTS` lets machines join its cluster; "
            "--force begins a new one (the file is kept as slurm.conf.old)",
            init->conf_path);
    return 0;
}

static int write_files(struct init *init, struct err *err)
{
    AUTO_FREE char *text = NULL;
    AUTO_FREE char *cgroup_path = file_beside(init->conf_path, "cgroup.conf");
    int rc = write_text(init, &text, err);

    if (rc == 0)
        rc = setup_put_conf(init->conf_path, text, strlen(text), true, err);
    if (rc == 0 && access(cgroup_path, F_OK) < 0)
        rc = setup_put_conf(cgroup_path, conf_cgroup, strlen(conf_cgroup), false, err);
    return rc;
}

static void say_written(const struct init *init, bool key_is_new, struct log *log)
{
    AUTO(hostlist) struct hostlist *assumed = hostlist_new();
    AUTO_FREE char *nodes = hostlist_format(init->all);

    log_info(log, "wrote %s: cluster %s, head %s, nodes %s", init->conf_path, init->cluster,
             init->host, nodes);
    for (uint32_t i = 0; i < hostlist_count(init->others); i++) {
        if (hostlist_find(init->known, hostlist_get(init->others, i)) < 0)
            hostlist_add(assumed, hostlist_get(init->others, i));
    }
    if (hostlist_count(assumed) > 0) {
        AUTO_FREE char *names = hostlist_format(assumed);

        log_info(log, "of %s one cpu is assumed; what they have is written when they join", names);
    }
    log_info(log, "the key is %s%s", FILES_KEY, key_is_new ? ", a new one" : "");
}

static int start(const struct init *init, bool key_is_new, struct log *log, struct err *err)
{
    int rc = run_munged(key_is_new, err);

    if (rc == 0)
        rc = run_slurmctld(err);
    if (rc == 0 && is_node(init))
        rc = run_slurmd(err);
    if (rc == 0)
        log_info(log,
                 is_node(init) ? "munged, slurmctld and slurmd run" : "munged and slurmctld run");
    if (rc == 0 && is_node(init))
        rc = await_node(init->host, err);
    if (rc == 0 && is_node(init))
        log_info(log, "%s takes jobs: srun hostname", init->host);
    return rc;
}

/* Puts aside the state of an older cluster, whose jobs are no business of the new one. */
static int put_state_aside(struct log *log, struct err *err)
{
    AUTO_FREE char *kept = NULL;
    int rc = look_has_state() ? dir_empty_aside(LOOK_STATE_DIR, &kept, err) : 0;

    if (kept)
        log_info(log, "the older cluster's state is kept as %s", kept);
    return rc;
}

static int set_up(struct init *init, struct log *log, struct err *err)
{
    bool key_is_new = false;
    int rc = init->force ? put_state_aside(log, err) : 0;

    if (rc == 0)
        rc = write_files(init, err);
    if (rc == 0)
        rc = setup_make_key(&key_is_new, err);
    if (rc < 0)
        return rc;
    say_written(init, key_is_new, log);
    return start(init, key_is_new, log, err);
}

static bool is_free(const struct init *init, struct log *log)
{
    return look_first(&(struct look){ .host = init->host,
                                      .address = init->address,
                                      .is_node = is_node(init),
                                      .door_port = init->port,
                                      .force = init->force },
                      log);
}

int sluice_init(int argc, char **argv, struct log *log)
{
    struct init init = { .conf_path = slurm_conf_path(),
                         .cluster = "cluster",
                         .minutes = INVITE_MINUTES_DEFAULT };
    struct err err = { 0 };
    int rc = read_options(argc, argv, &init, &err);

    if (rc == 0)
        rc = setup_need_root("init", &err);
    if (rc == 0)
        rc = read_hosts(&init, &err);
    if (rc == 0)
        rc = check_conf_path(&init, &err);
    if (rc == 0 && !is_free(&init, log))
        rc = err_set(&err, EBUSY, "nothing was written, nothing started");
    if (rc == 0)
        rc = set_up(&init, log, &err);
    if (rc == 0 && hostlist_count(init.others) > 0)
        rc = invite(&(struct invite_options){ .conf_path = init.conf_path,
                                              .hosts = init.others,
                                              .minutes = init.minutes,
                                              .port = (uint16_t)init.port },
                    &err);
    if (rc < 0)
        log_error(log, "%s", err.text);
    free(init.host);
    hostlist_free(init.all);
    hostlist_free(init.others);
    hostlist_free(init.known);
    return rc < 0 ? 1 : 0;
}
