/*
 * lab_core.h - what lab.h stands on: the configuration, the nodes that are played, the store that
 * is played, and turns until nothing more happens.
 */
#pragma once

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/msg/event.h"
#include "common/crypt/crypt.h"
#include "common/text/hostlist.h"
#include "common/text/numbers.h"
#include "common/text/words.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/act/act.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/job/hook.h"
#include "ctld/control/node/node.h"
#include "ctld/control/schedule.h"
#include "ctld/control/node/outage.h"
#include "ctld/control/node/trigger.h"
#include "ctld/control/act/turn.h"
#include "ctld/model/model.h"

#define LAB_USER  1000
#define LAB_OTHER 1001
#define LAB_NODES 8

struct lab_held {
    struct step_report report;
    uint32_t tasks[64];
    uint32_t tasks_n;
};

struct lab_node {
    char name[16];
    bool online;
    bool deaf; /* orders to it are lost */
    uint32_t boot;
    int64_t started;
    uint32_t cpus;
    uint32_t sockets, cores, threads; /* 0: not said */
    uint64_t memory_mb, tmp_disk_mb;
    uint32_t gpu_files; /* that are there; 0: it does not say */
    struct lab_held *held;
    uint32_t held_n;
    uint32_t gpus;        /* that it finds */
    uint32_t hooks;       /* enum node_hooks */
    int32_t hook_code;    /* how they end; -1: they do not */
    uint64_t conf_age_ms; /* told when it registers */
};

struct lab {
    struct control *control;
    struct act act; /* see lab_act */
    struct caller caller;
    struct turn turn;
    struct moment now;
    struct lab_node nodes[LAB_NODES];
    uint32_t nodes_n;
    struct strbuf said, orders, mails, mail_times;
    struct strbuf events;  /* a line each */
    struct strbuf outages; /* "n1 DOWN begins smoke", "n1 DOWN 60 s smoke" */
    struct change *kept;   /* the store: the last change of each thing */
    uint32_t kept_n;
    char **launched; /* every launch ever obeyed */
    uint32_t launched_n;
    struct strbuf turns; /* every turn, encoded: to compare two runs */
    struct model_config config;
    uint32_t work; /* units of one call of control_schedule */
    bool lazy;     /* it is called once after each event, also when there is more to do */
    struct err err;
    int rc;
};

/* What happens at this moment; `caller` may be NULL, and has the level that accounts give him. The
 * next call overwrites it. */
static inline struct act *lab_act(struct lab *lab, const struct caller *caller)
{
    lab->act = (struct act){ .control = lab->control, .now = lab->now, .turn = &lab->turn };
    if (!caller)
        return &lab->act;
    lab->caller = *caller;
    if (!caller_has_level(caller, LEVEL_ROOT))
        lab->caller.level = acct_level(lab->control, caller->user_name);
    lab->act.caller = &lab->caller;
    return &lab->act;
}

/* Users that only accounts tell apart, from LAB_ROLE on. */
#define LAB_ROLE 2000
static const char *const lab_roles[] = { "cora", "abby", "dan", "otto", "adam" };

static inline const char *lab_user_name(uint32_t uid)
{
    if (uid >= LAB_ROLE && uid < LAB_ROLE + ARRAY_N(lab_roles))
        return lab_roles[uid - LAB_ROLE];
    return uid == 0 ? "root" : uid == LAB_USER ? "ann" : "bob";
}

static inline struct caller lab_caller(uint32_t uid)
{
    return (struct caller){ .uid = uid,
                            .gid = uid,
                            .level = uid == 0 ? LEVEL_ROOT : LEVEL_USER,
                            .user_name = lab_user_name(uid),
                            .group_name = "users" };
}

/* "a=1 b=two": the value of a key as a number or text. */
static inline const char *lab_text(const struct words *words, const char *key)
{
    for (uint32_t i = 0; i < words->n; i++) {
        size_t n = strlen(key);

        if (strncmp(words->at[i], key, n) == 0 && words->at[i][n] == '=')
            return words->at[i] + n + 1;
        if (strcmp(words->at[i], key) == 0)
            return "1";
    }
    return NULL;
}

