#include "ctld/sim/sim.h"

#include "ctld/sim/ends.h"

/* The planner names jobs from 1 on. */
uint32_t sim_plan_id(uint32_t index)
{
    return index + 1;
}

static uint32_t index_of(uint32_t plan_id)
{
    return plan_id - 1;
}

/* How a job stands, beside what is told of it. */
struct sim_state {
    bool waits;
    uint64_t serial; /* of its start, when it runs; else 0 */
    uint32_t *nodes; /* that it runs on */
    uint32_t nodes_n;
};

struct sim {
    struct sim_setup setup;
    struct planner *planner;
    struct sim_state *states; /* of each job */
    struct ends ends;
    struct run_end *due; /* those of this instant */
    uint32_t due_n;
    int64_t now_ms;
    uint64_t starts_n;
    uint64_t cpus_free; /* of all nodes, were all usable */
    uint32_t next_input, ended_n;
    uint64_t passes_n;
};

static int64_t duration_told(const struct sim *sim, uint32_t index)
{
    const struct sim_job *job = &sim->setup.jobs[index];

    return sim->setup.estimates_runs ? job->run_ms : job->limit_ms;
}

/* ---- starts and ends ---- */

static void note_start(struct sim *sim, uint32_t index, int64_t at_ms,
                       const struct plan_place *places, uint32_t places_n)
{
    struct sim_job *job = &sim->setup.jobs[index];
    struct sim_state *state = &sim->states[index];

    job->start_ms = at_ms;
    sim->cpus_free -= job->procs;
    *state = (struct sim_state){ .serial = ++sim->starts_n };
    for (uint32_t i = 0; i < places_n; i++)
        *ARRAY_PUSH(state->nodes, state->nodes_n) = places[i].node;
    ends_push(&sim->ends, (struct run_end){
                              .at_ms = at_ms + job->run_ms,
                              .early = job->run_ms < duration_told(sim, index),
                              .serial = sim->starts_n,
                              .job = index,
                          });
}

static void on_decision(struct sim *sim, const struct plan_decision *decision)
{
    const uint32_t index = index_of(decision->job_id);

    if (decision->verdict != PLAN_START)
        return;
    note_start(sim, index, sim->now_ms, decision->places, decision->places_n);
    if (sim->setup.on_start)
        sim->setup.on_start(sim->setup.ctx, index, decision);
}

static void pass(struct sim *sim)
{
    const struct plan_decision *decisions;
    uint32_t n;
    bool more = true;

    sim->passes_n++;
    while (more) {
        more = planner_step(sim->planner, sim->now_ms, UINT32_MAX, &decisions, &n);
        for (uint32_t i = 0; i < n; i++)
            on_decision(sim, &decisions[i]);
    }
}

static void apply(struct sim *sim, const struct plan_change *change)
{
    planner_apply(sim->planner, sim->now_ms, change);
}

static void remove_job(struct sim *sim, uint32_t index)
{
    if (sim->states[index].serial)
        sim->cpus_free += sim->setup.jobs[index].procs;
    free(sim->states[index].nodes);
    sim->states[index] = (struct sim_state){ 0 };
    apply(sim, &(struct plan_change){ .kind = PLAN_JOB_REMOVED, .id = sim_plan_id(index) });
}

static void end_job(struct sim *sim, uint32_t index)
{
    remove_job(sim, index);
    sim->setup.jobs[index].end_ms = sim->now_ms;
    sim->ended_n++;
}

/* Ends of jobs that were taken off their nodes before are no longer true. */
static bool is_void(const struct sim *sim, const struct run_end *end)
{
    return sim->states[end->job].serial != end->serial;
}

static void drop_void_ends(struct sim *sim)
{
    while (sim->ends.n && is_void(sim, &sim->ends.at[0]))
        ends_pop(&sim->ends);
}

/* What ends at this instant, in order of starts. Jobs at their limit give back what they hold. */
static void begin_ends(struct sim *sim)
{
    sim->due_n = 0;
    for (drop_void_ends(sim); sim->ends.n && sim->ends.at[0].at_ms <= sim->now_ms;
         drop_void_ends(sim)) {
        const struct run_end end = ends_pop(&sim->ends);

        *ARRAY_PUSH(sim->due, sim->due_n) = end;
        if (!end.early)
            end_job(sim, end.job);
    }
}

/* `changed`: the planner has not seen yet what was given back. */
static void finish_ends(struct sim *sim, bool changed)
{
    for (uint32_t i = 0; i < sim->due_n; i++) {
        const struct run_end *end = &sim->due[i];

        if (end->early && is_void(sim, end))
            continue;
        if (end->early)
            end_job(sim, end->job);
        if (end->early || changed)
            pass(sim);
        changed = false;
    }
}

/* ---- inputs ---- */

static void add_job(struct sim *sim, uint32_t index)
{
    const struct sim_job *job = &sim->setup.jobs[index];
    struct plan_job plan = { 0 };

    sim->setup.ask(sim->setup.ctx, index, &plan);
    plan.id = sim_plan_id(index);
    plan.submit_ms = job->submit_ms;
    plan.since_ms = job->submit_ms;
    plan.duration_ms = duration_told(sim, index);
    sim->states[index].waits = true;
    apply(sim, &(struct plan_change){ .kind = PLAN_JOB_ADDED, .job = &plan });
}

