#include "unit/check_main.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/msg/job.h"
#include "common/text/words.h"
#include "noded/bind/mask.h"
#include "noded/bind/plan.h"

/* A step of one node, on a machine of which only the form is real. */
struct rig {
    struct cpu_tree tree;
    struct bind_conf conf;
    struct launch_body body;
    struct cpu_plan plan;
};

static void rig_start(struct rig *rig, const char *synthetic, uint32_t tasks_n)
{
    struct err err = { 0 };
    struct step_node *node;

    *rig = (struct rig){ .conf.tree = &rig->tree };
    ck_assert_msg(cpu_tree_read(synthetic, &rig->tree, &err) == 0, "%s", err.text);
    launch_body_init(&rig->body);
    rig->body.cpus_per_task = 1;
    node = ARRAY_PUSH(rig->body.nodes, rig->body.nodes_n);
    step_node_init(node);
    node->name = xstrdup("tux1");
    for (uint32_t i = 0; i < tasks_n; i++)
        *ARRAY_PUSH(node->tasks, node->tasks_n) = i;
}

static void rig_end(struct rig *rig)
{
    cpu_plan_clear(&rig->plan);
    launch_body_clear(&rig->body);
    cpu_tree_clear(&rig->tree);
}

/* The step may use these of the machine's cpus; 0: all. */
static void rig_give(struct rig *rig, uint64_t numbers)
{
    struct step_node *node = &rig->body.nodes[0];

    for (uint32_t i = 0; i < rig->tree.cpus_n; i++) {
        if (numbers == 0 || numbers >> rig->tree.cpus[i].number & 1)
            *ARRAY_PUSH(node->cpus, node->cpus_n) = i;
    }
}

static int rig_make(struct rig *rig, const char *cpu_bind, struct err *err)
{
    xstrset(&rig->body.cpu_bind, cpu_bind);
    return cpu_plan_make(&rig->conf, &rig->body, 0, &rig->plan, err);
}

static void format_masks(const struct cpu_plan *plan, uint32_t tasks_n, struct strbuf *out)
{
    for (uint32_t i = 0; i < tasks_n; i++) {
        strbuf_adds(out, i ? ",0x" : "0x");
        if (i < plan->masks_n)
            mask_format(&plan->masks[i], out);
        else
            strbuf_adds(out, "0");
    }
}

/* ---- what was recorded ---- */

#define ROW_WORDS 9

static const char *synthetic_of(const char *machine)
{
    static const char *const machines[][2] = {
        { "2x4x2", "pack:2 core:4 pu:2" },
        { "3x3x1", "pack:3 core:3 pu:1" },
        { "2x2x2*", "pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)" },
    };

    for (size_t i = 0; i < ARRAY_N(machines); i++) {
        if (strcmp(machine, machines[i][0]) == 0)
            return machines[i][1];
    }
    ck_abort_msg("no machine '%s'", machine);
    return NULL;
}

static uint32_t dist_of(const char *word)
{
    if (strcmp(word, "block") == 0)
        return DIST_BLOCK;
    return strcmp(word, "fcyclic") == 0 ? DIST_FCYCLIC : DIST_DEFAULT;
}

static uint32_t number_of(const char *word)
{
    return (uint32_t)strtoul(word, NULL, 10);
}

static void check_row(const char *line)
{
    AUTO(words) struct words row = words_split(line, " \n");
    AUTO(strbuf) struct strbuf masks = { 0 };
    struct err err = { 0 };
    struct rig rig;

    ck_assert_uint_eq(row.n, ROW_WORDS);
    rig_start(&rig, synthetic_of(row.at[0]), number_of(row.at[2]));
    rig_give(&rig, strtoull(row.at[1], NULL, 16));
    rig.body.cpus_per_task = number_of(row.at[3]);
    rig.body.dist_sockets = dist_of(row.at[4]);
    rig.body.threads_per_core = number_of(row.at[6]);
    rig.body.ntasks_per_core = number_of(row.at[7]);
    ck_assert_msg(rig_make(&rig, strcmp(row.at[5], "-") == 0 ? NULL : row.at[5], &err) == 0,
                  "%s: %s", line, err.text);
    format_masks(&rig.plan, number_of(row.at[2]), &masks);
    ck_assert_msg(strcmp(strbuf_text(&masks), row.at[8]) == 0, "%s: got %s", line,
                  strbuf_text(&masks));
    rig_end(&rig);
}

