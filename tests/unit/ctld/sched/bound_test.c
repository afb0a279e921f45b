#include "unit/check_main.h"

#include "ctld/sched/place/bound.h"
#include "unit/ctld/sched/one_node.h"

/* Of two sockets with four cores each, some devices; the job is bound to cores near its own. */
static struct one_node bound_node(const char *gres, const char *job, const char *busy)
{
    AUTO_FREE char *line = xasprintf("%s binds", job);

    return one_node_new("nodes=1x2x4x1 select=core", gres, line, busy);
}

struct wish {
    const struct cores *cores;
    uint32_t n;
};

static bool is_enough(const void *arg, const struct bitset *near, uint32_t least)
{
    const struct wish *wish = arg;
    AUTO(cores) struct cores close = { .node = wish->cores->node };

    bitset_copy(&close.first, &wish->cores->first);
    if (near->size)
        cores_keep_near(&close, near);
    return cores_left(&close) >= wish->n && cores_left(&close) >= least;
}

/* "1 0 2 near 0-3": of each sort for the one want, and the cpus near them. */
static char *choice_words(const struct one_node *scene, uint32_t cores_n, bool now)
{
    const struct sched_node *node = &scene->cluster.nodes[0];
    const struct gres_share share = { .pooled = { scene->demand.gres.pooled[0] } };
    const struct wish wish = { &scene->cores, cores_n };
    const struct gres_part part = { .free = &node->all,
                                    .tasks = 1,
                                    .share = &share,
                                    .cores = &scene->cores,
                                    .cores_n = cores_n,
                                    .now = now,
                                    .bound = true,
                                    .covers = true };
    AUTO(gres_choice) struct gres_choice choice = gres_choice_any();
    struct strbuf out = { 0 };

    if (!bound_choose(&scene->demand.gres, node, &part, is_enough, &wish, &choice))
        return xstrdup("none");
    for (uint32_t i = 0; choice.counts && i < choice.counts_n; i++)
        strbuf_addf(&out, "%s%llu", i ? " " : "", (unsigned long long)choice.counts[i]);
    if (choice.near.size)
        strbuf_addf(&out, " near %lld-%u", (long long)bitset_next(&choice.near, 0),
                    bitset_count(&choice.near) + (uint32_t)bitset_next(&choice.near, 0) - 1);
    return strbuf_steal(&out);
}

#define EVEN "gpu::2@0-3,gpu::2@4-7"

static const struct {
    const char *gres, *job, *busy;
    uint32_t cores_n;
    const char *planned, *starts;
} table[] = {
    { EVEN, "gres=gpu::1", "", 1, "1 0 near 0-3", "1 0 near 0-3" },
    { EVEN, "gres=gpu::2", "", 4, "2 0 near 0-3", "2 0 near 0-3" },
    { EVEN, "gres=gpu::3", "", 1, "2 1 near 0-7", "2 1 near 0-7" },
    { EVEN, "gres=gpu::5", "", 1, "none", "none" },
    /* so many cores are near gpus of both only, or of none */
    { EVEN, "gres=gpu::1", "", 5, "none", "none" },
    { EVEN, "gres=gpu::2", "", 5, "1 1 near 0-7", "1 1 near 0-7" },
    { EVEN, "gres=gpu::2", "0-0", 4, "0 2 near 4-7", "0 2 near 4-7" },
    { EVEN, "gres=gpu::2", "0-0", 8, "none", "none" },
    /* for a start those with most cores come first */
    { EVEN, "gres=gpu::1", "0-0", 1, "1 0 near 0-3", "0 1 near 4-7" },
    { EVEN, "gres=gpu::1", "0-3", 1, "0 1 near 4-7", "0 1 near 4-7" },
    /* none is taken while all cores near it are in use */
    { EVEN, "gres=gpu::3", "0-3", 1, "none", "none" },
    { EVEN, "gres=gpu::3", "0-2", 1, "2 1 near 0-7", "2 1 near 0-7" },
    /* one core may be near several */
    { "gpu::1@0-0,gpu::1@0-1", "gres=gpu::2", "1-7", 1, "1 1 near 0-1", "1 1 near 0-1" },
    { "gpu::1@0-0,gpu::1@1-1", "gres=gpu::2", "1-7", 1, "none", "none" },
    /* of the job as a whole: what falls to the node */
    { EVEN, "gres-job=gpu::2", "", 8, "1 1 near 0-7", "1 1 near 0-7" },
    /* of one type before mixed */
    { "gpu:a:1@0-3,gpu:b:2@0-3", "gres=gpu::2", "", 1, "0 2 near 0-3", "0 2 near 0-3" },
    { "gpu:a:1@0-3,gpu:b:2@0-3", "gres=gpu::3", "", 1, "1 2 near 0-3", "1 2 near 0-3" },
    { "gpu:a:1@0-3,gpu:b:1@4-7", "gres=gpu:b:1", "", 1, "0 1 near 4-7", "0 1 near 4-7" },
    /* what is near all has no say */
    { "gpu::2", "gres=gpu::1", "0-3", 4, "", "" },
    { "gpu::1@0-3,gpu::1", "gres=gpu::2", "", 8, "1 1", "1 1" },
};

START_TEST(devices_come_from_where_the_cores_are)
{
    struct one_node scene = bound_node(table[_i].gres, table[_i].job, table[_i].busy);
    AUTO_FREE char *planned = choice_words(&scene, table[_i].cores_n, false);
    AUTO_FREE char *starts = choice_words(&scene, table[_i].cores_n, true);

    ck_assert_msg(strcmp(planned, table[_i].planned) == 0, "%s of %s with %u cores: '%s'",
                  table[_i].job, table[_i].gres, table[_i].cores_n, planned);
    ck_assert_msg(strcmp(starts, table[_i].starts) == 0, "%s of %s with %u cores starts: '%s'",
                  table[_i].job, table[_i].gres, table[_i].cores_n, starts);
    one_node_clear(&scene);
}
END_TEST

/* Two wants, of which one can be served by one sort only. */
START_TEST(one_want_makes_way_for_another)
{
    struct one_node scene = bound_node("gpu:a:1@0-3,gpu:b:1@0-3", "gres=gpu:a:1,gpu::1", "");
    AUTO_FREE char *planned = choice_words(&scene, 1, false);

    ck_assert_str_eq(planned, "1 0 near 0-3"); /* the want with a type; the other has the b */
    one_node_clear(&scene);
}
END_TEST

CHECK_MAIN(bound, LOOP_CASE(devices_come_from_where_the_cores_are, ARRAY_N(table)),
           CASE(one_want_makes_way_for_another))
