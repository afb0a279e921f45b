#include "unit/check_main.h"

#include "ctld/control/step/usage.h"

static void add(struct step_record *step, uint32_t position, const struct task_usage *tasks,
                uint32_t n)
{
    AUTO(step_report) struct step_report report;

    step_report_init(&report);
    for (uint32_t i = 0; i < n; i++) {
        *ARRAY_PUSH(report.usage, report.usage_n) = tasks[i];
        report.user_us += tasks[i].user_us;
        report.system_us += tasks[i].system_us;
    }
    report.peak_memory_kb = 100 * (position + 1);
    step_add_usage(step, position, &report);
}

START_TEST(the_most_and_the_least_are_known_with_their_places)
{
    const struct task_usage here[] = { { .task = 0, .user_us = 5, .memory_kb = 40 },
                                       { .task = 2, .system_us = 9, .memory_kb = 10 } };
    const struct task_usage there[] = { { .task = 1, .user_us = 1, .memory_kb = 70 } };
    AUTO(step_record) struct step_record step;

    step_record_init(&step);
    add(&step, 0, here, 2);
    add(&step, 1, there, 1);

    ck_assert_uint_eq(step.usage->tasks, 3);
    ck_assert_uint_eq(step.usage->user_us, 6);
    ck_assert_uint_eq(step.usage->system_us, 9);
    ck_assert_uint_eq(step.usage->peak_memory_kb, 200);
    ck_assert_uint_eq(step.usage->memory_kb->total, 120);
    ck_assert_uint_eq(step.usage->memory_kb->max, 70);
    ck_assert_uint_eq(step.usage->memory_kb->max_node, 1);
    ck_assert_uint_eq(step.usage->memory_kb->max_task, 1);
    ck_assert_uint_eq(step.usage->memory_kb->min, 10);
    ck_assert_uint_eq(step.usage->memory_kb->min_node, 0);
    ck_assert_uint_eq(step.usage->memory_kb->min_task, 2);
    ck_assert_uint_eq(step.usage->cpu_us->max, 9);
    ck_assert_uint_eq(step.usage->cpu_us->max_task, 2);
    ck_assert_uint_eq(step.usage->read_bytes->max, 0);
    ck_assert_uint_eq(step.usage->read_bytes->max_task, 0);
}
END_TEST

START_TEST(a_report_without_usage_leaves_none)
{
    AUTO(step_report) struct step_report report;
    AUTO(step_record) struct step_record step;

    step_report_init(&report);
    step_record_init(&step);
    step_add_usage(&step, 0, &report);

    ck_assert_ptr_null(step.usage);
}
END_TEST

CHECK_MAIN(usage, CASE(the_most_and_the_least_are_known_with_their_places),
           CASE(a_report_without_usage_leaves_none))
