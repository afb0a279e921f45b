/* Where batch scripts lie: made for a job, kept for later jobs. */
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
#define SPARE "spare_job.3" /* where that of JOB comes first */

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

START_TEST(a_later_script_takes_the_place_of_one_that_is_over)
{
    const char *old = "#!/bin/sh\necho a long one\n";
    const ino_t first = write_script(JOB, old);

    as_root_script_remove(spool_fd, JOB);
    cred.uid += geteuid() == 0; /* of another user, too */
    ck_assert_uint_eq(write_script(LATER, "#!/bin/sh\n"), first);
    check_text(LATER, "#!/bin/sh\n");
}
END_TEST

START_TEST(what_is_kept_is_wiped_and_roots)
{
    char buffer[64] = "";
    struct stat status;

    cred.uid += geteuid() == 0;
    write_script(JOB, "secret");
    as_root_script_remove(spool_fd, JOB);
    AUTO_CLOSE int fd = openat(spool_fd, SPARE "/slurm_script", O_RDONLY | O_CLOEXEC);

    ck_assert_int_eq(fstat(fd, &status), 0);
    ck_assert_uint_eq(status.st_uid, geteuid());
    ck_assert_uint_eq(status.st_mode & 07777, 0600);
    ck_assert_int_eq(read(fd, buffer, sizeof(buffer)), strlen("secret"));
    ck_assert_mem_eq(buffer, "\0\0\0\0\0", strlen("secret"));
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

/* Not kept is what could still be changed, is still read, or is large. */
static int open_it(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC);
}

static int link_it(const char *path)
{
    AUTO_FREE char *other = xasprintf("%s/other", top);

    return link(path, other);
}

static int be_a_link(const char *path)
{
    AUTO_FREE char *other = xasprintf("%s/other", top);

    return rename(path, other) < 0 ? -1 : symlink(other, path);
}

static int be_a_pipe(const char *path)
{
    return unlink(path) < 0 ? -1 : mkfifo(path, 0700);
}

static int be_long(const char *path)
{
    return truncate(path, 65 * 1024);
}

static int be_large(const char *path)
{
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);

    return fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 256 * 1024);
}

static int (*const changes[])(const char *) = { open_it,   link_it, be_a_link,
                                                be_a_pipe, be_long, be_large };

START_TEST(what_is_not_as_it_was_is_not_kept)
{
    AUTO_FREE char *path = script_path(top, JOB);
    char buffer[8] = "";
    int rc;

    write_script(JOB, "old");
    rc = changes[_i](path);
    ck_assert_int_ge(rc, 0);
    as_root_script_remove(spool_fd, JOB);

    ck_assert_int_lt(faccessat(spool_fd, SPARE, F_OK, 0), 0);
    ck_assert_int_lt(access(path, F_OK), 0);
    if (changes[_i] != open_it)
        return;
    ck_assert_int_eq(read(rc, buffer, sizeof(buffer)), 3); /* who reads it reads on */
    ck_assert_str_eq(buffer, "old");
    close(rc);
}
END_TEST

START_TEST(what_a_lost_launch_left_is_made_anew)
{
    AUTO_FREE char *path = script_path(top, JOB);
    const ino_t first = write_script(JOB, "old");
    AUTO_CLOSE int held = open(path, O_RDWR | O_CLOEXEC); /* so its number is not given again */

    ck_assert_int_ge(held, 0);
    ck_assert_uint_ne(write_script(JOB, "new"), first);
    check_text(JOB, "new");
}
END_TEST

START_TEST(a_spare_that_is_not_roots_alone_is_made_anew)
{
    const ino_t first = write_script(JOB, "old");

    as_root_script_remove(spool_fd, JOB);
    AUTO_CLOSE int held = openat(spool_fd, SPARE "/slurm_script", O_RDONLY | O_CLOEXEC);

    ck_assert_int_eq(fchmod(held, 0666), 0);
    ck_assert_uint_ne(write_script(LATER, "new"), first);
    check_text(LATER, "new");
}
END_TEST

CHECK_MAIN_WITH(script, set_up, tear_down, CASE(a_later_script_takes_the_place_of_one_that_is_over),
                CASE(what_is_kept_is_wiped_and_roots), CASE(jobs_at_the_same_time_have_their_own),
                LOOP_CASE(what_is_not_as_it_was_is_not_kept, ARRAY_N(changes)),
                CASE(what_a_lost_launch_left_is_made_anew),
                CASE(a_spare_that_is_not_roots_alone_is_made_anew))
