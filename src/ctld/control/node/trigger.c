#include "ctld/control/node/trigger.h"

#include <errno.h>
#include <string.h>

#include "common/text/hostlist.h"
#include "common/text/words.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/control/act/turn.h"

#define OF_NODES                                                                                   \
    (TRIGGER_DOWN | TRIGGER_UP | TRIGGER_DRAINING | TRIGGER_DRAINED | TRIGGER_FAIL |               \
     TRIGGER_IDLE | TRIGGER_RESUME)
#define OF_NEITHER (TRIGGER_RECONFIG | TRIGGER_STARTED)

#define TRIGGER_WINDOW_MS 5000

struct trigger {
    struct trigger_record rec;
    struct bitset nodes; /* of a job: those it has, or had last */
};

/* What was seen of a node. */
struct trigger_node {
    uint32_t state;    /* bits of enum trigger_event that it is in */
    uint32_t happened; /* in this window */
    int64_t idle_ms;   /* since when it is idle; when it is */
};

struct triggers {
    bool is_looking;            /* there are some, and `nodes` is what was seen at the last turn */
    struct trigger_node *nodes; /* by index */
    uint32_t happened;          /* in this window, of what is no node's */
    int64_t begin_ms, end_ms;   /* the window */
};

struct triggers *triggers_new(void)
{
    return xcalloc(1, sizeof(struct triggers));
}

struct triggers *triggers_free(struct triggers *triggers)
{
    free(triggers->nodes);
    free(triggers);
    return NULL;
}

static struct kept_table *all_of(struct control *control)
{
    return control_kept(control, KEPT_TRIGGER);
}

/* ---- what has happened ---- */

static uint32_t state_of(const struct node *node)
{
    uint32_t state, flags, seen = 0;

    node_display_state(node, &state, &flags);
    if (state == NODE_DOWN)
        seen |= TRIGGER_DOWN;
    if (flags & NODE_FLAG_FAIL)
        seen |= TRIGGER_FAIL;
    if ((flags & NODE_FLAG_DRAIN) && (state == NODE_IDLE || state == NODE_DOWN) &&
        !(flags & NODE_FLAG_COMPLETING))
        seen |= TRIGGER_DRAINED;
    else if (flags & NODE_FLAG_DRAIN)
        seen |= TRIGGER_DRAINING;
    if (state == NODE_IDLE && flags == 0)
        seen |= TRIGGER_IDLE;
    return seen;
}

static void look_at_node(const struct node *node, struct trigger_node *seen, struct moment now)
{
    const uint32_t state = state_of(node), came = state & ~seen->state;

    if (came & TRIGGER_IDLE)
        seen->idle_ms = now.cluster_ms;
    if ((seen->state & TRIGGER_DOWN) && !(state & TRIGGER_DOWN))
        seen->happened |= TRIGGER_UP;
    seen->happened |= came & ~(uint32_t)TRIGGER_IDLE;
    seen->state = state;
}

static void begin_window(struct triggers *triggers, struct moment now)
{
    triggers->begin_ms = now.cluster_ms;
    triggers->end_ms = now.cluster_ms + TRIGGER_WINDOW_MS;
}

static void begin_looking(struct act *act)
{
    struct triggers *triggers = act->control->triggers;
    const struct model *model = act->control->model;

    free(triggers->nodes);
    triggers->nodes = xcalloc((size_t)model->nodes_n + 1, sizeof(*triggers->nodes));
    for (uint32_t i = 0; i < model->nodes_n; i++)
        triggers->nodes[i] = (struct trigger_node){ .state = state_of(&model->nodes[i]),
                                                    .idle_ms = act->now.cluster_ms };
    triggers->is_looking = true;
    begin_window(triggers, act->now);
}

void triggers_restarted(struct act *act)
{
    act->control->triggers->happened |= TRIGGER_STARTED;
    begin_looking(act);
}

void triggers_reconfigured(struct act *act)
{
    act->control->triggers->happened |= TRIGGER_RECONFIG;
    begin_looking(act);
}

void triggers_node_updated(struct control *control)
{
    control->triggers->happened |= TRIGGER_RECONFIG;
}

void triggers_node_resumed(struct control *control, const struct node *node)
{
    if (all_of(control)->n)
        control->triggers->nodes[node->index].happened |= TRIGGER_RESUME;
}

