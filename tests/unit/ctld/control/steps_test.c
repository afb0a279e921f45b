/* Steps inside a job: where they go, what they wait for, how they end. */
#include "unit/check_main.h"

#include <signal.h>

#include "unit/ctld/control/lab.h"

#define EXIT(code) ((code) << 8)

/* A job that holds all of `nodes` nodes of 4 cpus. */
static struct lab *lab_with_job(const char *opts, const char *job)
{
    struct lab *lab = lab_new(opts);

    ck_assert_uint_eq(lab_submit(lab, job), 1);
    lab_quiet(lab);
    return lab;
}

START_TEST(three_steps_of_one_task_land_on_three_nodes_at_once)
{
    struct lab *lab = lab_with_job("nodes=3 cpus=1", "nodes=3 ntasks=3 cpus=1");

    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(lab_step(lab, 1, "nodes=1 ntasks=1"), i);

    ck_assert_str_eq(lab_layout(lab, 1, 0), "n1:0");
    ck_assert_str_eq(lab_layout(lab, 1, 1), "n2:0");
    ck_assert_str_eq(lab_layout(lab, 1, 2), "n3:0");
    ck_assert_str_eq(strbuf_text(&lab->orders),
                     "n1: launch 1.0 #1\nn2: launch 1.1 #1\nn3: launch 1.2 #1\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_step_that_finds_no_cpus_is_told_who_has_them_and_starts_in_turn)
{
    struct lab *lab = lab_with_job("nodes=2 cpus=1", "nodes=2");

    lab_step(lab, 1, "nodes=2 ntasks=2");
    lab_quiet(lab);
    lab_step(lab, 1, "nodes=1 ntasks=1");
    lab_step(lab, 1, "nodes=1 ntasks=1");
    ck_assert_str_eq(strbuf_text(&lab->said),
                     "step 1.1 waits (waiting for cpus of job 1: step 0 holds 2 cpus on n[1-2])\n"
                     "step 1.2 waits (waiting for cpus of job 1: step 0 holds 2 cpus on n[1-2])\n");

    lab_quiet(lab);
    lab_exit_on(lab, "n2", 1, 0, 0);
    ck_assert_str_eq(strbuf_text(&lab->said), "step 1.0 node ended n2\nstep 1.1 created n2\n");
    lab_exit(lab, 1, 1, 0);
    ck_assert_str_eq(lab_layout(lab, 1, 2), "n2:0");
    lab_free(lab);
}
END_TEST

/* The job has n1 and n2 with 4 cpus each. */
static const struct {
    const char *step, *layout;
} layouts[] = {
    { "nodes=2 ntasks=3", "n1:0,1 n2:2" },
    { "nodes=2 ntasks=2", "n1:0 n2:1" },
    { "nodes=2 ntasks=5", "n1:0,1,2 n2:3,4" },
    { "nodes=2 ntasks=5 pack", "n1:0,1,2,3 n2:4" },
    { "ntasks=2", "n1:0 n2:1" },
    { "nodes=2 ntasks=5 plane=2", "n1:0,1,4 n2:2,3" },
    { "nodes=2 ntasks=8 plane=3", "n1:0,1,2,6 n2:3,4,5,7" },
    { "arbitrary on=n2,n1,n2,n2", "n1:1 n2:0,2,3" },
    { "nodes=2 ntasks=5 cyclic", "n1:0,2,4 n2:1,3" },
    { "nodes=2 ntasks=8", "n1:0,1,2,3 n2:4,5,6,7" },
    { "nodes=2 ntasks=4 per_node=2", "n1:0,1 n2:2,3" },
    { "nodes=2 ntasks=9 overcommit", "n1:0,1,2,3,4 n2:5,6,7,8" },
    { "nodes=2 ntasks=3 cpus=2", "n1:0,1 n2:2" },
    { "", "n1:0 n2:1" },
    { "ntasks=1", "n1:0" },
    { "ntasks=5 per_node=4", "n1:0,1,2 n2:3,4" },
    { "nodes=1 ntasks=1 relative=1", "n2:0" },
    { "ntasks=1 on=n2", "n2:0" },
    { "ntasks=1 not=n1", "n2:0" },
    { "nodes=1 max_nodes=2 ntasks=6", "n1:0,1,2 n2:3,4,5" },
    { "cpus=2", "n1:0,1 n2:2,3" }, /* as many tasks as fit where only their size is told */
    { "nodes=2 cpus=3", "n1:0 n2:1" },
    { "nodes=1 cpus=2", "n1:0" },
    { "nodes=1 max_nodes=9", "n1:0 n2:1" }, /* one task on each node that it may have */
};

START_TEST(tasks_are_laid_out_as_slurm_does)
{
    struct lab *lab = lab_with_job("nodes=2", "nodes=2 exclusive");

    lab_step(lab, 1, layouts[_i].step);

    ck_assert_msg(lab->rc == 0, "%s: %s", layouts[_i].step, lab->err.text);
    ck_assert_str_eq(lab_layout(lab, 1, 0), layouts[_i].layout);
    lab_free(lab);
}
END_TEST

static const struct {
    const char *step;
    int code;
    const char *text;
} refused[] = {
    { "nodes=3 ntasks=3", E_NODE_COUNT, "Only allocated 2 nodes asked for 3" },
    { "nodes=2 ntasks=9", E_TOO_MANY_CPUS, "More processors requested than permitted" },
    { "ntasks=1 cpus=5", E_TOO_MANY_CPUS, "More processors requested than permitted" },
    { "ntasks=1 on=n3", E_NODE_CONFIG, "Requested node configuration is not available" },
    { "ntasks=1 relative=2", E_NODE_COUNT,
      "--relative and --nodes option incompatible with count of allocated nodes (2+1>2)" },
    { "ntasks=0", E_TASK_COUNT, "Task count specification invalid" },
    { "ntasks=1 cpus=0", E_TOO_MANY_CPUS, "" },
    { "ntasks=1 plane=0", E_DISTRIBUTION, "" },
    { "nodes=2 ntasks=6 per_node=2", E_TOO_MANY_CPUS, "More processors requested" },
    { "ntasks=3 arbitrary on=n1,n2", E_DISTRIBUTION, "Task distribution specification invalid" },
    { "ntasks=1 on=n[1", E_SYNTAX, "host list 'n[1': " },
    { "ntasks=1 not=n[1", E_SYNTAX, "host list 'n[1': " },
    { "ntasks=1 arbitrary on=n[1", E_SYNTAX, "host list 'n[1': " },
    { "ntasks=1 on=n9", E_NODE_CONFIG, "Requested node configuration is not available" },
    { "ntasks=1 not=n9", E_NODE_NAME, "Invalid node name specified: n9" },
    { "ntasks=1 not=n1,n9", E_NODE_NAME, "Invalid node name specified: n9" },
};

START_TEST(a_step_that_could_never_run_is_refused_with_slurms_words)
{
    struct lab *lab = lab_with_job("nodes=3", "nodes=2 exclusive");

    lab_step(lab, 1, refused[_i].step);

    ck_assert_int_eq(lab->rc, -refused[_i].code);
    ck_assert_msg(strncmp(lab->err.text, refused[_i].text, strlen(refused[_i].text)) == 0, "%s",
                  lab->err.text);
    ck_assert_uint_eq(lab_job(lab, 1)->rec.next_step, 0);
    lab_free(lab);
}
END_TEST

static const struct {
    const char *step, *layout;
} named[] = {
    { "ntasks=1 on=n3", "n3:0" },
    { "ntasks=1 not=n1,n2", "n3:0" },
    { "ntasks=3 arbitrary on=n3,n2,n3", "n2:1 n3:0,2" },
};

/* The nodes of a lab of three, with n2 and n3 standing the other way round. */
static struct model_config config_with_other_numbers(void)
{
    struct model_config config = lab_config("nodes=3 cpus=4");
    const struct node_info second = config.nodes[1];

    config.nodes[1] = config.nodes[2];
    config.nodes[2] = second;
    return config;
}

START_TEST(a_waiting_steps_list_means_the_same_nodes_when_they_get_other_numbers)
{
    struct lab *lab = lab_with_job("nodes=3 cpus=4", "nodes=3 exclusive");
    struct model_config config = config_with_other_numbers();

    lab_step(lab, 1, "nodes=3 ntasks=3");
    lab_step(lab, 1, named[_i].step);
    ck_assert_int_eq(lab->rc, 0);
    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
    lab_settle(lab);
    ck_assert_int_eq(job_find_step(lab_job(lab, 1), 1)->rec.state, STEP_PENDING);

    lab_exit(lab, 1, 0, 0);

    ck_assert_str_eq(lab_layout(lab, 1, 1), named[_i].layout);
    lab_free(lab);
}
END_TEST

START_TEST(a_waiting_step_may_avoid_a_node_that_is_gone)
{
    struct lab *lab = lab_with_job("nodes=3 cpus=4", "nodes=2 exclusive");
    struct model_config config = lab_config("nodes=2 cpus=4");

    lab_step(lab, 1, "nodes=2 ntasks=2");
    lab_step(lab, 1, "ntasks=1 not=n1,n3");
    ck_assert_int_eq(lab->rc, 0);
    ck_assert_int_eq(control_reconfigure(lab_act(lab, NULL), &config, NULL), 0);
    lab_settle(lab);

    lab_exit(lab, 1, 0, 0);

    ck_assert_str_eq(lab_layout(lab, 1, 1), "n2:0");
    lab_free(lab);
}
END_TEST

START_TEST(a_step_takes_all_its_nodes_cpus_unless_it_asks_for_exact_ones)
{
    struct lab *lab = lab_with_job("nodes=1", "exclusive");
    const struct step *step;

    lab_step(lab, 1, "ntasks=1");
    step = job_find_step(lab_job(lab, 1), 0);
    ck_assert_uint_eq(step->rec.ncpus, 4);
    lab_exit(lab, 1, 0, 0);

    lab_step(lab, 1, "ntasks=1 exact");
    lab_step(lab, 1, "ntasks=1 cpus=2");
    lab_step(lab, 1, "ntasks=1 exact");
    lab_step(lab, 1, "ntasks=1 exact");
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 1)->rec.nodes[0].cpus[0], 0);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 2)->rec.nodes[0].cpus[0], 1);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 3)->rec.nodes[0].cpus[0], 3);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 4)->rec.state, STEP_PENDING);
    lab_free(lab);
}
END_TEST

