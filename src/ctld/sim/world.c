#include "ctld/sim/world_state.h"

#include <string.h>

#include "common/text/hostlist.h"
#include "ctld/control/act/act.h"
#include "ctld/control/control.h"
#include "ctld/control/job/finish.h"
#include "ctld/control/answer/info.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/node/node.h"
#include "ctld/control/node/update.h"
#include "ctld/control/reserve/reserve.h"
#include "ctld/control/resv/resv.h"
#include "ctld/control/schedule.h"
#include "ctld/control/job/signal.h"
#include "ctld/control/job/submit.h"
#include "ctld/control/tick.h"
#include "ctld/control/act/turn.h"

/* Units of planning at a time: how many does not change what comes out. */
#define WORK 100000

static struct moment moment_of(const struct world *world)
{
    return (struct moment){ .wall_s = world->wall_s + world->now_ms / 1000,
                            .wall_part_ms = world->now_ms % 1000,
                            .cluster_ms = world->begin_ms + world->now_ms };
}

struct act *world_act(struct world *world, const struct caller *caller)
{
    world->act = (struct act){
        .control = world->control, .now = moment_of(world), .turn = &world->turn, .caller = caller
    };
    return &world->act;
}

static struct world_job *find_job(const struct world *world, uint32_t id)
{
    struct job_name *name;

    HASH_FIND_INT(world->names, &id, name);
    return name ? &world->jobs[name->number] : NULL;
}

/* ---- pools ---- */

void world_claim(struct world *world, const struct plan_claim *claims, uint32_t n)
{
    free(world->next_claims);
    world->next_claims = xmemdup(claims, n * sizeof(*claims));
    world->next_claims_n = n;
}

/* Returns the job's claims of pools. While it is submitted the controller may know it, and the
 * world not yet: its claims are then the next ones. */
const struct plan_claim *world_claims_of(void *ctx, const struct job_record *rec, uint32_t *ret_n)
{
    const struct world *world = ctx;
    const struct world_job *job = find_job(world, rec->array_job_id ? rec->array_job_id : rec->id);

    *ret_n = job ? job->claims_n : world->next_claims_n;
    return job ? job->claims : world->next_claims;
}

void world_set_pool(struct world *world, uint32_t number, const struct plan_pool *pool)
{
    struct plan_pool *known = &world->pools[number];

    known->total = pool->total;
    known->opens_ms = pool->opens_ms + world->begin_ms;
    feed_pool(world_act(world, NULL), number, known);
    world_settle(world);
}

/* ---- what nodes do ---- */

static void report_step(struct world *world, const struct world_job *job, uint32_t held)
{
    AUTO(step_report) struct step_report report;

    step_report_init(&report);
    report.job_id = job->id;
    report.step_id = STEP_BATCH;
    report.launch_number = job->launch_number;
    report.state = held;
    if (held == HELD_ENDED)
        *ARRAY_PUSH(report.exits, report.exits_n) = (struct task_exit){ 0 };
    control_step_report(world_act(world, NULL), job->first_node, &report);
}

static void report_clean(struct world *world, const char *node, uint32_t job_id)
{
    AUTO(node_report) struct node_report report;

    node_report_init(&report);
    *ARRAY_PUSH(report.clean_jobs, report.clean_jobs_n) = job_id;
    control_node_report(world_act(world, NULL), node, &report);
}

void world_note_start(struct world *world, struct world_job *job, const struct job_record *rec,
                      int64_t at_ms)
{
    AUTO(hostlist) struct hostlist *names = hostlist_new();

    job->start_ms = at_ms;
    job->end_ms = WORLD_NEVER;
    job->serial = ++world->starts_n;
    for (uint32_t i = 0; i < rec->nodes_n; i++)
        hostlist_add(names, rec->nodes[i].name);
    hostlist_sort(names);
    free(job->nodes);
    job->nodes = hostlist_format(names);
    if (job->run_ms < WORLD_NEVER - world->now_ms)
        ends_push(&world->ends, (struct run_end){ .at_ms = at_ms + job->run_ms,
                                                  .serial = job->serial,
                                                  .job = (uint32_t)(job - world->jobs) });
}

/* Follows a job of which the controller has noted something: it may have ended, or wait again. */
static void follow_job(struct world *world, uint32_t id)
{
    const struct job *known = model_find_job(control_model(world->control), id);
    struct world_job *job = find_job(world, id);

    if (!job || !known)
        return;
    job->state = known->rec.state;
    if (job->serial == 0 || known->rec.state == JOB_RUNNING)
        return;
    job->serial = 0;
    job->end_ms = world->now_ms;
    if (known->rec.state == JOB_PENDING)
        job->start_ms = job->end_ms = WORLD_NEVER;
}

