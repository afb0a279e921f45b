#include "ctld/sim/expect.h"

#include <string.h>

#include "common/text/hostlist.h"

/* One expectation, the job it is about, and what came instead. */
struct check {
    const struct scenario *scenario;
    const struct scenario_line *line;
    struct play *play;
    const struct world_job *job;
    struct strbuf found; /* empty: it is met */
};

static void found(struct check *check, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void found(struct check *check, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    strbuf_vaddf(&check->found, fmt, args);
    va_end(args);
}

static void found_time(struct check *check, const char *what, int64_t ms)
{
    found(check, "%s at ", what);
    play_format_time(ms, &check->found);
}

/* True if both lists are the same nodes, such as "n2,n1" and "n[1-2]". */
static bool same_nodes(const char *a, const char *b)
{
    const char *const texts[] = { a ? a : "", b ? b : "" };
    AUTO_FREE char *first = NULL;

    for (int i = 0; i < 2; i++) {
        AUTO(hostlist) struct hostlist *list = NULL;
        AUTO_FREE char *text = NULL;

        if (hostlist_parse(texts[i], &list, NULL) < 0)
            return false;
        hostlist_sort(list);
        hostlist_uniq(list);
        text = hostlist_format(list);
        if (i == 1)
            return strcmp(first, text) == 0;
        first = STEAL(text);
    }
    return false;
}

/* Tells people where the job stands now. */
static void found_standing(struct check *check)
{
    AUTO(job_info) struct job_info info;
    const bool is_known = world_job_info(check->play->world, check->line->job, &info);

    if (!is_known)
        job_info_init(&info);
    if (is_known && info.job->state == JOB_PENDING) {
        found(check, "it waits: %s", job_reason_name(info.job->reason));
    } else if (check->job->start_ms != WORLD_NEVER) {
        found_time(check, "it started", check->job->start_ms);
        found(check, " on %s", check->job->nodes);
    } else {
        found(check, "it is %s", job_state_name(check->job->state, 0));
    }
}

static void check_start(struct check *check)
{
    const struct scenario_line *line = check->line;
    const struct world_job *job = check->job;
    const bool is_late =
        line->kind == EXPECT_BY ? job->start_ms > line->time_ms : job->start_ms != line->time_ms;

    if (job->start_ms == WORLD_NEVER || is_late)
        found_standing(check);
    else if (line->text && !same_nodes(line->text, job->nodes))
        found(check, "it started then, but on %s", job->nodes);
}

static void check_end(struct check *check)
{
    const struct world_job *job = check->job;
    const char *state = job_state_name(job->state, 0);

    if (job->end_ms == WORLD_NEVER)
        found_standing(check);
    else if (job->end_ms != check->line->time_ms)
        found_time(check, "it ended", job->end_ms);
    else if (check->line->text && !word_is(check->line->text, state))
        found(check, "it ended then, but as %s", state);
}

static void check_waits(struct check *check)
{
    AUTO(job_info) struct job_info info;

    if (!world_job_info(check->play->world, check->line->job, &info)) {
        job_info_init(&info);
        found_standing(check);
    } else if (info.job->state != JOB_PENDING ||
               (check->line->text &&
                !word_is(check->line->text, job_reason_name(info.job->reason)))) {
        found_standing(check);
    }
}

static void check_planned(struct check *check)
{
    AUTO(job_info) struct job_info info;
    const char *wanted = check->line->text;

    if (!world_job_info(check->play->world, check->line->job, &info))
        job_info_init(&info);
    if (info.planned_start == 0)
        found_standing(check);
    else if ((info.planned_start - WORLD_WALL_S) * 1000 != check->line->time_ms)
        found_time(check, "it is planned", (info.planned_start - WORLD_WALL_S) * 1000);
    else if (wanted && !same_nodes(wanted, info.planned_nodes))
        found(check, "it is planned then, but on %s", info.planned_nodes);
}

static void check_refused(struct check *check)
{
    const char *refusal = check->play->refusals[check->line->job];

    if (!refusal)
        found(check, "it was taken");
    else if (check->line->text && !strstr(refusal, check->line->text))
        found(check, "it was refused, but so: %s", refusal);
}

/* Adds the expectation as the scenario words it. */
static void add_wanted(const struct scenario *scenario, const struct scenario_line *line,
                       struct strbuf *out)
{
    static const char *const words[] = {
        [EXPECT_START] = "start ",     [EXPECT_BY] = "start by ", [EXPECT_END] = "end ",
        [EXPECT_PLANNED] = "planned ", [EXPECT_WAITS] = "waits",  [EXPECT_REFUSED] = "refused",
    };
    const bool has_time = line->kind != EXPECT_WAITS && line->kind != EXPECT_REFUSED;
    const bool has_nodes =
        line->kind == EXPECT_START || line->kind == EXPECT_BY || line->kind == EXPECT_PLANNED;

    strbuf_addf(out, "expect %s %s", scenario->jobs[line->job], words[line->kind]);
    if (has_time)
        play_format_time(line->time_ms, out);
    if (line->text)
        strbuf_addf(out, "%s %s", has_nodes ? " on" : "", line->text);
}

static void add_failure(struct check *check)
{
    struct strbuf *out = &check->play->failures;

    check->play->failures_n++;
    strbuf_addf(out, "%s:%u: ", check->scenario->name, check->line->line);
    add_wanted(check->scenario, check->line, out);
    strbuf_addf(out, ": %s\n", strbuf_text(&check->found));
}

void expect_check(const struct scenario *scenario, const struct scenario_line *line,
                  struct play *play)
{
    static void (*const checks[])(struct check * check) = {
        [EXPECT_START] = check_start,     [EXPECT_BY] = check_start,
        [EXPECT_END] = check_end,         [EXPECT_WAITS] = check_waits,
        [EXPECT_PLANNED] = check_planned, [EXPECT_REFUSED] = check_refused,
    };
    struct check check = { scenario, line, play, world_job(play->world, line->job), { 0 } };

    play->expectations_n++;
    if (line->kind != EXPECT_REFUSED && play->refusals[line->job])
        return; /* expect_no_refusals tells it once */
    checks[line->kind](&check);
    if (check.found.len)
        add_failure(&check);
    strbuf_clear(&check.found);
}

static bool is_expected(const struct scenario *scenario, uint32_t job)
{
    for (uint32_t i = 0; i < scenario->lines_n; i++) {
        if (scenario->lines[i].kind == EXPECT_REFUSED && scenario->lines[i].job == job)
            return true;
    }
    return false;
}

void expect_no_refusals(const struct scenario *scenario, struct play *play)
{
    for (uint32_t i = 0; i < scenario->lines_n; i++) {
        const struct scenario_line *line = &scenario->lines[i];

        if (line->kind != SCENARIO_SUBMIT || !play->refusals[line->job] ||
            is_expected(scenario, line->job))
            continue;
        play->expectations_n++;
        play->failures_n++;
        strbuf_addf(&play->failures, "%s:%u: job %s was refused: %s\n", scenario->name, line->line,
                    scenario->jobs[line->job], play->refusals[line->job]);
    }
}