static void cancel(struct sim *sim, uint32_t index)
{
    if (sim->states[index].waits || sim->states[index].serial)
        end_job(sim, index);
}

static bool runs_on(const struct sim_state *state, uint32_t node)
{
    for (uint32_t i = 0; i < state->nodes_n; i++) {
        if (state->nodes[i] == node)
            return true;
    }
    return false;
}

/* The jobs of a node that died wait again, with the place in the queue that they had. */
static void requeue_from(struct sim *sim, uint32_t node)
{
    for (uint32_t i = 0; i < sim->setup.jobs_n; i++) {
        if (!runs_on(&sim->states[i], node))
            continue;
        remove_job(sim, i);
        sim->setup.jobs[i].start_ms = SIM_NEVER;
        add_job(sim, i);
    }
}

static void set_usable(struct sim *sim, uint32_t node, bool usable)
{
    apply(sim, &(struct plan_change){ .kind = PLAN_NODE_USABLE, .node = node, .usable = usable });
}

/* True when the planner has to look at its queue again. */
static bool take_input(struct sim *sim, const struct sim_input *input)
{
    switch (input->kind) {
    case SIM_SUBMIT:
        add_job(sim, input->index);
        if (sim->setup.jobs[input->index].procs <= sim->cpus_free)
            pass(sim);
        return false;
    case SIM_CANCEL:
        cancel(sim, input->index);
        break;
    case SIM_NODE_UP:
        set_usable(sim, input->index, true);
        break;
    case SIM_NODE_DRAIN:
        set_usable(sim, input->index, false);
        break;
    case SIM_NODE_DOWN:
        set_usable(sim, input->index, false);
        requeue_from(sim, input->index);
        break;
    }
    return true;
}

static bool take_inputs(struct sim *sim)
{
    bool changed = false;

    while (sim->next_input < sim->setup.inputs_n &&
           sim->setup.inputs[sim->next_input].at_ms <= sim->now_ms)
        changed = take_input(sim, &sim->setup.inputs[sim->next_input++]) || changed;
    return changed;
}

/* ---- time ---- */

static int64_t next_moment(struct sim *sim)
{
    int64_t next = planner_wakes_at(sim->planner);

    drop_void_ends(sim);
    if (sim->ends.n && sim->ends.at[0].at_ms < next)
        next = sim->ends.at[0].at_ms;
    if (sim->next_input < sim->setup.inputs_n && sim->setup.inputs[sim->next_input].at_ms < next)
        next = sim->setup.inputs[sim->next_input].at_ms;
    return next;
}

bool sim_advance(struct sim *sim)
{
    const int64_t next = next_moment(sim);
    bool passed;

    if (next == PLAN_NEVER)
        return false;
    sim->now_ms = next > sim->now_ms ? next : sim->now_ms;
    begin_ends(sim);
    passed = take_inputs(sim);
    if (sim->due_n == 0 && planner_wakes_at(sim->planner) <= sim->now_ms)
        passed = true;
    if (passed)
        pass(sim);
    finish_ends(sim, !passed);
    return true;
}

/* ---- the simulation as a whole ---- */

static void take_running(struct sim *sim, const struct plan_snapshot *cluster)
{
    for (uint32_t i = 0; i < cluster->jobs_n; i++) {
        const struct plan_job *job = &cluster->jobs[i];
        const uint32_t index = index_of(job->id);

        if (job->runs)
            note_start(sim, index, sim->setup.jobs[index].start_ms, job->places, job->places_n);
        else
            sim->states[index].waits = true;
    }
}

struct sim *sim_new(const struct sim_setup *setup)
{
    struct sim *sim = xcalloc(1, sizeof(*sim));

    sim->setup = *setup;
    sim->planner = planner_new();
    sim->states = xcalloc(setup->jobs_n, sizeof(*sim->states));
    sim->now_ms = setup->cluster->now_ms;
    for (uint32_t i = 0; i < setup->cluster->nodes_n; i++)
        sim->cpus_free += setup->cluster->nodes[i].cpus;
    planner_rebuild(sim->planner, setup->cluster);
    take_running(sim, setup->cluster);
    return sim;
}

struct sim *sim_free(struct sim *sim)
{
    if (!sim)
        return NULL;
    for (uint32_t i = 0; i < sim->setup.jobs_n; i++)
        free(sim->states[i].nodes);
    free(sim->states);
    free(sim->due);
    ends_clear(&sim->ends);
    planner_free(sim->planner);
    free(sim);
    return NULL;
}

int64_t sim_now(const struct sim *sim)
{
    return sim->now_ms;
}

const struct planner *sim_planner(const struct sim *sim)
{
    return sim->planner;
}

uint32_t sim_ended_n(const struct sim *sim)
{
    return sim->ended_n;
}

uint64_t sim_passes_n(const struct sim *sim)
{
    return sim->passes_n;
}
