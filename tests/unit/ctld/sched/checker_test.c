/* The checker sees what is wrong: each row is a claim with one fault, on the cluster below. */
#include "unit/check_main.h"

#include "unit/ctld/sched/proof/checker.h"
#include "unit/ctld/sched/sim.h"

/* What the faulty claim holds: "node:cpus/tasks/memory" for each place. */
struct row {
    const char *job, *places, *problem; /* problem "": it is right */
    int64_t at_s;
};

#define CLUSTER "nodes=4x2x2x2 select=core,memory mem=1000"

static struct sim *cluster(const char *line)
{
    struct sim *sim = sim_new(line);

    sim_node(sim, "0: features=x");
    sim_node(sim, "1: features=x,y");
    sim_node(sim, "3: down");
    sim_partition(sim, "all:");
    sim_partition(sim, "p: nodes=0-1");
    sim_partition(sim, "off: down");
    sim_partition(sim, "whole: exclusive");
    return sim;
}

/* "0:0-3/2/300 1:0/1" */
static uint32_t read_places(const char *text, uint32_t cpus, struct plan_place *ret)
{
    uint32_t n = 0;

    while (*text) {
        struct plan_place *place = &ret[n++];
        AUTO_FREE char *word = xstrndup(text, strcspn(text, " "));
        char *set = strchr(word, ':') + 1, *tasks = strchr(set, '/') + 1;
        char *memory = strchr(tasks, '/');

        *place = (struct plan_place){ .node = (uint32_t)strtoul(word, NULL, 10) };
        place->tasks = (uint32_t)strtoul(tasks, NULL, 10);
        place->amounts[PLAN_MEMORY] = memory ? strtoul(memory + 1, NULL, 10) : 0;
        tasks[-1] = '\0';
        sim_set(&place->cpus, cpus, set);
        text += strcspn(text, " ");
        text += *text == ' ';
    }
    return n;
}

static void add_claim(struct claims *claims, struct sim *sim, const char *job, const char *text,
                      int64_t at_s)
{
    struct plan_job *ask = &sim_make_job(sim, job)->ask;
    struct plan_place places[8];
    const uint32_t n = read_places(text, sim->nodes[0].cpus, places);

    claims_add(claims, ask, 0, at_s * 1000, claim_end(at_s * 1000, ask->duration_ms), places, n);
    for (uint32_t i = 0; i < n; i++)
        bitset_clear(&places[i].cpus);
}

static const struct row jobs[] = {
    { "a: nodes=1", "0:0-1/1", "", 0 },
    { "a: nodes=1", "3:0-1/1", "not usable", 0 },
    { "a: partition=p", "2:0-1/1", "not in its partition", 0 },
    { "a: partition=off", "0:0-1/1", "partition 2 is down", 0 },
    { "a: not=0", "0:0-1/1", "excluded", 0 },
    { "a: on=1", "0:0-1/1", "node 1 is required", 0 },
    { "a: on=1 nodes=1-2", "0:0-1/1 1:0-1/1", "", 0 },
    { "a: nodes=2", "0:0-1/1", "1 nodes", 0 },
    { "a: nodes=1", "0:0-1/1 1:0-1/1", "2 nodes", 0 },
    { "a: nodes=2", "1:0-1/1 0:0-1/1", "not in order", 0 },
    { "a: nodes=2 contiguous", "0:0-1/1 2:0-1/1", "not neighbours", 0 },
    { "a: nodes=1 threads=3", "0:0-1/1", "too few sockets, cores or threads", 0 },
    { "a: features=y", "0:0-1/1", "without 'y'", 0 },
    { "a: features=x&y", "1:0-1/1", "", 0 },
    { "a: tasks=2", "0:0/2", "not whole cores", 0 },
    { "a: tasks=3", "0:0-1/3", "too few cpus", 0 },
    { "a: tasks=3", "0:0-3/3", "", 0 },
    { "a: tasks=3", "0:0-5/3", "too many cpus", 0 },
    { "a: tasks=3 threads=1", "0:0-3/3", "too few cpus", 0 },
    { "a: tasks=3 threads=1", "0:0-5/3", "", 0 },
    { "a: tasks=2 cpus=2", "0:0-1/2", "too few cpus", 0 },
    { "a: mincpus=3", "0:0-1/1", "too few cpus", 0 },
    { "a: exclusive", "0:0-5/1", "not whole", 0 },
    { "a: partition=whole", "0:0-5/1", "not whole", 0 },
    { "a: exclusive", "0:0-7/1", "", 0 },
    { "a: tasks=4", "0:0-1/2", "2 tasks on 1 nodes", 0 },
    { "a: tasks=2 nodes=2", "0:0-1/2 1:0-1/0", "0 tasks on node 1", 0 },
    { "a: tasks=2", "0:0-1/1 1:0-1/1 2:0-1/1", "3 tasks on 3 nodes", 0 },
    { "a: tasks=4 per-node=2", "0:0-3/3 1:0-1/1", "3 tasks on node 0", 0 },
    { "a: nodes=1 per-node=2", "0:0-1/1", "1 tasks on node 0", 0 },
    { "a: mem=300", "0:0-1/1", "0 MB on node 0, not 300", 0 },
    { "a: mem=300", "0:0-1/1/300", "", 0 },
    { "a: mem=1200", "0:0-1/1/1200", "only 1000 MB", 0 },
    { "a: mem-per-cpu=100 tasks=3", "0:0-3/3/300", "300 MB on node 0, not 400", 0 },
    { "a: mem-per-cpu=100 tasks=3", "0:0-3/3/400", "", 0 },
    { "a: allmem", "0:0-1/1/999", "not 1000", 0 },
    { "a: begin=9 time=5", "0:0-1/1", "starts too early", 8 },
};

