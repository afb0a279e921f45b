#include "unit/check_main.h"

#include <string.h>

#include "common/base/alloc.h"
#include "common/text/jobid.h"

static const struct {
    const char *text;
    struct job_ref ref;
    const char *printed; /* NULL: as the text */
} refs[] = {
    { "123", { 123, NO_VAL, NO_VAL, false }, NULL },
    { "4294967280", { 4294967280, NO_VAL, NO_VAL, false }, NULL },
    { "123_4", { 123, 4, NO_VAL, false }, NULL },
    { "123_0", { 123, 0, NO_VAL, false }, NULL },
    { "123_*", { 123, NO_VAL, NO_VAL, true }, NULL },
    { "123.0", { 123, NO_VAL, 0, false }, NULL },
    { "123.batch", { 123, NO_VAL, STEP_BATCH, false }, NULL },
    { "123.extern", { 123, NO_VAL, STEP_EXTERN, false }, NULL },
    { "123.interactive", { 123, NO_VAL, STEP_INTERACTIVE, false }, NULL },
    { "123.TBD", { 123, NO_VAL, STEP_TBD, false }, NULL },
    { "123_4.batch", { 123, 4, STEP_BATCH, false }, NULL },
    { "123_4.7", { 123, 4, 7, false }, NULL },
    { "00123.Batch", { 123, NO_VAL, STEP_BATCH, false }, "123.batch" },
};

START_TEST(a_reference_is_read_and_printed)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    const struct job_ref *expected = &refs[_i].ref;
    struct job_ref ref = { 0 };
    struct err err = { 0 };

    ck_assert_msg(job_ref_parse(refs[_i].text, &ref, &err) == 0, "%s", err.text);
    job_ref_format(&out, &ref);

    ck_assert_uint_eq(ref.job, expected->job);
    ck_assert_uint_eq(ref.array_task, expected->array_task);
    ck_assert_uint_eq(ref.step, expected->step);
    ck_assert(ref.all_tasks == expected->all_tasks);
    ck_assert_str_eq(strbuf_text(&out), refs[_i].printed ? refs[_i].printed : refs[_i].text);
}
END_TEST

/* scancel refuses these as "Invalid job id"; "271." and "270_" it takes for "271" and "270_0". */
static const struct {
    const char *text;
    const char *error;
} refused[] = {
    { "", "job id '' does not begin with a number from 1 to 4294967280" },
    { "x", "job id 'x' does not begin with a number from 1 to 4294967280" },
    { "0", "job id '0' does not begin with a number from 1 to 4294967280" },
    { "-1", "job id '-1' does not begin with a number from 1 to 4294967280" },
    { "4294967281", "job id '4294967281' does not begin with a number from 1 to 4294967280" },
    { "99999999999999999999999",
      "job id '99999999999999999999999' does not begin with a number from 1 to 4294967280" },
    { " 271", "job id ' 271' does not begin with a number from 1 to 4294967280" },
    { "271 ", "job id '271 ' is not of the form JOB[_TASK][.STEP]" },
    { "271x", "job id '271x' is not of the form JOB[_TASK][.STEP]" },
    { "271,272", "job id '271,272' is not of the form JOB[_TASK][.STEP]" },
    { "271.", "job id '271.' has no step number, batch, extern or interactive after '.'" },
    { "271.x", "job id '271.x' has no step number, batch, extern or interactive after '.'" },
    { "271.batchx",
      "job id '271.batchx' has no step number, batch, extern or interactive after '.'" },
    { "271.4294967291",
      "job id '271.4294967291' has no step number, batch, extern or interactive after '.'" },
    { "270_", "job id '270_' has no array task number after '_'" },
    { "270_x", "job id '270_x' has no array task number after '_'" },
    { "270_[1-2]", "job id '270_[1-2]' has no array task number after '_'" },
    { "270_4294967294", "job id '270_4294967294' has no array task number after '_'" },
    { "270_*.0", "job id '270_*.0' has no array task number after '_'" },
    { "271+0", "job id '271+0' names a part of a heterogeneous job, which do not exist here" },
};

START_TEST(a_bad_reference_is_refused_by_name)
{
    struct job_ref ref = { .job = 7 };
    struct err err = { 0 };

    ck_assert_int_eq(job_ref_parse(refused[_i].text, &ref, &err), -E_JOB_ID);

    ck_assert_str_eq(err.text, refused[_i].error);
    ck_assert_uint_eq(ref.job, 7);
}
END_TEST

