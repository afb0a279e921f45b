/* Control sockets that are kept, and those that a daemon before left behind. */
#include "unit/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/monitor/sockets.h"
#include "noded/stepd/spool.h"

static char top[] = "/tmp/sockets_test.XXXXXX";
static int record_fd;
static struct sockets sockets;

static void set_up(void)
{
    memcpy(top + strlen(top) - 6, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(top));
    record_fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_ge(record_fd, 0);
}

static void tear_down(void)
{
    AUTO_FREE char *command = xasprintf("rm -rf '%s'", top);

    sockets_clear(&sockets);
    close(record_fd);
    ck_assert_int_eq(system(command), 0);
}

static int open_one(ino_t *ret_file)
{
    struct err err = { 0 };
    int fd = -1;

    ck_assert_msg(sockets_open(&sockets, record_fd, &fd, ret_file, &err) == 0, "%s", err.text);
    ck_assert_uint_ne(*ret_file, 0);
    return fd;
}

static int call(void)
{
    AUTO_CLOSE int fd = -1;

    return spool_call(record_fd, &fd, NULL);
}

START_TEST(one_that_is_kept_is_there_again)
{
    ino_t file, again;
    int fd = open_one(&file);

    ck_assert_int_eq(call(), 0);
    sockets_keep(&sockets, file, fd);
    ck_assert_int_eq(open_one(&again), fd);
    ck_assert_uint_eq(again, file);
    ck_assert_uint_eq(sockets.n, 0);
    ck_assert_int_eq(call(), 0);
    close(fd);
    ck_assert_int_eq(call(), -ECONNREFUSED);
}
END_TEST

START_TEST(one_that_nobody_has_is_made_anew)
{
    ino_t file;

    close(open_one(&file));
    ck_assert_int_eq(call(), -ECONNREFUSED);
    AUTO_CLOSE int fd = open_one(&file);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(call(), 0);
}
END_TEST

START_TEST(one_of_another_record_is_not_taken)
{
    AUTO_FREE char *other = xasprintf("%s/other", top);
    AUTO_FREE char *path = xasprintf("%s/" SPOOL_SOCKET, top);
    ino_t file, new_file;
    int fd = open_one(&file);

    ck_assert_int_eq(rename(path, other), 0);
    sockets_keep(&sockets, file, fd);
    AUTO_CLOSE int new_fd = open_one(&new_file);
    ck_assert_int_ne(new_fd, fd);
    ck_assert_uint_ne(new_file, file);
    ck_assert_uint_eq(sockets.n, 1);
}
END_TEST

CHECK_MAIN_WITH(sockets, set_up, tear_down, CASE(one_that_is_kept_is_there_again),
                CASE(one_that_nobody_has_is_made_anew), CASE(one_of_another_record_is_not_taken))
