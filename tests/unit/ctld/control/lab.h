/*
 * lab.h - a controller with nodes that obey, for tests that read like an operator's story.
 *
 * The nodes are played here: they launch what they are ordered to, keep results until told to
 * forget, end what they are told to end, and check that nothing is launched twice. What turns want
 * kept is kept, so that lab_restart can load it into a new controller. Time passes only by
 * lab_wait. `lab->said` collects events for clients, `lab->orders` what nodes were told.
 */
#pragma once

#include "unit/ctld/control/lab_core.h"
#include "ctld/control/act/act.h"
#include "ctld/control/control.h"
#include "ctld/control/answer/info.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/load.h"
#include "ctld/control/node/node.h"
#include "ctld/control/node/update.h"
#include "ctld/control/answer/question.h"
#include "ctld/control/job/requeue.h"
#include "ctld/control/schedule.h"
#include "ctld/control/job/signal.h"
#include "ctld/control/step/step.h"
#include "ctld/control/job/submit.h"
#include "ctld/control/job/suspend.h"
#include "ctld/control/tick.h"
#include "ctld/control/act/turn.h"
#include "ctld/control/job/update.h"

/* ---- what tests call ---- */

static inline void lab_fill_hardware(const struct lab_node *node, struct node_hardware *ret)
{
    node_hardware_init(ret);
    ret->cpus = node->cpus;
    ret->sockets = node->sockets;
    ret->cores_per_socket = node->cores;
    ret->threads_per_core = node->threads;
    ret->memory_mb = node->memory_mb;
    ret->tmp_disk_mb = node->tmp_disk_mb;
    for (uint32_t i = 0; i < node->gpus; i++) {
        struct node_gpu *gpu = ARRAY_PUSH(ret->gpus, ret->gpus_n);

        node_gpu_init(gpu);
        gpu->name = xstrdup("vendor_a");
        gpu->file = xasprintf("/dev/found%u", i);
    }
    if (node->gpu_files) {
        struct gres_count *count = ARRAY_PUSH(ret->gres, ret->gres_n);

        gres_count_init(count);
        count->name = xstrdup("gpu");
        count->count = node->gpu_files;
    }
}

/* What the machine has by now, in a report. */
static inline void lab_report_hardware(struct lab *lab, const char *name)
{
    AUTO(node_hardware) struct node_hardware hardware;
    const struct node_report report = { .hardware = &hardware };

    lab_fill_hardware(lab_node(lab, name), &hardware);
    control_node_report(lab_act(lab, NULL), name, &report);
    lab_settle(lab);
}

static inline void lab_register(struct lab *lab, const char *name)
{
    struct lab_node *node = lab_node(lab, name);
    struct node_register reg;

    node_register_init(&reg);
    reg.name = xstrdup(name);
    reg.boot_id = xasprintf("boot%u", node->boot);
    reg.started = node->started;
    reg.hooks = node->hooks;
    reg.conf_age_ms = node->conf_age_ms;
    reg.hardware = xcalloc(1, sizeof(*reg.hardware));
    lab_fill_hardware(node, reg.hardware);
    for (uint32_t i = 0; i < node->held_n; i++)
        schema_copy(step_report_schema(), ARRAY_PUSH(reg.held, reg.held_n), &node->held[i].report);
    node->online = true;
    ck_assert_int_eq(control_node_register(lab_act(lab, NULL), "10.0.0.1", &reg, NULL), 0);
    node_register_clear(&reg);
    lab_settle(lab);
}

static inline void lab_load_kept(struct lab *lab, struct control *control)
{
    for (uint32_t i = 0; i < lab->kept_n; i++) {
        const struct change *change = &lab->kept[i];
        const struct kept_kind *kind = kept_kind_find(change->kept);
        AUTO_FREE void *record = NULL;

        if (change->kind != CHANGE_KEPT || change->record.n == 0)
            continue;
        record = xcalloc(1, kind->schema()->size);
        schema_decode(kind->schema(), change->record.data, change->record.n, record, NULL);
        control_kept_load(control, kind, record);
        schema_clear(kind->schema(), record);
    }
}

static inline bool lab_is_of_last_run(struct control *control, const struct step_record *step)
{
    const struct job *job = model_find_job(control_model(control), step->job_id);

    return job && job->rec.launch_number == step->launch_number;
}