START_TEST(an_overlapping_step_neither_waits_nor_makes_others_wait)
{
    struct lab *lab = lab_with_job("nodes=1", "exclusive");

    lab_step(lab, 1, "ntasks=4");
    lab_step(lab, 1, "ntasks=2 overlap");
    lab_exit(lab, 1, 0, 0);
    lab_step(lab, 1, "ntasks=4");

    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 1)->rec.state, STEP_RUNNING);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 2)->rec.state, STEP_RUNNING);
    lab_free(lab);
}
END_TEST

START_TEST(a_step_without_mem_takes_its_share_of_the_jobs)
{
    struct lab *lab = lab_with_job("nodes=1 share_memory", "exclusive mem=800");

    lab_step(lab, 1, "ntasks=1 exact");
    lab_step(lab, 1, "ntasks=1 exact mem=500");
    lab_step(lab, 1, "ntasks=1 exact mem=500");

    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.nodes[0].memory, 200);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 1)->rec.nodes[0].memory, 500);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 2)->rec.state, STEP_PENDING);
    lab_free(lab);
}
END_TEST

START_TEST(a_step_uses_no_more_threads_of_a_core_than_its_job)
{
    struct lab *lab = lab_with_job("nodes=1", "exclusive core_threads=1");

    lab_step(lab, 1, "ntasks=1 core_threads=2");
    ck_assert_int_eq(lab->rc, -E_THREADS);

    lab_step(lab, 1, "ntasks=1 core_threads=1");
    ck_assert_int_eq(lab->rc, 0);
    lab_free(lab);
}
END_TEST