static const struct {
    const char *text;
    const char *printed;
} lists[] = {
    { "1,2,3_[1-4]", "1 2 3_1 3_2 3_3 3_4" },
    { "1", "1" },
    { "", "" },
    { " 1 , 2.batch,,", "1 2.batch" },
    { "3_[1,5-6,9]", "3_1 3_5 3_6 3_9" },
    { "3_[0-8:2]", "3_0 3_2 3_4 3_6 3_8" },
    { "3_[1-19:9%3],4_*", "3_1 3_10 3_19 4_*" },
    { "3_[7],3_7.0", "3_7 3_7.0" },
};

START_TEST(a_list_names_every_task)
{
    AUTO(job_refs) struct job_refs list = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };

    ck_assert_msg(job_refs_parse(lists[_i].text, &list, &err) == 0, "%s", err.text);
    for (uint32_t i = 0; i < list.n; i++) {
        if (i)
            strbuf_addc(&out, ' ');
        job_ref_format(&out, &list.at[i]);
    }

    ck_assert_str_eq(strbuf_text(&out), lists[_i].printed);
}
END_TEST

static const struct {
    const char *text;
    const char *error;
} refused_lists[] = {
    { "1,2x", "job id '2x' is not of the form JOB[_TASK][.STEP]" },
    { "3_[4-1]", "job id '3_[4-1]' has a task range that is not FROM-TO" },
    { "3_[4-]", "job id '3_[4-]' has a task range that is not FROM-TO" },
    { "3_[]", "job id '3_[]' has no array task number in its brackets" },
    { "3_[1,]", "job id '3_[1,]' has no array task number in its brackets" },
    { "3_[1-4:0]", "job id '3_[1-4:0]' has no stride after ':'" },
    { "3_[1-4%]", "job id '3_[1-4%]' has no number after '%'" },
    { "3_[1-4", "job id '3_[1-4' is not of the form JOB_[TASKS]" },
    { "3_[1-4].0", "job id '3_[1-4].0' is not of the form JOB_[TASKS]" },
    { "[1-4]", "job id '[1-4]' is not of the form JOB_[TASKS]" },
    { "3[1-4]", "job id '3[1-4]' is not of the form JOB_[TASKS]" },
    { "3_[0-65536]", "job list ending in '3_[0-65536]': more than 65536 jobs" },
    { "3_[0-65535],4", "job list ending in '4': more than 65536 jobs" },
    { "3_[0-4294967293]", "job list ending in '3_[0-4294967293]': more than 65536 jobs" },
};

START_TEST(a_bad_list_is_refused_by_name)
{
    struct job_refs list = { 0 };
    struct err err = { 0 };

    ck_assert_int_lt(job_refs_parse(refused_lists[_i].text, &list, &err), 0);

    ck_assert_str_eq(err.text, refused_lists[_i].error);
    ck_assert_uint_eq(list.n, 0);
}
END_TEST

START_TEST(a_step_alone_is_a_number_or_a_word)
{
    AUTO(strbuf) struct strbuf out = { 0 };
    struct err err = { 0 };
    uint32_t step = 7;

    ck_assert_int_eq(step_id_parse("extern", &step, &err), 0);
    step_id_format(&out, step);
    ck_assert_str_eq(strbuf_text(&out), "extern");
    ck_assert_uint_eq(step, 0xfffffffc);
    ck_assert_int_eq(step_id_parse("12x", &step, &err), -E_STEP_ID);
    ck_assert_str_eq(err.text, "step '12x' is not a number, batch, extern or interactive");
}
END_TEST

START_TEST(where_jobs_are_named_a_step_is_refused)
{
    AUTO(job_refs) struct job_refs named = { 0 };
    struct err err = { 0 };

    ck_assert_int_eq(job_refs_parse_jobs("3,12.0", &named, &err), -E_JOB_ID);
    ck_assert_str_eq(err.text, "'3,12.0' names a step");
    ck_assert_uint_eq(named.n, 0);

    ck_assert_int_eq(job_refs_parse_jobs("3,12_1", &named, NULL), 0);
    ck_assert_uint_eq(named.n, 2);
}
END_TEST

CHECK_MAIN(jobid, LOOP_CASE(a_reference_is_read_and_printed, ARRAY_N(refs)),
           LOOP_CASE(a_bad_reference_is_refused_by_name, ARRAY_N(refused)),
           LOOP_CASE(a_list_names_every_task, ARRAY_N(lists)),
           LOOP_CASE(a_bad_list_is_refused_by_name, ARRAY_N(refused_lists)),
           CASE(a_step_alone_is_a_number_or_a_word), CASE(where_jobs_are_named_a_step_is_refused))