/* Remembers the nodes of a trigger's job, for a job that loses them is asked about later. */
static void note_nodes(const struct control *control, struct trigger *trigger)
{
    const struct job *job = model_find_job(control->model, trigger->rec.job_id);

    if (!job || !job_state_is_active(job->rec.state))
        return;
    if (trigger->nodes.size != control->model->nodes_n) {
        bitset_clear(&trigger->nodes);
        bitset_init(&trigger->nodes, control->model->nodes_n);
    }
    bitset_empty(&trigger->nodes);
    for (uint32_t i = 0; i < job->rec.nodes_n; i++) {
        if (job->nodes[i] != NODE_NONE)
            bitset_add(&trigger->nodes, job->nodes[i]);
    }
}

/* ---- which triggers that pulls ---- */

static bool is_idle_enough(const struct triggers *triggers, const struct trigger_record *rec,
                           const struct trigger_node *node, struct moment now)
{
    int64_t due_ms = node->idle_ms + rec->offset_s * INT64_C(1000);

    if (!(node->state & TRIGGER_IDLE))
        return false;
    if (due_ms <= rec->set_ms)
        due_ms = rec->set_ms + 1;
    return due_ms > triggers->begin_ms && due_ms <= now.cluster_ms;
}

/* Returns the nodes that the trigger is for, in `room` or its own; NULL: all. */
static const struct bitset *nodes_of(const struct control *control, const struct trigger *trigger,
                                     struct bitset *room)
{
    if (trigger->rec.job_id)
        return &trigger->nodes;
    if (!trigger->rec.nodes)
        return NULL;
    if (model_node_set(control->model, trigger->rec.nodes, room, NULL) < 0)
        bitset_init(room, control->model->nodes_n); /* a new configuration has them no more */
    return room;
}

/* Returns the nodes to which it has happened, as a host list to be freed; NULL: none. */
static char *pull_by_nodes(const struct control *control, const struct trigger *trigger,
                           struct moment now)
{
    const struct triggers *triggers = control->triggers;
    AUTO(bitset) struct bitset room = { 0 };
    const struct bitset *set = nodes_of(control, trigger, &room);
    AUTO(hostlist) struct hostlist *hosts = hostlist_new();

    for (uint32_t i = 0; i < control->model->nodes_n; i++) {
        const struct trigger_node *node = &triggers->nodes[i];

        if (set && (set->size <= i || !bitset_has(set, i)))
            continue;
        if ((node->happened & trigger->rec.events) ||
            ((trigger->rec.events & TRIGGER_IDLE) &&
             is_idle_enough(triggers, &trigger->rec, node, now)))
            hostlist_add(hosts, control->model->nodes[i].rec.name);
    }
    return hostlist_count(hosts) ? hostlist_format(hosts) : NULL;
}

static bool is_job_over(const struct job *job)
{
    return !job || job_state_is_over(job->rec.state);
}

static bool is_time_up(const struct trigger_record *rec, const struct job *job, struct moment now)
{
    const int64_t before_ms = rec->offset_s < 0 ? -rec->offset_s * INT64_C(1000) : 0;

    if (is_job_over(job))
        return job && job->rec.state == JOB_TIMEOUT;
    return job->rec.state == JOB_RUNNING && job_limit_ms(job) != INT64_MAX &&
           job_limit_ms(job) - before_ms <= now.cluster_ms;
}

static char *pull_by_job(const struct trigger_record *rec, const struct job *job, struct moment now)
{
    const bool fini = (rec->events & TRIGGER_FINI) && is_job_over(job);
    const bool time = (rec->events & TRIGGER_TIME) && is_time_up(rec, job, now);

    return fini || time ? xasprintf("%u", rec->job_id) : NULL;
}

static char *pull(const struct control *control, const struct trigger *trigger, struct moment now)
{
    const struct trigger_record *rec = &trigger->rec;
    const uint32_t other = rec->events & control->triggers->happened & OF_NEITHER;
    char *argument = NULL;

    if (rec->job_id)
        argument = pull_by_job(rec, model_find_job(control->model, rec->job_id), now);
    if (!argument && (rec->events & OF_NODES))
        argument = pull_by_nodes(control, trigger, now);
    if (!argument && other)
        argument = xstrdup(trigger_event_name(other));
    return argument;
}

