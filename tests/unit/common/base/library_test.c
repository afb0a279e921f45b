#include "common/base/library.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/check_main.h"

int no_such_function(void); /* nobody defines it */

static struct library libm = { .file = "libm.so.6" };
static struct library missing = { .file = "libnosuchlibrary.so.1" };

START_TEST(a_library_is_opened_by_the_first_call)
{
    ck_assert_ptr_null(libm.handle);

    for (int i = 0; i < 2; i++)
        ck_assert_double_eq(LIBRARY_FUNCTION(libm, floor)(3.5), 3.0);

    ck_assert_ptr_nonnull(libm.handle);
}
END_TEST

static int status_of_child(void (*child)(void))
{
    int status = 0;
    pid_t pid = fork();

    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        child();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void call_missing_function(void)
{
    LIBRARY_FUNCTION(libm, no_such_function)();
}

static void call_missing_library(void)
{
    LIBRARY_FUNCTION(missing, no_such_function)();
}

START_TEST(what_cannot_be_opened_ends_the_process)
{
    ck_assert_int_eq(status_of_child(call_missing_function), EXIT_FAILURE);
    ck_assert_int_eq(status_of_child(call_missing_library), EXIT_FAILURE);
}
END_TEST

START_TEST(who_can_do_without_it_asks_first)
{
    struct err err = { 0 };

    ck_assert_int_eq(library_open(&libm, &err), 0);
    ck_assert_int_eq(library_open(&libm, &err), 0);
    ck_assert_int_eq(library_open(&missing, &err), -ENOENT);
    ck_assert_ptr_nonnull(strstr(err.text, "libnosuchlibrary.so.1"));
    ck_assert_ptr_null(missing.handle);
}
END_TEST

CHECK_MAIN(library, CASE(a_library_is_opened_by_the_first_call),
           CASE(what_cannot_be_opened_ends_the_process), CASE(who_can_do_without_it_asks_first))
