#include <string.h>

#include "common/rpc/preface.h"
#include "unit/check_main.h"

/* Bytes that are no preface, and what is said of them. */
static const struct {
    const char *bytes; /* RPC_PREFACE_N of them */
    const char *why;
} wrong[] = {
    { "GET / HTTP/1.1\r\n", "the connection begins with 47455420, which is no preface" },
    { "slp1\0\2\0\1\0\0\0\0\0\0\0", "a preface of version 2: this is version 1" },
    { "slp1\0\1\0\0\0\0\0\0\0\0\0", "a preface for target 0, which is none" },
    { "slp1\0\1\0\3\0\0\0\1\0\0\0", "a preface for target 3, which is none" },
    { "slp1\0\1\0\2\0\0\0\0\0\0\0", "a preface for target 2 with job 0" },
    { "slp1\0\1\0\1\0\0\0\5\0\0\0", "a preface for target 1 with job 5" },
};

START_TEST(what_is_no_preface_is_refused_and_says_why)
{
    struct rpc_preface preface = { .job_id = 77 };
    struct err err = { 0 };

    ck_assert_int_eq(rpc_preface_decode((const uint8_t *)wrong[_i].bytes, &preface, &err),
                     -E_PROTO);

    ck_assert_str_eq(err.text, wrong[_i].why);
    ck_assert_uint_eq(preface.job_id, 77);
}
END_TEST

START_TEST(an_answer_that_is_no_error_number_is_an_error)
{
    const uint8_t odd[] = { 0x53, 0x53, 0x48, 0x2d }, good[] = { 0, 0, 0, 0 };

    ck_assert_int_eq(rpc_preface_answer_decode(odd), E_PROTO);
    ck_assert_int_eq(rpc_preface_answer_decode(good), 0);
}
END_TEST

CHECK_MAIN(preface, LOOP_CASE(what_is_no_preface_is_refused_and_says_why, ARRAY_N(wrong)),
           CASE(an_answer_that_is_no_error_number_is_an_error))
