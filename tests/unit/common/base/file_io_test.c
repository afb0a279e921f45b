/* All of a buffer arrives, however little a pipe takes at once; what fails says why. */
#include "unit/check_main.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/file_io.h"

#define LARGE (1u << 20) /* more than a pipe holds */

START_TEST(all_of_a_large_buffer_is_written)
{
    AUTO_FREE char *bytes = xcalloc(1, LARGE);
    AUTO_FREE char *got = xcalloc(1, LARGE);
    size_t at = 0;
    ssize_t n;
    int fds[2], status;
    pid_t pid;

    for (size_t i = 0; i < LARGE; i++)
        bytes[i] = (char)(i * 7 + i / 4096);
    ck_assert_int_eq(pipe(fds), 0);
    pid = fork();
    if (pid == 0)
        _exit(write_all(fds[1], bytes, LARGE) == 0 ? 0 : 1);
    close(fds[1]);
    while ((n = read(fds[0], got + at, LARGE - at)) > 0)
        at += (size_t)n;

    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(at, LARGE);
    ck_assert_mem_eq(bytes, got, LARGE);
    close(fds[0]);
}
END_TEST

START_TEST(what_cannot_be_written_says_why)
{
    ck_assert_int_eq(write_all(-1, "x", 1), -EBADF);
    ck_assert_int_eq(write_all(-1, "", 0), 0);
}
END_TEST

CHECK_MAIN(file_io, CASE(all_of_a_large_buffer_is_written), CASE(what_cannot_be_written_says_why))
