#include "ctld/sim/play.h"

#include <string.h>

#include "ctld/sim/expect.h"

#define FIRST_UID 1001

void play_clear(struct play *play)
{
    world_free(play->world);
    for (uint32_t i = 0; i < play->jobs_n; i++)
        free(play->refusals[i]);
    free(play->refusals);
    strbuf_clear(&play->failures);
    *play = (struct play){ 0 };
}

void play_auto_(struct play *play)
{
    play_clear(play);
}

void play_format_time(int64_t ms, struct strbuf *out)
{
    strbuf_addf(out, "%lld", (long long)(ms / 1000));
    if (ms % 1000)
        strbuf_addf(out, ".%03d", (int)(ms % 1000));
}

/* A scenario while it is played. */
struct stage {
    const struct scenario *scenario;
    const struct play_hooks *hooks;
    struct play *play;
    struct err *err;
};

static int fail_at(const struct stage *stage, const struct scenario_line *line)
{
    return err_prefix(stage->err, "%s:%u", stage->scenario->name, line->line);
}

/* Submits a job. A refusal is part of the story; options that make no sense are not. */
static int submit(struct stage *stage, const struct scenario_line *line)
{
    AUTO(job_spec) struct job_spec spec;
    struct err refusal = { 0 };
    int rc;

    job_spec_init(&spec);
    rc = stage->hooks->make_spec(stage->hooks->ctx, &line->options,
                                 WORLD_WALL_S + line->at_ms / 1000, &spec, stage->err);
    if (rc < 0)
        return fail_at(stage, line);
    if (!spec.name)
        spec.name = xstrdup(stage->scenario->jobs[line->job]);
    world_claim(stage->play->world, line->claims, line->claims_n);
    if (world_submit(stage->play->world, FIRST_UID + line->user, &spec, line->time_ms, &refusal) <
        0)
        stage->play->refusals[line->job] = xstrdup(refusal.text);
    return 0;
}

static int cancel(struct stage *stage, const struct scenario_line *line)
{
    int rc;

    if (stage->play->refusals[line->job])
        rc = err_set(stage->err, E_JOB_ID, "job '%s' was refused: %s",
                     stage->scenario->jobs[line->job], stage->play->refusals[line->job]);
    else
        rc = world_cancel(stage->play->world, line->job, stage->err);
    return rc < 0 ? fail_at(stage, line) : 0;
}

static int set_node(struct stage *stage, const struct scenario_line *line)
{
    static const uint32_t states[] = {
        [SCENARIO_UP] = NODE_UPDATE_RESUME,
        [SCENARIO_DRAIN] = NODE_UPDATE_DRAIN,
        [SCENARIO_DOWN] = NODE_UPDATE_DOWN,
    };
    int rc = world_set_node(stage->play->world, line->text, states[line->node], stage->err);

    return rc < 0 ? fail_at(stage, line) : 0;
}

static int reserve(struct stage *stage, const struct scenario_line *line)
{
    AUTO(reservation_ask) struct reservation_ask ask;
    const struct reservation_change change = { .verb = line->verb, .ask = &ask };
    int rc;

    reservation_ask_init(&ask);
    rc = stage->hooks->make_ask(stage->hooks->ctx, line->verb, &line->options,
                                WORLD_WALL_S + line->at_ms / 1000, &ask, stage->err);
    if (rc == 0)
        rc = world_reserve(stage->play->world, &change, stage->err);
    return rc < 0 ? fail_at(stage, line) : 0;
}

static int do_line(struct stage *stage, const struct scenario_line *line)
{
    switch (line->kind) {
    case SCENARIO_SUBMIT:
        return submit(stage, line);
    case SCENARIO_CANCEL:
        return cancel(stage, line);
    case SCENARIO_NODE:
        return set_node(stage, line);
    case SCENARIO_RESERVATION:
        return reserve(stage, line);
    case SCENARIO_POOL:
        world_set_pool(stage->play->world, line->pool,
                       &(struct plan_pool){ .total = line->amount, .opens_ms = line->time_ms });
        return 0;
    default:
        expect_check(stage->scenario, line, stage->play);
        return 0;
    }
}

static void pass_time(struct stage *stage, int64_t until_ms)
{
    while (world_advance(stage->play->world, until_ms))
        ;
}

static int tell_story(struct stage *stage)
{
    const struct scenario *scenario = stage->scenario;
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < scenario->lines_n; i++) {
        const struct scenario_line *line = &scenario->lines[i];

        if (line->at_ms == SCENARIO_END)
            continue;
        pass_time(stage, line->at_ms);
        rc = do_line(stage, line);
    }
    if (rc < 0)
        return rc;
    pass_time(stage, WORLD_NEVER);
    for (uint32_t i = 0; i < scenario->lines_n; i++) {
        if (scenario->lines[i].at_ms == SCENARIO_END)
            expect_check(scenario, &scenario->lines[i], stage->play);
    }
    expect_no_refusals(scenario, stage->play);
    return 0;
}

int play_run(const struct scenario *scenario, struct model_config *config,
             const struct play_hooks *hooks, struct play *ret, struct err *err)
{
    const struct world_begin begin = {
        .wall_s = WORLD_WALL_S,
        .pools = scenario->pools,
        .pools_n = scenario->pools_n,
        .users = scenario->users,
        .users_n = scenario->users_n,
        .first_uid = FIRST_UID,
    };
    struct stage stage = { scenario, hooks, ret, err };
    int rc;

    *ret = (struct play){ .jobs_n = scenario->jobs_n };
    ret->refusals = xcalloc(scenario->jobs_n, sizeof(*ret->refusals));
    rc = world_new(config, &begin, &ret->world, err);
    if (rc == 0)
        rc = tell_story(&stage);
    if (rc < 0)
        play_clear(ret);
    return rc;
}
