#include "unit/ctld/sched/proof/play.h"

#include "unit/ctld/sched/proof/deadline.h"

#include <inttypes.h>
#include <string.h>

#include "unit/ctld/sched/proof/checker.h"

static void rebuild(struct play *play)
{
    planner_free(play->planner);
    play->planner = planner_new();
    planner_rebuild(play->planner, &play->now);
}

/* When the job leaves; the planner is not told before. */
static int64_t leave_of(const struct play *play, const struct plan_job *job, int64_t from_ms)
{
    const int64_t most =
        job->end_ms == PLAN_NEVER || job->end_ms <= from_ms ? 30000 : job->end_ms - from_ms;

    return play->early ? from_ms + 1 + (int64_t)(job->id * UINT32_C(2654435761) % (uint64_t)most)
                       : job->end_ms;
}

struct play play_new(const struct plan_snapshot *snapshot)
{
    struct play play = { .now = *snapshot };

    play.jobs = xcalloc(snapshot->jobs_n, sizeof(*play.jobs));
    play.fates = xcalloc(snapshot->jobs_n, sizeof(*play.fates));
    for (uint32_t i = 0; i < snapshot->jobs_n; i++) {
        play.jobs[i] = snapshot->jobs[i];
        play.fates[i] = (struct fate){ PLAN_NEVER, PLAN_NEVER };
        if (play.jobs[i].runs)
            play.jobs[i].places = places_keep(play.jobs[i].places, play.jobs[i].places_n);
    }
    play.now.jobs = play.jobs;
    rebuild(&play);
    return play;
}

static void forget_places(struct plan_job *job)
{
    if (job->runs)
        places_drop((struct plan_place *)job->places, job->places_n);
    job->places = NULL;
    job->places_n = 0;
}

void play_clear(struct play *play)
{
    for (uint32_t i = 0; i < play->now.jobs_n; i++)
        forget_places(&play->jobs[i]);
    planner_free(play->planner);
    free(play->jobs);
    free(play->fates);
    *play = (struct play){ 0 };
}

void play_auto_(struct play *play)
{
    play_clear(play);
}

struct plan_job *play_job(struct play *play, uint64_t id)
{
    for (uint32_t i = 0; i < play->now.jobs_n; i++) {
        if (play->jobs[i].id == id)
            return &play->jobs[i];
    }
    return NULL;
}

static void start(struct play *play, const struct plan_decision *decision)
{
    struct plan_job *job = play_job(play, decision->job_id);

    job->runs = true;
    job->options += decision->option;
    job->options_n = 1;
    job->duration_ms = decision->duration_ms;
    job->end_ms = deadline_cut(&play->now, job->options[0].reservation, decision->at_ms,
                               claim_end(decision->at_ms, decision->duration_ms));
    job->places = places_keep(decision->places, decision->places_n);
    job->places_n = decision->places_n;
    play->fates[job - play->jobs] = (struct fate){
        .started_ms = decision->at_ms,
        .leaves_ms = leave_of(play, job, decision->at_ms),
    };
}

bool play_step(struct play *play)
{
    const struct plan_decision *decisions;
    const uint32_t units = play->units ? play->units : UINT32_MAX;
    uint32_t n;
    const bool more = planner_step(play->planner, play->now.now_ms, units, &decisions, &n);

    for (uint32_t i = 0; i < n; i++) {
        if (decisions[i].verdict == PLAN_START)
            start(play, &decisions[i]);
    }
    return more;
}

void play_pass(struct play *play)
{
    while (play_step(play))
        ;
}

struct plan_decision play_ask(struct play *play, const struct plan_job *job)
{
    struct plan_decision decision = { .verdict = PLAN_WAITS };

    planner_ask(play->planner, play->now.now_ms, job);
    play_pass(play);
    planner_answer(play->planner, &decision);
    return decision;
}

static void drop(struct play *play, uint64_t id)
{
    struct plan_job *job = play_job(play, id);
    const size_t at = (size_t)(job - play->jobs), last = play->now.jobs_n - 1;

    forget_places(job);
    memmove(job, job + 1, (last - at) * sizeof(*job));
    memmove(&play->fates[at], &play->fates[at + 1], (last - at) * sizeof(*play->fates));
    play->now.jobs_n--;
}

void play_remove(struct play *play, uint64_t id)
{
    const struct plan_change change = { .kind = PLAN_JOB_REMOVED, .id = id };

    planner_apply(play->planner, play->now.now_ms, &change);
    drop(play, id);
}

void play_without(struct play *play, const struct plan_job *const *jobs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        drop(play, jobs[i]->id);
    rebuild(play);
}

static int64_t leaves_at(const struct play *play, uint32_t i)
{
    const struct plan_job *job = &play->jobs[i];

    if (!job->runs)
        return PLAN_NEVER;
    return play->fates[i].started_ms == PLAN_NEVER ? leave_of(play, job, 0)
                                                   : play->fates[i].leaves_ms;
}

