/* Limits on one job, by what it gets: whole cores of two threads, all cpus of its nodes, as many
 * nodes as there are. Two nodes of two cores have four cpus and 4000 MB each. What is expected
 * was seen on a Slurm 22.05, but for jobs that can do with fewer nodes: there they wait. */
#include "unit/check_main.h"

#include "unit/ctld/control/limit_desk.h"

#define WITH_THREADS ENFORCED " threads=2"

static const struct limited rows[] = {
    { "user", "max_tres_per_job", "cpu=3", "nodes=1 exclusive=1 mem=1", "AssocMaxCpuPerJobLimit" },
    { "user", "max_tres_per_job", "cpu=1", "ntasks=1 mem=1", "AssocMaxCpuPerJobLimit" },
    { "user", "max_tres_per_job", "cpu=2", "ntasks=1 mem=1", "RUNNING" },
    { "user", "max_tres_per_job", "cpu=2", "ntasks=1 mem=1 ; ntasks=1 mem=1", "RUNNING RUNNING" },
    { "user", "max_tres_per_job", "cpu=3", "ntasks=3 mem=1", "AssocMaxCpuPerJobLimit" },
    { "user", "max_tres_per_job", "cpu=2", "ntasks=1 cpus=2 core_threads=1 mem=1",
      "AssocMaxCpuPerJobLimit" },
    { "qos", "max_tres_per_job", "cpu=2", "ntasks=1 cpus=2 core_threads=1 mem=1",
      "QOSMaxCpuPerJobLimit" },
    { "user", "max_tres_per_job", "mem=500", "ntasks=1 cpu_mem=400", "AssocMaxMemPerJob" },
    { "user", "max_tres_per_job", "mem=800", "ntasks=1 cpu_mem=400", "RUNNING" },
    { "user", "max_tres_per_job", "billing=2", "nodes=1 exclusive=1 mem=1",
      "AssocMaxBillingPerJob" },
    { "user", "max_tres_per_job", "billing=1", "ntasks=1 mem=1", "AssocMaxBillingPerJob" },
    { "user", "grp_tres", "billing=3", "ntasks=1 mem=1 ; ntasks=1 mem=1",
      "RUNNING AssocGrpBilling" },
    { "user", "max_tres_mins_per_job", "cpu=10", "ntasks=1 time=480 mem=1",
      "AssocMaxCpuMinutesPerJobLimit" },
    { "user", "max_tres_mins_per_job", "cpu=10",
      "ntasks=1 time=300 mem=1 ; ntasks=1 time=300 mem=1", "RUNNING RUNNING" },
    { "user", "max_tres_mins_per_job", "cpu=10", "nodes=1 exclusive=1 time=300 mem=1",
      "AssocMaxCpuMinutesPerJobLimit" },
    { "user", "max_tres_per_job", "cpu=3", "ntasks=1 gres=gpu:2 gpu_cpus=2 mem=1",
      "AssocMaxCpuPerJobLimit" },
    { "user", "max_tres_per_job", "mem=500", "ntasks=1 gres=gpu:2 gpu_mem=300",
      "AssocMaxMemPerJob" },
    { "user", "grp_tres", "cpu=2", "ntasks=1 cpus=2 core_threads=1 mem=1", "AssocGrpCpuLimit" },
    { "user", "max_tres_mins_per_job", "mem=1000", "ntasks=1 cpu_mem=100 time=480",
      "AssocMaxMemMinutesPerJob" },
    { "user", "max_tres_per_node", "cpu=2", "nodes=1 exclusive=1 mem=1", "AssocMaxCpuPerNode" },
};

START_TEST(a_job_that_would_get_more_than_a_limit_on_one_waits)
{
    expect_limited(WITH_THREADS, &rows[_i]);
}
END_TEST

