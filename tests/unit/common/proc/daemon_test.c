#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/proc/daemon.h"
#include "unit/check_main.h"

static char *dir;

static void make_dir(void)
{
    char template[] = "/tmp/daemon_test.XXXXXX";

    ck_assert_ptr_nonnull(mkdtemp(template));
    ck_assert_int_eq(chmod(template, 0755), 0);
    dir = xstrdup(template);
}

static void remove_dir(void)
{
    ck_assert_int_eq(rmdir(dir), 0);
    free(dir);
}

/* Runs `body` in a child and gives its exit status. */
static int status_of(void (*body)(void))
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        body();
        _exit(99);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

START_TEST(users_are_found_by_name_and_by_number)
{
    AUTO(proc_user) struct proc_user root = { 0 }, zero = { 0 }, number = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(proc_user_lookup("root", &root, &err), 0);
    ck_assert_int_eq(proc_user_lookup("0", &zero, &err), 0);
    ck_assert_str_eq(zero.name, "root");
    ck_assert_int_eq(root.groups_n, zero.groups_n);
    ck_assert_int_eq(proc_user_lookup("3999999999", &number, &err), 0);
    ck_assert_uint_eq(number.uid, 3999999999u);
    ck_assert_int_eq(number.groups_n, 0);
}
END_TEST

START_TEST(an_unknown_user_is_named)
{
    struct proc_user user = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(proc_user_lookup("no-such-user", &user, &err), -ENOENT);
    ck_assert_str_eq(err.text, "user 'no-such-user' does not exist");
    ck_assert_int_eq(proc_user_lookup("4294967295", &user, &err), -ENOENT);
}
END_TEST

static int die(const void *arg, struct proc_user *ret_user, struct err *err)
{
    (void)arg;
    (void)ret_user;
    (void)err;
    _exit(1);
}

static int find_second(const void *arg, struct proc_user *ret_user, struct err *err)
{
    int rc = proc_user_lookup("no-such-user", ret_user, err);

    return rc < 0 ? proc_user_lookup(arg, ret_user, err) + 2 : rc;
}

START_TEST(a_user_looked_up_apart_is_the_same)
{
    AUTO(proc_user) struct proc_user root = { 0 }, apart = { 0 }, number = { 0 };
    struct proc_user unknown = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(proc_user_lookup("root", &root, &err), 0);
    ck_assert_int_eq(proc_user_apart(find_second, "root", &apart, &err), 2);

    ck_assert_str_eq(apart.name, root.name);
    ck_assert_uint_eq(apart.uid, root.uid);
    ck_assert_uint_eq(apart.gid, root.gid);
    ck_assert_int_eq(apart.groups_n, root.groups_n);
    ck_assert_mem_eq(apart.groups, root.groups, (size_t)root.groups_n * sizeof(gid_t));
    ck_assert_int_eq(proc_user_lookup_apart("3999999999", &number, &err), 0);
    ck_assert_uint_eq(number.uid, 3999999999u);
    ck_assert_int_eq(proc_user_lookup_apart("no-such-user", &unknown, &err), -ENOENT);
    ck_assert_str_eq(err.text, "user 'no-such-user' does not exist");
    ck_assert_int_eq(proc_user_lookup_apart("no-such-user", &unknown, NULL), -ENOENT);
}
END_TEST

START_TEST(the_process_that_looks_a_user_up_may_die)
{
    struct proc_user user = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(proc_user_apart(die, NULL, &user, &err), -EIO);
    ck_assert_ptr_null(user.name);
}
END_TEST

static void become_nobody(void)
{
    AUTO(proc_user) struct proc_user nobody = { 0 };
    gid_t groups[8];

    if (proc_user_lookup("nobody", &nobody, NULL) < 0 || proc_become(&nobody, true, NULL) < 0)
        _exit(1);
    if (getuid() != nobody.uid || getgroups(8, groups) > 1 || setuid(0) == 0)
        _exit(2);
    _exit(0);
}

START_TEST(becoming_a_user_gives_up_root_for_good)
{
    if (getuid() != 0)
        return;

    ck_assert_int_eq(status_of(become_nobody), 0);
}
END_TEST

START_TEST(only_root_becomes_another_user)
{
    struct proc_user other = { .name = (char *)(uintptr_t) "other", .uid = getuid() + 1 };
    struct err err = { 0 };

    if (getuid() == 0)
        return;
    ck_assert_int_eq(proc_become(&other, false, &err), -EPERM);
}
END_TEST