static void launch(struct world *world, const struct effect *effect)
{
    const struct order_launch *order = effect->msg;
    AUTO(launch_cred) struct launch_cred cred;
    const struct job *known;
    struct world_job *job;

    if (schema_decode(launch_cred_schema(), order->cred.data, order->cred.n, &cred, NULL) < 0)
        return;
    known = model_find_job(control_model(world->control), cred.job_id);
    job = find_job(world, cred.job_id);
    if (!job || !known)
        return;
    job->launch_number = cred.launch_number;
    xstrset(&job->first_node, effect->node);
    world_note_start(world, job, &known->rec, world->now_ms);
    report_step(world, job, HELD_RUNNING);
}

/* Ends a step alone, or the whole job, of which then nothing is left. */
static void end(struct world *world, const char *node, const struct order_end *order)
{
    const struct world_job *job = find_job(world, order->job_id);

    if (job && job->first_node && strcmp(job->first_node, node) == 0)
        report_step(world, job, HELD_ENDED);
    if (order->step_id == COUNT_UNSET)
        report_clean(world, node, order->job_id);
}

static void obey(struct world *world, const struct effect *effect)
{
    if (effect->kind != EFFECT_ORDER)
        return;
    if (effect->type == MSG_ORDER_LAUNCH)
        launch(world, effect);
    else if (effect->type == MSG_ORDER_END)
        end(world, effect->node, effect->msg);
}

/* ---- turns ---- */

/* Ends the turn: orders go out, and answers begin the next one. False: the turn had nothing. */
static bool end_turn(struct world *world)
{
    struct turn turn = world->turn;
    const bool was_busy = turn.effects_n || turn.changes.changes_n;

    turn_init(&world->turn);
    for (uint32_t i = 0; i < turn.changes.changes_n; i++) {
        if (turn.changes.changes[i].kind == CHANGE_JOB)
            follow_job(world, turn.changes.changes[i].job_id);
    }
    for (uint32_t i = 0; i < turn.effects_n; i++)
        obey(world, &turn.effects[i]);
    turn_clear(&turn);
    return was_busy;
}

void world_settle(struct world *world)
{
    do {
        while (end_turn(world))
            ;
        control_tick(world_act(world, NULL));
        while (control_schedule(world_act(world, NULL), WORK))
            ;
    } while (world->turn.effects_n || world->turn.changes.changes_n);
}

/* ---- the end ---- */

static void forget_names(struct world *world)
{
    struct job_name *name, *next;

    HASH_ITER (hh, world->names, name, next) {
        HASH_DEL(world->names, name);
        free(name);
    }
}

struct world *world_free(struct world *world)
{
    if (!world)
        return NULL;
    for (uint32_t i = 0; i < world->jobs_n; i++) {
        free(world->jobs[i].nodes);
        free(world->jobs[i].first_node);
        free(world->jobs[i].claims);
    }
    free(world->pools);
    free(world->next_claims);
    free(world->jobs);
    forget_names(world);
    ends_clear(&world->ends);
    turn_clear(&world->turn);
    control_free(world->control);
    free(world);
    return NULL;
}

/* ---- what users and operators do ---- */

static const char *user_name(const struct world *world, uint32_t uid)
{
    if (uid == 0)
        return "root";
    return uid - world->first_uid < world->users_n ? world->users[uid - world->first_uid] : "user";
}

static struct caller user(const struct world *world, uint32_t uid)
{
    return (struct caller){ .uid = uid,
                            .gid = uid,
                            .level = uid == 0 ? LEVEL_ROOT : LEVEL_USER,
                            .user_name = user_name(world, uid),
                            .group_name = uid == 0 ? "root" : "users",
                            .home = "/",
                            .shell = "/bin/sh" };
}

int64_t world_submit(struct world *world, uint32_t uid, const struct job_spec *spec, int64_t run_ms,
                     struct err *err)
{
    const struct caller caller = user(world, uid);
    const uint32_t number = world->jobs_n;
    struct world_job *job = ARRAY_PUSH(world->jobs, world->jobs_n);
    AUTO(job_submit) struct job_submit asked;
    int rc;

    *job = (struct world_job){
        .run_ms = run_ms, .submit_ms = world->now_ms, .start_ms = WORLD_NEVER, .end_ms = WORLD_NEVER
    };
    job_submit_init(&asked);
    asked.spec = xmalloc(sizeof(*asked.spec));
    schema_copy(job_spec_schema(), asked.spec, spec);
    asked.spec->kind = JOB_KIND_BATCH;
    asked.body = xmalloc(sizeof(*asked.body));
    job_body_init(asked.body);
    /* A script is known by its SHA-256; nobody will ask for this one. */
    asked.body->script_sha256 = (struct blob){ xcalloc(1, SHA256_BYTES), SHA256_BYTES };
    rc = control_submit(world_act(world, &caller), &asked, &job->id, err);
    if (rc < 0)
        return rc;
    world->jobs[number].claims = STEAL(world->next_claims);
    world->jobs[number].claims_n = world->next_claims_n;
    world->next_claims_n = 0;
    world_learn_id(world, number);
    world_settle(world);
    return number;
}

static int signal_job(struct world *world, uint32_t job, struct err *err)
{
    const struct caller root = user(world, 0);
    const struct job_signal request = { .job_id = world->jobs[job].id,
                                        .step_id = COUNT_UNSET,
                                        .flags = SIGNAL_CANCEL };

    return control_signal(world_act(world, &root), &request, err);
}

