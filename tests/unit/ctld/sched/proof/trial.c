#include "unit/ctld/sched/proof/trial.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/ctld/sched/proof/play.h"
#include "unit/ctld/sched/proof/shrink.h"
#include "unit/ctld/sched/proof/story.h"

#define STORY_MAX   (256 * 1024)
#define PROBLEM_MAX 8192
#define TRIES_MAX   1000
#define STORY_CPU_S 20 /* of a processor: how loaded the machine is does not matter */

/* What the telling process leaves for the one that waits for it. */
struct record {
    char story[STORY_MAX]; /* told so far, the line that is being told included */
    size_t story_n;
    char problem[PROBLEM_MAX];
};

static struct record *record_new(void)
{
    struct record *record =
        mmap(NULL, sizeof(*record), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    ck_assert(record != MAP_FAILED);
    return record;
}

static void record_free(struct record *record)
{
    munmap(record, sizeof(*record));
}

static void record_line(struct record *record, const char *line)
{
    const size_t n = strlen(line);

    ck_assert_msg(record->story_n + n + 2 < STORY_MAX, "a story is too long");
    memcpy(record->story + record->story_n, line, n);
    record->story_n += n;
    record->story[record->story_n++] = '\n';
    record->story[record->story_n] = '\0';
}

static bool ask_promise(trial_promise *promise, const struct sim *sim,
                        const struct plan_snapshot *before, bool done, struct strbuf *problem)
{
    const struct trial_moment moment = {
        .sim = sim,
        .planner = sim->planner,
        .done = done,
        .before = *before,
        .after = sim_snapshot(sim),
    };
    const bool holds = promise(&moment, problem);

    free((void *)moment.after.jobs);
    return holds;
}

/* ---- what was planned in the last pass ---- */

static void note_place(const struct planner *planner, struct sim_job *job)
{
    AUTO(strbuf) struct strbuf words = { 0 };
    struct plan_decision decision;

    free(job->place);
    job->place = NULL;
    job->ran = job->ask.runs;
    if (job->gone || job->ask.runs || !planner_look(planner, job->ask.id, &decision) ||
        decision.places_n == 0)
        return;
    places_words(decision.places, decision.places_n, &words);
    job->place = strbuf_steal(&words);
    job->place_ms = decision.at_ms;
}

static void note_places(struct sim *sim)
{
    for (uint32_t i = 0; i < sim->jobs_n; i++)
        note_place(sim->planner, &sim->jobs[i]);
    sim->taken = false;
    sim->passed_ms = sim->snapshot.now_ms;
}

/* A job runs longer than its limit, or should have started before now. */
static bool is_late(const struct sim *sim, const struct plan_snapshot *before)
{
    for (uint32_t i = 0; i < before->jobs_n; i++) {
        const struct plan_job *job = &before->jobs[i];
        const struct sim_job *known = &sim->jobs[job->id - 1];

        if (job->runs ? job->end_ms <= before->now_ms
                      : known->place && known->place_ms < before->now_ms)
            return true;
    }
    return false;
}

/* A gate opens: it gives back. */
static bool has_opened(const struct sim *sim)
{
    for (uint32_t i = 0; i < sim->snapshot.pools_n; i++) {
        if (sim->pools[i].opens_ms > sim->passed_ms &&
            sim->pools[i].opens_ms <= sim->snapshot.now_ms)
            return true;
    }
    return false;
}

static bool holds_of_ramp(const struct sim *sim, const struct plan_job *job)
{
    for (uint32_t i = 0; job->runs && i < job->options[0].claims_n; i++) {
        const struct plan_claim *claim = &job->options[0].claims[i];

        if (claim->amount && claim->pool < sim->snapshot.pools_n &&
            sim->pools[claim->pool].kind == PLAN_POOL_RAMP)
            return true;
    }
    return false;
}

/* What is held of a ramp has become less: it gives back. Who waited for it may wait for nodes now,
 * as one of those that have places there. */
static bool has_fallen(const struct sim *sim, const struct plan_snapshot *before)
{
    for (uint32_t i = 0; i < before->jobs_n && sim->snapshot.now_ms > sim->passed_ms; i++) {
        if (holds_of_ramp(sim, &before->jobs[i]))
            return true;
    }
    return false;
}

bool trial_tell(trial_promise *promise, struct sim **sim, const char *line, struct strbuf *problem)
{
    struct plan_snapshot before;
    bool done, holds;

    if (!*sim || !story_is_step(line)) {
        story_tell(sim, line);
        return true;
    }
    sim_begin(*sim);
    before = sim_snapshot(*sim);
    done = story_tell(sim, line);
    before.now_ms = (*sim)->snapshot.now_ms;
    (*sim)->taken |= is_late(*sim, &before) || has_opened(*sim) || has_fallen(*sim, &before);
    holds = ask_promise(promise, *sim, &before, done, problem);
    if (done)
        note_places(*sim);
    free((void *)before.jobs);
    return holds;
}

/* The line is on record before it is told: it may be the last one. */
static bool tell(trial_promise *promise, struct sim **sim, const char *line, struct record *record)
{
    AUTO(strbuf) struct strbuf problem = { 0 };

    record_line(record, line);
    if (trial_tell(promise, sim, line, &problem))
        return true;
    snprintf(record->problem, PROBLEM_MAX, "%s\n", strbuf_text(&problem));
    return false;
}

static bool tell_lines(trial_promise *promise, struct sim **sim, const char *lines,
                       struct record *record)
{
    bool holds = true;