static void serve_then_leave(void)
{
    struct proc_background *background;

    if (proc_background(&background, NULL) < 0)
        _exit(3);
    proc_ready(background);
    _exit(4); /* too late for the parent to see */
}

static void fail_before_serving(void)
{
    struct proc_background *background;

    if (proc_background(&background, NULL) < 0)
        _exit(3);
    _exit(7);
}

START_TEST(the_parent_leaves_well_once_the_daemon_serves)
{
    ck_assert_int_eq(status_of(serve_then_leave), 0);
}
END_TEST

START_TEST(the_parent_fails_as_the_daemon_failed)
{
    ck_assert_int_eq(status_of(fail_before_serving), 7);
}
END_TEST

static char *pid_path;

static void open_pidfile(void)
{
    struct proc_pidfile *pidfile;

    _exit(-proc_pidfile_open(pid_path, (uid_t)-1, (gid_t)-1, &pidfile, NULL));
}

START_TEST(a_pid_file_is_held_by_one_process)
{
    struct proc_pidfile *pidfile;
    char text[16] = "";
    struct err err = { 0 };

    make_dir();
    pid_path = xasprintf("%s/pid", dir);
    ck_assert_int_eq(proc_pidfile_open(pid_path, (uid_t)-1, (gid_t)-1, &pidfile, &err), 0);
    ck_assert_int_eq(status_of(open_pidfile), EBUSY);

    FILE *file = fopen(pid_path, "r");

    ck_assert_ptr_nonnull(fgets(text, sizeof(text), file));
    fclose(file);
    ck_assert_int_eq(atoi(text), getpid());
    proc_pidfile_free(pidfile);
    ck_assert_int_eq(access(pid_path, F_OK), -1);
    free(pid_path);
    remove_dir();
}
END_TEST

START_TEST(a_pid_file_left_by_a_dead_process_is_taken_over)
{
    struct proc_pidfile *pidfile;

    make_dir();
    pid_path = xasprintf("%s/pid", dir);
    ck_assert_int_eq(status_of(open_pidfile), 0);
    ck_assert_int_eq(access(pid_path, F_OK), 0);
    ck_assert_int_eq(proc_pidfile_open(pid_path, (uid_t)-1, (gid_t)-1, &pidfile, NULL), 0);
    proc_pidfile_free(pidfile);
    free(pid_path);
    remove_dir();
}
END_TEST

/* Holds the pid file, says so, and ends a moment later. */
static pid_t hold_for_a_moment(void)
{
    int fds[2];
    char byte;
    pid_t child;

    ck_assert_int_eq(pipe(fds), 0);
    child = fork();
    if (child == 0) {
        struct proc_pidfile *pidfile;

        if (proc_pidfile_open(pid_path, (uid_t)-1, (gid_t)-1, &pidfile, NULL) < 0 ||
            write(fds[1], "", 1) != 1)
            _exit(1);
        (void)poll(NULL, 0, 200);
        _exit(0);
    }
    ck_assert_int_eq(read(fds[0], &byte, 1), 1);
    close(fds[0]);
    close(fds[1]);
    return child;
}

START_TEST(a_pid_file_of_a_process_that_ends_just_now_is_waited_for)
{
    struct proc_pidfile *pidfile;
    struct err err = { 0 };
    pid_t child;

    make_dir();
    pid_path = xasprintf("%s/pid", dir);
    child = hold_for_a_moment();
    ck_assert_msg(proc_pidfile_open(pid_path, (uid_t)-1, (gid_t)-1, &pidfile, &err) == 0, "%s",
                  err.text);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    proc_pidfile_free(pidfile);
    free(pid_path);
    remove_dir();
}
END_TEST

START_TEST(directories_are_made_with_their_parents_and_owner)
{
    make_dir();

    AUTO_FREE char *top = xasprintf("%s/a", dir), *path = xasprintf("%s/b", top);
    struct stat stat_b;
    uid_t uid = getuid() == 0 ? 65534 : getuid();
    struct err err = { 0 };

    ck_assert_msg(proc_make_dir(path, 0750, uid, (gid_t)-1, &err) == 0, "%s", err.text);

    ck_assert_int_eq(stat(path, &stat_b), 0);
    ck_assert_uint_eq(stat_b.st_mode & 07777, 0750);
    ck_assert_uint_eq(stat_b.st_uid, uid);
    ck_assert_int_eq(proc_make_dir(path, 0700, uid, (gid_t)-1, &err), 0);
    ck_assert_int_eq(stat(path, &stat_b), 0);
    ck_assert_uint_eq(stat_b.st_mode & 07777, 0750);
    rmdir(path);
    rmdir(top);
    remove_dir();
}
END_TEST

