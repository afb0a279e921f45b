#include "unit/check_main.h"

#include <string.h>

#include "common/base/alloc.h"
#include "common/text/dependency.h"

/* What Slurm 22.05 accepts, and what it makes of it. */
static const struct {
    const char *text, *formatted;
} accepted[] = {
    { "", "" },
    { "0", "" },
    { "7", "afterany:7" },
    { "after:1", "after:1" },
    { "after:1+5", "after:1+5" },
    { "after:1+5:3", "after:1+5,after:3+5" },
    { "after:1:2+3", "after:1,after:2+3" },
    { "afterany:1", "afterany:1" },
    { "afterok:1:2", "afterok:1,afterok:2" },
    { "AfterNotOk:1", "afternotok:1" },
    { "aftercorr:1", "aftercorr:1" },
    { "afterburstbuffer:1", "afterburstbuffer:1" },
    { "singleton", "singleton" },
    { "afterok:1,singleton", "afterok:1,singleton" },
    { "singleton,afterok:1", "singleton,afterok:1" },
    { "afterok:1,afterany:1", "afterok:1,afterany:1" },
    { "afterok:1?afterany:1", "afterok:1?afterany:1" },
    { "afterok:1,afterany:1?after:1", "afterok:1?afterany:1?after:1" },
    { "afterok:2_1", "afterok:2_1" },
    { "afterok:2_*", "afterok:2_*" },
    { "afterok:2_[1-2,5]:7", "afterok:2_1,afterok:2_2,afterok:2_5,afterok:7" },
    { "afterok:1(unfulfilled),after:2+3(failed)", "afterok:1,after:2+3" },
    { "singleton(unfulfilled),afterok:1", "singleton,afterok:1" },
    { "afterok:1,afterok:1", "afterok:1" },
    { "after:1+5,after:1+7", "after:1+5" },
    { "singleton,singleton", "singleton" },
    { "afterok:3_1+5", "afterok:3_1+5" },
    { "afterok:3+5:4+6", "afterok:3+5,afterok:4+6" },
    { "afterok:3+5,afterok:3+7", "afterok:3+5" },
    { "afterburstbuffer:3+1", "afterburstbuffer:3+1" },
};

START_TEST(dependencies_are_read_as_slurm_reads_them)
{
    AUTO(dependencies) struct dependencies list = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };

    ck_assert_msg(dependencies_parse(accepted[_i].text, &list, &err) == 0, "%s", err.text);
    dependencies_format(&list, &out);

    ck_assert_str_eq(strbuf_text(&out), accepted[_i].formatted);
}
END_TEST

/* The last four are misread by Slurm. */
static const struct {
    const char *text, *named;
} refused[] = {
    { "after", "'after' names no job" },
    { "afterok:", "'' is no job" },
    { "afterok:1:", "'' is no job" },
    { "afterok:1,", "'' is no kind" },
    { ",afterok:1", "'' is no kind" },
    { "?afterok:1", "'' is no kind" },
    { "afterok:1?", "'' is no kind" },
    { "afterok:1, afterany:2", "' afterany' is no kind" },
    { "afterok:1 afterany:2", "'1 afterany' is no job" },
    { "foo:1", "'foo' is no kind" },
    { "none", "'none' is no kind" },
    { "singletonx", "'singletonx' is no kind" },
    { "singleton ", "'singleton ' is no kind" },
    { "singleton:1", "':1' can not stand there" },
    { "expand:1", "'expand' is no kind" },
    { "after:0", "'0' is no job" },
    { "afterok:abc", "'abc' is no job" },
    { "afterok:1.0", "a job can not wait for a step" },
    { "after:1+", "'' is no number of minutes" },
    { "after:1+0", "'0' is no number" },
    { "after:1+x", "'x' is no number" },
    { "after:1+-5", "'-5' is no number" },
    { "1+5", "'1+5' is no kind" },
    { "afterok:-3", "'-3' is no job" },
    { "afterok: 1", "' 1' is no job" },
    { "after:1+5m", "'5m' is no number" },
    { "afterok:99999999999", "'99999999999' is no job" },
};

START_TEST(what_is_no_dependency_is_refused_by_name)
{
    struct dependencies list = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(dependencies_parse(refused[_i].text, &list, &err), -E_DEPENDENCY);

    ck_assert_msg(strstr(err.text, refused[_i].named), "%s", err.text);
    ck_assert_ptr_null(list.at);
}
END_TEST

START_TEST(a_text_with_too_many_is_refused)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct dependencies list = { 0 };
    struct err err = { 0 };

    strbuf_addf(&text, "afterok:1_[0-%d]", DEPENDENCIES_MAX);

    ck_assert_int_eq(dependencies_parse(strbuf_text(&text), &list, &err), -E_DEPENDENCY);
    ck_assert_ptr_nonnull(strstr(err.text, "more than 8192"));
}
END_TEST

CHECK_MAIN(dependency, LOOP_CASE(dependencies_are_read_as_slurm_reads_them, ARRAY_N(accepted)),
           LOOP_CASE(what_is_no_dependency_is_refused_by_name, ARRAY_N(refused)),
           CASE(a_text_with_too_many_is_refused))
