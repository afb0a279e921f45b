/* What is told of jobs and nodes, and by whom it happened. */
#include "unit/check_main.h"

#include "unit/ctld/control/lab.h"

START_TEST(the_life_of_a_job_is_told_and_who_ended_it)
{
    struct lab *lab = lab_new("nodes=1 cpus=2");
    const uint32_t first = lab_submit(lab, "nodes=1"), second = lab_submit(lab, "nodes=1");

    lab_wait(lab, 7);
    lab_exit(lab, first, STEP_BATCH, 3 << 8);
    lab_cancel(lab, second);
    ck_assert_str_eq(strbuf_text(&lab->events),
                     "controller started\n"
                     "job 1 submitted to partition main by ann, priority 4294901759\n"
                     "job 1 started on n1 in partition main with 1 cpu\n"
                     "job 2 submitted to partition main by ann, priority 4294901758\n"
                     "job 2 started on n1 in partition main with 1 cpu\n"
                     "job 1 ended: FAILED, exit code 3:0, after 7 s\n"
                     "job 2 ended: CANCELLED, exit code 0:0, after 7 s, by ann\n");
    lab_free(lab);
}
END_TEST

START_TEST(a_node_is_told_of_when_its_state_or_the_reason_changes)
{
    struct lab *lab = lab_new("nodes=2 cpus=2");

    lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "disk");
    lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "disk");
    lab_update(lab, 0, "n1", NODE_UPDATE_DRAIN, "fan");
    lab_update(lab, 0, "n1", NODE_UPDATE_RESUME, NULL);
    ck_assert_str_eq(strbuf_text(&lab->events), "controller started\n"
                                                "node n1 is now drain (disk), by root\n"
                                                "node n1 is now drain (fan), by root\n"
                                                "node n1 is now up, by root\n");
    lab_free(lab);
}
END_TEST

CHECK_MAIN(event, CASE(the_life_of_a_job_is_told_and_who_ended_it),
           CASE(a_node_is_told_of_when_its_state_or_the_reason_changes))
