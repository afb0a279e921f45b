#include "auth/key/key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit/check_main.h"

static char *dir;

/* The directories above are /tmp and /: sticky, or root's. */
static void make_dir(void)
{
    dir = xstrdup("/tmp/sluice-key.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void remove_dir(void)
{
    AUTO_FREE char *command = xasprintf("rm -r %s", dir);

    ck_assert_int_eq(system(command), 0);
    free(dir);
}

static char *make_key(size_t n, mode_t mode, char fill)
{
    char *path = xasprintf("%s/munge.key", dir);
    AUTO_FREE char *bytes = xmalloc(n);
    AUTO_CLOSE int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);

    memset(bytes, fill, n);
    ck_assert_int_eq((int)write(fd, bytes, n), (int)n);
    ck_assert_int_eq(fchmod(fd, mode), 0);
    return path;
}

static struct key_policy policy(void)
{
    return (struct key_policy){ .owners = { getuid() }, .owners_n = 1, .trusted_gid = (gid_t)-1 };
}

static void check_refused(const char *path, const struct key_policy *as, int code, const char *text)
{
    struct err err = { 0 };
    struct key key;

    ck_assert_int_eq(key_load(path, as, &key, NULL, &err), -code);
    ck_assert_msg(strstr(err.text, text), "'%s' lacks '%s'", err.text, text);
    ck_assert_ptr_nonnull(strstr(err.text, dir));
}

START_TEST(a_key_of_any_usual_size_is_read)
{
    static const size_t sizes[] = { 32, 128, 1024, 4096, 65536 };
    struct key_policy as = policy();
    struct err err = { 0 };
    struct key key;

    make_dir();
    AUTO_FREE char *path = make_key(sizes[_i], _i % 2 ? 0400 : 0600, 'k');

    ck_assert_msg(key_load(path, &as, &key, NULL, &err) == 0, "%s", err.text);
    ck_assert_uint_eq(strlen(key.fingerprint), 16);
    remove_dir();
}
END_TEST

static const struct {
    size_t size;
    mode_t mode;
    int code;
    const char *text;
} unfit[] = {
    { 0, 0600, EINVAL, "has 0 bytes; a key has at least 32" },
    { 31, 0600, EINVAL, "has 31 bytes; a key has at least 32" },
    { 65537, 0600, EFBIG, "has 65537 bytes; a key has at most 65536" },
    { 1024, 0640, EPERM, "its mode is 0640, it should be 0600 or 0400" },
    { 1024, 0604, EPERM, "its mode is 0604, it should be 0600 or 0400" },
    { 1024, 0620, EPERM, "its mode is 0620, it should be 0600 or 0400" },
};

START_TEST(a_key_of_wrong_size_or_mode_is_refused)
{
    struct key_policy as = policy();

    make_dir();
    AUTO_FREE char *path = make_key(unfit[_i].size, unfit[_i].mode, 'k');

    check_refused(path, &as, unfit[_i].code, unfit[_i].text);
    remove_dir();
}
END_TEST

START_TEST(a_key_of_another_owner_is_refused)
{
    struct key_policy as = policy();

    make_dir();
    AUTO_FREE char *path = make_key(1024, 0600, 'k');
    as.owners[0] = getuid() + 1;
    check_refused(path, &as, EPERM, "is uid");

    as.owners[1] = getuid();
    as.owners_n = 2;
    struct key key;
    ck_assert_int_eq(key_load(path, &as, &key, NULL, NULL), 0);
    remove_dir();
}
END_TEST

START_TEST(links_directories_fifos_and_missing_files_are_refused)
{
    struct key_policy as = policy();

    make_dir();
    AUTO_FREE char *path = make_key(1024, 0600, 'k');
    AUTO_FREE char *link = xasprintf("%s/link", dir);
    AUTO_FREE char *fifo = xasprintf("%s/fifo", dir);
    AUTO_FREE char *missing = xasprintf("%s/missing", dir);

    ck_assert_int_eq(symlink(path, link), 0);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    check_refused(link, &as, ELOOP, "is a symbolic link");
    check_refused(dir, &as, EINVAL, "must be a regular file");
    check_refused(fifo, &as, EINVAL, "must be a regular file");
    check_refused(missing, &as, ENOENT, "make one with mungekey");
    remove_dir();
}
END_TEST

START_TEST(directories_that_others_can_change_are_refused)
{
    struct key_policy as = policy();
    struct key key;

    make_dir();
    AUTO_FREE char *path = make_key(1024, 0600, 'k');

    ck_assert_int_eq(chmod(dir, 0777), 0);
    check_refused(path, &as, EPERM, "world-writable permissions without sticky bit set");
    ck_assert_int_eq(chmod(dir, 0770), 0);
    check_refused(path, &as, EPERM, "group-writable permissions without sticky bit set");
    as.trusted_gid = getgid();
    ck_assert_int_eq(key_load(path, &as, &key, NULL, NULL), 0);
    ck_assert_int_eq(chmod(dir, 01777), 0);
    ck_assert_int_eq(key_load(path, &as, &key, NULL, NULL), 0);
    remove_dir();
}
END_TEST

START_TEST(force_makes_what_is_insecure_a_warning_and_keeps_the_rest_an_error)
{
    struct key_policy as = policy();
    struct err warning = { 0 };
    struct key key;

    make_dir();
    as.force = true;
    AUTO_FREE char *path = make_key(1024, 0666, 'k');
    ck_assert_int_eq(key_load(path, &as, &key, &warning, NULL), 0);
    ck_assert_ptr_nonnull(strstr(warning.text, "its mode is 0666"));

    AUTO_FREE char *same = make_key(31, 0600, 'k');
    check_refused(same, &as, EINVAL, "has 31 bytes");
    remove_dir();
}
END_TEST

START_TEST(a_fingerprint_is_the_same_for_the_same_key_only)
{
    struct key_policy as = policy();
    struct key first;
    struct key again;
    struct key other;

    make_dir();
    AUTO_FREE char *path = make_key(64, 0600, 'a');
    ck_assert_int_eq(key_load(path, &as, &first, NULL, NULL), 0);
    ck_assert_int_eq(key_load(path, &as, &again, NULL, NULL), 0);
    free(make_key(64, 0600, 'b'));
    ck_assert_int_eq(key_load(path, &as, &other, NULL, NULL), 0);

    ck_assert_str_eq(first.fingerprint, again.fingerprint);
    ck_assert_str_ne(first.fingerprint, other.fingerprint);
    remove_dir();
}
END_TEST

START_TEST(a_written_or_replaced_key_file_has_changed_and_a_removed_one_has_not)
{
    struct key_policy as = policy();
    struct key key;

    make_dir();
    AUTO_FREE char *path = make_key(64, 0600, 'a');
    AUTO_FREE char *aside = xasprintf("%s.aside", path);
    ck_assert_int_eq(key_load(path, &as, &key, NULL, NULL), 0);
    ck_assert(!key_has_changed(&key, path));

    ck_assert_int_eq(rename(path, aside), 0);
    ck_assert(!key_has_changed(&key, path));
    free(make_key(64, 0600, 'b'));
    ck_assert(key_has_changed(&key, path));
    remove_dir();
}
END_TEST

CHECK_MAIN(key, LOOP_CASE(a_key_of_any_usual_size_is_read, 5),
           LOOP_CASE(a_key_of_wrong_size_or_mode_is_refused, ARRAY_N(unfit)),
           CASE(a_key_of_another_owner_is_refused),
           CASE(links_directories_fifos_and_missing_files_are_refused),
           CASE(directories_that_others_can_change_are_refused),
           CASE(force_makes_what_is_insecure_a_warning_and_keeps_the_rest_an_error),
           CASE(a_fingerprint_is_the_same_for_the_same_key_only),
           CASE(a_written_or_replaced_key_file_has_changed_and_a_removed_one_has_not))