int64_t play_next_leave(const struct play *play)
{
    int64_t next = PLAN_NEVER;

    for (uint32_t i = 0; i < play->now.jobs_n; i++)
        next = leaves_at(play, i) < next ? leaves_at(play, i) : next;
    return next;
}

void play_leave(struct play *play)
{
    for (uint32_t i = play->now.jobs_n; i > 0; i--) {
        if (leaves_at(play, i - 1) <= play->now.now_ms)
            play_remove(play, play->jobs[i - 1].id);
    }
}

static void set_words(const struct bitset *set, struct strbuf *out)
{
    const char *between = "";

    BITSET_FOREACH (set, i) {
        strbuf_addf(out, "%s%lld", between, (long long)i);
        between = ",";
    }
}

void places_words(const struct plan_place *places, uint32_t n, struct strbuf *out)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct plan_place *place = &places[i];

        strbuf_addf(out, " %u:", place->node);
        set_words(&place->cpus, out);
        strbuf_addf(out, "/tasks=%u", place->tasks);
        if (place->row)
            strbuf_addf(out, "/row=%u", place->row);
        if (place->devices.size && !bitset_is_empty(&place->devices)) {
            strbuf_adds(out, "/devices=");
            set_words(&place->devices, out);
        }
        for (uint32_t a = 0; a < PLAN_AMOUNTS_MAX; a++) {
            if (place->amounts[a])
                strbuf_addf(out, "/amount%u=%llu", a, (unsigned long long)place->amounts[a]);
        }
    }
}

static void moment_words(const char *verb, int64_t at_ms, int64_t duration_ms, uint32_t partition,
                         struct strbuf *out)
{
    strbuf_addf(out, "%s %lld", verb, (long long)at_ms);
    if (duration_ms == PLAN_NEVER)
        strbuf_adds(out, " without limit");
    else
        strbuf_addf(out, " for %lld", (long long)duration_ms);
    strbuf_addf(out, " in partition %u on", partition);
}

void decision_words(const struct plan_decision *decision, struct strbuf *out)
{
    switch (decision->verdict) {
    case PLAN_NEVER_FITS:
        strbuf_adds(out, "never fits");
        break;
    case PLAN_WAITS:
        strbuf_adds(out, "waits");
        break;
    case PLAN_LATER:
        if (decision->forecast && decision->places_n == 0) {
            strbuf_addf(out, "may start at %lld", (long long)decision->at_ms);
            break;
        }
        /* fallthrough */
    case PLAN_START:
        moment_words("at", decision->at_ms, decision->duration_ms, decision->partition, out);
        places_words(decision->places, decision->places_n, out);
        break;
    }
}

void reason_words(const struct plan_decision *decision, struct strbuf *out)
{
    strbuf_addf(out, "; why %d, lacks %u", (int)decision->why, decision->lacks);
    if (decision->blockers_n)
        strbuf_adds(out, ", blocked by");
    for (uint32_t i = 0; i < decision->blockers_n; i++)
        strbuf_addf(out, " %" PRIu64, decision->blockers[i]);
}

void play_tell(const struct play *play, uint64_t id, struct strbuf *out)
{
    const struct plan_job *job = play_job((struct play *)play, id);
    struct plan_decision decision;

    if (job->runs) {
        moment_words("at", play->fates[job - play->jobs].started_ms, job->duration_ms,
                     job->options[0].partition, out);
        places_words(job->places, job->places_n, out);
    } else if (planner_look(play->planner, id, &decision)) {
        decision_words(&decision, out);
    } else {
        strbuf_adds(out, "is not known");
    }
}

void play_words(const struct play *play, struct strbuf *out)
{
    for (uint32_t i = 0; i < play->now.jobs_n; i++) {
        struct plan_decision decision;

        if (!planner_look(play->planner, play->jobs[i].id, &decision))
            continue;
        strbuf_addf(out, "%" PRIu64 ": ", play->jobs[i].id);
        decision_words(&decision, out);
        reason_words(&decision, out);
        strbuf_addc(out, '\n');
    }
}

bool words_are_same(const struct strbuf *before, const struct strbuf *after, const char *when,
                    struct strbuf *problem)
{
    const char *had = strbuf_text(before), *has = strbuf_text(after);
    size_t same = 0, line = 0;

    while (had[same] && had[same] == has[same]) {
        if (had[same++] == '\n')
            line = same;
    }
    if (had[same] == has[same])
        return true;
    return wrong(problem, "%s '%.*s' becomes '%.*s'", when, (int)strcspn(had + line, "\n"),
                 had + line, (int)strcspn(has + line, "\n"), has + line);
}
