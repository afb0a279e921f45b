/*
 * The whole life of jobs under anything that users, operators, nodes and crashes do to them. A
 * story is a list of events; one that breaks a promise is told in as few events as still break it.
 */
#include "unit/check_main.h"

#include <string.h>

#include "ctld/control/control.h"
#include "ctld/control/feed/feed.h"
#include "ctld/control/act/state.h"
#include "unit/ctld/control/lab.h"

#define EXIT(code) ((code) << 8)
#define CONFIG                                                                                     \
    "nodes=3 cpus=4 memory=1000 return=1 requeue=1 backfill=1 requeue_exit=3 kill_invalid=1"
#define EVENTS   120
#define JOBS_MAX 2000

enum kind {
    SUBMIT,
    END,
    CANCEL,
    HOLD_IT,
    RELEASE_IT,
    REQUEUE,
    SUSPEND,
    RESUME,
    CHANGE,
    LOSE,
    COME_BACK,
    PASS,
    CRASH,
    KINDS_N,
};

static const char *const names[KINDS_N] = {
    "submit", "end",    "cancel", "hold", "release",   "requeue", "suspend",
    "resume", "change", "lose",   "back", "time goes", "crash",
};

struct event {
    enum kind kind;
    uint32_t a, b, c;
};

static const char *const jobs[] = {
    "ntasks=1 time=60",
    "ntasks=3 time=120 mem=300",
    "nodes=2 time=90 exclusive",
    "nodes=3 time=30 no_kill",
    "ntasks=2 time=100 requeue=1",
    "array=1-6%2 ntasks=1 time=50 mem=10",
    "array=0-4 ntasks=2 time=40 mem=10",
    "ntasks=1 time=70 hold=1",
    "ntasks=3 time=60 deadline=600",
};

/* Before and behind the number of a job that is there, or not any more. */
static const struct {
    const char *before, *behind;
} dependencies[] = {
    { "afterany:", "" },        { "afterok:", "" },
    { "afternotok:", "" },      { "aftercorr:", "" },
    { "after:", "" },           { "after:", "+1" },
    { "afterok:", "_3" },       { "afterok:", "?after:1_2" },
    { "singleton,after:", "" },
};

/* ---- what happens ---- */

static uint32_t job_of(const struct lab *lab, uint32_t any)
{
    return 1 + any % control_model(lab->control)->next_job_id;
}

static char *dependency_of(const struct lab *lab, uint32_t kind, uint32_t any)
{
    const uint32_t i = kind % ARRAY_N(dependencies);

    return xasprintf("%s%u%s", dependencies[i].before, job_of(lab, any), dependencies[i].behind);
}

static void submit_something(struct lab *lab, const struct event *event)
{
    const char *job = jobs[event->a % ARRAY_N(jobs)];
    AUTO_FREE char *dependency = dependency_of(lab, event->b, event->c);
    AUTO_FREE char *dependent = xasprintf("%s after=%s", job, dependency);

    lab_submit(lab, event->c % 3 ? job : dependent);
}

static void end_something(struct lab *lab, const struct event *event)
{
    static const int32_t codes[] = { 0, 0, EXIT(1), EXIT(3), SIGSEGV };
    struct lab_node *node = &lab->nodes[event->a % lab->nodes_n];
    struct lab_held *held = node->held_n ? &node->held[event->b % node->held_n] : NULL;

    if (held && held->report.state == HELD_RUNNING)
        lab_exit_on(lab, node->name, held->report.job_id, held->report.step_id,
                    codes[event->c % ARRAY_N(codes)]);
}

static void change_something(struct lab *lab, const struct event *event)
{
    static const uint32_t tags[] = { SPEC_TAG_time_limit, SPEC_TAG_min_nodes, SPEC_TAG_nice,
                                     SPEC_TAG_priority, SPEC_TAG_dependency };
    AUTO(job_update) struct job_update update;

    job_update_init(&update);
    update.job_id = job_of(lab, event->a);
    update.spec = xmalloc(sizeof(*update.spec));
    job_spec_init(update.spec);
    update.spec->time_limit = 60 * (1 + event->c % 4);
    update.spec->min_nodes = 1 + event->c % 3;
    update.spec->nice = (int32_t)(event->c % 50);
    update.spec->priority = event->c % 5 ? 1000 + event->c % 9 : 0;
    update.spec->dependency = dependency_of(lab, event->b / 6, event->c);
    if (event->b % 6 == 5)
        update.array_limit = event->c % 3;
    else
        *ARRAY_PUSH(update.set, update.set_n) = tags[event->b % 6];
    lab_change(lab, event->c % 2 ? 0 : LAB_USER, &update);
}