START_TEST(a_link_to_a_directory_is_not_handed_over)
{
    make_dir();

    AUTO_FREE char *real = xasprintf("%s/real", dir), *link = xasprintf("%s/link", dir);
    struct stat stat_real;

    ck_assert_int_eq(mkdir(real, 0700), 0);
    ck_assert_int_eq(symlink(real, link), 0);
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(dir, 65534, (gid_t)-1), 0);
        ck_assert_int_eq(proc_make_dir(link, 0700, 65534, (gid_t)-1, NULL), -ELOOP);
    }
    ck_assert_int_eq(stat(real, &stat_real), 0);
    ck_assert_uint_eq(stat_real.st_uid, getuid());
    unlink(link);
    rmdir(real);
    remove_dir();
}
END_TEST

START_TEST(a_link_is_no_pid_file)
{
    struct proc_pidfile *pidfile;
    struct err err = { 0 };

    if (geteuid() != 0)
        return;
    make_dir();
    AUTO_FREE char *path = xasprintf("%s/pid", dir);

    ck_assert_int_eq(chown(dir, 65534, (gid_t)-1), 0);
    ck_assert_int_eq(symlink("/etc/no-such-file", path), 0);
    ck_assert_int_eq(proc_pidfile_open(path, 65534, (gid_t)-1, &pidfile, &err), -ELOOP);
    unlink(path);
    remove_dir();
}
END_TEST

START_TEST(a_daemons_own_directory_is_nobody_elses)
{
    struct err err = { 0 };

    if (geteuid() != 0)
        return;
    make_dir();
    AUTO_CLOSE int fd = proc_open_own_dir(dir, 4711, &err);
    struct stat status;

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fchown(fd, 4711, (gid_t)-1), 0);
    ck_assert_int_eq(fchmod(fd, 0777), 0);
    AUTO_CLOSE int again = proc_open_own_dir(dir, 4711, &err);
    ck_assert_int_ge(again, 0);
    ck_assert_int_eq(fstat(fd, &status), 0);
    ck_assert_uint_eq(status.st_mode & 07777, 0775);
    ck_assert_int_eq(proc_open_own_dir(dir, 4712, &err), -EPERM);
    ck_assert_ptr_nonnull(strstr(err.text, "belongs to uid 4711"));
    ck_assert_int_eq(proc_open_own_dir("/tmp", 4711, &err), -EPERM);
    ck_assert_ptr_nonnull(strstr(err.text, "/tmp is open to all (mode 1777)"));
    remove_dir();
}
END_TEST

START_TEST(a_file_is_no_directory)
{
    make_dir();

    AUTO_FREE char *path = xasprintf("%s/file", dir);
    struct err err = { 0 };

    close(open(path, O_CREAT | O_WRONLY, 0600));
    ck_assert_int_eq(proc_make_dir(path, 0700, (uid_t)-1, (gid_t)-1, &err), -ENOTDIR);
    unlink(path);
    remove_dir();
}
END_TEST

CHECK_MAIN(daemon, CASE(users_are_found_by_name_and_by_number), CASE(an_unknown_user_is_named),
           CASE(a_user_looked_up_apart_is_the_same), CASE(the_process_that_looks_a_user_up_may_die),
           CASE(becoming_a_user_gives_up_root_for_good), CASE(only_root_becomes_another_user),
           CASE(the_parent_leaves_well_once_the_daemon_serves),
           CASE(the_parent_fails_as_the_daemon_failed), CASE(a_pid_file_is_held_by_one_process),
           CASE(a_pid_file_left_by_a_dead_process_is_taken_over),
           CASE(a_pid_file_of_a_process_that_ends_just_now_is_waited_for),
           CASE(directories_are_made_with_their_parents_and_owner),
           CASE(a_link_to_a_directory_is_not_handed_over), CASE(a_file_is_no_directory),
           CASE(a_link_is_no_pid_file), CASE(a_daemons_own_directory_is_nobody_elses))