    while (holds && *lines) {
        AUTO_FREE char *line = xstrndup(lines, strcspn(lines, "\n"));

        lines += strlen(line) + (lines[strlen(line)] == '\n');
        holds = tell(promise, sim, line, record);
    }
    return holds;
}

static bool tell_random(trial_promise *promise, const struct random_mix *mix, uint64_t seed,
                        struct record *record)
{
    struct chance chance = { .state = seed * UINT64_C(0x9E3779B97F4A7C15) };
    AUTO(strbuf) struct strbuf lines = { 0 };
    struct sim *sim = NULL;
    bool holds;

    record->story_n = 0;
    random_cluster_lines(&chance, mix, &lines);
    holds = tell_lines(promise, &sim, strbuf_text(&lines), record);
    for (uint32_t i = 0; holds && i < mix->lines; i++) {
        AUTO_FREE char *line = random_change_line(&chance, mix, sim);

        holds = tell(promise, &sim, line, record);
    }
    if (holds) {
        AUTO_FREE char *line = xasprintf("now %lld ms", (long long)sim->snapshot.now_ms);

        holds = tell(promise, &sim, line, record);
    }
    sim_free(sim);
    return holds;
}

/* ---- processes ---- */

/* How a process ended that tells a story: 0 when nothing was wrong. */
static int wait_for(pid_t pid)
{
    int status;

    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return status;
}

static void be_quiet(void)
{
    const int null = open("/dev/null", O_WRONLY);

    dup2(null, 1);
    dup2(null, 2);
}

static int status_of_retelling(trial_promise *promise, const char *story, struct record *record)
{
    pid_t pid;

    record->story_n = 0;
    record->problem[0] = '\0';
    fflush(NULL);
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        struct sim *sim = NULL;

        be_quiet();
        setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = STORY_CPU_S }, NULL);
        _exit(tell_lines(promise, &sim, story, record) ? 0 : 1);
    }
    return wait_for(pid);
}

char *trial_retell(trial_promise *promise, const char *story)
{
    struct record *record = record_new();
    const int status = status_of_retelling(promise, story, record);
    char *failure = NULL;

    if (record->problem[0])
        failure = xstrdup(record->problem);
    else if (status != 0)
        failure = xasprintf("the story ends in status %#x", (unsigned)status);
    record_free(record);
    return failure;
}

struct same {
    trial_promise *promise;
    struct record *record;
    int status;
    char *problem;
};

/* The sort of a problem: its text without the numbers. */
static char *sort_of(const char *problem)
{
    char *sort = xstrdup(problem), *to = sort;

    for (const char *from = sort; *from; from++) {
        if (!isdigit((unsigned char)*from))
            *to++ = *from;
    }
    *to = '\0';
    return sort;
}

static bool fails_the_same(const char *story, void *arg)
{
    struct same *same = arg;
    AUTO_FREE char *problem = NULL;

    if (status_of_retelling(same->promise, story, same->record) != same->status)
        return false;
    problem = sort_of(same->record->problem);
    return strcmp(problem, same->problem) == 0;
}

char *trial_shrink(trial_promise *promise, const char *story)
{
    struct same same = { .promise = promise, .record = record_new() };
    char *small;

    same.status = status_of_retelling(promise, story, same.record);
    same.problem = sort_of(same.record->problem);
    small = same.status ? shrink(story, fails_the_same, &same, TRIES_MAX) : xstrdup(story);
    record_free(same.record);
    free(same.problem);
    return small;
}

static void report(trial_promise *promise, struct record *record, int status)
{
    AUTO_FREE char *story = xstrdup(record->story);
    AUTO_FREE char *problem =
        record->problem[0] ? xstrdup(record->problem)
                           : xasprintf("the planner crashed, or left memory behind: status %#x\n",
                                       (unsigned)status);
    AUTO_FREE char *small = trial_shrink(promise, story);
    AUTO_FREE char *failure = trial_retell(promise, small);

    record_free(record);
    ck_abort_msg("%s\nsmallest story:\n%s\nfound as: %s", failure ? failure : "does not fail again",
                 small, problem);
}

void trial_run(trial_promise *promise, const struct random_mix *mix, uint64_t seed, uint32_t n)
{
    const char *fresh = getenv("TRIAL_SEED");
    struct record *record = record_new();
    pid_t pid;
    int status;

    if (fresh)
        seed += strtoull(fresh, NULL, 10);
    fflush(NULL);
    pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        for (uint32_t i = 0; i < n; i++) {
            if (!tell_random(promise, mix, seed + i, record))
                exit(1);
        }
        exit(0);
    }
    status = wait_for(pid);
    if (status != 0)
        report(promise, record, status);
    record_free(record);
}
