#include "unit/check_main.h"

#include "cli/srun/streams.h"

static const struct {
    const char *text;
    const char *node, *srun;
    uint32_t only;
} rows[] = {
    { NULL, NULL, NULL, COUNT_UNSET },
    { "all", NULL, NULL, COUNT_UNSET },
    { "0", NULL, NULL, 0 },
    { "2", NULL, NULL, 2 },
    { "3", NULL, "/d/3", COUNT_UNSET }, /* there are three tasks */
    { "/dev/null", "/dev/null", NULL, COUNT_UNSET },
    { "f", NULL, "/d/f", COUNT_UNSET },
    { "/x/f.%j", NULL, "/x/f.%j", COUNT_UNSET },
    { "f-%t", "/d/f-%t", NULL, COUNT_UNSET },
    { "/x/f-%N", "/x/f-%N", NULL, COUNT_UNSET },
    { "f-%n", "/d/f-%n", NULL, COUNT_UNSET },
};

static void same(const char *a, const char *b)
{
    ck_assert(!a == !b);
    if (a)
        ck_assert_str_eq(a, b);
}

START_TEST(a_stream_goes_where_the_option_says)
{
    AUTO(submit_options) struct submit_options options;
    struct stream_plans plans;

    submit_options_init(&options, SUBMIT_SRUN);
    options.job.ntasks = 3;
    options.body.std_out = xstrdup(rows[_i].text);
    stream_plans_make(&options, "/d", &plans);

    same(plans.out.node_path, rows[_i].node);
    same(plans.out.srun_path, rows[_i].srun);
    ck_assert_uint_eq(plans.out.only_task, rows[_i].only);
    same(plans.err.node_path, rows[_i].node); /* stderr goes along */
    same(plans.err.srun_path, rows[_i].srun);
    ck_assert(!plans.no_input);
    stream_plans_clear(&plans);
}
END_TEST

START_TEST(input_from_none_is_read_by_nobody)
{
    AUTO(submit_options) struct submit_options options;
    struct stream_plans plans;

    submit_options_init(&options, SUBMIT_SRUN);
    options.body.std_in = xstrdup("/dev/null");
    options.body.std_err = xstrdup("e");
    stream_plans_make(&options, "/d", &plans);

    ck_assert(plans.no_input);
    ck_assert_str_eq(plans.in.node_path, "/dev/null");
    ck_assert_ptr_null(plans.out.srun_path);
    ck_assert_str_eq(plans.err.srun_path, "/d/e");
    stream_plans_clear(&plans);
}
END_TEST

CHECK_MAIN(streams, LOOP_CASE(a_stream_goes_where_the_option_says, ARRAY_N(rows)),
           CASE(input_from_none_is_read_by_nobody))