int world_cancel(struct world *world, uint32_t job, struct err *err)
{
    const int rc = signal_job(world, job, err);

    world_settle(world);
    return rc;
}

int world_reserve(struct world *world, const struct reservation_change *change, struct err *err)
{
    const struct caller root = user(world, 0);
    AUTO(reservation_changed) struct reservation_changed changed;
    int rc;

    reservation_changed_init(&changed);
    rc = reserve_change(world_act(world, &root), change, &changed, err);
    world_settle(world);
    return rc;
}

int world_set_node(struct world *world, const char *names, uint32_t state, struct err *err)
{
    const struct caller root = user(world, 0);
    const struct node_update request = { .names = (char *)names,
                                         .resume_after_s = COUNT_UNSET,
                                         .state = state,
                                         .reason = (char *)"simulated" };
    int rc;

    rc = control_node_update(world_act(world, &root), &request, err);
    world_settle(world);
    return rc;
}

/* ---- time ---- */

static void drop_void_ends(struct world *world)
{
    while (world->ends.n && world->jobs[world->ends.at[0].job].serial != world->ends.at[0].serial)
        ends_pop(&world->ends);
}

/* Ends a job. One of which no script is known here is ended from above. */
static void end_job(struct world *world, uint32_t number)
{
    const struct world_job *job = &world->jobs[number];

    if (job->first_node)
        report_step(world, job, HELD_ENDED);
    else
        (void)signal_job(world, number, NULL);
}

/* Ends all jobs whose processes are done, before the controller looks again. */
static void end_due(struct world *world)
{
    for (drop_void_ends(world); world->ends.n && world->ends.at[0].at_ms <= world->now_ms;
         drop_void_ends(world)) {
        end_job(world, ends_pop(&world->ends).job);
        while (end_turn(world))
            ;
    }
}

static int64_t next_moment(struct world *world)
{
    int64_t next = control_next_ms(world->control, moment_of(world));

    next = next == INT64_MAX ? WORLD_NEVER : next - world->begin_ms;
    drop_void_ends(world);
    if (world->ends.n && world->ends.at[0].at_ms < next)
        next = world->ends.at[0].at_ms;
    return next;
}

/* A job that waits may do so for a time of a reservation that comes again; within a week each has
 * had its turn. */
#define AGAIN_MS (INT64_C(8) * 24 * 3600 * 1000)

static bool awaits_reservation(const struct world *world, struct moment now)
{
    const struct reservation_record *resv;
    uint64_t at = 0;

    while ((resv = resv_next(world->control, &at))) {
        if (resv->flags & RESV_TIME_FLOAT)
            continue;
        if (resv->flags & RESV_COMES_AGAIN ? world->now_ms < world->told_ms + AGAIN_MS
                                           : now.wall_s < resv->end)
            return true;
    }
    return false;
}

/* True if anything can still happen: jobs run or wait for a time or a reservation, or gates will
 * open. Without those the controller's timers change nothing. */
static bool is_alive(const struct world *world)
{
    const struct moment now = moment_of(world);
    const bool comes = awaits_reservation(world, now);

    for (uint32_t i = 0; i < world->beside.pools_n; i++) {
        if (world->pools[i].kind == PLAN_POOL_GATE && world->pools[i].opens_ms > now.cluster_ms)
            return true;
    }
    for (const struct job *job = control_model(world->control)->jobs; job; job = job->hh.next) {
        if (job->rec.state == JOB_RUNNING || (job->rec.flags & JOB_FLAG_COMPLETING) ||
            (job->rec.state == JOB_PENDING &&
             (job->rec.spec->begin > now.wall_s || (comes && job->rec.priority > 0))))
            return true;
    }
    return false;
}

bool world_advance(struct world *world, int64_t until_ms)
{
    const int64_t next = next_moment(world);

    if (until_ms != WORLD_NEVER)
        world->told_ms = until_ms;
    if (next > until_ms || (until_ms == WORLD_NEVER && (next == WORLD_NEVER || !is_alive(world)))) {
        if (until_ms != WORLD_NEVER)
            world->now_ms = until_ms > world->now_ms ? until_ms : world->now_ms;
        return false;
    }
    world->now_ms = next > world->now_ms ? next : world->now_ms + 1;
    end_due(world);
    world_settle(world);
    return true;
}

/* ---- looking ---- */

int64_t world_now(const struct world *world)
{
    return world->now_ms;
}

uint32_t world_jobs_n(const struct world *world)
{
    return world->jobs_n;
}

const struct world_job *world_job(const struct world *world, uint32_t job)
{
    return &world->jobs[job];
}

const struct control *world_control(const struct world *world)
{
    return world->control;
}

bool world_job_info(const struct world *world, uint32_t job, struct job_info *ret)
{
    const struct job *known = model_find_job(control_model(world->control), world->jobs[job].id);

    if (!known)
        return false;
    control_job_info(world->control, moment_of(world), known, ret);
    return true;
}
