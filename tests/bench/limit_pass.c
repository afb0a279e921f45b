/*
 * limit_pass - what limits cost where jobs wait: a pass without them, and with one for each user.
 *
 *     bench_limit_pass [--jobs N] [--users N] [--ranks N]
 *
 * N jobs (10,000) of N users (1,000) wait on a full cluster. A pass plans all of them from nothing,
 * as after `scontrol reconfigure`: where nobody enforces limits; where each user has a GrpTRES that
 * never binds; where it lets each run one job at a time. Then what follows when another job is
 * submitted. --ranks (100,000): so many jobs wait, and their priorities of all factors are computed
 * again, as each PriorityCalcPeriod. Processor time, the best of some.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/msg/acct.h"
#include "common/text/acct_enforce.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/control.h"
#include "ctld/control/feed/rank.h"
#include "ctld/control/job/submit.h"
#include "ctld/control/load.h"
#include "ctld/control/node/node.h"
#include "ctld/control/schedule.h"
#include "ctld/control/tick.h"

#define NODES     100
#define CPUS      64
#define JOB_CPUS  32
#define WORK      1000
#define TRIES     5
#define EVENTS    200
#define FIRST_UID 10000

struct bench {
    struct control *control;
    struct turn turn;
    struct moment now;
    struct act act;
};

static double now_ms(void)
{
    struct timespec at;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1e3 + (double)at.tv_nsec / 1e6;
}

static void must(int rc, const struct err *err)
{
    if (rc >= 0)
        return;
    fprintf(stderr, "bench_limit_pass: %s\n", err->text);
    exit(1);
}

/* Begins a turn; what the one before it noted goes nowhere. */
static struct act *act(struct bench *bench, const struct caller *caller)
{
    turn_clear(&bench->turn);
    turn_init(&bench->turn);
    bench->act = (struct act){
        .control = bench->control, .now = bench->now, .turn = &bench->turn, .caller = caller
    };
    return &bench->act;
}

static void settle(struct bench *bench)
{
    while (control_schedule(act(bench, NULL), WORK))
        ;
}

/* ---- the cluster ---- */

static void add_node(struct model_config *config, uint32_t i)
{
    struct node_info *node = ARRAY_PUSH(config->nodes, config->nodes_n);

    node_info_init(node);
    node->node = xcalloc(1, sizeof(*node->node));
    node_record_init(node->node);
    node->node->name = xasprintf("n%u", i);
    node->cpus = CPUS;
    node->memory_mb = 256000;
}

static struct model_config make_config(uint32_t enforce)
{
    struct model_config config = { .cluster_name = xstrdup("lab"),
                                   .conf_path = xstrdup("/etc/slurm/slurm.conf"),
                                   .kill_wait_s = 30,
                                   .min_job_age_s = 300,
                                   .client_grace_s = 60,
                                   .slurmd_timeout_s = 300,
                                   .backfill = true,
                                   .select = SELECT_CPU,
                                   .acct_enforce = enforce,
                                   .max_job_count = 1000000,
                                   .first_job_id = 1 };
    struct partition_info *part = ARRAY_PUSH(config.partitions, config.partitions_n);

    for (uint32_t i = 0; i < NODES; i++)
        add_node(&config, i);
    partition_info_init(part);
    part->name = xstrdup("main");
    part->nodes = xasprintf("n[0-%u]", NODES - 1);
    part->is_default = true;
    part->max_time = LIMIT_INFINITE;
    part->max_nodes = COUNT_INFINITE;
    part->priority_job_factor = 1;
    config.priority = (struct priority_config){ .multifactor = true,
                                                .weight_age = 1000,
                                                .weight_fair_share = 10000,
                                                .weight_job_size = 1000,
                                                .weight_partition = 1000,
                                                .weight_qos = 1000,
                                                .weight_assoc = 1000,
                                                .max_age_s = 604800,
                                                .calc_period_s = 300,
                                                .decay_half_life_s = 604800 };
    return config;
}