static void happen(struct lab *lab, const struct event *event)
{
    struct lab_node *node = &lab->nodes[event->a % lab->nodes_n];
    const uint32_t job = job_of(lab, event->a);
    const uint32_t uid = event->b % 3 ? LAB_USER : 0;

    switch (event->kind) {
    case SUBMIT:
        submit_something(lab, event);
        break;
    case END:
        end_something(lab, event);
        break;
    case CANCEL:
        lab_cancel(lab, job);
        break;
    case HOLD_IT:
        lab_hold(lab, uid, job, event->c % 2 ? HOLD : HOLD_AS_USER);
        break;
    case RELEASE_IT:
        lab_hold(lab, uid, job, HOLD_RELEASE);
        break;
    case REQUEUE:
        lab_requeue(lab, uid, job, event->c % 8);
        break;
    case SUSPEND:
    case RESUME:
        lab_suspend(lab, 0, job, event->kind == RESUME);
        break;
    case CHANGE:
        change_something(lab, event);
        break;
    case LOSE:
        lab_lose(lab, node->name);
        break;
    case COME_BACK:
        if (event->b % 2)
            lab_reboot(lab, node->name);
        else
            lab_register(lab, node->name);
        break;
    case PASS:
        lab_wait(lab, event->b % 60);
        break;
    default:
        lab_restart(lab, CONFIG);
    }
}

/* ---- what must hold; each says what is wrong, or NULL ---- */

/* What was known of each job before the event. */
struct known {
    bool is_known;
    uint32_t state, restarts, launch;
    uint64_t priority;
};

static const char *wrong_step(const struct known *before, const struct job_record *now)
{
    if (!before->is_known)
        return NULL;
    if (now->restarts < before->restarts || now->launch_number < before->launch)
        return "a job counts its runs backwards";
    if (job_state_is_over(before->state) && now->state != before->state &&
        now->restarts == before->restarts)
        return "a job that was over is not, and was not requeued";
    if (before->state == JOB_PENDING && before->priority == 0 && now->priority == 0 &&
        job_state_is_active(now->state))
        return "a held job has started";
    return NULL;
}

static const char *wrong_job(const struct job *job)
{
    const struct job_record *rec = &job->rec;
    const bool holds = job_holds_nodes(job);
    bool clean = true;

    for (uint32_t i = 0; i < rec->nodes_n; i++)
        clean = clean && rec->nodes[i].clean;
    if (!holds && !clean)
        return "cpus are held by a job that does not run";
    if (job_state_is_active(rec->state) && rec->nodes_n == 0)
        return "a job runs nowhere";
    if (job_state_is_active(rec->state) && rec->dependencies_n > 0)
        return "a job runs and waits for others";
    if ((rec->state == JOB_SUSPENDED) != (rec->suspended_ms != 0) &&
        !job_state_is_over(rec->state) && !(rec->flags & JOB_FLAG_COMPLETING))
        return "a job does not know whether it is suspended";
    if (rec->state == JOB_PENDING && !holds && rec->priority > 0 && rec->spec->hold)
        return "a job is held and has a priority";
    if (job_is_task_set(rec) && rec->state != JOB_PENDING && !job_state_is_over(rec->state))
        return "a record of several tasks runs";
    return NULL;
}

static const char *wrong_arrays(const struct model *model)
{
    uint32_t owed = 0;

    for (const struct array *array = model->arrays; array; array = array->hh.next) {
        uint32_t active = 0, told = 0;

        for (const struct job *job = array->jobs; job; job = job->array_next) {
            active += job_state_is_active(job->rec.state);
            told += bitset_count(&job->told);
            owed += job_is_task_set(&job->rec) ? bitset_count(&job->tasks) - 1 : 0;
            BITSET_FOREACH (&job->tasks, task) {
                if (array->task[task] != job)
                    return "two records stand for a task";
            }
        }
        if (active != array->active_n || told != array->told_n)
            return "an array has lost count";
    }
    return owed == model->ids_owed ? NULL : "ids are kept back for nobody";
}

/* Counted from the records, not the sums. */
static const char *wrong_node(const struct model *model, uint32_t index)
{
    const struct node *node = &model->nodes[index];
    uint64_t memory = 0;
    uint32_t cpus = 0;

    for (const struct job *job = model->jobs; job; job = job->hh.next) {
        for (uint32_t n = 0; n < job->rec.nodes_n; n++) {
            const struct job_node *place = &job->rec.nodes[n];

            if (place->clean || job->nodes[n] != index)
                continue;
            for (uint32_t c = 0; c < place->cpus_n; c++) {
                if (cpus & 1u << place->cpus[c])
                    return "two jobs have one cpu";
                cpus |= 1u << place->cpus[c];
            }
            memory += place->memory == MB_UNSET ? 0 : place->memory;
        }
    }
    if ((uint32_t)__builtin_popcount(cpus) != bitset_count(&node->cpus_used) ||
        memory != node->memory_used_mb)
        return "a node has lost count";
    return NULL;
}