START_TEST(tasks_are_bound_as_slurm_binds_them)
{
    FILE *file = fopen("data/bind/masks", "r");
    char line[1024];
    uint32_t rows = 0;

    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file)) {
        if (line[0] == '#')
            continue;
        check_row(line);
        rows++;
    }
    fclose(file);
    ck_assert_uint_gt(rows, 200);
}
END_TEST

/* ---- what is told ---- */

static void check_told(const char *cpu_bind, uint64_t numbers, uint32_t tasks_n, const char *shown,
                       const char *line)
{
    const struct bound_task task = { .node = "tux1", .task = 1, .local = 1, .pid = 77 };
    AUTO(strbuf) struct strbuf whole = { 0 }, said = { 0 };
    struct err err = { 0 };
    struct rig rig;

    rig_start(&rig, "pack:2 core:4 pu:2", tasks_n);
    rig_give(&rig, numbers);
    ck_assert_msg(rig_make(&rig, cpu_bind, &err) == 0, "%s", err.text);
    cpu_bind_format(&rig.plan.shown, &whole);
    cpu_plan_describe(&rig.plan, &task, 0, &said);
    ck_assert_str_eq(strbuf_text(&whole), shown);
    ck_assert_str_eq(strbuf_text(&said), line);
    rig_end(&rig);
}

START_TEST(tasks_hear_what_was_done)
{
    check_told("quiet", 0, 2, "quiet,mask_cpu:0x00FF,0xFF00",
               "cpu-bind=MASK - tux1, task  1  1 [77]: mask 0xff00 set\n");
    check_told("verbose,cores", 0, 3, "verbose,mask_cpu:0x0003,0x0300,0x000C",
               "cpu-bind=MASK - tux1, task  1  1 [77]: mask 0x300 set\n");
    check_told("verbose,none", 0, 2, "verbose,none",
               "cpu-bind=NONE - tux1, task  1  1 [77]: mask 0x0\n");
    check_told("verbose,none", 3, 2, "verbose,mask_cpu:0x0003",
               "cpu-bind=MASK - tux1, task  1  1 [77]: mask 0x3 set\n");
    check_told("verbose,rank", 0, 2, "verbose,rank",
               "cpu-bind=RANK - tux1, task  1  1 [77]: mask 0x2 set\n");
    check_told("verbose,map_cpu:0,2", 0, 2, "verbose,map_cpu:0,2",
               "cpu-bind=MAP  - tux1, task  1  1 [77]: mask 0x4 set\n");
    check_told("mask_cpu:0", 0, 2, "quiet,mask_cpu:ffff",
               "cpu-bind=MASK - tux1, task  1  1 [77]: mask 0xffff set\n");
    check_told("v,rank_ldom", 0, 2, "verbose,rank_ldom",
               "cpu-bind=LDRANK - tux1, task  1  1 [77]: mask 0xffff set\n");
    check_told("v,map_ldom:3", 0, 2, "verbose,map_ldom:3",
               "cpu-bind=LDMAP  - tux1, task  1  1 [77]: mask 0xffff set\n");
    check_told("v,mask_ldom:0x1", 0, 2, "verbose,mask_ldom:1",
               "cpu-bind=LDMASK - tux1, task  1  1 [77]: mask 0xffff set\n");
    check_told("v,cores", 3, 20, "verbose,mask_cpu:0x0003",
               "cpu-bind-cores=MASK - tux1, task  1  1 [77]: mask 0x3 set\n");
}
END_TEST