/* Returns the delay of the program in ms: 0 for idle nodes, which were idle so long already. */
static int64_t delay_ms(const struct trigger_record *rec)
{
    return rec->events == TRIGGER_IDLE || rec->offset_s < 0 ? 0 : rec->offset_s * INT64_C(1000);
}

static void run_program(struct trigger_record *rec, struct turn *turn)
{
    *ARRAY_PUSH(turn->triggers, turn->triggers_n) =
        (struct trigger_order){ .id = rec->id,
                                .uid = rec->uid,
                                .program = xstrdup(rec->program),
                                .argument = STEAL(rec->pulled) };
    rec->due_ms = 0;
}

/* True if the trigger can be dropped, for nothing more will happen to a job that is over. */
static bool is_spent(const struct control *control, const struct trigger_record *rec)
{
    return rec->job_id && !rec->pulled && is_job_over(model_find_job(control->model, rec->job_id));
}

static void go_on(struct act *act, struct trigger *trigger)
{
    struct trigger_record *rec = &trigger->rec;
    const bool was_pulled = rec->pulled != NULL;
    bool has_run;

    if (!was_pulled) {
        rec->pulled = pull(act->control, trigger, act->now);
        rec->due_ms = rec->pulled ? act->now.cluster_ms + delay_ms(rec) : 0;
    }
    has_run = rec->pulled && rec->due_ms <= act->now.cluster_ms;
    if (has_run)
        run_program(rec, act->turn);
    if ((has_run && (!rec->permanent || (rec->events & TRIGGER_TIME))) ||
        is_spent(act->control, rec)) {
        kept_drop(act, KEPT_TRIGGER, trigger);
    } else if (has_run ? was_pulled : was_pulled != (rec->pulled != NULL)) {
        kept_note(act, KEPT_TRIGGER, rec);
    }
}

void triggers_close_window(struct act *act)
{
    struct triggers *triggers = act->control->triggers;
    struct trigger *trigger;
    uint64_t serial = 0;

    while ((trigger = kept_next(all_of(act->control), &serial)))
        go_on(act, trigger);
    for (uint32_t i = 0; i < act->control->model->nodes_n; i++)
        triggers->nodes[i].happened = 0;
    triggers->happened = 0;
    begin_window(triggers, act->now);
}

void control_watch_triggers(struct act *act)
{
    struct triggers *triggers = act->control->triggers;
    const struct kept_table *all = all_of(act->control);
    struct trigger *trigger;
    uint64_t serial = 0;

    triggers->is_looking = all->n > 0;
    if (!triggers->is_looking)
        return;
    for (uint32_t i = 0; i < act->control->model->nodes_n; i++)
        look_at_node(&act->control->model->nodes[i], &triggers->nodes[i], act->now);
    while ((trigger = kept_next(all, &serial))) {
        if (trigger->rec.job_id)
            note_nodes(act->control, trigger);
    }
    if (act->now.cluster_ms >= triggers->end_ms)
        triggers_close_window(act);
    if (all->n)
        control_wake_at(act->control, triggers->end_ms);
}

/* ---- rules ---- */

/* Refuses a trigger of another user than SlurmUser unless such are allowed and the controller is
 * root: programs run as the user who has set the trigger, which only root can do for others. */
static int check_setter(const struct control *control, const struct caller *caller, struct err *err)
{
    const struct model_config *config = &control->model->config;

    if (caller->uid == config->slurm_uid)
        return 0;
    if (!config->user_triggers)
        return err_set(err, E_ACCESS, "%s: only %s, the SlurmUser, may set triggers",
                       err_string(E_ACCESS), config->slurm_user);
    if (config->slurm_uid != 0)
        return err_set(err, E_ACCESS,
                       "%s: allow_user_triggers takes SlurmUser=root: slurmctld runs as %s and "
                       "cannot run the programs of others",
                       err_string(E_ACCESS), config->slurm_user);
    return 0;
}

static int check_job(const struct control *control, const struct trigger_record *request,
                     struct err *err)
{
    const struct job *job = model_find_job(control->model, request->job_id);

