#include "unit/check_main.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "noded/bind/memory.h"

/* Two NUMA nodes, 0 and 2. */
static struct tree_cpu cpus[] = { { 0, 0, 0, 0 }, { 1, 1, 1, 2 } };
static const struct cpu_tree tree = { cpus, 2, 2, 2, 2, 1 };

static struct mem_plan plan_of(char *mem_bind)
{
    const struct bind_conf conf = { .tree = &tree };
    struct launch_body body;
    struct mem_plan plan;

    launch_body_init(&body);
    body.mem_bind = mem_bind;
    ck_assert_int_eq(mem_plan_make(&conf, &body, &plan, NULL), 0);
    return plan;
}

/* As the second task of a node says it. */
static const struct {
    char *mem_bind;
    const char *line; /* or why it does not run */
} told[] = {
    { "verbose,none", "mem-bind=NONE - tux1, task  3  1 [77]: mask 0x5\n" },
    { "verbose", "mem-bind=NULL - tux1, task  3  1 [77]: mask 0x5\n" },
    { "verbose,local", "mem-bind=LOC - tux1, task  3  1 [77]: mask 0x5 set\n" },
    { "verbose,map_mem:0,2", "mem-bind=MAP - tux1, task  3  1 [77]: mask 0x4 set\n" },
    { "verbose,mask_mem:5", "mem-bind=MASK - tux1, task  3  1 [77]: mask 0x5 set\n" },
    { "verbose,prefer,map_mem:2", "mem-bind PREFER MAP - tux1, task  3  1 [77]: mask 0x4 set\n" },
    { "verbose,rank",
      "NUMA node 1 does not exist; cannot bind local task 1 to it (--mem-bind=rank)" },
    { "map_mem:7",
      "NUMA node 7 does not exist; cannot bind local task 1 to it (--mem-bind=map_mem)" },
    { "mask_mem:3",
      "NUMA node 1 does not exist; cannot bind local task 1 to it (--mem-bind=mask_mem)" },
    { "mask_mem:0", "--mem-bind=mask_mem names no NUMA node for local task 1" },
    { "map_mem:99999", "--mem-bind=map_mem names no NUMA node for local task 1" },
};

START_TEST(tasks_say_where_their_memory_is)
{
    const struct bound_task task = { .node = "tux1", .task = 3, .local = 1, .pid = 77 };
    struct mem_plan plan = plan_of(told[_i].mem_bind);
    AUTO(bitset) struct bitset nodes = { 0 };
    AUTO(strbuf) struct strbuf line = { 0 };
    struct err err = { 0 };

    if (mem_plan_nodes(&plan, 1, &nodes, &err) == 0)
        mem_plan_describe(&plan, &task, &nodes, &line);
    else
        strbuf_adds(&line, err.text);

    ck_assert_str_eq(strbuf_text(&line), told[_i].line);
    mem_plan_clear(&plan);
}
END_TEST

START_TEST(who_says_nothing_hears_nothing)
{
    struct mem_plan quiet = plan_of("quiet"), none = plan_of(NULL);

    ck_assert(!mem_plan_is_told(&quiet));
    ck_assert(!mem_plan_is_told(&none));
    mem_plan_clear(&quiet);
    mem_plan_clear(&none);
}
END_TEST

START_TEST(a_process_binds_itself)
{
    struct mem_plan plan = plan_of("map_mem:0");
    AUTO(bitset) struct bitset nodes = { 0 };
    unsigned long mask[16] = { 0 };
    int mode = -1;

    ck_assert_int_eq(mem_plan_nodes(&plan, 0, &nodes, NULL), 0);
    ck_assert_int_eq(mem_plan_apply(&plan, &nodes), 0);

    ck_assert_int_eq(syscall(SYS_get_mempolicy, &mode, mask, sizeof(mask) * 8, NULL, 0), 0);
    ck_assert_int_eq(mode, MPOL_BIND);
    ck_assert_uint_eq(mask[0], 1);
    mem_plan_clear(&plan);
}
END_TEST

CHECK_MAIN(memory, LOOP_CASE(tasks_say_where_their_memory_is, sizeof(told) / sizeof(told[0])),
           CASE(who_says_nothing_hears_nothing), CASE(a_process_binds_itself))
