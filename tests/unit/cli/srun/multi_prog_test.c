#include "unit/check_main.h"

#include <string.h>

#include "cli/srun/multi_prog.h"

/* "0-1,3: echo %t a|2: true", or the error. */
static char *read_file(const char *text, uint32_t *ntasks)
{
    static char *const extra[] = { "x%t" };
    struct multi_prog file = { "mp", *ntasks, extra, 1 };
    AUTO(step_spec) struct step_spec step;
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };

    step_spec_init(&step);
    if (multi_prog_parse(&file, text, &step, &err) < 0)
        return xstrdup(err.text);
    *ntasks = file.ntasks;
    for (uint32_t i = 0; i < step.programs_n; i++) {
        strbuf_adds(&out, i ? "|" : "");
        for (uint32_t k = 0; k < step.programs[i].tasks_n; k++)
            strbuf_addf(&out, "%s%u", k ? "," : "", step.programs[i].tasks[k]);
        strbuf_adds(&out, step.programs[i].others ? "*:" : ":");
        for (uint32_t k = 0; k < step.programs[i].argv_n; k++)
            strbuf_addf(&out, " <%s>", step.programs[i].argv[k]);
    }
    return strbuf_steal(&out);
}

static const struct {
    const char *text;
    uint32_t ntasks, ntasks_then;
    const char *programs;
} files[] = {
    { "0-1 echo a\n2 true\n", 3, 3, "0,1: <echo> <a> <x%%t>|2: <true> <x%%t>" },
    { "# a remark\n\n  1,0\techo  %t off:%o\n", 2, 2, "1,0: <echo> <%t> <off:%o> <x%%t>" },
    { "0 echo\n* rest", 4, 4, "0: <echo> <x%%t>|1,2,3*: <rest> <x%%t>" },
    { "0-2 echo\n* rest", COUNT_UNSET, 3, "0,1,2: <echo> <x%%t>|*: <rest> <x%%t>" },
    { "* rest", COUNT_UNSET, 1, "0*: <rest> <x%%t>" },
    { "0 sh -c 'echo \"a b\" %t' 100%", 1, 1, "0: <sh> <-c> <echo \"a b\" %%t> <100%%> <x%%t>" },
    { "0 echo a \\\n b", 1, 1, "0: <echo> <a> <b> <x%%t>" },
    { "0 echo a:\\\nb \\\nc", 1, 1, "0: <echo> <a:b> <c> <x%%t>" },
    { "0 echo ''", 1, 1, "0: <echo> <> <x%%t>" },
};

START_TEST(a_file_names_the_program_of_each_task)
{
    uint32_t ntasks = files[_i].ntasks;
    AUTO_FREE char *programs = read_file(files[_i].text, &ntasks);

    ck_assert_str_eq(programs, files[_i].programs);
    ck_assert_uint_eq(ntasks, files[_i].ntasks_then);
}
END_TEST

/* The lines that Slurm prints. */
static const struct {
    const char *text;
    uint32_t ntasks;
    const char *error;
} bad[] = {
    { "x echo", 1,
      "Invalid task range specification (x)\nLine 1 of configuration file mp invalid" },
    { "0-6:2 echo", 8,
      "Invalid task range specification (0-6:2)\nLine 1 of configuration file mp invalid" },
    { "1-0 echo", 2, "Invalid task range, 1-0\nLine 1 of configuration file mp invalid" },
    { "0-3 echo", 2, "Invalid task id, 3 >= ntasks\nLine 1 of configuration file mp invalid" },
    { "0-1 a\n1 b", 2, "Duplicate record for task 1\nLine 2 of configuration file mp invalid" },
    { "* a\n0 b", 2,
      "Task range specification with asterisk must be last\n"
      "Line 2 of configuration file mp invalid" },
    { "#\n0", 1, "No program for task 0\nLine 2 of configuration file mp invalid" },
    { "0 a", 2, "Configuration file mp invalid, no record for task id 1" },
    { "", 1, "Configuration file mp invalid, no record for task id 0" },
    { ", a", 1, "Invalid task range specification (,)\nLine 1 of configuration file mp invalid" },
};

START_TEST(a_wrong_line_is_named)
{
    uint32_t ntasks = bad[_i].ntasks;
    AUTO_FREE char *error = read_file(bad[_i].text, &ntasks);

    ck_assert_str_eq(error, bad[_i].error);
}
END_TEST

CHECK_MAIN(multi_prog, LOOP_CASE(a_file_names_the_program_of_each_task, ARRAY_N(files)),
           LOOP_CASE(a_wrong_line_is_named, ARRAY_N(bad)))