START_TEST(a_step_that_overlaps_has_all_cpus_of_its_job)
{
    struct lab *lab = lab_with_job("nodes=1", "exclusive");

    lab_step(lab, 1, "ntasks=1");
    lab_step(lab, 1, "ntasks=1 overlap");
    lab_step(lab, 1, "ntasks=1 cpus=2 overlap");

    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 1)->rec.nodes[0].cpus_n, 4);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 2)->rec.nodes[0].cpus_n, 2);
    lab_free(lab);
}
END_TEST

/* A job with two cores of two threads. */
START_TEST(with_a_thread_of_each_core_a_step_gets_as_many_cores_as_it_has_tasks)
{
    struct lab *lab =
        lab_with_job("nodes=1 cpus=8 sockets=2 cores=2 threads=2", "ntasks=2 core_threads=1");

    lab_step(lab, 1, "ntasks=4 core_threads=1");
    ck_assert_int_eq(lab->rc, -E_TOO_MANY_CPUS);

    lab_step(lab, 1, "ntasks=1 cpus=2 core_threads=1");
    ck_assert_int_eq(lab->rc, 0);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.nodes[0].cpus_n, 4);
    lab_free(lab);
}
END_TEST

START_TEST(a_step_that_must_not_wait_is_refused_while_others_run)
{
    struct lab *lab = lab_with_job("nodes=1", "exclusive");

    lab_step(lab, 1, "ntasks=4");
    lab_step(lab, 1, "ntasks=1 immediate");

    ck_assert_int_eq(lab->rc, -E_NODES_BUSY);
    ck_assert_str_eq(lab->err.text, "Requested nodes are busy: waiting for cpus of job 1: step 0 "
                                    "holds 4 cpus on n1");
    lab_free(lab);
}
END_TEST

