#include "unit/check_main.h"

#include <limits.h>
#include <errno.h>
#include <string.h>

#include "common/base/err.h"

START_TEST(setting_an_error_returns_its_code_negative)
{
    struct err err = { 0 };

    int rc = err_set(&err, E_NODE_NAME, "node '%s': %d", "tux3", 7);

    ck_assert_int_eq(rc, -2018);
    ck_assert_int_eq(err.code, E_NODE_NAME);
    ck_assert_str_eq(err.text, "node 'tux3': 7");
}
END_TEST

START_TEST(a_caller_that_does_not_care_passes_null)
{
    ck_assert_int_eq(err_set(NULL, EINVAL, "text"), -EINVAL);
    ck_assert_int_lt(err_prefix(NULL, "text"), 0);
}
END_TEST

START_TEST(a_prefix_says_where_the_error_came_from)
{
    struct err err = { 0 };

    err_set(&err, ENOENT, "no such file");
    int rc = err_prefix(&err, "line %d", 12);
    err_prefix(&err, "slurm.conf");

    ck_assert_int_eq(rc, -ENOENT);
    ck_assert_str_eq(err.text, "slurm.conf: line 12: no such file");
}
END_TEST

START_TEST(texts_longer_than_the_room_are_cut)
{
    char longest[2 * ERR_TEXT_MAX];
    struct err err = { 0 };

    memset(longest, 'x', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    err_set(&err, EINVAL, "%s", longest);
    ck_assert_uint_eq(strlen(err.text), ERR_TEXT_MAX - 1);
    err_prefix(&err, "front");
    ck_assert_uint_eq(strlen(err.text), ERR_TEXT_MAX - 1);
    ck_assert_msg(strncmp(err.text, "front: xxx", 10) == 0, "%s", err.text);
    err_prefix(&err, "%s", longest);
    ck_assert_uint_eq(strlen(err.text), ERR_TEXT_MAX - 1);
}
END_TEST

START_TEST(codes_have_slurms_texts_and_those_of_errno)
{
    ck_assert_str_eq(err_string(E_JOB_ID), "Invalid job id specified");
    ck_assert_str_eq(err_string(-E_JOB_ID), "Invalid job id specified");
    ck_assert_str_eq(err_string(ENOENT), "No such file or directory");
    ck_assert_ptr_nonnull(err_string(999999));
    ck_assert_ptr_nonnull(err_string(INT_MIN));
    ck_assert_ptr_nonnull(err_string(INT_MAX));
}
END_TEST

START_TEST(a_number_from_outside_that_is_no_code_is_a_malformed_message)
{
    ck_assert_int_eq(err_code_from(ENOENT), ENOENT);
    ck_assert_int_eq(err_code_from(E_JOB_ID), E_JOB_ID);
    ck_assert_int_eq(err_code_from(0), E_PROTO);
    ck_assert_int_eq(err_code_from(0x80000000u), E_PROTO);
    ck_assert_int_eq(err_code_from(UINT32_MAX), E_PROTO);
}
END_TEST

CHECK_MAIN(err, CASE(setting_an_error_returns_its_code_negative),
           CASE(a_caller_that_does_not_care_passes_null),
           CASE(a_prefix_says_where_the_error_came_from), CASE(texts_longer_than_the_room_are_cut),
           CASE(codes_have_slurms_texts_and_those_of_errno),
           CASE(a_number_from_outside_that_is_no_code_is_a_malformed_message))
