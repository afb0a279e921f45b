#include "unit/check_main.h"

#include <fcntl.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "noded/monitor/fence.h"

static int spool_of(char *dir)
{
    ck_assert_ptr_nonnull(mkdtemp(dir));
    return open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static struct fence *reopen(struct fence *fence, int spool, const char *boot_id)
{
    struct err err = { 0 };
    struct fence *next = NULL;

    fence_free(fence);
    ck_assert_msg(fence_open(spool, boot_id, &next, &err) == 0, "%s", err.text);
    return next;
}

static void remove_spool(const char *dir)
{
    AUTO_FREE char *clean = xasprintf("rm -r '%s'", dir);

    ck_assert_int_eq(system(clean), 0);
}

START_TEST(what_was_forgotten_stays_so_within_a_boot)
{
    char dir[] = "/tmp/fence_test.XXXXXX";
    AUTO_CLOSE int spool = spool_of(dir);
    struct fence *fence = reopen(NULL, spool, "boot1");

    ck_assert_int_eq(fence_forget(fence, 1, 2, 3, NULL), 0);
    ck_assert_int_eq(fence_forget(fence, 1, 2, 2, NULL), 0);
    ck_assert_int_eq(fence_forget(fence, 9, 0, 1, NULL), 0);
    fence = reopen(fence, spool, "boot1");

    ck_assert_uint_eq(fence_forgotten(fence, 1, 2), 3);
    ck_assert_uint_eq(fence_forgotten(fence, 9, 0), 1);
    ck_assert_uint_eq(fence_forgotten(fence, 9, 1), 0);
    fence = reopen(fence, spool, "boot2");
    ck_assert_uint_eq(fence_forgotten(fence, 1, 2), 0);
    fence_free(fence);
    remove_spool(dir);
}
END_TEST

START_TEST(a_record_cut_by_a_crash_harms_no_other)
{
    char dir[] = "/tmp/fence_test.XXXXXX";
    AUTO_CLOSE int spool = spool_of(dir);
    struct fence *fence = reopen(NULL, spool, "boot1");

    ck_assert_int_eq(fence_forget(fence, 1, 2, 3, NULL), 0);
    AUTO_CLOSE int file = openat(spool, "forgotten", O_WRONLY | O_APPEND | O_CLOEXEC);
    ck_assert_int_eq(write(file, "cut", 3), 3);
    fence = reopen(fence, spool, "boot1");
    ck_assert_int_eq(fence_forget(fence, 4, 5, 6, NULL), 0);
    fence = reopen(fence, spool, "boot1");

    ck_assert_uint_eq(fence_forgotten(fence, 1, 2), 3);
    ck_assert_uint_eq(fence_forgotten(fence, 4, 5), 6);
    fence_free(fence);
    remove_spool(dir);
}
END_TEST

START_TEST(the_incarnation_only_rises_and_outlives_boots)
{
    char dir[] = "/tmp/fence_test.XXXXXX";
    AUTO_CLOSE int spool = spool_of(dir);
    struct fence *fence = reopen(NULL, spool, "boot1");

    ck_assert_uint_eq(fence_incarnation(fence), 0);
    ck_assert_int_eq(fence_raise(fence, 7, NULL), 0);
    ck_assert_int_eq(fence_raise(fence, 5, NULL), 0);
    fence = reopen(fence, spool, "boot2");

    ck_assert_uint_eq(fence_incarnation(fence), 7);
    fence_free(fence);
    remove_spool(dir);
}
END_TEST

START_TEST(another_key_begins_anew_and_a_known_one_never_goes_back)
{
    char dir[] = "/tmp/fence_test.XXXXXX";
    AUTO_CLOSE int spool = spool_of(dir);
    struct fence *fence = reopen(NULL, spool, "boot1");
    const uint8_t first[FENCE_KEY_N] = { 1 }, second[FENCE_KEY_N] = { 2 };

    ck_assert_int_eq(fence_take_key(fence, first, 7, NULL), 1);
    ck_assert_int_eq(fence_forget(fence, 1, 2, 3, NULL), 0);
    fence = reopen(fence, spool, "boot1");
    ck_assert_int_eq(fence_take_key(fence, first, 6, NULL), -E_STALE);
    ck_assert_int_eq(fence_take_key(fence, first, 7, NULL), 0);
    ck_assert_uint_eq(fence_forgotten(fence, 1, 2), 3);

    ck_assert_int_eq(fence_take_key(fence, second, 1, NULL), 1);
    ck_assert_uint_eq(fence_forgotten(fence, 1, 2), 0);
    fence = reopen(fence, spool, "boot1");
    ck_assert_uint_eq(fence_forgotten(fence, 1, 2), 0);
    ck_assert_uint_eq(fence_incarnation(fence), 1);
    fence_free(fence);
    remove_spool(dir);
}
END_TEST

CHECK_MAIN(fence, CASE(another_key_begins_anew_and_a_known_one_never_goes_back),
           CASE(what_was_forgotten_stays_so_within_a_boot),
           CASE(a_record_cut_by_a_crash_harms_no_other),
           CASE(the_incarnation_only_rises_and_outlives_boots))
