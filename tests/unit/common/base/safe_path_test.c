#include "unit/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/safe_path.h"

#define ALICE 4711
#define BOB   4712

/* Whoever made them: other people's files take root. */
#define NEEDS_ROOT()                                                                               \
    do {                                                                                           \
        if (geteuid() != 0)                                                                        \
            return;                                                                                \
    } while (0)

static const char *const entries[] = { "open/file", "hers/file", "hers/moved", "hers/sub/x",
                                       "hers/sub",  "hers/link", "hers",       "open/link",
                                       "open",      "own/file",  "own/link",   "own",
                                       "secret",    "new/way",   "new" };

static char dir[32];

static const char *at(const char *name)
{
    static char paths[4][128];
    static unsigned next;

    next = (next + 1) % ARRAY_N(paths);
    snprintf(paths[next], sizeof(paths[next]), "%s/%s", dir, name);
    return paths[next];
}

static void make_dir(const char *name, mode_t mode, uid_t uid)
{
    ck_assert_int_eq(mkdir(at(name), 0700), 0);
    ck_assert_int_eq(chown(at(name), uid, (gid_t)-1), 0);
    ck_assert_int_eq(chmod(at(name), mode), 0);
}

static void make_file(const char *name, uid_t uid)
{
    const int fd = open(at(name), O_WRONLY | O_CREAT | O_EXCL, 0600);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fchown(fd, uid, (gid_t)-1), 0);
    close(fd);
}