    if (!request->job_id && (request->events & TRIGGER_EVENTS_OF_JOBS))
        return err_set(err, E_JOB_ID, "%s: this event is of a job", err_string(E_JOB_ID));
    if (!request->job_id)
        return 0;
    if (!job)
        return err_set(err, E_JOB_ID, "%s", err_string(E_JOB_ID));
    if (is_job_over(job))
        return err_set(err, E_ALREADY_DONE, "%s", err_string(E_ALREADY_DONE));
    return 0;
}

/* True if the user waits for the same already, to run the same program. */
static bool is_set(const struct kept_table *all, const struct caller *caller,
                   const struct trigger_record *request)
{
    const struct trigger_record *rec;
    uint64_t serial = 0;

    while ((rec = kept_next(all, &serial))) {
        if (rec->uid == caller->uid && rec->events == request->events &&
            rec->job_id == request->job_id && rec->offset_s == request->offset_s && !rec->pulled &&
            text_is(rec->nodes, request->nodes) && text_is(rec->program, request->program))
            return true;
    }
    return false;
}

static int check_request(const struct control *control, const struct trigger_record *request,
                         struct err *err)
{
    AUTO(bitset) struct bitset nodes = { 0 };
    const uint32_t known = OF_NODES | OF_NEITHER | TRIGGER_EVENTS_OF_JOBS;

    if (request->events == 0 || (request->events & ~known))
        return err_set(err, EINVAL, "trigger on unknown events %#x", request->events);
    if (request->program[0] != '/' || strlen(request->program) > TRIGGER_PROGRAM_MAX)
        return err_set(err, EINVAL,
                       "trigger's program '%.100s': not a whole path of at most %d bytes",
                       request->program, TRIGGER_PROGRAM_MAX);
    if (request->offset_s > TRIGGER_OFFSET_MAX || request->offset_s < -TRIGGER_OFFSET_MAX)
        return err_set(err, EINVAL, "trigger's offset %d s: more than %d", request->offset_s,
                       TRIGGER_OFFSET_MAX);
    if (request->nodes && model_node_set(control->model, request->nodes, &nodes, err) < 0)
        return err ? -err->code : -E_NODE_NAME;
    return check_job(control, request, err);
}

static int check_new(struct act *act, struct trigger_record *rec, struct err *err)
{
    const struct kept_table *all = all_of(act->control);
    int rc = check_setter(act->control, act->caller, err);

    if (rc == 0 && all->n >= TRIGGERS_MAX)
        rc = err_set(err, ENOSPC, "%d triggers are set already", TRIGGERS_MAX);
    if (rc == 0)
        rc = check_request(act->control, rec, err);
    if (rc == 0 && is_set(all, act->caller, rec))
        rc = err_set(err, E_TRIGGER_DUPLICATE, "%s", err_string(E_TRIGGER_DUPLICATE));
    if (rc < 0)
        return rc;
    rec->uid = act->caller->uid;
    xstrset(&rec->user, act->caller->user_name);
    rec->set_ms = act->now.cluster_ms;
    xstrset(&rec->pulled, NULL);
    rec->due_ms = 0;
    return 0;
}

static int check(struct act *act, const void *before, void *after, struct err *err)
{
    const struct trigger_record *rec = before;

    if (!before)
        return check_new(act, after, err);
    if (!caller_has_level(act->caller, LEVEL_ROOT) && act->caller->uid != rec->uid)
        return err_set(err, E_ACCESS, "%s", err_string(E_ACCESS));
    if (after)
        return err_set(err, E_NOT_SUPPORTED, "trigger %u is not changed: clear it and set another",
                       rec->id);
    return 0;
}

/* Begins to look at what happens when there is a first trigger: without one, nobody has looked. */
static void changed(struct act *act, const void *before, void *after)
{
    (void)after;
    if (before || act->control->triggers->is_looking)
        return;
    act->control->triggers->happened = 0;
    begin_looking(act);
}

static bool shows(const struct control *control, const struct caller *caller, const void *record)
{
    (void)control;
    (void)caller;
    (void)record;
    return true;
}

static void release(void *record)
{
    bitset_clear(&((struct trigger *)record)->nodes);
}

const struct kept_rules trigger_rules = { .kind = KEPT_TRIGGER,
                                          .room = sizeof(struct trigger),
                                          .release = release,
                                          .check = check,
                                          .changed = changed,
                                          .shows = shows };
