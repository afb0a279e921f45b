#include "unit/check_main.h"

#include <signal.h>

#include "cli/srun/tasks.h"

/* Two nodes: worker-1 has tasks 0-2, worker-2 has 3 and 4. */
static struct tasks *five_tasks(void)
{
    uint32_t first[] = { 0, 1, 2 }, second[] = { 3, 4 };
    struct step_node nodes[2] = {
        { .name = (char[]){ "worker-1" }, .tasks = first, .tasks_n = 3 },
        { .name = (char[]){ "worker-2" }, .tasks = second, .tasks_n = 2 }
    };
    struct tasks *tasks = tasks_new();

    tasks_set_layout(tasks, nodes, 2, 5);
    return tasks;
}

static int exited(int code)
{
    return code << 8;
}

START_TEST(exits_of_one_node_with_one_status_are_one_line)
{
    struct tasks *tasks = five_tasks();
    AUTO(strbuf) struct strbuf failed = { 0 };
    AUTO(strbuf) struct strbuf fine = { 0 };

    tasks_exited(tasks, 0, exited(3));
    tasks_exited(tasks, 2, exited(3));
    tasks_exited(tasks, 1, 9);
    tasks_exited(tasks, 3, exited(3));
    tasks_exited(tasks, 4, 0);
    tasks_report(tasks, &failed, &fine);

    ck_assert_str_eq(strbuf_text(&failed), "worker-1: tasks 0,2: Exited with exit code 3\n"
                                           "worker-1: task 1: Killed\n"
                                           "worker-2: task 3: Exited with exit code 3\n");
    ck_assert_str_eq(strbuf_text(&fine), "worker-2: task 4: Completed\n");
    tasks_free(tasks);
}
END_TEST

START_TEST(an_exit_is_told_once)
{
    struct tasks *tasks = five_tasks();
    AUTO(strbuf) struct strbuf failed = { 0 };
    AUTO(strbuf) struct strbuf fine = { 0 };

    ck_assert(tasks_exited(tasks, 0, exited(3)));
    tasks_report(tasks, &failed, &fine);
    strbuf_truncate(&failed, 0);
    ck_assert(!tasks_exited(tasks, 0, exited(4)));
    tasks_report(tasks, &failed, &fine);

    ck_assert_str_eq(strbuf_text(&failed), "");
    ck_assert_int_eq(tasks_exit_code(tasks), 3);
    tasks_free(tasks);
}
END_TEST

START_TEST(an_exit_before_the_layout_is_kept)
{
    struct tasks *tasks = tasks_new();
    uint32_t numbers[] = { 0, 1 };
    struct step_node node = { .name = (char[]){ "w" }, .tasks = numbers, .tasks_n = 2 };
    AUTO(strbuf) struct strbuf failed = { 0 };
    AUTO(strbuf) struct strbuf fine = { 0 };

    tasks_exited(tasks, 1, exited(2));
    tasks_report(tasks, &failed, &fine);
    ck_assert_str_eq(strbuf_text(&failed), "");
    tasks_set_layout(tasks, &node, 1, 2);
    tasks_report(tasks, &failed, &fine);

    ck_assert_str_eq(strbuf_text(&failed), "w: task 1: Exited with exit code 2\n");
    ck_assert(!tasks_all_exited(tasks));
    tasks_exited(tasks, 0, 0);
    ck_assert(tasks_all_exited(tasks));
    tasks_free(tasks);
}
END_TEST

START_TEST(states_are_listed_by_ranges)
{
    struct tasks *tasks = five_tasks();
    AUTO(strbuf) struct strbuf out = { 0 };

    tasks_started(tasks, 0);
    tasks_started(tasks, 2);
    tasks_started(tasks, 3);
    tasks_exited(tasks, 1, 0);
    tasks_exited(tasks, 4, exited(1));
    tasks_describe(tasks, 15, 0, &out);

    ck_assert_str_eq(strbuf_text(&out), "StepId=15.0 tasks 0,2-3: running\n"
                                        "StepId=15.0 task 1: exited\n"
                                        "StepId=15.0 task 4: exited abnormally\n");
    tasks_free(tasks);
}
END_TEST

START_TEST(a_lost_node_ends_its_tasks_without_a_line)
{
    struct tasks *tasks = five_tasks();
    AUTO(strbuf) struct strbuf failed = { 0 };
    AUTO(strbuf) struct strbuf fine = { 0 };

    tasks_lost(tasks, "worker-2", SIGKILL);
    tasks_report(tasks, &failed, &fine);

    ck_assert_str_eq(strbuf_text(&failed), "");
    ck_assert_int_eq(tasks_exit_code(tasks), 137);
    tasks_free(tasks);
}
END_TEST

START_TEST(the_exit_code_is_the_highest_and_a_signal_counts_from_128)
{
    struct tasks *tasks = five_tasks();

    tasks_exited(tasks, 0, exited(7));
    ck_assert_int_eq(tasks_exit_code(tasks), 7);
    tasks_exited(tasks, 1, 11);
    ck_assert_int_eq(tasks_exit_code(tasks), 139);
    tasks_exited(tasks, 2, exited(255));
    ck_assert_int_eq(tasks_exit_code(tasks), 255);
    tasks_free(tasks);
}
END_TEST

START_TEST(numbers_that_no_task_can_have_are_ignored)
{
    struct tasks *tasks = five_tasks();

    ck_assert(!tasks_exited(tasks, 5, 0));
    ck_assert(!tasks_exited(tasks, UINT32_MAX, 0));
    tasks_started(tasks, UINT32_MAX);
    tasks_free(tasks);
}
END_TEST

CHECK_MAIN(tasks, CASE(exits_of_one_node_with_one_status_are_one_line), CASE(an_exit_is_told_once),
           CASE(an_exit_before_the_layout_is_kept), CASE(states_are_listed_by_ranges),
           CASE(a_lost_node_ends_its_tasks_without_a_line),
           CASE(the_exit_code_is_the_highest_and_a_signal_counts_from_128),
           CASE(numbers_that_no_task_can_have_are_ignored))
