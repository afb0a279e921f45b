#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/tres_weights.h"

static const struct {
    const char *text, *name;
    double each;
} weights[] = {
    { "CPU=1000,Mem=2000,GRES/gpu=3000", "cpu", 1000 },
    { "CPU=1000,Mem=2000,GRES/gpu=3000", "GRES/gpu", 3000 },
    { "mem=.25", "mem", .25 },
    { "mem=.25G", "mem", .25 / 1024 }, /* the manual: 8 GB are billed 2 */
    { "Mem=2M", "mem", 2 },
    { "mem=1T", "mem", 1.0 / 1048576 },
    { "mem=1K", "mem", 1024 },
    { "gres/fast=2K", "gres/fast", 2.0 / 1024 },
    { "cpu=-1.5", "cpu", -1.5 },
    { " cpu = 3 ", "cpu", 3 },
    { "cpu=3", "node", 0 },
    { NULL, "cpu", 0 },
};

START_TEST(a_weight_is_for_one_unit)
{
    AUTO(tres_weights) struct tres_weights list = { 0 };
    AUTO(tres_weights) struct tres_weights copy = { 0 };
    struct err err = { 0 };

    ck_assert_msg(tres_weights_parse(weights[_i].text, &list, &err) == 0, "%s", err.text);
    tres_weights_copy(&copy, &list);

    ck_assert_double_eq_tol(tres_weights_of(&list, weights[_i].name), weights[_i].each, 1e-12);
    ck_assert_double_eq_tol(tres_weights_of(&copy, weights[_i].name), weights[_i].each, 1e-12);
}
END_TEST

static const char *const refused[] = {
    "cpu",     "cpu=",    "=1",      "cpu=x",   "cpu=1x",    "cpu=1e3",
    "cpu=inf", "cpu=0x1", "cpu=1GB", "cpu=--1", "cpu=1,mem", "cpu=9999999999999999",
};

START_TEST(what_is_no_weight_is_refused_by_name)
{
    struct tres_weights list = { .n = 7 };
    struct err err = { 0 };

    ck_assert_int_eq(tres_weights_parse(refused[_i], &list, &err), -EINVAL);

    ck_assert_ptr_nonnull(strchr(err.text, '\''));
    ck_assert_uint_eq(list.n, 7);
}
END_TEST

CHECK_MAIN(tres_weights, LOOP_CASE(a_weight_is_for_one_unit, ARRAY_N(weights)),
           LOOP_CASE(what_is_no_weight_is_refused_by_name, ARRAY_N(refused)))