/* Its body was kept in some turn, too. */
static inline void lab_load_job(struct lab *lab, struct control *control, struct job_record *job)
{
    AUTO(job_body) struct job_body body;

    job_body_init(&body);
    for (uint32_t i = 0; i < lab->kept_n; i++) {
        const struct change *change = &lab->kept[i];

        if (change->kind == CHANGE_BLOB && change->sha256.n == job->body_sha256.n &&
            memcmp(change->sha256.data, job->body_sha256.data, change->sha256.n) == 0) {
            ck_assert_int_eq(schema_decode(job_body_schema(), change->record.data, change->record.n,
                                           &body, NULL),
                             0);
            control_load_job(control, job, &body);
            return;
        }
    }
    ck_abort_msg("the body of job %u was not kept", job->id);
}

static inline void lab_load(struct lab *lab, struct control *control)
{
    for (uint32_t i = 0; i < lab->kept_n; i++) {
        if (lab->kept[i].kind == CHANGE_NUMBER)
            control_load_number(control, lab->kept[i].name, lab->kept[i].number);
    }
    lab_load_kept(lab, control);
    for (int kind = CHANGE_JOB; kind <= CHANGE_STEP; kind++) {
        for (uint32_t i = 0; i < lab->kept_n; i++) {
            const struct blob *bytes = &lab->kept[i].record;
            struct step_record step;
            struct job_record job;

            if (lab->kept[i].kind != (uint32_t)kind)
                continue;
            if (kind == CHANGE_JOB) {
                schema_decode(job_record_schema(), bytes->data, bytes->n, &job, NULL);
                lab_load_job(lab, control, &job);
                job_record_clear(&job);
            } else if (kind == CHANGE_STEP) {
                schema_decode(step_record_schema(), bytes->data, bytes->n, &step, NULL);
                if (lab_is_of_last_run(control, &step)) /* as the store does */
                    control_load_step(control, &step);
                step_record_clear(&step);
            }
        }
    }
}

/* `edit` is cleared. */
static inline int lab_change_kept(struct lab *lab, const struct caller *caller,
                                  struct kept_edit *edit)
{
    const struct kept_change request = { .edits = edit, .edits_n = 1 };
    AUTO(kept_changed) struct kept_changed changed;

    kept_changed_init(&changed);
    lab->rc = control_kept_change(lab_act(lab, caller), &request, &changed, &lab->err);
    kept_edit_clear(edit);
    lab_settle(lab);
    return lab->rc;
}

/* The edit means records that have the field as its `like` has it. */
static inline void lab_match(struct kept_edit *edit, const struct schema *schema, const char *field)
{
    *ARRAY_PUSH(edit->match, edit->match_n) = schema_find(schema, field)->tag;
}

static inline struct lab *lab_new(const char *text)
{
    struct lab *lab = xcalloc(1, sizeof(*lab));
    struct words opts = words_split(text, " ");
    struct model_config config = lab_config(text);

    turn_init(&lab->turn);
    lab->work = 1000;
    lab->now = (struct moment){ .wall_s = 1800000000, .cluster_ms = 1000000 };
    lab->nodes_n = config.nodes_n;
    for (uint32_t i = 0; i < lab->nodes_n; i++) {
        struct lab_node *node = &lab->nodes[i];

        snprintf(node->name, sizeof(node->name), "n%u", i + 1);
        node->cpus = config.nodes[i].cpus;
        node->memory_mb = config.nodes[i].memory_mb;
        node->boot = 1;
        node->hooks = lab_number(&opts, "hooks", 0);
    }
    ck_assert_int_eq(control_new(&config, &lab->control, NULL), 0);
    control_ready(lab_act(lab, NULL));
    for (uint32_t i = 0; i < lab->nodes_n && !lab_number(&opts, "away", 0); i++)
        lab_register(lab, lab->nodes[i].name);
    lab_settle(lab);
    words_clear(&opts);
    return lab;
}

static inline void lab_free(struct lab *lab)
{
    control_free(lab->control);
    turn_clear(&lab->turn);
    for (uint32_t i = 0; i < lab->nodes_n; i++) {
        for (uint32_t h = 0; h < lab->nodes[i].held_n; h++)
            step_report_clear(&lab->nodes[i].held[h].report);
        free(lab->nodes[i].held);
    }
    for (uint32_t i = 0; i < lab->kept_n; i++)
        change_clear(&lab->kept[i]);
    for (uint32_t i = 0; i < lab->launched_n; i++)
        free(lab->launched[i]);
    free(lab->kept);
    free(lab->launched);
    strbuf_clear(&lab->said);
    strbuf_clear(&lab->events);
    strbuf_clear(&lab->outages);
    strbuf_clear(&lab->orders);
    strbuf_clear(&lab->mails);
    strbuf_clear(&lab->mail_times);
    strbuf_clear(&lab->turns);
    free(lab);
}

