/* Work in a process of its own: its answer comes whole, and it is given up when it takes long. */
#include "unit/check_main.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/file_io.h"
#include "common/proc/apart.h"

#define LARGE (1u << 20)

static void tell_much(const void *arg, int fd)
{
    char bytes[4096];

    memset(bytes, *(const char *)arg, sizeof(bytes));
    for (size_t i = 0; i < LARGE / sizeof(bytes); i++)
        (void)write_all(fd, bytes, sizeof(bytes));
}

static void tell_and_stay(const void *arg, int fd)
{
    (void)write_all(fd, arg, strlen(arg));
    for (;;)
        pause();
}

START_TEST(the_whole_answer_comes)
{
    AUTO(strbuf) struct strbuf answer = { 0 };

    ck_assert_int_eq(proc_apart(tell_much, "z", -1, &answer, NULL), 0);

    ck_assert_uint_eq(answer.len, LARGE);
    ck_assert(answer.data[0] == 'z' && memcmp(answer.data, answer.data + 1, LARGE - 1) == 0);
}
END_TEST

START_TEST(work_that_takes_long_is_given_up)
{
    AUTO(strbuf) struct strbuf answer = { 0 };

    ck_assert_int_eq(proc_apart(tell_and_stay, "so far", 300, &answer, NULL), 0);

    if (answer.len) /* a busy machine may have let it say nothing yet */
        ck_assert_str_eq(strbuf_text(&answer), "so far");
    ck_assert_int_eq(waitpid(-1, NULL, 0), -1); /* and is no child any more */
}
END_TEST

CHECK_MAIN(apart, CASE(the_whole_answer_comes), CASE(work_that_takes_long_is_given_up))