static void register_node(struct bench *bench, uint32_t i)
{
    AUTO(node_register) struct node_register reg;
    struct err err = { 0 };

    node_register_init(&reg);
    reg.name = xasprintf("n%u", i);
    reg.boot_id = xstrdup("boot");
    reg.hardware = xcalloc(1, sizeof(*reg.hardware));
    node_hardware_init(reg.hardware);
    reg.hardware->cpus = CPUS;
    reg.hardware->memory_mb = 256000;
    must(control_node_register(act(bench, NULL), "10.0.0.1", &reg, &err), &err);
}

/* ---- accounts ---- */

static void add(struct kept_change *request, enum kept_number kind, const void *record)
{
    struct kept_edit *edit = ARRAY_PUSH(request->edits, request->edits_n);

    kept_edit_init(edit);
    edit->verb = KEPT_ADD;
    edit->kind = kind;
    edit->record = schema_encode_blob(kept_kind_find(kind)->schema(), record);
}

static void add_user(struct kept_change *request, uint32_t i, uint64_t cpus)
{
    AUTO(user_record) struct user_record user;
    AUTO(assoc_record) struct assoc_record assoc;

    user_record_init(&user);
    user.name = xasprintf("u%u", i);
    add(request, KEPT_USER, &user);
    assoc_record_init(&assoc);
    assoc.cluster = xstrdup("lab");
    assoc.account = xstrdup("bench");
    assoc.user = xasprintf("u%u", i);
    assoc.is_default = true;
    if (cpus)
        *ARRAY_PUSH(assoc.grp_tres, assoc.grp_tres_n) =
            (struct acct_amount){ .tres = xstrdup("cpu"), .amount = cpus };
    add(request, KEPT_ASSOC, &assoc);
}

static void add_account(struct kept_change *request)
{
    AUTO(account_record) struct account_record account;
    AUTO(assoc_record) struct assoc_record assoc;

    account_record_init(&account);
    account.name = xstrdup("bench");
    add(request, KEPT_ACCOUNT, &account);
    assoc_record_init(&assoc);
    assoc.cluster = xstrdup("lab");
    assoc.account = xstrdup("bench");
    assoc.parent = xstrdup("root");
    add(request, KEPT_ASSOC, &assoc);
}

static void make_accounts(struct bench *bench, uint32_t users, uint64_t cpus)
{
    const struct caller root = { .level = LEVEL_ROOT, .user_name = "root", .group_name = "root" };
    AUTO(kept_change) struct kept_change request;
    AUTO(kept_changed) struct kept_changed changed;
    struct err err = { 0 };

    kept_change_init(&request);
    kept_changed_init(&changed);
    add_account(&request);
    for (uint32_t i = 0; i < users; i++)
        add_user(&request, i, cpus);
    must(control_kept_change(act(bench, &root), &request, &changed, &err), &err);
}

/* ---- jobs ---- */

static void submit(struct bench *bench, uint32_t user)
{
    AUTO_FREE char *name = xasprintf("u%u", user);
    const struct caller caller = {
        .uid = FIRST_UID + user, .gid = FIRST_UID, .user_name = name, .group_name = "users"
    };
    AUTO(job_submit) struct job_submit request;
    struct err err = { 0 };
    uint32_t id;

    job_submit_init(&request);
    request.spec = xmalloc(sizeof(*request.spec));
    job_spec_init(request.spec);
    request.spec->kind = JOB_KIND_BATCH;
    request.spec->time_limit = 3600;
    request.spec->cpus_per_task = JOB_CPUS;
    request.body = xmalloc(sizeof(*request.body));
    job_body_init(request.body);
    request.body->work_dir = xstrdup("/bench");
    request.body->script_sha256 = (struct blob){ xcalloc(1, SHA256_BYTES), SHA256_BYTES };
    must(control_submit(act(bench, &caller), &request, &id, &err), &err);
}

static struct bench make(uint32_t enforce, uint32_t users, uint64_t cpus, uint32_t jobs)
{
    struct bench bench = { .now = { .wall_s = 1800000000, .cluster_ms = 1000000 } };
    struct model_config config = make_config(enforce);
    struct err err = { 0 };