static inline char *lab_dup(const struct words *words, const char *key)
{
    return xstrdup(lab_text(words, key));
}

/* "nodes=2 ntasks=3 time=60 ..." */
static inline void lab_job_spec(const char *text, struct job_spec *spec)
{
    struct words words = words_split(text, " ");

    job_spec_init(spec);
    spec->name = xstrdup("story");
    spec->min_nodes = lab_number(&words, "nodes", COUNT_UNSET);
    spec->max_nodes = lab_number(&words, "max_nodes", COUNT_UNSET);
    spec->ntasks = lab_number(&words, "ntasks", COUNT_UNSET);
    spec->ntasks_per_node = lab_number(&words, "per_node", COUNT_UNSET);
    spec->cpus_per_task = lab_number(&words, "cpus", COUNT_UNSET);
    spec->threads_per_core = lab_number(&words, "core_threads", COUNT_UNSET);
    spec->min_cpus_per_node = lab_number(&words, "mincpus", COUNT_UNSET);
    spec->cpus_per_gpu = lab_number(&words, "gpu_cpus", COUNT_UNSET);
    if (lab_text(&words, "mem"))
        spec->mem_per_node = lab_number(&words, "mem", 0);
    if (lab_text(&words, "cpu_mem"))
        spec->mem_per_cpu = lab_number(&words, "cpu_mem", 0);
    if (lab_text(&words, "gpu_mem"))
        spec->mem_per_gpu = lab_number(&words, "gpu_mem", 0);
    if (lab_text(&words, "time"))
        spec->time_limit = lab_number(&words, "time", 0);
    if (lab_text(&words, "begin"))
        spec->begin = lab_wall(&words, "begin");
    spec->sockets_per_node = lab_number(&words, "sockets", COUNT_UNSET);
    if (lab_text(&words, "tmp"))
        spec->tmp_disk = lab_number(&words, "tmp", 0);
    spec->partition = lab_dup(&words, "part");
    spec->account = lab_dup(&words, "account");
    spec->qos = lab_dup(&words, "qos");
    spec->wckey = lab_dup(&words, "wckey");
    spec->dist_nodes = lab_number(&words, "arbitrary", 0) ? DIST_ARBITRARY : DIST_DEFAULT;
    spec->req_nodes = lab_dup(&words, "on");
    spec->exc_nodes = lab_dup(&words, "not");
    spec->features = lab_dup(&words, "features");
    spec->prefer = lab_dup(&words, "prefer");
    spec->tres_per_node = lab_dup(&words, "gres");
    spec->licenses = lab_dup(&words, "licenses");
    spec->reservation = lab_dup(&words, "resv");
    spec->token = lab_dup(&words, "token");
    spec->array = lab_dup(&words, "array");
    spec->dependency = lab_dup(&words, "after");
    if (lab_text(&words, "deadline"))
        spec->deadline = lab_wall(&words, "deadline");
    if (lab_text(&words, "kill_invalid"))
        spec->kill_invalid_dep =
            lab_number(&words, "kill_invalid", 1) ? KILL_INVALID_YES : KILL_INVALID_NO;
    if (lab_text(&words, "name"))
        xstrset(&spec->name, lab_text(&words, "name"));
    spec->mail_type = lab_dup(&words, "mail");
    spec->mail_user = lab_dup(&words, "mail_user");
    spec->hold = lab_number(&words, "hold", 0);
    spec->immediate = lab_number(&words, "immediate", 0);
    spec->overcommit = lab_number(&words, "overcommit", 0);
    spec->no_client = lab_number(&words, "no_client", 0);
    spec->no_kill = lab_number(&words, "no_kill", 0);
    spec->share = lab_number(&words, "exclusive", 0) ? SHARE_EXCLUSIVE : SHARE_DEFAULT;
    spec->requeue = lab_number(&words, "requeue", REQUEUE_DEFAULT);
    spec->warn_signal = lab_number(&words, "warn", 0);
    spec->warn_before_s = lab_number(&words, "before", 60);
    spec->priority = lab_number(&words, "priority", COUNT_UNSET);
    spec->nice = (int32_t)lab_number(&words, "nice", 0);
    if (lab_text(&words, "time_min"))
        spec->time_min = lab_number(&words, "time_min", 60);
    spec->kind = JOB_KIND_BATCH;
    words_clear(&words);
}