START_TEST(the_same_token_is_the_same_step)
{
    struct lab *lab = lab_with_job("nodes=1", "exclusive");

    ck_assert_uint_eq(lab_step(lab, 1, "ntasks=1 token=x"), 0);
    ck_assert_uint_eq(lab_step(lab, 1, "ntasks=1 token=x"), 0);
    ck_assert_uint_eq(lab_job(lab, 1)->rec.next_step, 1);
    lab_free(lab);
}
END_TEST

START_TEST(a_bad_exit_ends_the_rest_when_that_is_asked)
{
    struct lab *lab = lab_with_job("nodes=2", "nodes=2 exclusive");

    lab_step(lab, 1, "nodes=2 ntasks=2 kill_bad");
    lab_quiet(lab);
    lab_exit_on(lab, "n1", 1, 0, EXIT(1));

    ck_assert_str_eq(strbuf_text(&lab->orders), "n2: end 1.0\nn1: forget 1.0\nn2: forget 1.0\n");
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.end_state, JOB_FAILED);
    ck_assert_int_eq(lab_job(lab, 1)->rec.derived_status, EXIT(1));
    lab_free(lab);
}
END_TEST

START_TEST(a_bad_exit_ends_the_rest_also_after_good_ones)
{
    struct lab *lab = lab_with_job("nodes=3", "nodes=3 exclusive");

    lab_step(lab, 1, "nodes=3 ntasks=3 kill_bad");
    lab_exit_on(lab, "n1", 1, 0, 0);
    lab_quiet(lab);
    lab_exit_on(lab, "n2", 1, 0, EXIT(1));

    ck_assert_str_eq(strbuf_text(&lab->orders), "n3: end 1.0\nn2: forget 1.0\nn3: forget 1.0\n");
    lab_free(lab);
}
END_TEST

/* What n1 tells of its part of step 1.0, of which a process was killed for memory. */
static void run_out_of_memory_on_n1(struct lab *lab)
{
    struct lab_held *held = lab_find_held(&lab->nodes[0], 1, 0);

    held->report.out_of_memory = true;
    lab_exit_on(lab, "n1", 1, 0, EXIT(1));
}

START_TEST(a_step_out_of_memory_on_one_node_goes_on_on_others)
{
    struct lab *lab = lab_with_job("nodes=2", "nodes=2 exclusive");

    lab_step(lab, 1, "nodes=2 ntasks=2 oom_kill=1");
    lab_quiet(lab);
    run_out_of_memory_on_n1(lab);

    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: forget 1.0\n");
    lab_free(lab);
}
END_TEST

START_TEST(but_not_when_it_is_to_end_as_a_whole)
{
    struct lab *lab = lab_with_job("nodes=2", "nodes=2 exclusive");

    lab_step(lab, 1, "nodes=2 ntasks=2 oom_kill=2");
    lab_quiet(lab);
    run_out_of_memory_on_n1(lab);

    ck_assert_str_eq(strbuf_text(&lab->orders), "n2: end 1.0\nn1: forget 1.0\nn2: forget 1.0\n");
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.end_state, JOB_OOM);
    ck_assert_int_eq((int)job_find_step(lab_job(lab, 1), 0)->rec.kill_signal, SIGKILL);
    lab_free(lab);
}
END_TEST

