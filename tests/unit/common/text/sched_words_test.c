/*
 * Every word of SchedulerParameters that the manual pages of Slurm 20.11 to 24.05 have: a value
 * that is taken and what it sets, or that it is said to have no effect, and values that are left
 * out.
 */
#include "unit/check_main.h"

#include <stddef.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "common/text/sched_params.h"

static void on_remark(void *ctx, enum sched_remark kind, const char *text)
{
    static const char *const kinds[] = {
        [SCHED_UNKNOWN] = "unknown", [SCHED_NO_EFFECT] = "no effect", [SCHED_LEFT_OUT] = "left out"
    };

    strbuf_addf(ctx, "%s: %s;", kinds[kind], text);
}

/* Remarks of the text, in `out`, and what it sets. */
static struct sched_params parse(const char *text, struct strbuf *out)
{
    struct sched_params params;

    sched_params_parse(text, &params, on_remark, out);
    return params;
}

/* ---- numbers ---- */

#define AT(name) #name, offsetof(struct sched_params, name)

static const struct {
    const char *word;
    size_t at;
    uint64_t least, most;
} numbers[] = {
    { AT(bf_window), 1, 43200 },
    { AT(bf_resolution), 1, 3600 },
    { AT(bf_max_job_test), 1, 1000000 },
    { AT(bf_max_job_user), 0, 1000000 },
    { AT(bf_max_job_part), 0, 1000000 },
    { AT(bf_max_job_start), 0, 10000 },
    { AT(bf_min_age_reserve), 0, 2592000 },
    { AT(bf_min_prio_reserve), 0, INT64_MAX },
    { AT(max_switch_wait), 0, INT32_MAX },
};

static uint64_t number_of(const struct sched_params *params, uint32_t row)
{
    return *(const uint64_t *)((const char *)params + numbers[row].at);
}

static void check_taken(uint32_t row, uint64_t value)
{
    AUTO_FREE char *text = xasprintf("%s=%llu", numbers[row].word, (unsigned long long)value);
    AUTO(strbuf) struct strbuf remarks = { 0 };
    const struct sched_params params = parse(text, &remarks);

    ck_assert_uint_eq(number_of(&params, row), value);
    ck_assert_str_eq(strbuf_text(&remarks), "");
}

static void check_left_out(uint32_t row, const char *value)
{
    const char *word = numbers[row].word;
    AUTO_FREE char *text = xasprintf("%s=%s", word, value);
    AUTO_FREE char *said =
        xasprintf("left out: %s=%s is not a number from %llu to %llu and left out;", word, value,
                  (unsigned long long)numbers[row].least, (unsigned long long)numbers[row].most);
    AUTO(strbuf) struct strbuf remarks = { 0 };
    const struct sched_params params = parse(text, &remarks);

    ck_assert_uint_eq(number_of(&params, row), SCHED_UNSET);
    ck_assert_str_eq(strbuf_text(&remarks), said);
}

START_TEST(numbers_are_taken_from_the_least_to_the_most)
{
    const uint32_t row = (uint32_t)_i;
    AUTO_FREE char *above = xasprintf("%llu", (unsigned long long)numbers[row].most + 1);

    check_taken(row, numbers[row].least);
    check_taken(row, numbers[row].most);
    check_left_out(row, above);
    check_left_out(row, "-1");
    check_left_out(row, "many");
    check_left_out(row, "");
    if (numbers[row].least > 0)
        check_left_out(row, "0");
}
END_TEST

/* ---- switches ---- */

static const struct {
    const char *word;
    size_t at;
} switches[] = {
    { AT(spec_cores_first) },
    { AT(kill_invalid_depend) },
    { AT(nohold_on_prolog_fail) },
};

START_TEST(switches_are_on_where_they_stand)
{
    AUTO(strbuf) struct strbuf remarks = { 0 };
    const struct sched_params on = parse(switches[_i].word, &remarks), off = parse("", &remarks);

    ck_assert(*(const bool *)((const char *)&on + switches[_i].at));
    ck_assert(!*(const bool *)((const char *)&off + switches[_i].at));
    ck_assert_str_eq(strbuf_text(&remarks), "");
}
END_TEST

/* ---- bf_interval ---- */

