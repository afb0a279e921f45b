/* Lines that a TaskProlog writes. What each does is what a Slurm 22.05 did with it. */
#include "unit/check_main.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/stepd/task_hook.h"

static const struct {
    const char *line, *value, *printed; /* NULL: A is not set; nothing is printed */
} lines[] = {
    { "export A=b c", "b c", NULL },
    { "export  A=x", "x", NULL },
    { "export A=", "", NULL },
    { "  export A=x", "old", NULL },
    { "EXPORT A=x", "old", NULL },
    { "export A", "old", NULL },
    { "exportA=x", "old", NULL },
    { "unset A", NULL, NULL },
    { "unset B", "old", NULL },
    { "print hello there", "old", "hello there" },
    { "print  two  blanks", "old", "two  blanks" },
    { "print", "old", NULL },
    { "printed", "old", NULL },
    { "", "old", NULL },
};

START_TEST(lines_change_the_environment_or_are_printed)
{
    AUTO(task_env) struct task_env env = { 0 };
    const char *printed;

    task_env_add(&env, "A=old");
    task_env_add(&env, "C=stays");
    printed = task_hook_line(&env, lines[_i].line);
    ck_assert_pstr_eq(printed, lines[_i].printed);
    ck_assert_pstr_eq(task_env_get(&env, "A"), lines[_i].value);
    ck_assert_pstr_eq(task_env_get(&env, "C"), "stays");
}
END_TEST

START_TEST(a_program_may_say_more_than_counts)
{
    AUTO(task_env) struct task_env env = { 0 };
    char path[] = "/tmp/task_hook_test.XXXXXX";
    const char script[] = "#!/bin/sh\necho export A=b\nhead -c 3000000 /dev/zero || exit 3\n";
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, script, strlen(script)), (ssize_t)strlen(script));
    ck_assert_int_eq(fchmod(fd, 0700), 0);
    close(fd);
    ck_assert_int_eq(task_prolog_run(path, false, "n0", &env), 0);
    ck_assert_pstr_eq(task_env_get(&env, "A"), "b");
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

CHECK_MAIN(task_hook, CASE(a_program_may_say_more_than_counts),
           LOOP_CASE(lines_change_the_environment_or_are_printed, ARRAY_N(lines)))