START_TEST(a_limit_holds_for_the_nodes_that_are_left)
{
    struct lab *lab = lab_with_job("nodes=2", "nodes=2 exclusive");

    lab_step(lab, 1, "nodes=2 ntasks=2 time=60");
    lab_exit_on(lab, "n1", 1, 0, 0);
    lab_wait(lab, 61);

    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.end_state, JOB_TIMEOUT);
    lab_free(lab);
}
END_TEST

START_TEST(a_cancelled_step_ends_and_its_job_goes_on)
{
    struct lab *lab = lab_with_job("nodes=1", "exclusive");

    lab_step(lab, 1, "ntasks=1");
    lab_step(lab, 1, "ntasks=1");
    lab_quiet(lab);
    lab_cancel_as(lab, LAB_USER, 1, 1, 0, SIGNAL_CANCEL);
    ck_assert_str_eq(strbuf_text(&lab->said), "step 1.1 ended (Cancelled pending job step) last\n");
    lab_cancel_as(lab, LAB_USER, 1, 0, 0, SIGNAL_CANCEL);

    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: kill 1.0 CANCELLED\nn1: forget 1.0\n");
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.end_state, JOB_CANCELLED);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    ck_assert_int_eq(lab_cancel_as(lab, LAB_USER, 1, 0, 0, SIGNAL_CANCEL), -E_STEP_ID);
    ck_assert_int_eq(lab_cancel_as(lab, LAB_USER, 1, 7, 0, SIGNAL_CANCEL), -E_STEP_ID);
    lab_free(lab);
}
END_TEST

/* As srun -K asks for it; srun says itself what it does. */
START_TEST(a_step_can_be_ended_gently)
{
    struct lab *lab = lab_with_job("nodes=1", "exclusive");

    lab_step(lab, 1, "ntasks=1");
    lab_quiet(lab);
    lab_cancel_as(lab, LAB_USER, 1, 0, 0, SIGNAL_CANCEL | SIGNAL_GENTLY);

    ck_assert_str_eq(strbuf_text(&lab->orders), "n1: end 1.0 CANCELLED\nn1: forget 1.0\n");
    ck_assert_ptr_null(strstr(strbuf_text(&lab->said), "ending"));
    lab_free(lab);
}
END_TEST

/* As sacct of Slurm shows it. */
static const struct time_over {
    const char *job, *step;
    int32_t status;
    uint32_t state;
} times_over[] = {
    { "exclusive", "ntasks=1 time=60", SIGTERM, JOB_TIMEOUT },
    { "exclusive", "ntasks=1 time=60", EXIT(3), JOB_TIMEOUT },
    { "exclusive", "ntasks=1 time=60", 0, JOB_TIMEOUT },
    { "exclusive time=60", "ntasks=1", SIGTERM, JOB_CANCELLED },
    { "exclusive time=60", "ntasks=1", EXIT(3), JOB_FAILED },
    { "exclusive time=60", "ntasks=1", 0, JOB_COMPLETE },
};

START_TEST(a_step_times_out_by_its_own_limit_only)
{
    const struct time_over *it = &times_over[_i];
    struct lab *lab = lab_with_job("nodes=1", it->job);

    lab_step(lab, 1, it->step);
    lab_node(lab, "n1")->deaf = true; /* it ends later, in its own way */
    lab_wait(lab, 61);
    lab_exit(lab, 1, 0, it->status);

    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.end_state, it->state);
    lab_free(lab);
}
END_TEST

START_TEST(a_step_has_a_limit_of_its_own)
{
    struct lab *lab = lab_with_job("nodes=1", "exclusive");

    lab_step(lab, 1, "ntasks=1 time=60");
    lab_wait(lab, 61);

    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.end_state, JOB_TIMEOUT);
    ck_assert_str_eq(lab_state(lab, 1), "RUNNING");
    lab_free(lab);
}
END_TEST