static inline uint32_t lab_number(const struct words *words, const char *key, uint32_t otherwise)
{
    const char *text = lab_text(words, key);

    return text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

/* Seconds after the lab's beginning. */
static inline int64_t lab_wall(const struct words *words, const char *key)
{
    return 1800000000 + strtoll(lab_text(words, key), NULL, 10);
}

static inline void lab_add_node(struct model_config *config, uint32_t i, const struct words *opts)
{
    struct node_info *node = ARRAY_PUSH(config->nodes, config->nodes_n);

    node_info_init(node);
    node->node = xcalloc(1, sizeof(*node->node));
    node_record_init(node->node);
    node->node->name = xasprintf("n%u", i + 1);
    node->cpus = lab_number(opts, "cpus", 4);
    node->sockets = lab_number(opts, "sockets", 0);
    node->cores_per_socket = lab_number(opts, "cores", 0);
    node->threads_per_core = lab_number(opts, "threads", 0);
    node->memory_mb = lab_number(opts, "memory", 1000);
    node->features = xstrdup(lab_text(opts, "features"));
    node->tmp_disk_mb = lab_number(opts, "disk", 0);
}

static inline void lab_add_partition(struct model_config *config, const char *name, bool is_default,
                                     int64_t max_time, uint32_t nodes_n)
{
    struct partition_info *part = ARRAY_PUSH(config->partitions, config->partitions_n);

    partition_info_init(part);
    part->name = xstrdup(name);
    part->nodes = xasprintf("n[1-%u]", nodes_n);
    part->is_default = is_default;
    part->max_time = max_time;
    part->max_nodes = COUNT_INFINITE;
    part->priority_job_factor = is_default ? 1 : 10;
}

/* "multifactor age=1000 ...": weights by their names. */
/* One exit code after which scripts run again; 0: none. */
static inline void lab_set_exit(struct bitset *codes, uint32_t code)
{
    bitset_init(codes, 256);
    if (code)
        bitset_add(codes, code);
}

static inline void lab_set_priority(struct model_config *config, const struct words *opts)
{
    config->priority = (struct priority_config){
        .multifactor = lab_number(opts, "multifactor", 0),
        .flags = lab_number(opts, "priority_flags", 0),
        .weight_age = lab_number(opts, "weight_age", 0),
        .weight_job_size = lab_number(opts, "weight_size", 0),
        .weight_partition = lab_number(opts, "weight_part", 0),
        .max_age_s = lab_number(opts, "max_age", 600),
        .calc_period_s = lab_number(opts, "calc_period", 300),
        .decay_half_life_s = lab_number(opts, "half_life", 0),
        .reset = lab_number(opts, "reset", PRIORITY_RESET_NONE),
        .weight_fair_share = lab_number(opts, "weight_fair", 0),
        .weight_qos = lab_number(opts, "weight_qos", 0),
        .weight_assoc = lab_number(opts, "weight_assoc", 0),
    };
    tres_weights_parse(lab_text(opts, "weight_tres"), &config->priority.weight_tres, NULL);
}

/*
 * "gpus=2": two of type a, each with a file of its own, and with "near" near the core of its
 * number; with "found" the node tells their files. And a bandwidth of 1000.
 */
static inline void lab_add_gres(struct node_info *node, const struct words *opts)
{
    const uint32_t gpus = lab_number(opts, "gpus", 0);
    struct gres_info *gres;

    for (uint32_t i = 0; i < gpus; i++) {
        gres = ARRAY_PUSH(node->devices, node->devices_n);
        gres_info_init(gres);
        gres->name = xstrdup("gpu");
        gres->type = xstrdup("a");
        gres->count = 1;
        gres->found = lab_number(opts, "found", 0);
        if (!gres->found)
            *ARRAY_PUSH(gres->files, gres->files_n) = xasprintf("/dev/gpu%u", i);
        if (lab_number(opts, "near", 0))
            *ARRAY_PUSH(gres->cores, gres->cores_n) = i;
    }
    if (!gpus)
        return;
    gres = ARRAY_PUSH(node->devices, node->devices_n);
    gres_info_init(gres);
    gres->name = xstrdup("band");
    gres->count = 1000;
}

/* "licenses=3": of matlab */
static inline void lab_add_licenses(struct model_config *config, const struct words *opts)
{
    struct license_info *license;

    if (!lab_number(opts, "licenses", 0))
        return;
    license = ARRAY_PUSH(config->licenses, config->licenses_n);
    license_info_init(license);
    license->name = xstrdup("matlab");
    license->total = lab_number(opts, "licenses", 0);
}

static inline uint32_t lab_partition_state(const char *word)
{
    if (word && strcmp(word, "down") == 0)
        return PARTITION_DOWN;
    return word && strcmp(word, "inactive") == 0 ? PARTITION_INACTIVE : PARTITION_UP;
}

static inline struct model_config lab_config(const char *text)
{
    struct words opts = words_split(text, " ");
    struct model_config config = { .cluster_name = xstrdup("lab"),
                                   .conf_path = xstrdup("/etc/slurm/slurm.conf"),
                                   .kill_wait_s = 30,
                                   .min_job_age_s = 300,
                                   .client_grace_s = 60,
                                   .first_job_id = 1 };
    uint32_t n = lab_number(&opts, "nodes", 3);

    for (uint32_t i = 0; i < n; i++) {
        lab_add_node(&config, i, &opts);
        lab_add_gres(&config.nodes[i], &opts);
    }
    if (lab_number(&opts, "gpus", 0)) {
        *ARRAY_PUSH(config.gres_types, config.gres_types_n) = xstrdup("gpu");
        *ARRAY_PUSH(config.gres_types, config.gres_types_n) = xstrdup("band");
    }
    lab_add_licenses(&config, &opts);
    lab_add_partition(&config, "main", true, LIMIT_INFINITE, n);
    lab_add_partition(&config, "debug", false, 1800, n);
    config.partitions[1].state = lab_partition_state(lab_text(&opts, "debug"));
    config.partitions[1].billing_weights = xstrdup(lab_text(&opts, "bill"));
    config.partitions[1].allow_accounts = xstrdup(lab_text(&opts, "accounts"));
    config.partitions[1].allow_qos = xstrdup(lab_text(&opts, "qos"));
    config.accounting_tres = xstrdup(lab_text(&opts, "tres"));
    config.select = lab_number(&opts, "threads", 1) > 1 ? SELECT_CORE : SELECT_CPU;
    config.select |= lab_number(&opts, "share_memory", 0) ? SELECT_MEMORY : 0;
    for (uint32_t i = 0; i < config.nodes_n; i++)
        config.nodes[i].future = lab_number(&opts, "future", 0);
    config.acct_enforce = lab_number(&opts, "enforce", 0);
    config.enforce_part_limits = lab_number(&opts, "part_limits", ENFORCE_NO);
    config.partitions[0].qos = xstrdup(lab_text(&opts, "main_qos"));
    config.partitions[0].min_nodes = lab_number(&opts, "min_nodes", config.partitions[0].min_nodes);
    config.partitions[0].max_nodes = lab_number(&opts, "max_nodes", config.partitions[0].max_nodes);
    config.slurmd_timeout_s = lab_number(&opts, "timeout", 300);
    config.return_to_service = lab_number(&opts, "return", 0);
    config.requeue_delay_s = lab_number(&opts, "requeue_delay", 0);
    config.requeue = lab_number(&opts, "requeue", 0);
    config.inactive_limit = lab_number(&opts, "inactive", 0);
    config.backfill = lab_number(&opts, "backfill", 0);
    if (lab_text(&opts, "sched")) /* SchedulerParameters; "sched=": none */
        sched_params_parse(lab_text(&opts, "sched"), &config.sched, NULL, NULL);
    config.trust_conf = lab_number(&opts, "trust", 0);
    config.max_job_count = lab_number(&opts, "max_jobs", 0);
    config.prolog_alloc = lab_number(&opts, "prolog_alloc", 0);
    config.health_interval_s = lab_number(&opts, "health", 0);
    config.health_states = lab_number(&opts, "health_states", 0);
    config.resume_timeout_s = 60;
    config.prolog_contain = lab_number(&opts, "contain", 0);
    config.prolog_no_hold = lab_number(&opts, "no_hold", 0);
    config.prolog_defer_batch = lab_number(&opts, "defer_batch", 0);
    config.has_prolog = lab_number(&opts, "ctld_prolog", 0);
    config.has_epilog = lab_number(&opts, "ctld_epilog", 0);
    config.max_job_id = lab_number(&opts, "max_id", 0);
    if (lab_text(&opts, "over"))
        config.partitions[0].over_time = lab_number(&opts, "over", 0);
    config.complete_wait_s = lab_number(&opts, "complete_wait", 0);
    config.kill_invalid_depend = lab_number(&opts, "kill_invalid", 0);
    config.max_array_size = lab_number(&opts, "max_array", 1001);
    config.resv_over_run_s = lab_number(&opts, "over_run", 0);
    if (config.resv_over_run_s == UINT32_MAX)
        config.resv_over_run_s = LIMIT_INFINITE;
    lab_set_exit(&config.requeue_exit, lab_number(&opts, "requeue_exit", 0));
    lab_set_exit(&config.requeue_exit_hold, lab_number(&opts, "requeue_exit_hold", 0));
    lab_set_priority(&config, &opts);
    words_clear(&opts);
    return config;
}

/* ---- the nodes ---- */

static inline struct lab_node *lab_node(struct lab *lab, const char *name)
{
    for (uint32_t i = 0; i < lab->nodes_n; i++) {
        if (strcmp(lab->nodes[i].name, name) == 0)
            return &lab->nodes[i];
    }
    ck_abort_msg("no node %s", name);
    return NULL;
}

static inline const char *lab_step_name(uint32_t job, uint32_t step)
{
    static char text[32];

    if (step == STEP_BATCH)
        snprintf(text, sizeof(text), "%u.batch", job);
    else if (step == STEP_EXTERN)
        snprintf(text, sizeof(text), "%u.extern", job);
    else
        snprintf(text, sizeof(text), "%u.%u", job, step);
    return text;
}

static inline void lab_remember_launch(struct lab *lab, const struct lab_node *node,
                                       const struct launch_cred *cred)
{
    char *text = xasprintf("%s %s #%u", node->name, lab_step_name(cred->job_id, cred->step_id),
                           cred->launch_number);

    for (uint32_t i = 0; i < lab->launched_n; i++)
        ck_assert_msg(strcmp(lab->launched[i], text) != 0, "launched twice: %s", text);
    *ARRAY_PUSH(lab->launched, lab->launched_n) = text;
}

static inline struct lab_held *lab_find_held(struct lab_node *node, uint32_t job, uint32_t step)
{
    for (uint32_t i = 0; i < node->held_n; i++) {
        if (node->held[i].report.job_id == job && node->held[i].report.step_id == step)
            return &node->held[i];
    }
    return NULL;
}

static inline void lab_launch(struct lab *lab, struct lab_node *node,
                              const struct order_launch *order)
{
    struct launch_cred cred;
    struct launch_body body;
    uint8_t hash[SHA256_BYTES];
    char boot[16];

    ck_assert_int_eq(
        schema_decode(launch_cred_schema(), order->cred.data, order->cred.n, &cred, NULL), 0);
    ck_assert_int_eq(
        schema_decode(launch_body_schema(), order->body.data, order->body.n, &body, NULL), 0);
    crypt_sha256(order->body.data, order->body.n, hash);
    ck_assert_int_eq(memcmp(hash, cred.body_sha256.data, SHA256_BYTES), 0);
    ck_assert_str_eq(cred.node, node->name);
    snprintf(boot, sizeof(boot), "boot%u", node->boot);
    ck_assert_str_eq(cred.boot_id, boot);
    ck_assert_str_eq(body.nodes[cred.node_index].name, node->name);
    struct lab_held *held = lab_find_held(node, cred.job_id, cred.step_id);
    if (!held || held->report.launch_number != cred.launch_number) {
        lab_remember_launch(lab, node, &cred);
        held = ARRAY_PUSH(node->held, node->held_n);
        step_report_init(&held->report);
        held->report.job_id = cred.job_id;
        held->report.step_id = cred.step_id;
        held->report.launch_number = cred.launch_number;
        held->report.state = HELD_RUNNING;
        held->tasks_n = cred.tasks_n;
        memcpy(held->tasks, body.nodes[cred.node_index].tasks, cred.tasks_n * sizeof(uint32_t));
    }
    struct step_report copy;
    schema_copy(step_report_schema(), &copy, &held->report);
    launch_cred_clear(&cred);
    launch_body_clear(&body);
    control_step_report(lab_act(lab, NULL), node->name, &copy);
    step_report_clear(&copy);
}

/* The tasks of a step on a node end with this wait status. */
static inline void lab_node_exit(struct lab *lab, struct lab_node *node, struct lab_held *held,
                                 int32_t status)
{
    struct step_report copy;

    held->report.state = HELD_ENDED;
    for (uint32_t i = 0; i < held->tasks_n; i++) {
        struct task_exit *task = ARRAY_PUSH(held->report.exits, held->report.exits_n);

        *task = (struct task_exit){ .task = held->tasks[i], .status = status };
    }
    schema_copy(step_report_schema(), &copy, &held->report);
    if (node->online)
        control_step_report(lab_act(lab, NULL), node->name, &copy);
    step_report_clear(&copy);
}

static inline void lab_end(struct lab *lab, struct lab_node *node, const struct order_end *order)
{
    struct node_report report;

    for (uint32_t i = 0; i < node->held_n; i++) {
        struct lab_held *held = &node->held[i];

        if (held->report.job_id != order->job_id || held->report.state == HELD_ENDED ||
            (order->launch_number && held->report.launch_number != order->launch_number))
            continue;
        if (order->step_id == COUNT_UNSET || held->report.step_id == order->step_id)
            lab_node_exit(lab, node, held, order->kill_wait_s ? SIGTERM : SIGKILL);
    }
    if (order->step_id != COUNT_UNSET)
        return;
    node_report_init(&report);
    *ARRAY_PUSH(report.clean_jobs, report.clean_jobs_n) = order->job_id;
    control_node_report(lab_act(lab, NULL), node->name, &report);
    node_report_clear(&report);
}

static inline void lab_forget(struct lab_node *node, const struct order_forget *order)
{
    struct lab_held *held = lab_find_held(node, order->job_id, order->step_id);

    if (!held || held->report.launch_number != order->launch_number)
        return;
    ck_assert(held->report.state != HELD_RUNNING);
    step_report_clear(&held->report);
    *held = node->held[--node->held_n];
}

static inline struct hook_cred lab_hook_cred(const struct order_hook *order)
{
    struct hook_cred cred;

    ck_assert_int_eq(
        schema_decode(hook_cred_schema(), order->cred.data, order->cred.n, &cred, NULL), 0);
    return cred;
}

/* The program ends at once, well or with the node's hook_code; or not, while that is negative. */
static inline void lab_hook(struct lab *lab, const struct lab_node *node, uint32_t kind,
                            const struct order_hook *order)
{
    struct hook_cred cred = lab_hook_cred(order);
    struct hook_report report = { .job_id = cred.job_id,
                                  .launch_number = cred.launch_number,
                                  .kind = kind,
                                  .code = node->hook_code,
                                  .text = node->hook_code ? (char *)"it went wrong" : NULL };

    hook_cred_clear(&cred);
    if (node->hook_code >= 0)
        control_hook_report(lab_act(lab, NULL), node->name, &report);
}

/* " near 0 2": the cores near the devices of a step, where the node is told of them. */
static inline void lab_log_near(struct lab *lab, const struct order_launch *order,
                                uint32_t position)
{
    AUTO(launch_body) struct launch_body body;
    const struct step_node *here;

    schema_decode(launch_body_schema(), order->body.data, order->body.n, &body, NULL);
    here = &body.nodes[position];
    for (uint32_t i = 0; i < here->gres_n; i++)
        for (uint32_t k = 0; k < here->gres[i].near_n; k++) {
            strbuf_adds(&lab->orders, k ? " " : " near ");
            numbers_format(here->gres[i].near[k].cores, here->gres[i].near[k].cores_n,
                           &lab->orders);
        }
}

static inline void lab_log_order(struct lab *lab, const struct effect *effect)
{
    strbuf_addf(&lab->orders, "%s: ", effect->node);
    if (effect->type == MSG_ORDER_LAUNCH) {
        const struct order_launch *order = effect->msg;
        struct launch_cred cred;

        schema_decode(launch_cred_schema(), order->cred.data, order->cred.n, &cred, NULL);
        strbuf_addf(&lab->orders, "launch %s #%u", lab_step_name(cred.job_id, cred.step_id),
                    cred.launch_number);
        for (uint32_t i = 0; i < cred.devices_n; i++)
            strbuf_addf(&lab->orders, " %s", cred.devices[i]);
        lab_log_near(lab, order, cred.node_index);
        launch_cred_clear(&cred);
    } else if (effect->type == MSG_ORDER_END) {
        const struct order_end *order = effect->msg;

        if (order->step_id == COUNT_UNSET)
            strbuf_addf(&lab->orders, "end %u", order->job_id);
        else
            strbuf_addf(&lab->orders, "%s %s",
                        order->reason && !order->kill_wait_s ? "kill" : "end",
                        lab_step_name(order->job_id, order->step_id));
        /* Without the time, which depends on the time zone: "CANCELLED DUE TO TIME LIMIT". */
        if (order->reason) {
            ck_assert_int_eq(strncmp(order->reason, "CANCELLED AT 20", 15), 0);
            strbuf_addf(&lab->orders, " CANCELLED%s", order->reason + 32);
        }
    } else if (effect->type == MSG_ORDER_PROLOG || effect->type == MSG_ORDER_EPILOG) {
        struct hook_cred cred = lab_hook_cred(effect->msg);

        strbuf_addf(&lab->orders, "%s %u", effect->type == MSG_ORDER_PROLOG ? "prolog" : "epilog",
                    cred.job_id);
        hook_cred_clear(&cred);
    } else if (effect->type == MSG_ORDER_NODE) {
        static const char *const acts[NODE_ACTS_N] = { "check health", "reboot", "reconfigure",
                                                       "set level", "set flags" };
        const struct order_hook *order = effect->msg;
        struct node_cred cred;

        schema_decode(node_cred_schema(), order->cred.data, order->cred.n, &cred, NULL);
        strbuf_addf(&lab->orders, "%s in %s", acts[cred.act], cred.boot_id);
        if (cred.value)
            strbuf_addf(&lab->orders, " to %s", cred.value);
        node_cred_clear(&cred);
    } else if (effect->type == MSG_HOOK_FORGET) {
        const struct order_forget *order = effect->msg;

        strbuf_addf(&lab->orders, "forget hooks %u", order->job_id);
    } else if (effect->type == MSG_ORDER_SAY) {
        const struct order_say *order = effect->msg;

        strbuf_addf(&lab->orders, "say %s in %u", order->text, order->job_id);
    } else if (effect->type == MSG_ORDER_SIGNAL) {
        const struct order_signal *order = effect->msg;

        strbuf_addf(&lab->orders, "signal %u of %u flags %u", order->signal, order->job_id,
                    order->flags);
    } else {
        const struct order_forget *order = effect->msg;

        strbuf_addf(&lab->orders, "forget %s", lab_step_name(order->job_id, order->step_id));
    }
    strbuf_addc(&lab->orders, '\n');
}

static inline void lab_obey(struct lab *lab, const struct effect *effect)
{
    struct lab_node *node = lab_node(lab, effect->node);

    lab_log_order(lab, effect);
    if (!node->online || node->deaf)
        return;
    if (effect->type == MSG_ORDER_LAUNCH)
        lab_launch(lab, node, effect->msg);
    else if (effect->type == MSG_ORDER_END)
        lab_end(lab, node, effect->msg);
    else if (effect->type == MSG_ORDER_FORGET)
        lab_forget(node, effect->msg);
    else if (effect->type == MSG_ORDER_PROLOG)
        lab_hook(lab, node, HOOK_PROLOG, effect->msg);
    else if (effect->type == MSG_ORDER_EPILOG)
        lab_hook(lab, node, HOOK_EPILOG, effect->msg);
}

/* ---- the client's side ---- */

static inline void lab_hear(struct lab *lab, const struct effect *effect)
{
    static const char *const job_kinds[] = { "queued", "granted", "warned", "ended" };
    static const char *const step_kinds[] = { "waits",      "created", "node failed",
                                              "node ended", "ended",   "ending" };

    if (effect->type == MSG_JOB_EVENT) {
        const struct job_event *event = effect->msg;

        strbuf_addf(&lab->said, "job %u %s", effect->job_id, job_kinds[event->kind]);
        if (event->kind == JOB_EVENT_GRANTED)
            strbuf_addf(&lab->said, " %s", event->job->node_list);
        if (event->kind == JOB_EVENT_ENDED)
            strbuf_addf(&lab->said, " %s %d", job_state_name(event->job->state, 0),
                        event->job->exit_status);
    } else {
        const struct step_event *event = effect->msg;

        strbuf_addf(&lab->said, "step %s %s",
                    lab_step_name(event->step->job_id, event->step->step_id),
                    step_kinds[event->kind]);
        if (event->kind == STEP_EVENT_CREATED)
            strbuf_addf(&lab->said, " %s", event->step->node_list);
        if (event->node)
            strbuf_addf(&lab->said, " %s", event->node);
        if (event->text)
            strbuf_addf(&lab->said, " (%s)", event->text);
    }
    strbuf_adds(&lab->said, effect->last ? " last\n" : "\n");
}

/* ---- the store ---- */

static inline bool lab_same_thing(const struct change *a, const struct change *b)
{
    return a->kind == b->kind && a->job_id == b->job_id && a->step_id == b->step_id &&
           (a->kind != CHANGE_STEP || a->run == b->run) &&
           strcmp(a->name ? a->name : "", b->name ? b->name : "") == 0 && a->kept == b->kept;
}

static inline void lab_hear_event(struct lab *lab, const struct blob *record)
{
    struct event_record event;

    ck_assert_int_eq(schema_decode(event_record_schema(), record->data, record->n, &event, NULL),
                     0);
    event_format(&event, &lab->events);
    strbuf_addc(&lab->events, '\n');
    event_record_clear(&event);
}

/* Of the cluster's own nothing is noted: these labs have no name. */
static inline void lab_hear_outage(struct lab *lab, const struct blob *record)
{
    struct cluster_event event;

    ck_assert_int_eq(schema_decode(cluster_event_schema(), record->data, record->n, &event, NULL),
                     0);
    if (event.node) {
        strbuf_addf(&lab->outages, "%s ", event.node);
        node_state_format(event.state, event.flags, &lab->outages);
        if (event.until)
            strbuf_addf(&lab->outages, " %lld s", (long long)(event.until - event.since));
        strbuf_addf(&lab->outages, "%s %s\n", event.until ? "" : " begins", event.reason);
    }
    cluster_event_clear(&event);
}

static inline void lab_keep(struct lab *lab, const struct change *change)
{
    uint32_t i = 0;

    if (change->kind == CHANGE_EVENT) {
        lab_hear_event(lab, &change->record);
        return;
    }
    if (change->kind == CHANGE_CLUSTER_EVENT) {
        lab_hear_outage(lab, &change->record);
        return;
    }

    if (change->kind == CHANGE_JOB_RETIRE) {
        while (i < lab->kept_n) {
            if ((lab->kept[i].kind == CHANGE_JOB || lab->kept[i].kind == CHANGE_STEP) &&
                lab->kept[i].job_id == change->job_id) {
                change_clear(&lab->kept[i]);
                lab->kept[i] = lab->kept[--lab->kept_n];
            } else {
                i++;
            }
        }
        return;
    }
    while (i < lab->kept_n && !lab_same_thing(&lab->kept[i], change))
        i++;
    if (i < lab->kept_n)
        change_clear(&lab->kept[i]);
    else
        (void)*ARRAY_PUSH(lab->kept, lab->kept_n);
    schema_copy(change_schema(), &lab->kept[i], change);
}

static inline void lab_commit(struct lab *lab, struct turn *turn)
{
    schema_encode(turn_changes_schema(), &turn->changes, &lab->turns);
    for (uint32_t i = 0; i < turn->effects_n; i++)
        schema_encode(msg_schema(turn->effects[i].type), turn->effects[i].msg, &lab->turns);
    for (uint32_t i = 0; i < turn->changes.changes_n; i++)
        lab_keep(lab, &turn->changes.changes[i]);
}

static inline void lab_take_mail(struct lab *lab, const struct mail *mail)
{
    strbuf_addf(&lab->mails, "%s: %s\n", mail->to, mail->subject);
    for (uint32_t i = 0; i < mail->environment_n; i++) {
        if (strstr(mail->environment[i], "_TIME=") || strstr(mail->environment[i], "_ARRAY_TASK_"))
            strbuf_addf(&lab->mail_times, "%s\n", mail->environment[i]);
    }
}

/* Turns follow one another until nothing more happens at this moment. */
static inline void lab_settle(struct lab *lab)
{
    for (int rounds = 0; rounds < 100; rounds++) {
        struct turn turn;

        while (control_schedule(lab_act(lab, NULL), lab->work) && !lab->lazy)
            ;
        control_note_outages(lab_act(lab, NULL));
        control_watch_triggers(lab_act(lab, NULL));
        turn = lab->turn;
        turn_init(&lab->turn);
        lab_commit(lab, &turn);
        for (uint32_t i = 0; i < turn.effects_n; i++) {
            if (turn.effects[i].kind == EFFECT_ORDER)
                lab_obey(lab, &turn.effects[i]);
            else
                lab_hear(lab, &turn.effects[i]);
        }
        for (uint32_t i = 0; i < turn.mails_n; i++)
            lab_take_mail(lab, &turn.mails[i]);
        for (uint32_t i = 0; i < turn.programs_n; i++)
            strbuf_addf(&lab->orders, "head: %s %u\n",
                        turn.programs[i].kind == JOB_PROGRAM_PROLOG ? "prolog" : "epilog",
                        turn.programs[i].job_id);
        for (uint32_t i = 0; i < turn.reservations_n; i++)
            strbuf_addf(&lab->orders, "head: %s %s\n",
                        turn.reservations[i].is_over ? "ResvEpilog" : "ResvProlog",
                        turn.reservations[i].name);
        for (uint32_t i = 0; i < turn.triggers_n; i++)
            strbuf_addf(&lab->orders, "head: %s %s\n", turn.triggers[i].program,
                        turn.triggers[i].argument);
        bool quiet = turn.effects_n == 0 && turn.changes.changes_n == 0;
        turn_clear(&turn);
        if (quiet)
            return;
    }
    ck_abort_msg("the controller does not come to rest");
}