START_TEST(a_job_that_does_not_get_what_it_asks_is_seen)
{
    const struct row *row = &jobs[_i];
    struct sim *sim = cluster(CLUSTER);
    AUTO(strbuf) struct strbuf problem = { 0 };
    AUTO(claims) struct claims claims = { 0 };
    bool right;

    add_claim(&claims, sim, row->job, row->places, row->at_s);
    right = checker_job(&sim->snapshot, &claims.list[0], &problem);

    ck_assert_msg(right == (row->problem[0] == '\0') && strstr(strbuf_text(&problem), row->problem),
                  "'%s' on '%s': '%s', not '%s'", row->job, row->places, strbuf_text(&problem),
                  row->problem);
    sim_free(sim);
}
END_TEST

/* Two claims, right by themselves. */
static const struct {
    const char *job[2], *places[2];
    int64_t at_s[2];
    const char *problem;
} pairs[] = {
    { { "a: time=5", "b: time=5" }, { "0:0-1/1", "0:2-3/1" }, { 0, 0 }, "" },
    { { "a: time=5", "b: time=5" }, { "0:0-1/1", "0:0-1/1" }, { 0, 5 }, "" },
    { { "a: time=5", "b: time=5" }, { "0:0-1/1", "0:0-1/1" }, { 0, 4 }, "share a cpu" },
    { { "a: time=5", "b: time=5" }, { "0:0-1/1", "0:0-1/1" }, { 4, 0 }, "share a cpu" },
    { { "a:", "b: time=5" }, { "0:0-1/1", "0:0-1/1" }, { 0, 400 }, "share a cpu" },
    { { "a: time=5", "b: time=5 exclusive" }, { "0:0-1/1", "0:2-7/1" }, { 0, 0 }, "share node 0" },
    { { "a: time=5 mem=600", "b: time=5 mem=600" },
      { "0:0-1/1/600", "0:2-3/1/600" },
      { 0, 3 },
      "1200 of amount 0 at 3000" },
    { { "a: time=5 mem=600", "b: time=5 mem=600" },
      { "0:0-1/1/600", "0:2-3/1/600" },
      { 0, 5 },
      "" },
};

START_TEST(what_is_given_twice_is_seen)
{
    struct sim *sim = cluster(CLUSTER);
    AUTO(strbuf) struct strbuf problem = { 0 };
    AUTO(claims) struct claims claims = { 0 };
    bool right;

    for (uint32_t i = 0; i < 2; i++)
        add_claim(&claims, sim, pairs[_i].job[i], pairs[_i].places[i], pairs[_i].at_s[i]);
    right = checker_shared(&sim->snapshot, &claims, &problem);

    ck_assert_msg(right == (pairs[_i].problem[0] == '\0') &&
                      strstr(strbuf_text(&problem), pairs[_i].problem),
                  "row %d: '%s', not '%s'", _i, strbuf_text(&problem), pairs[_i].problem);
    sim_free(sim);
}
END_TEST

CHECK_MAIN(checker, LOOP_CASE(a_job_that_does_not_get_what_it_asks_is_seen, ARRAY_N(jobs)),
           LOOP_CASE(what_is_given_twice_is_seen, ARRAY_N(pairs)))