static const struct {
    const char *text;
    uint64_t value;
    const char *remark;
} intervals[] = {
    { "bf_interval=-1", SCHED_BF_OFF, "" },
    { "bf_interval=30", 30, "no effect: bf_interval, other than -1, has no effect here;" },
    { "bf_interval=0", SCHED_UNSET,
      "left out: bf_interval=0 is not a number from 1 to 10800 and left out;" },
    { "bf_interval=10801", SCHED_UNSET,
      "left out: bf_interval=10801 is not a number from 1 to 10800 and left out;" },
};

START_TEST(bf_interval_only_turns_backfill_off)
{
    AUTO(strbuf) struct strbuf remarks = { 0 };
    const struct sched_params params = parse(intervals[_i].text, &remarks);

    ck_assert_uint_eq(params.bf_interval, intervals[_i].value);
    ck_assert_str_eq(strbuf_text(&remarks), intervals[_i].remark);
}
END_TEST

/* ---- what has no effect ---- */

/* As files have them: with a value, where Slurm wants one. */
static const char *const without_effect[] = {
    "allow_zero_lic",
    "batch_sched_delay=3",
    "bb_array_stage_cnt=10",
    "bf_allow_magnetic_slot",
    "bf_busy_nodes",
    "bf_continue",
    "bf_hetjob_immediate",
    "bf_hetjob_prio=min",
    "bf_job_part_count_reserve=2",
    "bf_licenses",
    "bf_max_job_array_resv=20",
    "bf_max_job_assoc=50",
    "bf_max_job_user_part=50",
    "bf_max_time=300",
    "bf_node_space_size=2000",
    "bf_one_resv_per_job",
    "bf_running_job_reserve",
    "bf_topopt_enable",
    "bf_topopt_iterations=5",
    "bf_window_linear=600",
    "bf_yield_interval=2000000",
    "bf_yield_rpc_cnt=10",
    "bf_yield_sleep=500000",
    "build_queue_timeout=2000000",
    "correspond_after_task_cnt=10",
    "default_queue_depth=100",
    "defer",
    "defer_batch",
    "delay_boot=300",
    "disable_hetjob_steps",
    "disable_job_shrink",
    "enable_hetjob_steps",
    "enable_job_state_cache",
    "enable_user_top",
    "extra_constraints",
    "ignore_constraint_validation",
    "Ignore_NUMA",
    "ignore_prefer_validation",
    "inventory_interval=5",
    "max_array_tasks=1000",
    "max_depend_depth=10",
    "max_rpc_cnt=150",
    "max_sched_time=2",
    "max_script_size=4194304",
    "max_submit_line_size=1048576",
    "no_backup_scheduling",
    "no_env_cache",
    "pack_serial_at_end",
    "partition_job_depth=100",
    "permit_job_expansion",
    "preempt_reorder_count=1",
    "preempt_send_user_signal",
    "preempt_strict_order",
    "preempt_youngest_first",
    "reduce_completing_frag",
    "requeue_setup_env_fail",
    "salloc_wait_nodes",
    "sbatch_wait_nodes",
    "sched_interval=60",
    "sched_max_job_start=10",
    "sched_min_interval=2",
    "step_retry_count=8",
    "step_retry_time=60",
    "time_min_as_soft_limit",
    "whole_hetjob",
    "whole_pack",
};

START_TEST(what_has_no_effect_is_said_once_and_sets_nothing)
{
    const char *text = without_effect[_i];
    AUTO_FREE char *said =
        xasprintf("no effect: %.*s has no effect here;", (int)strcspn(text, "="), text);
    AUTO(strbuf) struct strbuf remarks = { 0 };
    const struct sched_params params = parse(text, &remarks);

    ck_assert_str_eq(strbuf_text(&remarks), said);
    for (uint32_t i = 0; i < ARRAY_N(numbers); i++)
        ck_assert_uint_eq(number_of(&params, i), SCHED_UNSET);
    ck_assert_uint_eq(params.bf_interval, SCHED_UNSET);
    for (uint32_t i = 0; i < ARRAY_N(switches); i++)
        ck_assert(!*(const bool *)((const char *)&params + switches[i].at));
}
END_TEST

CHECK_MAIN(sched_words, LOOP_CASE(numbers_are_taken_from_the_least_to_the_most, ARRAY_N(numbers)),
           LOOP_CASE(switches_are_on_where_they_stand, ARRAY_N(switches)),
           LOOP_CASE(bf_interval_only_turns_backfill_off, ARRAY_N(intervals)),
           LOOP_CASE(what_has_no_effect_is_said_once_and_sets_nothing, ARRAY_N(without_effect)))
