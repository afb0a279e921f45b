/* Who may have one more session with the controller. */
#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"
#include "ctld/dispatch/quota.h"

static const struct quota_room room = { 20000, 100 };

/* Takes what it can get, and says how many that were. */
static uint32_t fill(struct quota *quota, uid_t uid, bool stays)
{
    uint32_t n = 0;

    while (quota_check(quota, &room, uid, stays, NULL) == 0) {
        quota_take(quota, uid);
        n++;
    }
    return n;
}

START_TEST(one_user_may_hold_half_of_what_users_have)
{
    const uint32_t shared = quota_for_users(&room) - quota_for_users(&room) / 8;
    struct quota *quota = quota_new();

    ck_assert_uint_eq(fill(quota, 1000, false), (shared + 1) / 2);
    ck_assert_int_eq(quota_check(quota, &room, 1001, false, NULL), 0);
    quota_free(quota);
}
END_TEST

START_TEST(however_many_take_what_they_can_another_gets_in)
{
    struct quota *quota = quota_new();

    for (uid_t uid = 1000; uid < 1050; uid++)
        fill(quota, uid, false);

    ck_assert_int_eq(quota_check(quota, &room, 1050, false, NULL), 0);
    quota_free(quota);
}
END_TEST

START_TEST(commands_get_in_where_sruns_do_not)
{
    struct quota *quota = quota_new();

    fill(quota, 1000, true);

    ck_assert_int_eq(quota_check(quota, &room, 1000, true, NULL), -E_SESSIONS);
    ck_assert_int_eq(quota_check(quota, &room, 1000, false, NULL), 0);
    quota_free(quota);
}
END_TEST

START_TEST(a_place_left_is_free_again)
{
    struct quota *quota = quota_new();

    fill(quota, 1000, false);
    quota_leave(quota, 1000);

    ck_assert_int_eq(quota_check(quota, &room, 1000, false, NULL), 0);
    quota_free(quota);
}
END_TEST

START_TEST(who_goes_over_is_told_who_how_many_and_the_way_out)
{
    struct quota *quota = quota_new();
    struct err err = { 0 };
    AUTO_FREE char *told = NULL;

    told = xasprintf("uid 1000 holds %u, and of the", fill(quota, 1000, false));
    ck_assert_int_eq(quota_check(quota, &room, 1000, false, &err), -E_SESSIONS);

    ck_assert_ptr_nonnull(strstr(err.text, told));
    ck_assert_ptr_nonnull(strstr(err.text, "LimitNOFILE"));
    ck_assert_uint_lt(strlen(err.text), 400); /* what a refusal tells its peer */
    quota_free(quota);
}
END_TEST

/* Of any number of descriptors, whatever users take. */
START_TEST(nodes_and_the_controller_keep_theirs)
{
    static const struct quota_room rooms[] = {
        { 65536, 5000 }, { 65536, 3 }, { 20000, 100 }, { 1024, 300 }, { 1024, 4 }, { 256, 4 },
    };

    for (size_t i = 0; i < ARRAY_N(rooms); i++) {
        ck_assert(!quota_is_small(&rooms[i]));
        ck_assert_uint_gt(quota_for_users(&rooms[i]), 0);
        ck_assert_uint_ge(rooms[i].descriptors - quota_for_users(&rooms[i]),
                          2 * rooms[i].nodes + (i < 3 ? QUOTA_OWN : rooms[i].descriptors / 4));
    }
}
END_TEST

START_TEST(too_few_descriptors_are_known_as_such)
{
    const struct quota_room few = { 1024, 1000 };

    ck_assert(quota_is_small(&few));
    ck_assert_uint_eq(quota_for_users(&few), 96);
}
END_TEST

#define BLOB_N (16u << 20)

START_TEST(blobs_that_no_request_has_named_are_bounded_for_each_user)
{
    struct quota *quota = quota_new();
    struct err err = { 0 };
    uint32_t n = 0;

    for (uid_t uid = 1000; uid < 1002; uid++)
        quota_take(quota, uid);
    while (quota_take_blob(quota, 1000, BLOB_N, &err) == 0)
        n++;

    ck_assert_uint_eq(n, (QUOTA_BLOBS_MB << 20) / BLOB_N);
    ck_assert_int_eq(err.code, EDQUOT);
    ck_assert_ptr_nonnull(strstr(err.text, "uid 1000 has sent 256 MB of scripts and environments"));
    ck_assert_int_eq(quota_take_blob(quota, 1001, BLOB_N, NULL), 0);
    quota_leave_blob(quota, 1000, BLOB_N);
    ck_assert_int_eq(quota_take_blob(quota, 1000, BLOB_N, NULL), 0);
    quota_free(quota);
}
END_TEST

CHECK_MAIN(quota, CASE(one_user_may_hold_half_of_what_users_have),
           CASE(however_many_take_what_they_can_another_gets_in),
           CASE(commands_get_in_where_sruns_do_not), CASE(a_place_left_is_free_again),
           CASE(who_goes_over_is_told_who_how_many_and_the_way_out),
           CASE(nodes_and_the_controller_keep_theirs), CASE(too_few_descriptors_are_known_as_such),
           CASE(blobs_that_no_request_has_named_are_bounded_for_each_user))
