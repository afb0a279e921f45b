/* Jobs that give back nodes while they run. The codes are those of a Slurm 22.05. */
#include "unit/check_main.h"

#include <string.h>

#include "unit/ctld/control/lab.h"
#include "ctld/control/control.h"

#define LAB "nodes=4 cpus=2"

/* NULL, COUNT_UNSET: the update does not say so. */
static const char *shrink(struct lab *lab, uint32_t job, const char *hosts, uint32_t count)
{
    AUTO(job_update) struct job_update update;

    job_update_init(&update);
    update.job_id = job;
    update.spec = xmalloc(sizeof(*update.spec));
    job_spec_init(update.spec);
    update.spec->req_nodes = xstrdup(hosts);
    update.spec->min_nodes = count;
    if (hosts)
        *ARRAY_PUSH(update.set, update.set_n) = SPEC_TAG_req_nodes;
    if (count != COUNT_UNSET)
        *ARRAY_PUSH(update.set, update.set_n) = SPEC_TAG_min_nodes;
    return lab_change(lab, LAB_USER, &update);
}

static const struct {
    const char *hosts;
    uint32_t count;
    const char *refused;
    const char *keeps;
    uint32_t cpus;
} requests[] = {
    { NULL, 1, "", "n1", 2 },
    { NULL, 3, "", "n[1-3]", 6 },
    { NULL, 4, "Requested operation not supported on this system", "n[1-3]", 6 },
    { NULL, 0, "Node count specification invalid", "n[1-3]", 6 },
    { "n1,n3", COUNT_UNSET, "", "n[1,3]", 4 },
    { "n[1-3]", 2, "", "n[1-2]", 4 },
    { "n2", COUNT_UNSET, "Invalid node name specified", "n[1-3]", 6 },
    { "n[1-4]", COUNT_UNSET, "Invalid node name specified", "n[1-3]", 6 },
    { "none", COUNT_UNSET, "Invalid node name specified", "n[1-3]", 6 },
    { "", COUNT_UNSET, "Invalid node name specified", "n[1-3]", 6 },
};

START_TEST(a_job_keeps_the_nodes_that_are_named_or_the_first)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_submit(lab, "nodes=3 per_node=2");
    const struct job *job = lab_job(lab, id);

    ck_assert_str_eq(shrink(lab, id, requests[_i].hosts, requests[_i].count), requests[_i].refused);
    ck_assert_str_eq(job->rec.node_list, requests[_i].keeps);
    ck_assert_uint_eq(job->rec.ncpus, requests[_i].cpus);
    ck_assert_int_eq(job->rec.resize_time != 0, requests[_i].cpus < 6);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(an_allocation_may_lose_its_first_node)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_allocate(lab, "nodes=2", NULL);

    ck_assert_str_eq(shrink(lab, id, "n2", COUNT_UNSET), "");
    ck_assert_str_eq(lab_job(lab, id)->rec.node_list, "n2");
    lab_free(lab);
}
END_TEST

START_TEST(others_use_what_is_given_back)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_submit(lab, "nodes=4 per_node=2 requeue=2");
    const uint32_t next = lab_submit(lab, "nodes=2 per_node=2");

    ck_assert_str_eq(shrink(lab, id, "n[1,3]", COUNT_UNSET), "");
    lab_wait(lab, 1);
    ck_assert_str_eq(lab_state(lab, next), "RUNNING");
    ck_assert_str_eq(lab_job(lab, next)->rec.node_list, "n[2,4]");
    lab_restart(lab, LAB);
    ck_assert_str_eq(lab_job(lab, id)->rec.node_list, "n[1,3]");
    lab_exit(lab, next, STEP_BATCH, 0);

    /* What it asked for is what it gets when it runs again. */
    ck_assert_str_eq(lab_requeue(lab, LAB_USER, id, 0), "");
    lab_wait(lab, 200);
    ck_assert_str_eq(lab_job(lab, id)->rec.node_list, "n[1-4]");
    ck_assert_int_eq(lab_job(lab, id)->rec.resize_time, 0);
    lab_free(lab);
}
END_TEST