static inline struct job_body *lab_body(void)
{
    struct job_body *body = xmalloc(sizeof(*body));

    job_body_init(body);
    body->work_dir = xstrdup("/lab");
    body->script_sha256 = (struct blob){ xcalloc(1, SHA256_BYTES), SHA256_BYTES };
    return body;
}

static inline void lab_step_spec(const char *text, struct step_spec *spec)
{
    struct words words = words_split(text, " ");

    step_spec_init(spec);
    spec->name = xstrdup("step");
    spec->min_nodes = lab_number(&words, "nodes", COUNT_UNSET);
    spec->max_nodes = lab_number(&words, "max_nodes", COUNT_UNSET);
    spec->ntasks = lab_number(&words, "ntasks", COUNT_UNSET);
    spec->ntasks_per_node = lab_number(&words, "per_node", COUNT_UNSET);
    spec->cpus_per_task = lab_number(&words, "cpus", COUNT_UNSET);
    spec->threads_per_core = lab_number(&words, "core_threads", COUNT_UNSET);
    spec->relative = lab_number(&words, "relative", COUNT_UNSET);
    if (lab_text(&words, "mem"))
        spec->mem_per_node = lab_number(&words, "mem", 0);
    if (lab_text(&words, "time"))
        spec->time_limit = lab_number(&words, "time", 0);
    spec->tres_per_node = lab_dup(&words, "gres");
    spec->tres_per_task = lab_dup(&words, "task_gres");
    spec->tres_per_step = lab_dup(&words, "all_gres");
    spec->tres_per_socket = lab_dup(&words, "socket_gres");
    spec->cpus_per_gpu = lab_number(&words, "gpu_cpus", COUNT_UNSET);
    spec->ntasks_per_gpu = lab_number(&words, "gpu_tasks", COUNT_UNSET);
    if (lab_text(&words, "gpu_mem"))
        spec->mem_per_gpu = lab_number(&words, "gpu_mem", 0);
    spec->no_gres = lab_number(&words, "no_gres", 0);
    spec->gpu_bind = lab_dup(&words, "gpu_bind");
    spec->req_nodes = lab_dup(&words, "on");
    spec->exc_nodes = lab_dup(&words, "not");
    spec->token = lab_dup(&words, "token");
    spec->overlap = lab_number(&words, "overlap", 0);
    spec->exact = lab_number(&words, "exact", 0);
    spec->overcommit = lab_number(&words, "overcommit", 0);
    spec->immediate = lab_number(&words, "immediate", 0);
    spec->no_kill = lab_number(&words, "no_kill", 0);
    spec->kill_on_bad_exit = lab_number(&words, "kill_bad", 0);
    spec->oom_kill = lab_number(&words, "oom_kill", OOM_KILL_DEFAULT);
    spec->distribution = lab_number(&words, "cyclic", 0) ? DIST_CYCLIC : 0;
    if (lab_text(&words, "plane"))
        spec->distribution = DIST_PLANE;
    spec->plane_size = lab_number(&words, "plane", COUNT_UNSET);
    if (lab_number(&words, "arbitrary", 0))
        spec->distribution = DIST_ARBITRARY;
    if (lab_number(&words, "pack", 0))
        spec->pack = PACK_NODES;
    *ARRAY_PUSH(spec->argv, spec->argv_n) = xstrdup("true");
    *ARRAY_PUSH(spec->io_addresses, spec->io_addresses_n) = xstrdup("192.0.2.7:4000");
    words_clear(&words);
}

static inline uint32_t lab_submit_as(struct lab *lab, uint32_t uid, const char *text)
{
    struct caller caller = lab_caller(uid);
    AUTO(job_submit) struct job_submit request;
    uint32_t id = 0;

    job_submit_init(&request);
    request.spec = xmalloc(sizeof(*request.spec));
    lab_job_spec(text, request.spec);
    request.body = lab_body();
    lab->err = (struct err){ 0 };
    lab->rc = control_submit(lab_act(lab, &caller), &request, &id, &lab->err);
    lab_settle(lab);
    return lab->rc < 0 ? 0 : id;
}

