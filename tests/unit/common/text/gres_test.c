#include "unit/check_main.h"

#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/gres.h"

/* `sbatch --gres=TEXT` with GresTypes=gpu,craynetwork, Slurm 22.05.8. */
static const struct {
    const char *text;
    const char *kept; /* NULL: it asks for nothing */
} asked[] = {
    { "", NULL },
    { "gpu", "gres/gpu:1" },
    { "gpu:2", "gres/gpu:2" },
    { "gpu:tesla", "gres/gpu:tesla:1" },
    { "gpu:tesla:1", "gres/gpu:tesla:1" },
    { "gpu:0", "gres/gpu:0" },
    { "gpu:1k", "gres/gpu:1024" },
    { "gpu:2M", "gres/gpu:2097152" },
    { "gpu:1,gpu:1", "gres/gpu:2" },
    { "gpu:tesla:1,gpu:k80:1", "gres/gpu:tesla:1,gres/gpu:k80:1" },
    { "gres:gpu:1", "gres/gpu:1" },
    { "gres/gpu:1", "gres/gpu:1" }, /* 22.05 refuses it; 23.02 and later take it */
    { "gpu:2,craynetwork:1", "gres/gpu:2,gres/craynetwork:1" },
    { "gpu:1g.5gb:2", "gres/gpu:1g.5gb:2" },
    { "gpu:1g.5gb", "gres/gpu:1g.5gb:1" },
};

START_TEST(a_request_is_kept_in_one_form_that_parses_to_itself)
{
    AUTO(gres) struct gres_list list = { 0 };
    AUTO(gres) struct gres_list again = { 0 };
    struct err err = { 0 };

    ck_assert_msg(gres_parse(asked[_i].text, &list, &err) == 0, "%s", err.text);
    AUTO_FREE char *kept = gres_format(&list);
    ck_assert_pstr_eq(kept, asked[_i].kept);

    ck_assert_msg(gres_parse(kept, &again, &err) == 0, "%s", err.text);
    AUTO_FREE char *kept_again = gres_format(&again);
    ck_assert_pstr_eq(kept_again, asked[_i].kept);
}
END_TEST

/* Slurm refuses these too, but for the negative count, which it takes for the name of a type. */
static const char *const refused[] = {
    "gpu=2",
    "gpu:x:y:1",
    ":1",
    "gpu:",
    "gpu:,craynetwork",
    "gpu::2",
    "gpu:-1",
    "gpu:a b",
    "gpu:a=1",
    "gpu:tesla:x",
    "gpu:1x:y",
    "-1",
    "gpu:18446744073709551616",
    "gpu:9007199254740993",
    "gpu:9P",
};

START_TEST(a_bad_request_is_refused_by_name)
{
    struct gres_list list = { .n = 7 };
    struct err err = { 0 };

    ck_assert_int_lt(gres_parse(refused[_i], &list, &err), 0);

    ck_assert_msg(strchr(err.text, '\'') || strstr(err.text, "gpu"), "%s", err.text);
    ck_assert_uint_eq(list.n, 7);
}
END_TEST

START_TEST(types_and_counts_of_one_name_need_not_repeat_it)
{
    AUTO(gres) struct gres_list list = { 0 };
    struct err err = { 0 };

    ck_assert_msg(gres_parse_of("gpu", "tesla:2,k80,3", &list, &err) == 0, "%s", err.text);

    ck_assert_uint_eq(gres_count(&list, "gpu", "tesla"), 2);
    ck_assert_uint_eq(gres_count(&list, "gpu", "k80"), 1);
    ck_assert_uint_eq(gres_count(&list, "gpu", NULL), 6);
    ck_assert_uint_eq(gres_count(&list, "mps", NULL), 0);
}
END_TEST

START_TEST(a_list_takes_no_more_than_it_may_hold)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct gres_list list = { 0 };
    struct err err = { 0 };

    for (int i = 0; i <= GRES_MAX; i++)
        strbuf_addf(&text, "%sgpu:t%d:1", i ? "," : "", i);

    ck_assert_int_eq(gres_parse(strbuf_text(&text), &list, &err), -ERANGE);
}
END_TEST

CHECK_MAIN(gres, LOOP_CASE(a_request_is_kept_in_one_form_that_parses_to_itself, ARRAY_N(asked)),
           LOOP_CASE(a_bad_request_is_refused_by_name, ARRAY_N(refused)),
           CASE(types_and_counts_of_one_name_need_not_repeat_it),
           CASE(a_list_takes_no_more_than_it_may_hold))
