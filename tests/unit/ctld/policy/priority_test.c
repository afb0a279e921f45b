#include "unit/check_main.h"

#include <math.h>

#include "common/base/alloc.h"
#include "ctld/policy/priority.h"

/*
 * A Slurm 22.05.8 with 4 nodes of 4 cpus and 4000 MB, DefMemPerCPU=100, partitions main (factor 1)
 * and high (10) of all nodes, mid (4) of one; what sprio -o "%j %p %Y" said.
 */
enum part { MAIN, HIGH, MID };

#define RELATIVE PRIORITY_SMALL_RELATIVE_TO_TIME

static const struct {
    enum part part;
    uint32_t nodes, cpus, mem_mb;
    int64_t time_s;
    int32_t nice, site;
    uint32_t flags;
    bool favor_small;
    double job_size, partition;
    uint32_t total;
} rows[] = {
    { MAIN, 1, 1, 100, -1, 0, 0, 0, false, 0.15625, 0.1, 16843 },
    { MAIN, 1, 16, 1600, -1, 0, 0, 0, false, 0.625, 0.1, 65125 },
    { MAIN, 4, 4, 400, -1, 0, 0, 0, false, 0.625, 0.1, 64375 },
    { MAIN, 2, 3, 300, -1, 0, 0, 0, false, 0.34375, 0.1, 35906 },
    { HIGH, 1, 1, 100, 1800, 0, 0, 0, false, 0.15625, 1, 25843 },
    { MID, 1, 2, 200, 600, 0, 0, 0, false, 0.1875, 0.4, 24000 },
    { MID, 1, 1, 100, 600, 0, 0, 0, false, 0.15625, 0.4, 20500 },
    { MAIN, 1, 1, 1000, -1, 0, 0, 0, false, 0.15625, 0.1, 16956 },
    { MAIN, 2, 2, 2000, -1, 0, 0, 0, false, 0.3125, 0.1, 32912 },
    { MAIN, 1, 4, 400, -1, 0, 0, 0, false, 0.25, 0.1, 26500 },
    { MAIN, 1, 1, 100, -1, 500, 0, 0, false, 0.15625, 0.1, 16343 },
    { MAIN, 1, 1, 100, -1, -100, 0, 0, false, 0.15625, 0.1, 16943 },
    { MAIN, 1, 1, 100, -1, 99999999, 0, 0, false, 0.15625, 0.1, 1 },
    { MAIN, 1, 1, 100, -1, 0, 250, 0, false, 0.15625, 0.1, 17093 },
    { MAIN, 1, 1, 100, -1, 0, -1000, 0, false, 0.15625, 0.1, 15843 },
    { MAIN, 1, 1, 100, -1, 0, 0, 0, true, 0.84375, 0.1, 85593 },
    { MAIN, 1, 16, 1600, -1, 0, 0, 0, true, 0.375, 0.1, 40125 },
    { MAIN, 2, 3, 300, 1800, 0, 0, 0, true, 0.65625, 0.1, 67156 },
    { MID, 1, 2, 200, 600, 0, 0, 0, true, 0.8125, 0.4, 86500 },
    { MAIN, 1, 16, 1600, -1, 0, 0, RELATIVE, false, 0, 0.1, 2625 },
    { MAIN, 2, 3, 300, 1800, 0, 0, RELATIVE, false, 0.0166667, 0.1, 3197 },
    { MID, 1, 2, 200, 600, 0, 0, RELATIVE, false, 0.025, 0.4, 7750 },
    { MAIN, 1, 1, 100, 3600, 0, 0, RELATIVE, false, 0.0041667, 0.1, 1635 },
    { MAIN, 1, 4, 400, 60, 0, 0, RELATIVE, false, 0.25, 0.1, 26500 },
    { MAIN, 1, 16, 1600, -1, 0, 0, RELATIVE, true, 1, 0.1, 102624 },
    { MAIN, 2, 3, 300, 1800, 0, 0, RELATIVE, true, 0.9833333, 0.1, 99864 },
    { MAIN, 1, 1, 100, 3600, 0, 0, RELATIVE, true, 0.9958333, 0.1, 100802 },
    { MAIN, 1, 1, 100, -1, 0, 0, PRIORITY_NO_NORMAL_PART, false, 0.15625, 1, 25843 },
    { MID, 1, 2, 200, 600, 0, 0, PRIORITY_NO_NORMAL_PART, false, 0.1875, 4, 60000 },
    { MAIN, 2, 3, 300, 1800, 0, 0, PRIORITY_NO_NORMAL_TRES, false, 0.34375, 0.1, 640275 },
    { MID, 1, 2, 200, 600, 0, 0, PRIORITY_NO_NORMAL_TRES, false, 0.1875, 0.4, 425850 },
    { MID, 1, 2, 200, 600, 0, 0, PRIORITY_NO_NORMAL_TRES | PRIORITY_NO_NORMAL_PART, false, 0.1875,
      4, 461850 },
};