static inline uint32_t lab_submit(struct lab *lab, const char *text)
{
    return lab_submit_as(lab, LAB_USER, text);
}

/* Whether the job would start at once, and where else; `ret` is to be cleared. False: refused. */
static inline bool lab_ask(struct lab *lab, const struct job_spec *spec, struct control_answer *ret)
{
    struct caller caller = lab_caller(LAB_USER);
    uint64_t question;

    lab->err = (struct err){ 0 };
    lab->rc = control_ask(lab_act(lab, &caller), spec, &question, &lab->err);
    if (lab->rc < 0)
        return false;
    while (!control_answer(lab->control, ret))
        control_schedule(lab_act(lab, NULL), lab->work);
    ck_assert_uint_eq(ret->question, question);
    return true;
}

/* As the dispatcher does it: what is to start at once is asked for first. */
static inline bool lab_may_start(struct lab *lab, const struct job_spec *spec)
{
    struct caller caller = lab_caller(LAB_USER);
    struct control_answer answer;

    if (!control_asks_first(lab->control, &caller, spec))
        return true;
    if (!lab_ask(lab, spec, &answer))
        return false;
    job_submitted_clear(&answer.would);
    if (!answer.starts)
        lab->rc = err_set(&lab->err, E_NODES_BUSY, "%s", err_string(E_NODES_BUSY));
    return answer.starts;
}

/* srun or salloc: `step` NULL is salloc. */
static inline uint32_t lab_allocate(struct lab *lab, const char *text, const char *step)
{
    struct caller caller = lab_caller(LAB_USER);
    struct job_allocate request;
    uint32_t id = 0;

    job_allocate_init(&request);
    request.spec = xmalloc(sizeof(*request.spec));
    lab_job_spec(text, request.spec);
    request.spec->kind = step ? JOB_KIND_RUN : JOB_KIND_ALLOC;
    request.body = lab_body();
    if (step) {
        request.step = xmalloc(sizeof(*request.step));
        lab_step_spec(step, request.step);
    }
    lab->err = (struct err){ 0 };
    lab->rc = 0;
    if (lab_may_start(lab, request.spec))
        lab->rc = control_allocate(lab_act(lab, &caller), &request, &id, &lab->err);
    job_allocate_clear(&request);
    lab_settle(lab);
    return lab->rc < 0 ? 0 : id;
}

static inline uint32_t lab_step(struct lab *lab, uint32_t job_id, const char *text)
{
    struct caller caller = lab_caller(LAB_USER);
    struct step_run request;
    uint32_t id = COUNT_UNSET;

    step_run_init(&request);
    request.job_id = job_id;
    request.step = xmalloc(sizeof(*request.step));
    lab_step_spec(text, request.step);
    lab->err = (struct err){ 0 };
    lab->rc = control_step_run(lab_act(lab, &caller), &request, &id, &lab->err);
    step_run_clear(&request);
    lab_settle(lab);
    return id;
}

/* The tasks of a step end on every node where they run, or on one. */
static inline void lab_exit_on(struct lab *lab, const char *node, uint32_t job, uint32_t step,
                               int32_t status)
{
    for (uint32_t i = 0; i < lab->nodes_n; i++) {
        struct lab_held *held = lab_find_held(&lab->nodes[i], job, step);

        if (held && held->report.state == HELD_RUNNING &&
            (!node || strcmp(node, lab->nodes[i].name) == 0))
            lab_node_exit(lab, &lab->nodes[i], held, status);
    }
    lab_settle(lab);
}

static inline void lab_exit(struct lab *lab, uint32_t job, uint32_t step, int32_t status)
{
    lab_exit_on(lab, NULL, job, step, status);
}

static inline int lab_cancel_as(struct lab *lab, uint32_t uid, uint32_t job, uint32_t step,
                                uint32_t signal, uint32_t flags)
{
    struct caller caller = lab_caller(uid);
    struct job_signal request = {
        .job_id = job, .step_id = step, .signal = signal, .flags = flags
    };

    lab->err = (struct err){ 0 };
    lab->rc = control_signal(lab_act(lab, &caller), &request, &lab->err);
    lab_settle(lab);
    return lab->rc;
}

