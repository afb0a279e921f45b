/*
 * check_main.h - one main() for a file of check tests.
 *
 * `CHECK_MAIN(suite, CASE(test), LOOP_CASE(table_test, rows))` at the end of the file; a loop test
 * reads its row number from _i. CHECK_MAIN_WITH adds what runs before and after each test.
 */
#pragma once

#include <check.h>
#include <stdlib.h>

struct check_case {
    const TTest *test;
    int rows;
};

#define CASE(name)                                                                                 \
    {                                                                                              \
        name, 1                                                                                    \
    }
#define LOOP_CASE(name, rows)                                                                      \
    {                                                                                              \
        name, (int)(rows)                                                                          \
    }

#define CHECK_MAIN(suite, ...) CHECK_MAIN_WITH(suite, NULL, NULL, __VA_ARGS__)

#define CHECK_MAIN_WITH(suite, before, after, ...)                                                 \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct check_case cases[] = { __VA_ARGS__ };                                         \
                                                                                                   \
        return check_run(#suite, before, after, cases, sizeof(cases) / sizeof(cases[0]));          \
    }

/* For what hangs: ctest's own bound is for the whole program. */
#define CHECK_PATIENCE_S 300

static inline int check_run(const char *name, SFun before, SFun after,
                            const struct check_case *cases, size_t n)
{
    Suite *suite = suite_create(name);
    SRunner *runner = srunner_create(suite);
    int failed;

    for (size_t i = 0; i < n; i++) {
        TCase *tcase = tcase_create(cases[i].test->name);

        tcase_set_timeout(tcase, CHECK_PATIENCE_S);
        tcase_add_checked_fixture(tcase, before, after);
        tcase_add_loop_test(tcase, cases[i].test, 0, cases[i].rows);
        suite_add_tcase(suite, tcase);
    }
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