    turn_init(&bench.turn);
    must(control_new(&config, &bench.control, &err), &err);
    control_ready(act(&bench, NULL));
    for (uint32_t i = 0; i < NODES; i++)
        register_node(&bench, i);
    make_accounts(&bench, users, cpus);
    settle(&bench);
    for (uint32_t i = 0; i < jobs + NODES * CPUS / JOB_CPUS; i++)
        submit(&bench, i % users);
    settle(&bench);
    return bench;
}

static void clear(struct bench *bench)
{
    turn_clear(&bench->turn);
    control_free(bench->control);
}

/* ---- what is measured ---- */

static double pass_ms(struct bench *bench, uint32_t enforce)
{
    double best = 1e9;

    for (int i = 0; i < TRIES; i++) {
        struct model_config config = make_config(enforce);
        struct err err = { 0 };
        double began, took;

        must(control_reconfigure(act(bench, NULL), &config, &err), &err);
        began = now_ms();
        settle(bench);
        took = now_ms() - began;
        if (took < best)
            best = took;
    }
    return best;
}

static double submit_ms(struct bench *bench, uint32_t users)
{
    const double began = now_ms();

    for (uint32_t i = 0; i < EVENTS; i++) {
        submit(bench, i % users);
        settle(bench);
    }
    return (now_ms() - began) / EVENTS;
}

static void measure_limits(uint32_t jobs, uint32_t users)
{
    static const struct {
        const char *what;
        uint32_t enforce;
        uint64_t cpus;
    } rows[] = {
        { "nothing enforced", 0, 0 },
        { "limits that never bind", ACCT_ENFORCE_LIMITS | ACCT_ENFORCE_ASSOCIATIONS, 1000000 },
        { "one job of each at a time", ACCT_ENFORCE_LIMITS | ACCT_ENFORCE_ASSOCIATIONS, JOB_CPUS },
    };
    double without = 0;

    printf("%u jobs of %u users wait, a GrpTRES for each user\n", jobs, users);
    printf("%-26s %10s %8s %12s\n", "", "pass, ms", "times", "submit, ms");
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        struct bench bench = make(rows[i].enforce, users, rows[i].cpus, jobs);
        const double pass = pass_ms(&bench, rows[i].enforce);

        without = i == 0 ? pass : without;
        printf("%-26s %10.1f %8.2f %12.2f\n", rows[i].what, pass, pass / without,
               submit_ms(&bench, users));
        clear(&bench);
    }
}

static void measure_ranks(uint32_t jobs, uint32_t users)
{
    struct bench bench = make(ACCT_ENFORCE_LIMITS | ACCT_ENFORCE_ASSOCIATIONS, users, 0, jobs);
    double ranked = 1e9, planned = 1e9;

    for (int i = 0; i < TRIES; i++) {
        double began, took;

        bench.now.wall_s += 300;
        bench.now.cluster_ms += 300000;
        began = now_ms();
        rank_tick(act(&bench, NULL));
        while (rank_step(act(&bench, NULL), WORK))
            ;
        took = now_ms() - began;
        ranked = took < ranked ? took : ranked;
        began = now_ms();
        settle(&bench);
        took = now_ms() - began;
        planned = took < planned ? took : planned;
    }
    printf("priorities of %u jobs computed again: %.1f ms, the plan by them: %.1f ms\n", jobs,
           ranked, planned);
    clear(&bench);
}

int main(int argc, char **argv)
{
    static const struct option options[] = { { "jobs", required_argument, NULL, 'j' },
                                             { "users", required_argument, NULL, 'u' },
                                             { "ranks", required_argument, NULL, 'r' },
                                             { 0 } };
    uint32_t jobs = 10000, users = 1000, ranks = 100000;
    int option;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        const uint32_t number = optarg ? (uint32_t)strtoul(optarg, NULL, 10) : 0;

        if (number == 0) {
            fprintf(stderr, "usage: bench_limit_pass [--jobs N] [--users N] [--ranks N]\n");
            return 2;
        }
        *(option == 'j' ? &jobs : option == 'u' ? &users : &ranks) = number;
    }
    measure_limits(jobs, users);
    measure_ranks(ranks, users);
    return 0;
}