static struct priority_config config;
static struct priority_tres tres[4];

static void before(void)
{
    config = (struct priority_config){
        .multifactor = true,
        .weight_age = 1000000,
        .max_age_s = 600,
        .weight_job_size = 100000,
        .weight_partition = 10000,
        .weight_qos = 1000,
        .weight_assoc = 1000,
    };
    ck_assert_int_eq(
        tres_weights_parse("CPU=1000,Mem=2000,Node=500,Billing=300", &config.weight_tres, NULL), 0);
}

static void after(void)
{
    tres_weights_clear(&config.weight_tres);
}

static struct priority_inputs inputs_of(enum part part, uint32_t nodes, uint32_t cpus,
                                        uint32_t mem_mb)
{
    static const uint32_t factors[] = { 1, 10, 4 };
    const double of = part == MID ? 1 : 4;

    tres[0] = (struct priority_tres){ "cpu", cpus, 4 * of };
    tres[1] = (struct priority_tres){ "mem", mem_mb, 4000 * of };
    tres[2] = (struct priority_tres){ "node", nodes, of };
    tres[3] = (struct priority_tres){ "billing", cpus, 4 * of };
    return (struct priority_inputs){
        .nodes = nodes,
        .cpus = cpus,
        .cluster_nodes = 4,
        .cluster_cpus = 16,
        .partition_factor = factors[part],
        .partition_factor_max = 10,
        .time_limit_s = -1,
        .tres = tres,
        .tres_n = 4,
    };
}

START_TEST(factors_and_sum_are_those_of_slurm)
{
    struct priority_inputs inputs =
        inputs_of(rows[_i].part, rows[_i].nodes, rows[_i].cpus, rows[_i].mem_mb);
    struct priority_factors factors;

    inputs.time_limit_s = rows[_i].time_s;
    inputs.nice = rows[_i].nice;
    inputs.site = rows[_i].site;
    config.flags = rows[_i].flags;
    config.favor_small = rows[_i].favor_small;
    priority_factors(&config, &inputs, &factors);

    ck_assert_msg(fabs(factors.job_size.raw - rows[_i].job_size) < 1e-7, "size %f",
                  factors.job_size.raw);
    ck_assert_msg(fabs(factors.partition.raw - rows[_i].partition) < 1e-7, "partition %f",
                  factors.partition.raw);
    ck_assert_uint_eq(factors.total, rows[_i].total);
}
END_TEST

START_TEST(parts_of_resources_can_be_shown_one_by_one)
{
    const struct priority_inputs inputs = inputs_of(MAIN, 2, 3, 300);

    ck_assert(priority_tres_factor(&config, &inputs, "cpu").weighted == 187.5);
    ck_assert(priority_tres_factor(&config, &inputs, "mem").weighted == 37.5);
    ck_assert(priority_tres_factor(&config, &inputs, "node").raw == 0.5);
    ck_assert(priority_tres_factor(&config, &inputs, "gres/gpu").weighted == 0);
}
END_TEST