/* The node answers late, or its daemon has to be told once more. */
START_TEST(nobody_gets_a_node_that_is_not_clean)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_submit(lab, "nodes=4 per_node=2");
    const uint32_t next = lab_submit(lab, "nodes=1 per_node=2");

    lab_lose(lab, "n4");
    lab_wait(lab, 5);
    ck_assert_str_eq(shrink(lab, id, NULL, 3), "");
    lab_wait(lab, 5);
    ck_assert_str_eq(lab_state(lab, next), "PENDING");
    if (_i == 0)
        lab_restart(lab, LAB);
    else if (_i == 1) /* its end waits for that node too */
        lab_exit(lab, id, STEP_BATCH, 0);
    ck_assert_uint_eq(node_cpus_used(model_find_node(control_model(lab->control), "n4")), 0);
    ck_assert_ptr_nonnull(strstr(lab_node_state(lab, "n4"), "COMPLETING"));
    lab_register(lab, "n4");
    lab_wait(lab, 5);
    ck_assert_ptr_null(strstr(lab_node_state(lab, "n4"), "COMPLETING"));
    ck_assert_str_eq(lab_state(lab, next), "RUNNING");
    ck_assert_str_eq(lab_state(lab, id), _i == 1 ? "COMPLETED" : "RUNNING");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_that_fails_while_it_leaves_does_not_hurt_the_job)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_submit(lab, "nodes=4 per_node=2");

    lab_lose(lab, "n4");
    ck_assert_str_eq(shrink(lab, id, NULL, 3), "");
    lab_update(lab, 0, "n4", NODE_UPDATE_DOWN, "broken");
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_exit(lab, id, STEP_BATCH, 0);
    ck_assert_str_eq(lab_state(lab, id), "COMPLETED");
    lab_free(lab);
}
END_TEST

START_TEST(tasks_on_nodes_that_leave_are_ended)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_submit(lab, "nodes=3 per_node=2");
    const uint32_t wide = lab_step(lab, id, "nodes=3 ntasks=3 overlap=1");
    const uint32_t loose = lab_step(lab, id, "nodes=3 ntasks=3 overlap=1 no_kill=1");
    const uint32_t first = lab_step(lab, id, "nodes=1 ntasks=1 overlap=1 on=n1");
    const uint32_t last = lab_step(lab, id, "nodes=1 ntasks=1 overlap=1 on=n3 no_kill=1");
    const uint32_t fill = lab_step(lab, id, "nodes=3 ntasks=6");
    const uint32_t waits = lab_step(lab, id, "nodes=3 ntasks=6");

    ck_assert_uint_eq(job_find_step(lab_job(lab, id), fill)->rec.state, STEP_RUNNING);
    ck_assert_uint_eq(job_find_step(lab_job(lab, id), waits)->rec.state, STEP_PENDING);
    ck_assert_str_eq(shrink(lab, id, NULL, 2), "");

    ck_assert_uint_eq(job_find_step(lab_job(lab, id), wide)->rec.state, STEP_RUNNING);
    ck_assert_uint_eq(job_find_step(lab_job(lab, id), loose)->rec.state, STEP_RUNNING);
    ck_assert_uint_eq(job_find_step(lab_job(lab, id), first)->rec.state, STEP_RUNNING);
    ck_assert_uint_eq(job_find_step(lab_job(lab, id), last)->rec.state, STEP_ENDED);
    ck_assert_uint_eq(job_find_step(lab_job(lab, id), fill)->rec.state, STEP_RUNNING);
    ck_assert_uint_eq(job_find_step(lab_job(lab, id), waits)->rec.state, STEP_ENDED);
    ck_assert_str_eq(lab_state(lab, id), "RUNNING");
    lab_free(lab);
}
END_TEST

/* The node answers, with --kill-on-bad-exit, or is lost before it has. */
START_TEST(tasks_on_nodes_that_stay_go_on)
{
    struct lab *lab = lab_new(LAB);
    const uint32_t id = lab_submit(lab, "nodes=3 per_node=2");
    const uint32_t wide =
        lab_step(lab, id, _i == 1 ? "nodes=3 ntasks=3 kill_bad=1" : "nodes=3 ntasks=3");
    const struct step_record *step = &job_find_step(lab_job(lab, id), wide)->rec;

    if (_i == 2)
        lab_lose(lab, "n3");
    lab_quiet(lab);
    ck_assert_str_eq(shrink(lab, id, NULL, 2), "");
    if (_i == 2)
        lab_update(lab, 0, "n3", NODE_UPDATE_DOWN, "broken");
    ck_assert_ptr_null(strstr(strbuf_text(&lab->orders), "n1:"));
    ck_assert_ptr_null(strstr(strbuf_text(&lab->orders), "n2:"));
    ck_assert_uint_eq(step->state, STEP_RUNNING);
    ck_assert_uint_eq(step->nodes[2].state, STEP_ENDED);

    lab_exit(lab, id, wide, 0);
    ck_assert_uint_eq(step->state, STEP_ENDED);
    ck_assert_uint_eq(step->end_state, JOB_FAILED);
    lab_free(lab);
}
END_TEST

CHECK_MAIN(shrink, LOOP_CASE(a_job_keeps_the_nodes_that_are_named_or_the_first, ARRAY_N(requests)),
           CASE(an_allocation_may_lose_its_first_node), CASE(others_use_what_is_given_back),
           LOOP_CASE(nobody_gets_a_node_that_is_not_clean, 3),
           CASE(a_node_that_fails_while_it_leaves_does_not_hurt_the_job),
           CASE(tasks_on_nodes_that_leave_are_ended), LOOP_CASE(tasks_on_nodes_that_stay_go_on, 3))