/* Root's file, and directories of root's, of another user's, and of everybody's. */
static void make_all(void)
{
    strcpy(dir, "/tmp/safe_path.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    if (geteuid() != 0)
        return;
    ck_assert_int_eq(chmod(dir, 0755), 0);
    make_file("secret", 0);
    make_dir("own", 0755, 0);
    make_dir("hers", 0755, ALICE);
    make_dir("open", 01777, 0);
}

static void remove_all(void)
{
    for (size_t i = 0; i < ARRAY_N(entries); i++)
        (void)remove(at(entries[i]));
    ck_assert_int_eq(rmdir(dir), 0);
}

static int open_for(const char *name, uid_t uid, struct err *err)
{
    const struct safe_file file = { O_WRONLY | O_APPEND, 0600, uid, (gid_t)-1 };

    return safe_open(at(name), &file, err);
}

static uid_t owner_of(const char *name)
{
    struct stat status;

    ck_assert_int_eq(lstat(at(name), &status), 0);
    return status.st_uid;
}

static void assert_refused(const char *name, int code, const char *words)
{
    struct err err = { 0 };

    ck_assert_int_eq(open_for(name, ALICE, &err), -code);
    ck_assert_msg(strstr(err.text, words), "'%s' has no '%s'", err.text, words);
    ck_assert_uint_eq(owner_of("secret"), 0);
}

START_TEST(a_new_file_is_the_users_in_every_place)
{
    static const char *const names[] = { "own/file", "hers/file", "open/file" };
    struct err err = { 0 };

    NEEDS_ROOT();
    const int fd = open_for(names[_i], ALICE, &err);

    ck_assert_msg(fd >= 0, "%s", err.text);
    ck_assert_uint_eq(owner_of(names[_i]), ALICE);
    close(fd);
    ck_assert_int_ge(open_for(names[_i], ALICE, &err), 0); /* and is opened again */
}
END_TEST

START_TEST(a_link_of_another_user_is_not_followed)
{
    static const char *const names[] = { "hers/link", "open/link" };

    NEEDS_ROOT();
    ck_assert_int_eq(symlink(at("secret"), at(names[_i])), 0);
    ck_assert_int_eq(lchown(at(names[_i]), ALICE, ALICE), 0);

    assert_refused(names[_i], ELOOP, "uid 4711");
}
END_TEST

START_TEST(a_link_in_the_place_of_a_directory_is_not_followed)
{
    NEEDS_ROOT();
    make_dir("new", 0755, 0);
    ck_assert_int_eq(symlink(at("new"), at("hers/sub")), 0);

    assert_refused("hers/sub/x", ELOOP, "hers/sub is a link");
    ck_assert_int_lt(access(at("new/x"), F_OK), 0);
}
END_TEST

START_TEST(a_link_of_roots_in_roots_directory_is_followed)
{
    struct err err = { 0 };

    NEEDS_ROOT();
    ck_assert_int_eq(symlink("../hers/file", at("own/link")), 0);
    const int fd = open_for("own/link", ALICE, &err);

    ck_assert_msg(fd >= 0, "%s", err.text);
    ck_assert_uint_eq(owner_of("hers/file"), ALICE);
    close(fd);
}
END_TEST

START_TEST(a_second_name_of_roots_file_is_refused)
{
    NEEDS_ROOT();
    ck_assert_int_eq(link(at("secret"), at("hers/moved")), 0);

    assert_refused("hers/moved", EPERM, "2 names");
}
END_TEST

START_TEST(what_was_there_before_is_not_given_away_in_an_unsafe_place)
{
    struct err err = { 0 };

    NEEDS_ROOT();
    make_file("hers/file", 0);
    const int fd = open_for("hers/file", ALICE, &err);

    ck_assert_msg(fd >= 0, "%s", err.text);
    ck_assert_uint_eq(owner_of("hers/file"), 0);
    close(fd);
}
END_TEST

START_TEST(in_roots_place_it_is_given)
{
    struct err err = { 0 };

    NEEDS_ROOT();
    make_file("own/file", 0);
    const int fd = open_for("own/file", ALICE, &err);

    ck_assert_msg(fd >= 0, "%s", err.text);
    ck_assert_uint_eq(owner_of("own/file"), ALICE);
    close(fd);
}
END_TEST

START_TEST(a_third_users_file_is_refused)
{
    static const char *const names[] = { "hers/file", "open/file" };

    NEEDS_ROOT();
    make_file(names[_i], BOB);

    assert_refused(names[_i], EPERM, "belongs to uid 4712");
}
END_TEST

START_TEST(a_pipe_is_refused)
{
    NEEDS_ROOT();
    ck_assert_int_eq(mkfifo(at("hers/file"), 0600), 0);
    AUTO_CLOSE int reader = open(at("hers/file"), O_RDONLY | O_NONBLOCK);

    ck_assert_int_ge(reader, 0);
    assert_refused("hers/file", EINVAL, "not a regular file");
}
END_TEST

START_TEST(a_device_in_roots_place_is_opened_and_stays_roots)
{
    const struct safe_file file = { O_WRONLY, 0600, ALICE, ALICE };
    struct stat status;
    struct err err = { 0 };
    AUTO_CLOSE int fd = safe_open("/dev/null", &file, &err);

    ck_assert_msg(fd >= 0, "%s", err.text);
    ck_assert_int_eq(fstat(fd, &status), 0);
    ck_assert_uint_eq(status.st_uid, 0);
}
END_TEST

START_TEST(an_open_descriptor_is_opened_by_its_name)
{
    const struct safe_file file = { O_WRONLY, 0600, (uid_t)-1, (gid_t)-1 };
    struct err err = { 0 };
    AUTO_CLOSE int fd = safe_open("/dev/stderr", &file, &err);

    ck_assert_msg(fd >= 0, "%s", err.text);
}
END_TEST

START_TEST(a_path_says_who_can_exchange_it)
{
    static const struct {
        const char *name, *why;
    } rows[] = {
        { "own/file", NULL },
        { "open/file", NULL },
        { "hers/file", "hers belongs to uid 4711, not to root: chown root" },
    };
    AUTO(safe_path) struct safe_path path = { .dir_fd = -1 };
    struct err err = { 0 };

    NEEDS_ROOT();
    ck_assert_int_eq(safe_path_find(at(rows[_i].name), &path, &err), 0);
    ck_assert_str_eq(path.text, at(rows[_i].name));
    if (rows[_i].why)
        ck_assert_ptr_nonnull(strstr(path.unsafe, rows[_i].why));
    else
        ck_assert_ptr_null(path.unsafe);
}
END_TEST

START_TEST(a_directory_that_all_may_write_is_unsafe)
{
    AUTO(safe_path) struct safe_path path = { .dir_fd = -1 };
    struct err err = { 0 };

    NEEDS_ROOT();
    ck_assert_int_eq(chmod(at("own"), 0777), 0);
    ck_assert_int_eq(safe_path_find(at("own/file"), &path, &err), 0);
    ck_assert_ptr_nonnull(strstr(path.unsafe, "own can be written by others (mode 0777): chmod"));
}
END_TEST

START_TEST(missing_directories_are_made_when_wanted)
{
    AUTO(safe_path) struct safe_path path = { .dir_fd = -1 };
    struct err err = { 0 };

    ck_assert_int_eq(safe_path_find(at("new/way/x"), &path, &err), -ENOENT);
    ck_assert_int_eq(safe_path_make(at("new/way/x"), &path, &err), 0);
    ck_assert_int_eq(access(at("new/way"), F_OK), 0);
}
END_TEST

START_TEST(an_own_directory_is_made_and_one_of_another_user_refused)
{
    AUTO_CLOSE int top = open(dir, O_PATH | O_DIRECTORY);
    AUTO_CLOSE int made = safe_own_dir(top, "new", 0700, "new", NULL);
    AUTO_CLOSE int again = safe_own_dir(top, "new", 0700, "new", NULL);
    struct err err = { 0 };

    ck_assert_int_ge(made, 0);
    ck_assert_int_ge(again, 0);
    NEEDS_ROOT();
    ck_assert_int_eq(safe_own_dir(top, "hers", 0700, "hers", &err), -EPERM);
    ck_assert_ptr_nonnull(strstr(err.text, "hers belongs to uid 4711"));
    ck_assert_int_eq(safe_own_dir(top, "open", 0700, "open", &err), -EPERM);
}
END_TEST

CHECK_MAIN_WITH(safe_path, make_all, remove_all,
                LOOP_CASE(a_new_file_is_the_users_in_every_place, 3),
                LOOP_CASE(a_link_of_another_user_is_not_followed, 2),
                CASE(a_link_in_the_place_of_a_directory_is_not_followed),
                CASE(a_link_of_roots_in_roots_directory_is_followed),
                CASE(a_second_name_of_roots_file_is_refused),
                CASE(what_was_there_before_is_not_given_away_in_an_unsafe_place),
                CASE(in_roots_place_it_is_given), LOOP_CASE(a_third_users_file_is_refused, 2),
                CASE(a_pipe_is_refused), CASE(a_device_in_roots_place_is_opened_and_stays_roots),
                CASE(an_open_descriptor_is_opened_by_its_name),
                LOOP_CASE(a_path_says_who_can_exchange_it, 3),
                CASE(a_directory_that_all_may_write_is_unsafe),
                CASE(missing_directories_are_made_when_wanted),
                CASE(an_own_directory_is_made_and_one_of_another_user_refused))