/* The script's node can speak before the step's. */
static const struct late_end {
    int32_t status;
    uint32_t state;
} late_ends[] = { { 0, JOB_COMPLETE }, { EXIT(3), JOB_FAILED }, { SIGTERM, JOB_CANCELLED } };

START_TEST(a_step_that_had_ended_keeps_its_end)
{
    struct lab *lab = lab_with_job("nodes=2", "nodes=2 exclusive");

    lab_step(lab, 1, "nodes=1 ntasks=1");
    lab_node(lab, "n1")->deaf = lab_node(lab, "n2")->deaf = true;
    lab_exit(lab, 1, STEP_BATCH, 0);
    lab_exit(lab, 1, 0, late_ends[_i].status);

    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.end_state, late_ends[_i].state);
    lab_free(lab);
}
END_TEST

START_TEST(steps_that_are_left_end_with_the_script)
{
    struct lab *lab = lab_with_job("nodes=2", "nodes=2 exclusive");

    lab_step(lab, 1, "nodes=2 ntasks=2");
    lab_step(lab, 1, "nodes=2 ntasks=2");
    lab_quiet(lab);
    lab_exit(lab, 1, STEP_BATCH, 0);

    ck_assert_str_eq(lab_state(lab, 1), "COMPLETED");
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 0)->rec.end_state, JOB_CANCELLED);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 1)->rec.end_state, JOB_CANCELLED);
    ck_assert_uint_eq(job_find_step(lab_job(lab, 1), 1)->rec.state, STEP_ENDED);
    lab_free(lab);
}
END_TEST

START_TEST(the_address_that_the_controller_saw_goes_first)
{
    struct lab *lab = lab_with_job("nodes=1", "exclusive");
    const struct step_spec *spec;

    lab_step(lab, 1, "ntasks=1");

    spec = job_find_step(lab_job(lab, 1), 0)->rec.spec;
    ck_assert_uint_eq(spec->io_addresses_n, 2);
    ck_assert_str_eq(spec->io_addresses[0], "@controller:4000");
    ck_assert_str_eq(spec->io_addresses[1], "192.0.2.7:4000");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(steps, CASE(three_steps_of_one_task_land_on_three_nodes_at_once),
           CASE(a_step_that_finds_no_cpus_is_told_who_has_them_and_starts_in_turn),
           LOOP_CASE(tasks_are_laid_out_as_slurm_does, ARRAY_N(layouts)),
           LOOP_CASE(a_step_that_could_never_run_is_refused_with_slurms_words, ARRAY_N(refused)),
           LOOP_CASE(a_waiting_steps_list_means_the_same_nodes_when_they_get_other_numbers,
                     ARRAY_N(named)),
           CASE(a_waiting_step_may_avoid_a_node_that_is_gone),
           CASE(a_step_takes_all_its_nodes_cpus_unless_it_asks_for_exact_ones),
           CASE(an_overlapping_step_neither_waits_nor_makes_others_wait),
           CASE(a_step_that_overlaps_has_all_cpus_of_its_job),
           CASE(with_a_thread_of_each_core_a_step_gets_as_many_cores_as_it_has_tasks),
           CASE(a_step_uses_no_more_threads_of_a_core_than_its_job),
           CASE(a_step_without_mem_takes_its_share_of_the_jobs),
           CASE(a_step_that_must_not_wait_is_refused_while_others_run),
           CASE(the_same_token_is_the_same_step), CASE(a_bad_exit_ends_the_rest_when_that_is_asked),
           CASE(a_bad_exit_ends_the_rest_also_after_good_ones),
           CASE(a_step_out_of_memory_on_one_node_goes_on_on_others),
           CASE(but_not_when_it_is_to_end_as_a_whole),
           CASE(a_limit_holds_for_the_nodes_that_are_left),
           CASE(a_cancelled_step_ends_and_its_job_goes_on), CASE(a_step_can_be_ended_gently),
           CASE(a_step_has_a_limit_of_its_own),
           LOOP_CASE(a_step_times_out_by_its_own_limit_only, ARRAY_N(times_over)),
           LOOP_CASE(a_step_that_had_ended_keeps_its_end, ARRAY_N(late_ends)),
           CASE(steps_that_are_left_end_with_the_script),
           CASE(the_address_that_the_controller_saw_goes_first))