static const char *look(const struct lab *lab, struct known *known)
{
    const struct model *model = control_model(lab->control);
    const char *wrong = wrong_arrays(model);

    for (uint32_t i = 0; i < model->nodes_n && !wrong; i++)
        wrong = wrong_node(model, i);
    for (uint32_t id = 1; id < JOBS_MAX && !wrong; id++) {
        const struct job *job = model_find_job(model, id);

        wrong = job ? wrong_job(job) : NULL;
        if (!wrong && job)
            wrong = wrong_step(&known[id], &job->rec);
        known[id] = (struct known){ .is_known = job };
        if (job)
            known[id] = (struct known){ true, job->rec.state, job->rec.restarts,
                                        job->rec.launch_number, job->rec.priority };
    }
    return wrong;
}

/* Nobody is in the way any more: all jobs must come to an end. */
static const char *wrong_end(struct lab *lab)
{
    for (uint32_t i = 0; i < lab->nodes_n; i++) {
        lab_update(lab, 0, lab->nodes[i].name, NODE_UPDATE_RESUME, NULL);
        lab_register(lab, lab->nodes[i].name);
    }
    for (int i = 0; i < 3; i++) {
        for (uint32_t id = 1; id < control_model(lab->control)->next_job_id; id++) {
            lab_hold(lab, 0, id, HOLD_RELEASE);
            lab_suspend(lab, 0, id, true);
        }
    }
    lab_wait(lab, 20000);
    if (control_model(lab->control)->jobs)
        return "a job does not end";
    for (uint32_t i = 0; i < lab->nodes_n; i++) {
        if (strcmp(lab_node_state(lab, lab->nodes[i].name), "IDLE") != 0)
            return "a node is not idle in the end";
    }
    return NULL;
}

/* ---- stories ---- */

static uint32_t dice(uint64_t *seed, uint32_t sides)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % sides;
}

static void invent(uint64_t seed, struct event *events, uint32_t n)
{
    /* How often each comes; jobs must arrive and end for the rest to mean anything. */
    static const uint8_t often[KINDS_N] = { 8, 7, 2, 3, 4, 4, 3, 4, 4, 1, 3, 6, 1 };
    uint32_t sum = 0;

    for (int k = 0; k < KINDS_N; k++)
        sum += often[k];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t pick = dice(&seed, sum);
        int k = 0;

        while (pick >= often[k])
            pick -= often[k++];
        events[i] =
            (struct event){ (enum kind)k, dice(&seed, 997), dice(&seed, 991), dice(&seed, 983) };
    }
}

static const char *play(const struct event *events, uint32_t n, struct strbuf *turns)
{
    struct lab *lab = lab_new(CONFIG);
    AUTO_FREE struct known *known = xcalloc(JOBS_MAX, sizeof(*known));
    const char *wrong = NULL;

    for (uint32_t i = 0; i < n && !wrong; i++) {
        happen(lab, &events[i]);
        wrong = look(lab, known);
    }
    if (!wrong)
        wrong = wrong_end(lab);
    if (turns)
        strbuf_add(turns, lab->turns.data, lab->turns.len);
    lab_free(lab);
    return wrong;
}

/* Leaves out what is not needed for it to go wrong in that way. */
static uint32_t shrink(struct event *events, uint32_t n, const char *wrong)
{
    for (uint32_t i = n; i-- > 0;) {
        const struct event out = events[i];
        const char *still;

        memmove(&events[i], &events[i + 1], (n - i - 1) * sizeof(*events));
        still = play(events, n - 1, NULL);
        if (still && strcmp(still, wrong) == 0) {
            n--;
            continue;
        }
        memmove(&events[i + 1], &events[i], (n - i - 1) * sizeof(*events));
        events[i] = out;
    }
    return n;
}

static void tell(const struct event *events, uint32_t n, struct strbuf *out)
{
    for (uint32_t i = 0; i < n; i++)
        strbuf_addf(out, "\n  %s %u %u %u", names[events[i].kind], events[i].a, events[i].b,
                    events[i].c);
}

START_TEST(promises_hold_in_every_story)
{
    AUTO(strbuf) struct strbuf story = { 0 };
    struct event events[EVENTS];
    const char *wrong;

    invent(100 + (uint64_t)_i, events, EVENTS);
    wrong = play(events, EVENTS, NULL);
    if (wrong) {
        tell(events, shrink(events, EVENTS, wrong), &story);
        ck_abort_msg("seed %d: %s%s", 100 + _i, wrong, strbuf_text(&story));
    }
}
END_TEST

START_TEST(a_story_told_twice_is_the_same_byte_for_byte)
{
    AUTO(strbuf) struct strbuf first = { 0 };
    AUTO(strbuf) struct strbuf second = { 0 };
    struct event events[EVENTS];

    invent(900 + (uint64_t)_i, events, EVENTS);
    play(events, EVENTS, &first);
    play(events, EVENTS, &second);

    ck_assert_uint_gt(first.len, 0);
    ck_assert_uint_eq(first.len, second.len);
    ck_assert_int_eq(memcmp(first.data, second.data, first.len), 0);
}
END_TEST

CHECK_MAIN(life, LOOP_CASE(promises_hold_in_every_story, 60),
           LOOP_CASE(a_story_told_twice_is_the_same_byte_for_byte, 6))
