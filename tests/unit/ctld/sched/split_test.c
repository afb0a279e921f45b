#include "unit/check_main.h"

#include "ctld/sched/place/need.h"
#include "ctld/sched/place/split.h"
#include "unit/ctld/sched/one_node.h"

/* "2 1": cores of each socket; "3": of any; "": they do not hold it. */
static char *split_words(const struct one_node *scene, const char *near, bool now)
{
    const struct demand_part part = { .tasks = scene->sim->jobs[0].ask.shape.ntasks, .now = now };
    AUTO(bitset) struct bitset cpus = { 0 };
    AUTO(split) struct split split = { 0 };
    struct strbuf out = { 0 };

    if (near)
        sim_set(&cpus, scene->cores.node->cpus, near);
    if (!split_find(&scene->demand, &scene->cores, &cpus, &part, &split))
        return xstrdup("");
    if (!split.on_socket)
        return xasprintf("%llu", (unsigned long long)split.cores);
    for (uint32_t s = 0; s < cores_sockets(scene->cores.node); s++) {
        strbuf_addf(&out, "%s%u", s ? " " : "", split.on_socket[s]);
        split.cores -= split.on_socket[s];
    }
    ck_assert_uint_eq(split.cores, 0);
    return strbuf_steal(&out);
}

static const struct {
    const char *cluster, *job, *busy, *near, *planned, *starts;
} table[] = {
    { "nodes=1x2x4x1 select=core", "tasks=3", "", NULL, "3", "3" },
    { "nodes=1x2x4x2 select=core", "tasks=3", "", NULL, "2", "2" },
    { "nodes=1x2x4x1 select=core", "tasks=3", "0-4", NULL, "3", "3" },
    { "nodes=1x2x4x1 select=core", "tasks=3", "0-5", NULL, "", "" },
    /* bounded: the first sockets, or the last */
    { "nodes=1x2x4x1 select=core", "tasks=3 per-socket=2", "", NULL, "2 1", "1 2" },
    { "nodes=1x2x4x1 select=core", "tasks=3 per-socket=2", "0-2", NULL, "1 2", "1 2" },
    { "nodes=1x2x4x1 select=core", "tasks=3 per-socket=1", "", NULL, "", "" },
    { "nodes=1x2x4x1 select=core", "tasks=1 per-socket=1", "0-3", NULL, "0 1", "0 1" },
    { "nodes=1x2x4x2 select=core", "tasks=4 per-socket=3", "", NULL, "1 1", "1 1" },
    { "nodes=1x2x3x2 select=core", "tasks=3 cpus=3 per-socket=2", "", NULL, "3 2", "2 3" },
    /* beyond the bound, cores without tasks */
    { "nodes=1x2x4x1 select=core", "tasks=2 per-socket=1 mincpus=6", "", NULL, "4 2", "2 4" },
    /* whole sockets that nobody uses, first those near the devices */
    { "nodes=1x2x4x1 select=socket", "tasks=1", "", NULL, "4 0", "4 0" },
    { "nodes=1x2x4x1 select=socket", "tasks=5", "", NULL, "4 4", "4 4" },
    { "nodes=1x2x4x1 select=socket", "tasks=9", "", NULL, "", "" },
    { "nodes=1x2x4x1 select=socket", "tasks=1", "", "4-7", "0 4", "0 4" },
    { "nodes=1x2x4x1 select=socket", "tasks=2 per-socket=1", "", NULL, "4 4", "4 4" },
    { "nodes=1x2x4x1 select=socket", "tasks=1 mincpus=5", "", "4-7", "4 4", "4 4" },
};

START_TEST(so_many_cores_come_from_each_socket)
{
    struct one_node scene = one_node_new(table[_i].cluster, NULL, table[_i].job, table[_i].busy);
    AUTO_FREE char *planned = split_words(&scene, table[_i].near, false);
    AUTO_FREE char *starts = split_words(&scene, table[_i].near, true);

    ck_assert_msg(strcmp(planned, table[_i].planned) == 0, "%s without %s is planned on '%s'",
                  table[_i].job, table[_i].busy, planned);
    ck_assert_msg(strcmp(starts, table[_i].starts) == 0, "%s without %s starts on '%s'",
                  table[_i].job, table[_i].busy, starts);
    one_node_clear(&scene);
}
END_TEST

/* Every number of free cores on two sockets: no smaller number of them holds the tasks. */
static uint64_t fewest(const struct one_node *scene, uint32_t tasks, uint32_t bound)
{
    const uint32_t used = need_used(&scene->demand, scene->cores.node);
    uint64_t best = UINT64_MAX;

    for (uint32_t a = 0; a <= cores_on_socket(&scene->cores, 0); a++) {
        for (uint32_t b = 0; b <= cores_on_socket(&scene->cores, 1); b++) {
            const uint64_t here = need_tasks_in(&scene->demand, used, a);
            const uint64_t there = need_tasks_in(&scene->demand, used, b);

            if ((here < bound ? here : bound) + (there < bound ? there : bound) >= tasks &&
                a + b < best)
                best = a + b;
        }
    }
    return best;
}

START_TEST(no_fewer_cores_would_do)
{
    const uint32_t tasks = 1 + (uint32_t)_i % 6, bound = 1 + (uint32_t)_i / 6;
    AUTO_FREE char *job = xasprintf("tasks=%u cpus=%u per-socket=%u", tasks, 1 + tasks % 3, bound);

    for (uint32_t busy = 0; busy < 16; busy++) {
        AUTO_FREE char *cpus = xasprintf("0-%u,8-%u", busy % 4 * 2, 8 + busy / 4 * 2);
        struct one_node scene = one_node_new("nodes=1x2x4x2 select=core", NULL, job, cpus);
        const uint64_t due = fewest(&scene, tasks, bound);
        const struct demand_part part = { .tasks = tasks, .now = busy % 2 };
        const struct bitset none = { 0 };
        AUTO(split) struct split split = { 0 };
        const bool found = split_find(&scene.demand, &scene.cores, &none, &part, &split);

        ck_assert_msg(found == (due < UINT64_MAX), "%s without %s", job, cpus);
        ck_assert_msg(!found || split.cores == due, "%s without %s: %llu cores, not %llu", job,
                      cpus, (unsigned long long)split.cores, (unsigned long long)due);
        one_node_clear(&scene);
    }
}
END_TEST

CHECK_MAIN(split, LOOP_CASE(so_many_cores_come_from_each_socket, ARRAY_N(table)),
           LOOP_CASE(no_fewer_cores_would_do, 24))
