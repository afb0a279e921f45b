/* Where batch scripts lie: made for a job, kept for later jobs of the same user. */
#include "unit/check_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "noded/stepd/script.h"
#include "noded/stepd/spool.h"

#define JOB 7u
#define LATER                                                                                      \
    (JOB + 64) /* has the same places among those that are kept: two, as 7 is below 16             \
                */
#define THIRD (LATER + 64)

static char top[] = "/tmp/script_test.XXXXXX";
static int spool_fd;
static struct launch_cred cred;

static void set_up(void)
{
    memcpy(top + strlen(top) - 6, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(top));
    spool_fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_ge(spool_fd, 0);
    cred = (struct launch_cred){ .job_id = JOB, .uid = geteuid(), .gid = getegid() };
}

static void tear_down(void)
{
    AUTO_FREE char *command = xasprintf("rm -rf '%s'", top);

    close(spool_fd);
    ck_assert_int_eq(system(command), 0);
}

/* Returns the file's number. */
static ino_t write_script(uint32_t job_id, const char *text)
{
    struct stat status;
    int fd = -1;

    cred.job_id = job_id;
    ck_assert_int_eq(as_root_script_make(spool_fd, &cred, &fd, NULL), 0);
    ck_assert_int_eq(spool_replace(fd, text, strlen(text)), 0);
    ck_assert_int_eq(fstat(fd, &status), 0);
    ck_assert_uint_eq(status.st_mode & 07777, 0700);
    ck_assert_uint_eq(status.st_uid, cred.uid);
    close(fd);
    return status.st_ino;
}

static void check_text(uint32_t job_id, const char *text)
{
    AUTO_FREE char *path = script_path(top, job_id);
    char buffer[64] = "";
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);

    ck_assert_int_ge(read(fd, buffer, sizeof(buffer) - 1), 0);
    ck_assert_str_eq(buffer, text);
}

START_TEST(a_later_script_of_the_user_takes_the_place_of_one_that_is_over)
{
    const ino_t first = write_script(JOB, "#!/bin/sh\necho a long one\n");

    as_root_script_remove(spool_fd, JOB);
    ck_assert_uint_eq(write_script(LATER, "#!/bin/sh\n"), first);
    check_text(LATER, "#!/bin/sh\n");
}
END_TEST

START_TEST(jobs_at_the_same_time_have_their_own)
{
    const ino_t first = write_script(JOB, "one"), second = write_script(LATER, "two");

    ck_assert_uint_ne(first, second);
    ck_assert_uint_ne(write_script(THIRD, "three"), first);
    as_root_script_remove(spool_fd, JOB);
    as_root_script_remove(spool_fd, LATER);
    as_root_script_remove(spool_fd, THIRD); /* there are two kept in its places */
    ck_assert_int_lt(faccessat(spool_fd, "job00135", F_OK, 0), 0);
    ck_assert_uint_eq(write_script(JOB, "four"), first);
    ck_assert_uint_eq(write_script(LATER, "five"), second);
}
END_TEST

/* What others could write to, or have under another name, is not taken. */
static void change_owner(const char *path)
{
    ck_assert_int_eq(chown(path, cred.uid + 1, cred.gid), 0);
}

static void change_mode(const char *path)
{
    ck_assert_int_eq(chmod(path, 0777), 0);
}

static void link_it(const char *path)
{
    AUTO_FREE char *other = xasprintf("%s/other", top);

    ck_assert_int_eq(link(path, other), 0);
}

static void be_a_link(const char *path)
{
    AUTO_FREE char *other = xasprintf("%s/other", top);

    ck_assert_int_eq(rename(path, other), 0);
    ck_assert_int_eq(symlink(other, path), 0);
}

static void be_a_pipe(const char *path)
{
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkfifo(path, 0700), 0);
}

static void (*const changes[])(const char *) = { change_owner, change_mode, link_it, be_a_link,
                                                 be_a_pipe };

START_TEST(one_that_is_not_as_it_was_is_made_anew)
{
    if (changes[_i] == change_owner && geteuid() != 0)
        return;
    const ino_t first = write_script(JOB, "old");
    AUTO_FREE char *path = script_path(top, JOB);
    AUTO_CLOSE int held = open(path, O_RDWR | O_CLOEXEC); /* so its number is not given again */

    ck_assert_int_ge(held, 0);
    changes[_i](path);
    as_root_script_remove(spool_fd, JOB);
    ck_assert_uint_ne(write_script(LATER, "new"), first);
    check_text(LATER, "new");
}
END_TEST

CHECK_MAIN_WITH(script, set_up, tear_down,
                CASE(a_later_script_of_the_user_takes_the_place_of_one_that_is_over),
                CASE(jobs_at_the_same_time_have_their_own),
                LOOP_CASE(one_that_is_not_as_it_was_is_made_anew, ARRAY_N(changes)))