static inline int lab_cancel_tasks(struct lab *lab, uint32_t job, const char *tasks)
{
    struct caller caller = lab_caller(LAB_USER);
    struct job_signal request = {
        .job_id = job, .step_id = COUNT_UNSET, .flags = SIGNAL_CANCEL, .tasks = (char *)tasks
    };

    lab->err = (struct err){ 0 };
    lab->rc = control_signal(lab_act(lab, &caller), &request, &lab->err);
    lab_settle(lab);
    return lab->rc;
}

static inline int lab_cancel(struct lab *lab, uint32_t job)
{
    return lab_cancel_as(lab, LAB_USER, job, COUNT_UNSET, 0, SIGNAL_CANCEL);
}

static inline int lab_update(struct lab *lab, uint32_t uid, const char *names, uint32_t state,
                             const char *reason)
{
    struct caller caller = lab_caller(uid);
    struct node_update request = { .names = (char *)names,
                                   .state = state,
                                   .reason = (char *)reason,
                                   .resume_after_s = COUNT_UNSET };

    lab->err = (struct err){ 0 };
    lab->rc = control_node_update(lab_act(lab, &caller), &request, &lab->err);
    lab_settle(lab);
    return lab->rc;
}

/* "" when all is done, else "1,4: Job has already finished; ..." Valid until the next call. */
static inline const char *lab_altered(struct lab *lab, struct job_altered *altered)
{
    static char said[256];
    AUTO(strbuf) struct strbuf out = { 0 };

    lab_settle(lab);
    if (lab->rc < 0)
        strbuf_adds(&out, err_string(lab->rc));
    for (uint32_t i = 0; i < altered->refused_n; i++) {
        const struct job_refusal *refused = &altered->refused[i];

        strbuf_addf(&out, "%s%s%s%s", i ? "; " : "", refused->tasks ? refused->tasks : "",
                    refused->tasks ? ": " : "", err_string((int)refused->code));
    }
    job_altered_clear(altered);
    snprintf(said, sizeof(said), "%s", strbuf_text(&out));
    return said;
}

static inline const char *lab_requeue(struct lab *lab, uint32_t uid, uint32_t job, uint32_t flags)
{
    struct caller caller = lab_caller(uid);
    const struct job_rerun request = { .job_id = job, .flags = flags };
    struct job_altered altered;

    job_altered_init(&altered);
    lab->err = (struct err){ 0 };
    lab->rc = control_requeue(lab_act(lab, &caller), &request, &altered, &lab->err);
    return lab_altered(lab, &altered);
}

static inline const char *lab_suspend(struct lab *lab, uint32_t uid, uint32_t job, bool resume)
{
    struct caller caller = lab_caller(uid);
    const struct job_suspend request = { .job_id = job, .resume = resume };
    struct job_altered altered;

    job_altered_init(&altered);
    lab->err = (struct err){ 0 };
    lab->rc = control_suspend(lab_act(lab, &caller), &request, &altered, &lab->err);
    return lab_altered(lab, &altered);
}

static inline const char *lab_change(struct lab *lab, uint32_t uid,
                                     const struct job_update *request)
{
    struct caller caller = lab_caller(uid);
    struct job_altered altered;

    job_altered_init(&altered);
    lab->err = (struct err){ 0 };
    lab->rc = control_update(lab_act(lab, &caller), request, &altered, &lab->err);
    return lab_altered(lab, &altered);
}

static inline const char *lab_hold(struct lab *lab, uint32_t uid, uint32_t job, uint32_t hold)
{
    AUTO(job_update) struct job_update request;

    job_update_init(&request);
    request.job_id = job;
    request.hold = hold;
    return lab_change(lab, uid, &request);
}

/* Time passes; what is due happens when it is due. Nodes that are there give signs of life. */
static inline void lab_wait(struct lab *lab, int64_t seconds)
{
    const int64_t until = lab->now.cluster_ms + seconds * 1000;

    while (lab->now.cluster_ms < until) {
        int64_t next = control_next_ms(lab->control, lab->now);

        if (next <= lab->now.cluster_ms)
            next = lab->now.cluster_ms + 1;
        if (next > until)
            next = until;
        lab->now.wall_s += next / 1000 - lab->now.cluster_ms / 1000;
        lab->now.wall_part_ms = next % 1000;
        lab->now.cluster_ms = next;
        for (uint32_t i = 0; i < lab->nodes_n; i++) {
            if (lab->nodes[i].online)
                control_node_seen(lab_act(lab, NULL), lab->nodes[i].name);
        }
        control_tick(lab_act(lab, NULL));
        lab_settle(lab);
    }
}

