/* join.c - `sluice join`: this machine becomes a node of the cluster whose head gave it a token. */
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/join/ask.h"
#include "cli/join/await.h"
#include "cli/join/files.h"
#include "cli/join/run.h"
#include "cli/join/setup.h"
#include "cli/join/verbs.h"
#include "common/base/clock.h"
#include "common/base/version.h"
#include "common/conf/slurm_conf.h"
#include "common/net/resolve.h"
#include "noded/inventory/inventory.h"

#define RESOLVE_MS     10000
#define CLOCK_MOST_S   60 /* credentials live for some minutes */
#define TOKEN_LINE_MAX 128

struct join {
    const char *conf_path, *head;
    struct token token;
    bool has_token, force;
    char *host;
};

enum { OPT_TOKEN = 1, OPT_FORCE };

static const struct option longs[] = { { "token", required_argument, NULL, OPT_TOKEN },
                                       { "force", no_argument, NULL, OPT_FORCE },
                                       { NULL, 0, NULL, 0 } };

/*
 * Reads the token; "-" is standard input. What stands on the command line disappears from process
 * lists.
 */
static int read_token(char *text, struct join *join, struct err *err)
{
    char line[TOKEN_LINE_MAX] = "";
    int rc;

    if (strcmp(text, "-") != 0)
        snprintf(line, sizeof(line), "%s", text);
    else if (!fgets(line, sizeof(line), stdin))
        return err_set(err, EINVAL, "no token on standard input");
    line[strcspn(line, "\n")] = '\0';
    rc = token_parse(line, &join->token, err);
    wipe(line, sizeof(line));
    wipe(text, strlen(text));
    join->has_token = rc == 0;
    return rc;
}

static int read_options(int argc, char **argv, struct join *join, struct err *err)
{
    int option, rc = 0;

    while (rc == 0 && (option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (option == OPT_TOKEN)
            rc = read_token(optarg, join, err);
        else if (option == OPT_FORCE)
            join->force = true;
        else
            rc = err_set(err, EINVAL, "see `sluice --help`");
    }
    if (rc == 0 && optind + 1 == argc)
        join->head = argv[optind];
    if (rc == 0 && (!join->head || !join->has_token))
        rc = err_set(err, EINVAL,
                     "which head, and by which token? `sluice join HEAD --token TOKEN`, as `sluice "
                     "token` prints it on the head");
    return rc;
}

/* ---- what came ---- */

static int check_place(const struct join *join, struct err *err)
{
    if (access(join->conf_path, F_OK) < 0 || join->force)
        return 0;
    return err_set(err, EEXIST,
                   "there is a %s already: this machine belongs to a cluster; --force takes it to "
                   "another one (the file is kept as slurm.conf.old)",
                   join->conf_path);
}

static int put_files(const struct join *join, const struct join_answer *answer, struct err *err)
{
    int rc = setup_put_key(answer->key.data, answer->key.n, err);

    /* slurm.conf comes last: where it is, all is. */
    for (uint32_t i = answer->files_n; rc == 0 && i > 0; i--) {
        const struct join_file *file = &answer->files[i - 1];
        AUTO_FREE char *beside = file_beside(join->conf_path, file->name);

        rc = setup_put_conf(i == 1 ? join->conf_path : beside, file->content.data, file->content.n,
                            true, err);
    }
    return rc;
}

/* Fails on what would keep the node from its controller, telling where to put it right. */
static int check_way(const struct join *join, const struct join_answer *answer, struct err *err)
{
    const struct clock clock = clock_from_env();
    int64_t ahead_s = clock_wall_s(&clock) - answer->clock;
    AUTO(net_addrs) struct net_addrs addrs = { 0 };
    struct slurm_conf *conf = NULL;
    struct err why = { 0 };
    int rc = slurm_conf_load(join->conf_path, &conf, NULL, err);

    if (rc == 0 && (ahead_s > CLOCK_MOST_S || ahead_s < -CLOCK_MOST_S))
        rc = err_set(err, E_CLOCK_SKEW,
                     "the clock of this machine is %lld s %s the head's: put it right, then start "
                     "munge and slurmd",
                     (long long)(ahead_s < 0 ? -ahead_s : ahead_s),
                     ahead_s < 0 ? "behind" : "ahead of");
    if (rc == 0 && net_resolve(conf->controllers[0].addr, 1, RESOLVE_MS, &addrs, &why) < 0)
        rc = err_set(err, why.code,
                     "key and configuration are here, but this machine does not know the "
                     "controller's name: %s; add it to /etc/hosts, then start munge and slurmd",
                     why.text);
    slurm_conf_free(conf);
    return rc;
}

static int start(const struct join *join, struct log *log, struct err *err)
{
    int rc = run_munged(true, err);

    if (rc == 0)
        rc = run_slurmd(err);
    if (rc < 0)
        return rc;
    log_info(log, "munged and slurmd run");
    return await_node(join->host, err);
}

static int ask(const struct join *join, struct join_answer *ret_answer, struct log *log,
               struct err *err)
{
    AUTO(node_hardware) struct node_hardware hardware;
    struct join_request request = { .host = join->host,
                                    .hardware = &hardware,
                                    .version = (char *)(uintptr_t)SLUICE_VERSION };

    inventory_read(&INVENTORY_WHERE, &hardware);
    log_info(log, "%s has %u cpus and %llu MB; asking %s for key and configuration", join->host,
             hardware.cpus, (unsigned long long)hardware.memory_mb, join->head);
    return join_ask(join->head, &join->token, &request, ret_answer, err);
}

static int take_part(const struct join *join, const struct join_answer *answer, struct log *log,
                     struct err *err)
{
    int rc = put_files(join, answer, err);

    if (rc < 0)
        return rc;
    log_info(log, "%s, %s and %u files beside it are the head's", FILES_KEY, join->conf_path,
             answer->files_n - 1);
    if (answer->note)
        log_info(log, "%s", answer->note);
    rc = check_way(join, answer, err);
    return rc < 0 ? rc : start(join, log, err);
}

static int join_in(const struct join *join, struct log *log, struct err *err)
{
    AUTO(join_answer) struct join_answer answer;
    AUTO(proc_user) struct proc_user munge = { 0 };
    int rc = check_place(join, err);

    join_answer_init(&answer);
    if (rc == 0)
        rc = setup_find_user("munge", &munge, err); /* before the token is used */
    if (rc == 0)
        rc = ask(join, &answer, log, err);
    if (rc == 0)
        rc = take_part(join, &answer, log, err);
    if (answer.key.n)
        wipe(answer.key.data, answer.key.n);
    return rc;
}

int sluice_join(int argc, char **argv, struct log *log)
{
    struct join join = { .conf_path = slurm_conf_path() };
    struct err err = { 0 };
    int rc = read_options(argc, argv, &join, &err);

    join.host = setup_host();
    if (rc == 0)
        rc = setup_need_root("join", &err);
    if (rc == 0)
        rc = join_in(&join, log, &err);
    if (rc == 0)
        log_info(log, "%s takes jobs", join.host);
    else
        log_error(log, "%s", err.text);
    token_auto_(&join.token);
    free(join.host);
    return rc < 0 ? 1 : 0;
}
