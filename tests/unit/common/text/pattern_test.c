#include "unit/check_main.h"

#include <string.h>

#include "common/base/alloc.h"
#include "common/text/jobid.h"
#include "common/text/pattern.h"

static const struct pattern_values batch = {
    .job = 187,
    .array_job = 187,
    .array_task = NO_VAL,
    .step = STEP_BATCH,
    .node = 0,
    .task = 0,
    .node_name = "vm",
    .user_name = "root",
    .job_name = "nam",
};

static const struct pattern_values step = {
    .job = 128,
    .array_job = 128,
    .array_task = NO_VAL,
    .step = 0,
    .node = 1,
    .task = 2,
    .node_name = "vm",
    .user_name = "root",
    .job_name = "nam",
};

static const struct pattern_values array_task = {
    .job = 266,
    .array_job = 265,
    .array_task = 1,
    .step = STEP_BATCH,
    .node = 0,
    .task = 0,
    .node_name = "vm",
    .user_name = "root",
    .job_name = "nam",
};

static const struct pattern_values unknown = {
    .job = 187,
    .array_job = 187,
    .array_task = NO_VAL,
    .step = NO_VAL,
    .node = NO_VAL,
    .task = NO_VAL,
};

/* The files that --output=PATTERN makes with Slurm 22.05.8, and the examples of its manual. */
static const struct {
    const struct pattern_values *values;
    const char *pattern;
    const char *name;
} names[] = {
    { &batch, "%j", "187" },
    { &batch, "%4j", "0187" },
    { &batch, "%04j", "0187" },
    { &batch, "%0j", "187" },
    { &batch, "%1j%x", "187nam" },
    { &batch, "%10j", "0000000187" },
    { &batch, "%11j", "0000000187" },
    { &batch, "%99j", "0000000187" },
    { &batch, "%123456j", "0000000187" },
    { &batch, "%99999999999999999999j", "0000000187" },
    { &batch, "%x", "nam" },
    { &batch, "%10x", "nam" },
    { &batch, "%u", "root" },
    { &batch, "%5u", "root" },
    { &batch, "%N", "vm" },
    { &batch, "%n", "0" },
    { &batch, "%3n", "000" },
    { &batch, "%3t", "000" },
    { &batch, "%s", "batch" },
    { &batch, "%4s", "batch" },
    { &batch, "%J", "187" },
    { &batch, "%12J", "0000000187" },
    { &batch, "%A", "187" },
    { &batch, "%8A", "00000187" },
    { &batch, "%a", "4294967294" },
    { &batch, "%b", "%b" },
    { &array_task, "%b-%3b", "1-001" }, /* since 23.11 */
    { &batch, "%x_%j.out", "nam_187.out" },
    { &batch, "%%", "%" },
    { &batch, "%%j", "%j" },
    { &batch, "x%%%j", "x%187" },
    { &batch, "%%%", "%%" },
    { &batch, "%q", "%q" },
    { &batch, "%D-%T", "%D-%T" },
    { &batch, "%-4j", "%-4j" },
    { &batch, "end%", "end%" },
    { &batch, "", "" },
    /* a backslash turns symbols off */
    { &batch, "\\%j", "%j" },
    { &batch, "\\\\%j", "\\%j" },
    { &batch, "x\\%j", "x%j" },
    { &batch, "x\\\\%j", "x\\%j" },
    { &batch, "a\\b", "ab" },
    { &batch, "a\\\\b-%j", "a\\b-%j" },
    { &batch, "%j\\%j", "%j%j" },
    { &batch, "%j\\", "%j" },
    { &step, "job%J.out", "job128.0.out" },
    { &step, "job%4j.out", "job0128.out" },
    { &step, "job%j-%2t.out", "job128-02.out" },
    { &step, "J%8J", "J00000128.0" },
    { &step, "%s.%J", "0.128.0" },
    { &step, "s%3s", "s000" },
    { &step, "n%2n", "n01" },
    { &step, "N%9N-%t", "Nvm-2" },
    { &array_task, "A%A_a%a_j%j_J%J_s%s_%4a_%6A_%x", "A265_a1_j266_J266_sbatch_0001_000265_nam" },
    { &unknown, "%j-%s-%3n-%t-%N-%u-%x-%J", "187-%s-%3n-%t-%N-%u-%x-187" },
    /* ours: Slurm drops the percent sign of these three */
    { &batch, "%3q", "%3q" },
    { &batch, "%5%", "%5%" },
    { &batch, "end%3", "end%3" },
};

START_TEST(a_file_name_is_expanded_as_slurm_does)
{
    AUTO_FREE char *name = NULL;
    struct err err = { 0 };

    int rc = pattern_expand(names[_i].pattern, names[_i].values, &name, &err);

    ck_assert_msg(rc == 0, "%s", err.text);
    ck_assert_str_eq(name, names[_i].name);
}
END_TEST

START_TEST(what_a_job_name_puts_in_is_not_expanded)
{
    struct pattern_values values = batch;
    AUTO_FREE char *name = NULL;

    values.job_name = "%j\\";
    ck_assert_int_eq(pattern_expand("%x-%j", &values, &name, NULL), 0);

    ck_assert_str_eq(name, "%j\\-187");
}
END_TEST

START_TEST(a_name_that_grows_too_long_is_refused)
{
    char pattern[PATTERN_RESULT_MAX + 2];
    struct err err = { 0 };
    char *name = NULL;

    memset(pattern, 'a', sizeof(pattern));
    pattern[sizeof(pattern) - 1] = '\0';
    ck_assert_int_eq(pattern_expand(pattern, &batch, &name, &err), -E_TOO_BIG);
    memset(pattern, '%', 600);
    for (int i = 0; i < 600; i += 4)
        memcpy(pattern + i, "%10j", 4);
    pattern[PATTERN_RESULT_MAX] = '\0';
    ck_assert_int_eq(pattern_expand(pattern, &batch, &name, &err), -E_TOO_BIG);
    ck_assert_ptr_null(name);
}
END_TEST

START_TEST(a_name_tells_whether_it_is_per_task_or_node)
{
    ck_assert(pattern_has("out-%t", "t"));
    ck_assert(pattern_has("out-%3N", "nN"));
    ck_assert(!pattern_has("out-%%t", "t"));
    ck_assert(!pattern_has("out-%j-t%", "t"));
    ck_assert(!pattern_has("out\\-%t", "t"));
}
END_TEST

CHECK_MAIN(pattern, LOOP_CASE(a_file_name_is_expanded_as_slurm_does, ARRAY_N(names)),
           CASE(what_a_job_name_puts_in_is_not_expanded),
           CASE(a_name_that_grows_too_long_is_refused),
           CASE(a_name_tells_whether_it_is_per_task_or_node))
