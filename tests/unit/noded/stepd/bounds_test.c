#include "unit/check_main.h"

#include <signal.h>

#include "common/conf/slurm_conf.h"
#include "noded/stepd/bounds.h"
#include "noded/stepd/oom.h"

#define KB(mb) ((uint64_t)(mb)*1024)

static struct bounds usual(void)
{
    return (struct bounds){
        .conf = { .constrain_ram = true,
                  .allowed_ram = 10000,
                  .max_ram = 10000,
                  .max_swap = 10000,
                  .min_ram_mb = 30 },
        .node_memory_mb = 1000,
    };
}

static void check(const struct bounds *bounds, uint64_t asked_mb, uint64_t ram_kb, uint64_t swap_kb)
{
    struct cgroup_memory got = bounds_memory(bounds, asked_mb);

    ck_assert_uint_eq(got.ram_kb, ram_kb);
    ck_assert_uint_eq(got.swap_kb, swap_kb);
    ck_assert_int_eq(got.has_swap, bounds->conf.constrain_swap);
}

START_TEST(memory_is_bounded_to_what_was_asked_for_within_reason)
{
    struct bounds bounds = usual();

    check(&bounds, 100, KB(100), 0);
    check(&bounds, 0, KB(1000), 0);
    check(&bounds, MB_UNSET, KB(1000), 0);
    check(&bounds, 10, KB(30), 0);
    check(&bounds, 2000, KB(1000), 0);
    bounds.conf.allowed_ram = 12050;
    check(&bounds, 100, KB(120) + 512, 0);
    bounds.conf.max_ram = 5000;
    check(&bounds, 900, KB(500), 0);
}
END_TEST

START_TEST(beyond_what_was_asked_for_memory_is_pressed_back)
{
    struct bounds bounds = usual();

    ck_assert_uint_eq(bounds_memory(&bounds, 100).soft_kb, 0);
    bounds.conf.allowed_ram = 12050;
    ck_assert_uint_eq(bounds_memory(&bounds, 100).soft_kb, KB(100));
    ck_assert_uint_eq(bounds_memory(&bounds, 10).soft_kb, 0);
    ck_assert_uint_eq(bounds_memory(&bounds, 1000).soft_kb, 0);
    bounds.conf.constrain_ram = false;
    bounds.conf.constrain_swap = true;
    ck_assert_uint_eq(bounds_memory(&bounds, 100).soft_kb, 0);
}
END_TEST

START_TEST(swappiness_is_set_where_swap_is_bounded)
{
    struct bounds bounds = usual();

    bounds.conf.swappiness = 10;
    ck_assert(!bounds_memory(&bounds, 100).has_swappiness);
    bounds.conf.constrain_swap = true;
    ck_assert(bounds_memory(&bounds, 100).has_swappiness);
    bounds.conf.swappiness = CONF_UNSET;
    ck_assert(!bounds_memory(&bounds, 100).has_swappiness);
}
END_TEST

START_TEST(swap_is_bounded_beside_memory)
{
    struct bounds bounds = usual();

    bounds.conf.constrain_swap = true;
    check(&bounds, 100, KB(100), 0);
    bounds.conf.allowed_swap = 5000;
    check(&bounds, 100, KB(100), KB(50));
    bounds.conf.max_swap = 200;
    check(&bounds, 100, KB(100), KB(20));
}
END_TEST

/* As the manual of cgroup.conf has it. */
START_TEST(swap_alone_makes_one_bound_for_both)
{
    struct bounds bounds = usual();

    bounds.conf.constrain_swap = true;
    bounds.conf.constrain_ram = false;
    bounds.conf.allowed_ram = 20000;
    bounds.conf.allowed_swap = 5000;
    check(&bounds, 100, KB(150), 0);
}
END_TEST

static const struct {
    uint64_t asked_mb, peak_kb;
    uint32_t tasks_n;
    const char *line;
} advice[] = {
    { 50, KB(50), 1,
      "slurmstepd: error: StepId=12.0 on tux1: task 3 ran out of memory; asked for 50M, used at "
      "most 50M; next, try --mem=80M\n" },
    { 2048, KB(2047), 2,
      "slurmstepd: error: StepId=12.0 on tux1: tasks 3,4 ran out of memory; asked for 2G, used at "
      "most 2047M; next, try --mem=3100M\n" },
    { 65536, 0, 0,
      "slurmstepd: error: StepId=12.0 on tux1: a process ran out of memory; asked for 64G; next, "
      "try --mem=97G\n" },
    { MB_UNSET, KB(900), 1,
      "slurmstepd: error: StepId=12.0 on tux1: task 3 ran out of memory; asked for all of the "
      "node, used at most 900M; next, try a node with more\n" },
};

START_TEST(who_ran_out_of_memory_is_told_what_to_ask_for_next)
{
    uint32_t tasks[] = { 3, 4 };
    const struct oom oom = { .tasks = tasks, .tasks_n = advice[_i].tasks_n };
    const struct oom_where where = { "12.0", "tux1", advice[_i].asked_mb };
    AUTO(strbuf) struct strbuf out = { 0 };

    oom_advise(&oom, advice[_i].peak_kb, &where, &out);
    ck_assert_str_eq(strbuf_text(&out), advice[_i].line);
}
END_TEST

CHECK_MAIN(bounds, CASE(memory_is_bounded_to_what_was_asked_for_within_reason),
           CASE(beyond_what_was_asked_for_memory_is_pressed_back),
           CASE(swappiness_is_set_where_swap_is_bounded), CASE(swap_is_bounded_beside_memory),
           CASE(swap_alone_makes_one_bound_for_both),
           LOOP_CASE(who_ran_out_of_memory_is_told_what_to_ask_for_next, ARRAY_N(advice)))