static const struct {
    int64_t now_s, submit_s, eligible_s;
    int64_t max_age_s;
    uint32_t flags;
    double age;
} ages[] = {
    { 1000, 1000, 1000, 600, 0, 0 },
    { 1300, 1000, 1000, 600, 0, 0.5 },
    { 1600, 1000, 1000, 600, 0, 1 },
    { 9999, 1000, 1000, 600, 0, 1 },
    { 1300, 1000, 0, 600, 0, 0 },    /* held */
    { 1300, 1000, 1500, 600, 0, 0 }, /* --begin */
    { 1800, 1000, 1500, 600, 0, 0.5 },
    { 1300, 1000, 1500, 600, PRIORITY_ACCRUE_ALWAYS, 0.5 },
    { 1300, 1000, 0, 600, PRIORITY_ACCRUE_ALWAYS, 0.5 },
    { 900, 1000, 1000, 600, 0, 0 }, /* the clock was set back */
    { 1001, 1000, 1000, 0, 0, 1 },
};

START_TEST(age_counts_from_when_a_job_could_start)
{
    struct priority_inputs inputs = inputs_of(MAIN, 1, 1, 100);
    struct priority_factors factors;

    inputs.now_s = ages[_i].now_s;
    inputs.submit_s = ages[_i].submit_s;
    inputs.eligible_s = ages[_i].eligible_s;
    config.max_age_s = ages[_i].max_age_s;
    config.flags = ages[_i].flags;
    priority_factors(&config, &inputs, &factors);

    ck_assert(factors.age.raw == ages[_i].age);
    ck_assert_uint_eq(factors.total, 16843 + (uint32_t)(1000000 * ages[_i].age));
}
END_TEST

START_TEST(associations_and_qos_are_normalised_by_the_highest)
{
    struct priority_inputs inputs = inputs_of(MAIN, 1, 1, 100);
    struct priority_factors factors;

    inputs.assoc_priority = 5;
    inputs.assoc_priority_max = 20;
    inputs.qos_priority = 10;
    inputs.qos_priority_max = 20;
    inputs.fair_share = 0.5;
    config.weight_fair_share = 100;
    priority_factors(&config, &inputs, &factors);
    ck_assert_uint_eq(factors.total, 16843 + 250 + 500 + 50);

    config.flags = PRIORITY_NO_NORMAL_ASSOC | PRIORITY_NO_NORMAL_QOS;
    priority_factors(&config, &inputs, &factors);
    ck_assert_uint_eq(factors.total, 16843 + 5000 + 10000 + 50);
}
END_TEST

START_TEST(sum_stays_in_its_range)
{
    struct priority_inputs inputs = inputs_of(MAIN, 4, 16, 16000);
    struct priority_factors factors;

    config.weight_job_size = UINT32_MAX;
    config.weight_age = UINT32_MAX;
    inputs.now_s = 10000;
    inputs.eligible_s = 1;
    priority_factors(&config, &inputs, &factors);

    ck_assert_uint_eq(factors.total, PRIORITY_MAX);
}
END_TEST

START_TEST(cluster_without_nodes_gives_the_lowest_priority)
{
    struct priority_inputs inputs = inputs_of(MAIN, 1, 1, 100);
    struct priority_factors factors;

    inputs.cluster_nodes = inputs.cluster_cpus = inputs.partition_factor_max = 0;
    inputs.tres_n = 0;
    priority_factors(&config, &inputs, &factors);

    ck_assert_uint_eq(factors.total, 1);
}
END_TEST

CHECK_MAIN_WITH(priority, before, after,
                LOOP_CASE(factors_and_sum_are_those_of_slurm, ARRAY_N(rows)),
                CASE(parts_of_resources_can_be_shown_one_by_one),
                LOOP_CASE(age_counts_from_when_a_job_could_start, ARRAY_N(ages)),
                CASE(associations_and_qos_are_normalised_by_the_highest),
                CASE(sum_stays_in_its_range), CASE(cluster_without_nodes_gives_the_lowest_priority))