/* The node's power is cut, or its cable: its processes live on only in the second case. */
static inline void lab_lose(struct lab *lab, const char *name)
{
    lab_node(lab, name)->online = false;
    control_node_lost(lab_act(lab, NULL), name);
    lab_settle(lab);
}

static inline void lab_reboot(struct lab *lab, const char *name)
{
    struct lab_node *node = lab_node(lab, name);

    node->boot++;
    node->started++;
    for (uint32_t i = 0; i < node->held_n; i++) {
        if (node->held[i].report.state == HELD_RUNNING)
            node->held[i].report.state = HELD_LOST;
    }
    lab_register(lab, name);
}

/* The controller dies with the turn it was in, and starts from what was kept. */
static inline void lab_crash(struct lab *lab, const char *config_text)
{
    struct model_config config = lab_config(config_text);

    turn_clear(&lab->turn);
    control_free(lab->control);
    ck_assert_int_eq(control_new(&config, &lab->control, NULL), 0);
    lab_load(lab, lab->control);
    control_ready(lab_act(lab, NULL));
    lab_settle(lab);
}

static inline void lab_restart(struct lab *lab, const char *config_text)
{
    lab_crash(lab, config_text);
    for (uint32_t i = 0; i < lab->nodes_n; i++) {
        if (lab->nodes[i].online)
            lab_register(lab, lab->nodes[i].name);
    }
}

static const struct job *lab_job(const struct lab *lab, uint32_t id)
{
    const struct job *job = model_find_job(control_model(lab->control), id);

    ck_assert_msg(job != NULL, "no job %u", id);
    return job;
}

static inline const char *lab_state(const struct lab *lab, uint32_t id)
{
    const struct job *job = lab_job(lab, id);

    return job_state_name(job->rec.state, job->rec.flags);
}

static inline const char *lab_reason(const struct lab *lab, uint32_t id)
{
    AUTO(job_info) struct job_info info;

    control_job_info(lab->control, lab->now, lab_job(lab, id), &info);
    return job_reason_name(info.job->reason);
}

/* In how many seconds decay will have made room for the job. */
static inline int64_t lab_room_s(const struct lab *lab, uint32_t id)
{
    AUTO(job_info) struct job_info info;

    control_job_info(lab->control, lab->now, lab_job(lab, id), &info);
    return info.room_time - lab->now.wall_s;
}

/* Valid until the next call. */
static inline const char *lab_reason_text(const struct lab *lab, uint32_t id)
{
    static char text[256];
    AUTO(job_info) struct job_info info;

    control_job_info(lab->control, lab->now, lab_job(lab, id), &info);
    snprintf(text, sizeof(text), "%s", info.job->reason_text ? info.job->reason_text : "");
    return info.job->reason_text ? text : NULL;
}

static inline const char *lab_node_state(const struct lab *lab, const char *name)
{
    static char text[64];
    struct strbuf out = { 0 };
    uint32_t state, flags;

    node_display_state(model_find_node(control_model(lab->control), name), &state, &flags);
    node_state_format(state, flags, &out);
    snprintf(text, sizeof(text), "%s", strbuf_text(&out));
    strbuf_clear(&out);
    return text;
}

/* "n1:0-1,n2:2": the nodes of a step and their tasks. */
static inline const char *lab_layout(const struct lab *lab, uint32_t job, uint32_t step_id)
{
    static char text[256];
    struct strbuf out = { 0 };
    const struct step *step = job_find_step(lab_job(lab, job), step_id);

    ck_assert(step != NULL);
    for (uint32_t i = 0; i < step->rec.nodes_n; i++) {
        strbuf_addf(&out, "%s%s:", i ? " " : "", step->rec.nodes[i].name);
        for (uint32_t t = 0; t < step->rec.nodes[i].tasks_n; t++)
            strbuf_addf(&out, "%s%u", t ? "," : "", step->rec.nodes[i].tasks[t]);
    }
    snprintf(text, sizeof(text), "%s", strbuf_text(&out));
    strbuf_clear(&out);
    return text;
}

static inline void lab_quiet(struct lab *lab)
{
    strbuf_truncate(&lab->said, 0);
    strbuf_truncate(&lab->orders, 0);
}