START_TEST(numa_nodes_are_bound_to_by_their_numbers)
{
    AUTO(strbuf) struct strbuf masks = { 0 };
    struct rig rig;

    rig_start(&rig, "pack:2 [numa] core:2 pu:1", 3);
    rig_give(&rig, 0);
    ck_assert_int_eq(rig_make(&rig, "map_ldom:1,0", NULL), 0);
    format_masks(&rig.plan, 3, &masks);
    cpu_plan_clear(&rig.plan);
    strbuf_adds(&masks, " ");
    ck_assert_int_eq(rig_make(&rig, "rank_ldom", NULL), 0);
    format_masks(&rig.plan, 3, &masks);
    cpu_plan_clear(&rig.plan);
    strbuf_adds(&masks, " ");
    ck_assert_int_eq(rig_make(&rig, "ldoms", NULL), 0);
    format_masks(&rig.plan, 3, &masks);

    ck_assert_str_eq(strbuf_text(&masks), "0xc,0x3,0xc 0x3,0xc,0x3 0x3,0xc,0x3");
    rig_end(&rig);
}
END_TEST

/* ---- what is refused ---- */

static void check_refused(const char *cpu_bind, uint64_t numbers, const char *text)
{
    struct err err = { 0 };
    struct rig rig;

    rig_start(&rig, "pack:2 core:4 pu:2", 2);
    rig_give(&rig, numbers);
    ck_assert_int_eq(rig_make(&rig, cpu_bind, &err), -E_CPU_BIND);
    ck_assert_str_eq(err.text, text);
    ck_assert_uint_eq(rig.plan.masks_n, 0);
    rig_end(&rig);
}

START_TEST(cpus_of_others_are_refused)
{
#define OUTSIDE                                                                                    \
    "Unable to satisfy cpu bind request: CPU binding outside of job step allocation, "             \
    "allocated CPUs are: "
    check_refused("map_cpu:0,2", 0x303, OUTSIDE "0x0303.");
    check_refused("map_cpu:99", 3, OUTSIDE "0x0003.");
    check_refused("mask_cpu:f,F00", 0xf, OUTSIDE "0x000F.");
    check_refused("mask_cpu:10000000000000000000000000", 0, OUTSIDE "0xFFFF.");
    check_refused("verbose,rank", 0xf,
                  "Unable to satisfy cpu bind request: Entire node must be allocated for "
                  "verbose,rank");
    check_refused("map_ldom:0", 0xf,
                  "Unable to satisfy cpu bind request: Entire node must be allocated for map_ldom");
}
END_TEST

START_TEST(batch_scripts_use_all_of_their_job_and_hear_nothing)
{
    AUTO(strbuf) struct strbuf masks = { 0 };
    struct rig rig;

    rig_start(&rig, "pack:2 core:4 pu:2", 1);
    rig_give(&rig, 0x303);
    rig.body.step_id = STEP_BATCH;
    ck_assert_int_eq(rig_make(&rig, NULL, NULL), 0);
    format_masks(&rig.plan, 1, &masks);

    ck_assert_str_eq(strbuf_text(&masks), "0x303");
    ck_assert(!cpu_plan_is_told(&rig.plan));
    rig_end(&rig);
}
END_TEST

START_TEST(what_fits_nothing_is_bound_as_slurm_conf_says)
{
    AUTO(strbuf) struct strbuf masks = { 0 };
    struct rig rig;

    rig_start(&rig, "pack:2 core:4 pu:2", 3);
    rig_give(&rig, 0);
    rig.conf.otherwise = CPU_BIND_CORES;
    ck_assert_int_eq(rig_make(&rig, NULL, NULL), 0);
    format_masks(&rig.plan, 3, &masks);

    ck_assert_str_eq(strbuf_text(&masks), "0x3,0x300,0xc");
    rig_end(&rig);
}
END_TEST

