/* A scenario's text: what is read has all its parts, and each file's lines keep their numbers. */
#include <assert.h>
#include <stdint.h>

#include "ctld/sim/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint32_t count_lines(const char *text, size_t n)
{
    uint32_t lines = 0;

    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

static void check_line(const struct scenario *scenario, const struct scenario_line *line)
{
    if (line->kind != SCENARIO_NODE && line->kind != SCENARIO_POOL &&
        line->kind != SCENARIO_RESERVATION)
        assert(line->job < scenario->jobs_n);
    if (line->kind == SCENARIO_POOL)
        assert(line->pool < scenario->pools_n);
    for (uint32_t i = 0; i < line->claims_n; i++) {
        assert(line->claims[i].pool < scenario->pools_n);
        assert((line->claims[i].of == PLAN_CLAIM_GRES) == (line->claims[i].gres_name != NULL));
    }
    if (line->kind == SCENARIO_NODE)
        assert(line->text);
    assert(line->user < scenario->users_n && line->at_ms >= 0 && line->time_ms >= 0);
    assert(line->at_ms != SCENARIO_END || scenario_expects(line));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(scenario) struct scenario scenario = { 0 };
    struct err err = { 0 };
    const uint32_t lines = count_lines((const char *)data, size);

    if (scenario_parse("a.scn", (const char *)data, size, &scenario, &err) < 0) {
        assert(err.text[0]);
        return 0;
    }
    for (uint32_t i = 0; i < scenario.lines_n; i++)
        check_line(&scenario, &scenario.lines[i]);
    for (int i = 0; i < SCENARIO_CONFS; i++)
        assert(count_lines(scenario.conf[i].data, scenario.conf[i].len) >= lines);
    return 0;
}
