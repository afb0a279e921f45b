#include "unit/check_main.h"

#include <string.h>

#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "common/text/gpubind.h"

/* What tasks 0 to 3 of a node see, where the step has gpus 1, 2, 3 and 5 of it. */
static const struct {
    const char *text, *seen;
} binds[] = {
    { NULL, "1235 1235 1235 1235" },
    { "none", "1235 1235 1235 1235" },
    { "closest", "1235 1235 1235 1235" },
    { "single:1", "1 2 3 5" },
    { "single:2", "1 1 2 2" },
    { "v,single:3", "1 1 1 2" },
    { "per_task:1", "1 2 3 5" },
    { "per_task:2", "12 35 12 35" },
    { "per_task:9", "1235 1235 1235 1235" },
    { "map_gpu:5,1", "5 1 5 1" },
    { "map:2*3,5", "2 2 2 5" },
    { "mask_gpu:0x6,28", "12 35 12 35" },
    { "quiet,mask:2", "1 1 1 1" },
    { "map_gpu:4", "1235 1235 1235 1235" },
};

START_TEST(every_task_sees_the_gpus_that_it_is_bound_to)
{
    static const uint32_t gpus[] = { 1, 2, 3, 5 };
    AUTO(gpu_bind) struct gpu_bind bind = { 0 };
    AUTO(strbuf) struct strbuf seen = { 0 };

    ck_assert_int_eq(gpu_bind_parse(binds[_i].text, &bind, NULL), 0);
    for (uint32_t task = 0; task < 4; task++) {
        AUTO(bitset) struct bitset chosen = { 0 };

        bitset_init(&chosen, 4);
        gpu_bind_choose(&bind, gpus, 4, task, &chosen);
        strbuf_adds(&seen, task ? " " : "");
        BITSET_FOREACH (&chosen, i)
            strbuf_addf(&seen, "%u", gpus[i]);
    }

    ck_assert_str_eq(strbuf_text(&seen), binds[_i].seen);
}
END_TEST

static const char *const wrong[] = { "x",          "single:",    "single:0",   "per_task:-1",
                                     "map_gpu:",   "map_gpu:x",  "map_gpu:64", "map_gpu:1*0",
                                     "mask_gpu:g", "map_gpu:-1", "verbose,x",  "map_gpu:1*99999" };

START_TEST(what_binds_nothing_is_refused_by_name)
{
    struct gpu_bind bind = { 0 };
    struct err err = { 0 };

    ck_assert_int_lt(gpu_bind_parse(wrong[_i], &bind, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, wrong[_i]));
    ck_assert_ptr_null(bind.numbers);
}
END_TEST

CHECK_MAIN(gpubind, LOOP_CASE(every_task_sees_the_gpus_that_it_is_bound_to, ARRAY_N(binds)),
           LOOP_CASE(what_binds_nothing_is_refused_by_name, ARRAY_N(wrong)))