START_TEST(without_task_affinity_and_for_services_nothing_is_bound)
{
    struct rig rig;

    rig_start(&rig, "pack:2 core:4 pu:2", 3);
    rig_give(&rig, 0);
    rig.body.service = STEP_SERVICE_RECEIVE;
    ck_assert_int_eq(rig_make(&rig, "cores", NULL), 0);
    ck_assert_uint_eq(rig.plan.masks_n, 0);
    rig.body.service = STEP_SERVICE_NONE;
    rig.conf.tree = NULL;
    ck_assert_int_eq(rig_make(&rig, "cores", NULL), 0);
    ck_assert_uint_eq(rig.plan.masks_n, 0);
    ck_assert(!cpu_plan_is_told(&rig.plan));
    rig_end(&rig);
}
END_TEST

START_TEST(where_cpus_are_not_known_nothing_is_bound_and_that_is_told)
{
    const struct bound_task task = { .node = "tux1", .pid = 77 };
    AUTO(strbuf) struct strbuf whole = { 0 }, said = { 0 };
    struct rig rig;

    rig_start(&rig, "pack:2 core:4 pu:2", 1);
    rig_give(&rig, 0);
    rig.conf = (struct bind_conf){ .unknown = true };
    ck_assert_int_eq(rig_make(&rig, NULL, NULL), 0);
    ck_assert(!cpu_plan_is_told(&rig.plan));
    ck_assert_int_eq(rig_make(&rig, "verbose,map_cpu:1", NULL), 0);
    cpu_bind_format(&rig.plan.shown, &whole);
    cpu_plan_describe(&rig.plan, &task, 0, &said);

    ck_assert_uint_eq(rig.plan.masks_n, 0);
    ck_assert_str_eq(strbuf_text(&whole), "verbose,none");
    ck_assert_str_eq(strbuf_text(&said), "cpu-bind=NONE - tux1, task  0  0 [77]: mask 0x0\n");
    rig_end(&rig);
}
END_TEST

START_TEST(a_plan_tells_the_cores_of_a_task)
{
    struct rig rig;
    struct err err = { 0 };
    AUTO(bitset) struct bitset first = { 0 };
    AUTO(bitset) struct bitset second = { 0 };
    AUTO(bitset) struct bitset none = { 0 };

    rig_start(&rig, "package:2 core:2 pu:2", 2);
    rig_give(&rig, 0);
    ck_assert_msg(rig_make(&rig, "mask_cpu:0x83,0x4", &err) == 0, "%s", err.text);
    cpu_plan_cores(&rig.plan, 0, &first);
    cpu_plan_cores(&rig.plan, 1, &second);
    cpu_plan_cores(&rig.plan, 2, &none);

    ck_assert_uint_eq(first.words[0], 1 | 1 << 3);
    ck_assert_uint_eq(second.words[0], 1 << 1);
    ck_assert(bitset_is_empty(&none));
    rig_end(&rig);
}
END_TEST

START_TEST(a_process_binds_itself)
{
    struct cpu_plan plan = { 0 };
    cpu_set_t set;
    size_t first = 0;

    ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
    while (!CPU_ISSET(first, &set))
        first++;
    bitset_init(ARRAY_PUSH(plan.masks, plan.masks_n), (uint32_t)first + 1);
    bitset_add(&plan.masks[0], (uint32_t)first);
    ck_assert_int_eq(cpu_plan_apply(&plan, 0), 0);

    ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
    ck_assert_int_eq(CPU_COUNT(&set), 1);
    ck_assert(CPU_ISSET(first, &set));
    cpu_plan_clear(&plan);
}
END_TEST

CHECK_MAIN(plan, CASE(tasks_are_bound_as_slurm_binds_them), CASE(tasks_hear_what_was_done),
           CASE(numa_nodes_are_bound_to_by_their_numbers), CASE(cpus_of_others_are_refused),
           CASE(batch_scripts_use_all_of_their_job_and_hear_nothing),
           CASE(what_fits_nothing_is_bound_as_slurm_conf_says),
           CASE(without_task_affinity_and_for_services_nothing_is_bound),
           CASE(where_cpus_are_not_known_nothing_is_bound_and_that_is_told),
           CASE(a_plan_tells_the_cores_of_a_task), CASE(a_process_binds_itself))