/* A job that can do with less gets as much as the limit lets it have. */
static const struct {
    const char *value, *job;
    uint32_t nodes_n, cpus_n;
} fewer[] = {
    { "cpu=3", "nodes=1 max_nodes=2 ntasks=2 mem=1", 1, 2 },
    { "cpu=4", "nodes=1 max_nodes=2 ntasks=2 mem=1", 2, 4 },
    { "cpu=4", "nodes=1 max_nodes=2 exclusive=1 mem=1", 1, 4 },
    { "cpu=3", "nodes=1 max_nodes=2 mem=1", 1, 2 },
    { "mem=500", "nodes=1 max_nodes=2 exclusive=1 mem=400", 1, 4 },
    { "mem=500", "nodes=1 max_nodes=2 mem=400", 1, 2 },
};

START_TEST(a_job_that_can_do_with_less_gets_what_a_limit_lets_it_have)
{
    struct desk desk = limit_desk(WITH_THREADS);
    uint32_t job;

    set_limit(&desk, "user", "max_tres_per_job", fewer[_i].value);
    job = lab_submit(desk.lab, fewer[_i].job);
    ck_assert_str_eq(lab_state(desk.lab, job), "RUNNING");
    ck_assert_uint_eq(lab_job(desk.lab, job)->rec.nodes_n, fewer[_i].nodes_n);
    ck_assert_uint_eq(lab_job(desk.lab, job)->rec.ncpus, fewer[_i].cpus_n);
    desk_free(&desk);
}
END_TEST

START_TEST(a_job_starts_when_the_limit_on_what_it_gets_is_raised)
{
    struct desk desk = limit_desk(WITH_THREADS);
    struct lab *lab = desk.lab;
    uint32_t job;

    set_limit(&desk, "user", "max_tres_per_job", "mem=500");
    job = lab_submit(lab, "ntasks=1 cpu_mem=400");
    ck_assert_str_eq(lab_reason(lab, job), "AssocMaxMemPerJob");
    set_limit(&desk, "user", "max_tres_per_job", "mem=800");
    ck_assert_str_eq(lab_state(lab, job), "RUNNING");
    desk_free(&desk);
}
END_TEST

/* What a job gets is known only with its nodes: it waits for a limit by no more than that, be it on
 * one job or on several. */
static const struct {
    const char *job;
    uint32_t cpus_n;
} exact[] = {
    { "nodes=2 ntasks=4 mem=1", 4 },        { "nodes=1 ntasks=2 cpus=3 mem=1", 6 },
    { "nodes=2 ntasks=2 cpus=3 mem=1", 8 }, { "nodes=2 ntasks=3 mem=1", 4 },
    { "nodes=2 ntasks=6 mem=1", 6 },        { "nodes=2 ntasks=4 cpus=2 mem=1", 8 },
};

START_TEST(a_job_needs_no_more_of_a_limit_than_it_gets)
{
    static const char *const members[] = { "max_tres_per_job", "grp_tres" };
    static const char *const reasons[] = { "AssocMaxCpuPerJobLimit", "AssocGrpCpuLimit" };

    for (uint32_t i = 0; i < ARRAY_N(members); i++) {
        struct desk desk = limit_desk("cpus=8 " WITH_THREADS);
        AUTO_FREE char *enough = xasprintf("cpu=%u", exact[_i].cpus_n);
        AUTO_FREE char *less = xasprintf("cpu=%u", exact[_i].cpus_n - 1);
        uint32_t job;

        set_limit(&desk, "user", members[i], less);
        job = lab_submit(desk.lab, exact[_i].job);
        ck_assert_str_eq(lab_reason(desk.lab, job), reasons[i]);
        set_limit(&desk, "user", members[i], enough);
        ck_assert_str_eq(lab_state(desk.lab, job), "RUNNING");
        ck_assert_uint_eq(lab_job(desk.lab, job)->rec.ncpus, exact[_i].cpus_n);
        desk_free(&desk);
    }
}
END_TEST

CHECK_MAIN(limit_given,
           LOOP_CASE(a_job_that_would_get_more_than_a_limit_on_one_waits, ARRAY_N(rows)),
           LOOP_CASE(a_job_that_can_do_with_less_gets_what_a_limit_lets_it_have, ARRAY_N(fewer)),
           LOOP_CASE(a_job_needs_no_more_of_a_limit_than_it_gets, ARRAY_N(exact)),
           CASE(a_job_starts_when_the_limit_on_what_it_gets_is_raised))
