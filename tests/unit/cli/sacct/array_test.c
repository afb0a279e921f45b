/* Tasks of job arrays: how sacct names them, and which of them a name means. */
#include "unit/check_main.h"

#include "cli/sacct/filter.h"
#include "cli/sacct/id.h"

#define NOW INT64_C(1795209479)

static int64_t nobody(const char *name)
{
    (void)name;
    return -1;
}

static void fill(struct job_record *job, uint32_t id, uint32_t array, uint32_t task,
                 const char *tasks, uint32_t limit)
{
    job_record_init(job);
    job->spec = xcalloc(1, sizeof(*job->spec));
    job_spec_init(job->spec);
    job->id = id;
    job->array_job_id = array;
    job->array_task = task;
    job->array_tasks = tasks ? xstrdup(tasks) : NULL;
    job->array_limit = limit;
    job->submit_time = NOW - 10;
}

static const struct {
    uint32_t id, array, task;
    const char *tasks;
    uint32_t limit, step;
    const char *name, *raw;
} names[] = {
    { 7, 0, COUNT_UNSET, NULL, 0, COUNT_UNSET, "7", "7" },
    { 7, 0, COUNT_UNSET, NULL, 0, STEP_BATCH, "7.batch", "7.batch" },
    { 9, 7, 2, NULL, 0, COUNT_UNSET, "7_2", "9" },
    { 9, 7, 2, NULL, 0, 0, "7_2.0", "9.0" },
    { 7, 7, COUNT_UNSET, "3-5,9", 0, COUNT_UNSET, "7_[3-5,9]", "7" },
    { 7, 7, COUNT_UNSET, "3-5", 2, COUNT_UNSET, "7_[3-5%2]", "7" },
};

START_TEST(a_job_has_one_name_and_a_number)
{
    AUTO(job_record) struct job_record job;
    AUTO(strbuf) struct strbuf name = { 0 };
    AUTO(strbuf) struct strbuf raw = { 0 };
    const struct step_record step = { .step_id = names[_i].step };
    const struct step_record *at = names[_i].step == COUNT_UNSET ? NULL : &step;

    fill(&job, names[_i].id, names[_i].array, names[_i].task, names[_i].tasks, names[_i].limit);
    acct_id_format(&job, at, false, &name);
    acct_id_format(&job, at, true, &raw);

    ck_assert_str_eq(strbuf_text(&name), names[_i].name);
    ck_assert_str_eq(strbuf_text(&raw), names[_i].raw);
}
END_TEST

/* Of array 7: task 2 as job 9, and 3-5 that wait. */
static const struct {
    const char *asked;
    bool task, rest;
} meant[] = {
    { "7", true, true },          { "7_2", true, false }, { "7_4", false, true },
    { "7_6", false, false },      { "9", true, false },   { "7_[1-3]", true, true },
    { "7_2.batch", true, false }, { "8", false, false },
};

START_TEST(a_name_means_tasks_or_the_whole_array)
{
    const struct acct_lookup lookup = { nobody, nobody };
    struct sacct_options options = { .allocations = true };
    AUTO(acct_filter) struct acct_filter filter;
    AUTO(job_record) struct job_record task;
    AUTO(job_record) struct job_record rest;

    fill(&task, 9, 7, 2, NULL, 0);
    fill(&rest, 7, 7, COUNT_UNSET, "3-5", 0);
    options.jobs = words_split(meant[_i].asked, "");
    ck_assert_int_eq(acct_filter_init(&filter, &options, NOW, 0, &lookup, NULL), 0);

    ck_assert(acct_filter_wants_line(&filter, &task) == meant[_i].task);
    ck_assert(acct_filter_wants_line(&filter, &rest) == meant[_i].rest);
    sacct_options_clear(&options);
}
END_TEST

CHECK_MAIN(array, LOOP_CASE(a_job_has_one_name_and_a_number, ARRAY_N(names)),
           LOOP_CASE(a_name_means_tasks_or_the_whole_array, ARRAY_N(meant)))
