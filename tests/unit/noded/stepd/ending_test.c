#include "unit/check_main.h"

#include <signal.h>

#include "noded/stepd/ending.h"

#define CODE(n) ((n) << 8) /* a wait status */

static const struct {
    int32_t statuses[8];
    uint32_t n;
    bool out_of_memory;
    int32_t code;
    const char *error, *says;
} endings[] = {
    { .statuses = { CODE(0) }, .n = 1, .says = "exit code 0" },
    { .statuses = { CODE(3) }, .n = 1, .says = "exit code 3" },
    { .statuses = { SIGKILL }, .n = 1, .says = "signal 9" },
    { .statuses = { SIGKILL }, .n = 1, .out_of_memory = true, .says = "signal 9, out of memory" },
    { .statuses = { CODE(0), CODE(0), SIGSEGV, CODE(0) },
      .n = 4,
      .says = "3 tasks: exit code 0, 1 task: signal 11" },
    { .statuses = { CODE(0), CODE(1), CODE(2), CODE(3), CODE(4), CODE(5) },
      .n = 6,
      .says = "1 task: exit code 0, 1 task: exit code 1, 1 task: exit code 2, 1 task: exit code 3, "
              "2 in other ways" },
    { .code = ENOENT, .error = "no such program: xyz", .says = "failed: no such program: xyz" },
};

START_TEST(a_step_ended_as_its_tasks_did)
{
    struct step_report report;
    AUTO(strbuf) struct strbuf text = { 0 };

    step_report_init(&report);
    for (uint32_t i = 0; i < endings[_i].n; i++) {
        struct task_exit *exit = ARRAY_PUSH(report.exits, report.exits_n);

        *exit = (struct task_exit){ .task = i, .status = endings[_i].statuses[i] };
    }
    report.code = endings[_i].code;
    report.error = xstrdup(endings[_i].error);
    report.out_of_memory = endings[_i].out_of_memory;
    step_ending_format(&report, &text);

    ck_assert_str_eq(strbuf_text(&text), endings[_i].says);
    step_report_clear(&report);
}
END_TEST

CHECK_MAIN(ending, LOOP_CASE(a_step_ended_as_its_tasks_did, ARRAY_N(endings)))
