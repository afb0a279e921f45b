/* Bytes choose what happens to a cluster: after each step nothing is sold twice, every job gets
 * what it asks, and the plan is that of a rebuild. */
#include <stdint.h>
#include <stdio.h>

#include "unit/ctld/sched/proof/promises.h"

#define LINES_MAX 200

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the macros of check call: there is no test here that runs. */
void _mark_point(const char *file, int line)
{
    (void)file;
    (void)line;
}

void _ck_assert_failed(const char *file, int line, const char *expr, const char *msg, ...)
{
    (void)msg;
    fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    abort();
}

static bool holds(const struct trial_moment *moment, struct strbuf *problem)
{
    return promise_safe(moment, problem) && promise_rebuilt(moment, problem);
}

static void tell(struct sim **sim, const char *line, struct strbuf *told)
{
    AUTO(strbuf) struct strbuf problem = { 0 };

    strbuf_addf(told, "%s\n", line);
    if (trial_tell(holds, sim, line, &problem))
        return;
    fprintf(stderr, "%safter\n%s", strbuf_text(&problem), strbuf_text(told));
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct chance chance = { .bytes = data, .bytes_n = size };
    const struct random_mix mix = { .tiny = true };
    AUTO(strbuf) struct strbuf lines = { 0 }, told = { 0 };
    struct sim *sim = NULL;

    if (size == 0)
        return 0;
    random_cluster_lines(&chance, &mix, &lines);
    for (char *next, *line = strtok_r(lines.data, "\n", &next); line;
         line = strtok_r(NULL, "\n", &next))
        tell(&sim, line, &told);
    for (uint32_t i = 0; i < LINES_MAX && chance.bytes_n; i++) {
        AUTO_FREE char *line = random_change_line(&chance, &mix, sim);

        tell(&sim, line, &told);
    }
    tell(&sim, "now 0 ms", &told);
    sim_free(sim);
    return 0;
}
