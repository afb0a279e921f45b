/*
 * Arrays as squeue shows them. The queue was made on a Slurm 22.05 with one node; what is expected
 * is what its squeue printed.
 */
#include "unit/check_main.h"
#include "unit/cli/made_records.h"

#include "cli/squeue/rows.h"
#include "common/msg/node.h"
#include "common/msg/types.h"
#include "common/report/format.h"

static const struct {
    uint32_t id, array, task;
    const char *tasks;
    uint32_t limit;
    const char *name;
    uint32_t state, reason;
} samples[] = {
    { 4, 1, 0, NULL, 1, "q.sh", JOB_RUNNING, REASON_NONE },
    { 3, 3, COUNT_UNSET, "5", 0, "q.sh", JOB_PENDING, REASON_PRIORITY },
    { 1, 1, COUNT_UNSET, "2,4,6,8", 1, "q.sh", JOB_PENDING, REASON_ARRAY_LIMIT },
    { 7, 0, COUNT_UNSET, NULL, 0, "q.sh", JOB_PENDING, REASON_PRIORITY },
    { 2, 2, COUNT_UNSET, "1-2,4,10-20", 0, "q.sh", JOB_PENDING, REASON_RESOURCES },
    { 9, 2, 3, NULL, 0, "q.sh", JOB_PENDING, REASON_HELD_ADMIN },
    { 10, 2, 9, NULL, 0, "x", JOB_PENDING, REASON_RESOURCES },
};

static struct records jobs;

static struct partition_info parts[] = {
    { .name = (char[]){ "main" }, .priority_tier = 2 },
    { .name = (char[]){ "debug" }, .priority_tier = 1 },
};

static void before(void)
{
    struct job_info *infos = xcalloc(ARRAY_N(samples), sizeof(*infos));

    for (uint32_t i = 0; i < ARRAY_N(samples); i++) {
        struct job_record *job = xcalloc(1, sizeof(*job));

        job_info_init(&infos[i]);
        job_record_init(job);
        infos[i].job = job;
        job->spec = xcalloc(1, sizeof(*job->spec));
        job_spec_init(job->spec);
        job->spec->name = xstrdup(samples[i].name);
        job->spec->partition = xstrdup("main,debug");
        job->partition = xstrdup("main");
        job->id = samples[i].id;
        job->array_job_id = samples[i].array;
        job->array_task = samples[i].task;
        job->array_tasks = xstrdup(samples[i].tasks);
        job->array_limit = samples[i].limit;
        job->state = samples[i].state;
        job->reason = samples[i].reason;
    }
    jobs = (struct records){ .schema = job_info_schema(), .at = infos, .n = ARRAY_N(samples) };
}

static void after(void)
{
    clear_made_records(&jobs);
}

static char *list(const struct squeue_options *options, const char *letters)
{
    AUTO(queue_filter) struct queue_filter filter;
    AUTO(queue_rows) struct queue_rows rows = { 0 };
    AUTO(report_format) struct report_format format;
    AUTO(strbuf) struct strbuf out = { 0 };
    const struct report_context ctx = { 0 };
    struct report_sort keys;

    report_format_init(&format, &queue_table);
    ck_assert_int_eq(queue_filter_init(&filter, options, 0, NULL), 0);
    ck_assert_int_eq(report_sort_parse(&queue_table, "i", &keys, NULL), 0);
    ck_assert_int_eq(report_format_parse_letters(&format, letters, NULL), 0);
    const struct records partitions = { .schema = partition_info_schema(),
                                        .at = parts,
                                        .n = ARRAY_N(parts) };
    const struct queue_source source = { .jobs = &jobs,
                                         .partitions = options->each_partition ? &partitions : NULL,
                                         .filter = &filter,
                                         .sort = &keys,
                                         .cluster = "lab",
                                         .each_task = options->each_task };

    queue_rows_of_jobs(&source, &ctx, &rows);
    for (uint32_t i = 0; i < rows.n; i++)
        report_line(&format, &ctx, rows.order[i], &out);
    return strbuf_steal(&out);
}

static const struct {
    struct squeue_options options;
    const char *letters, *text;
} lists[] = {
    { { 0 },
      "%i %A %F %K %t %r",
      "1_0 4 1 0 R None\n"
      "1_[2,4,6,8%1] 1 1 2,4,6,8%1 PD JobArrayTaskLimit\n"
      "2_9 10 2 9 PD Resources\n"
      "2_[1-4,10-20] 2 2 1-4,10-20 PD Resources,JobHeldAdmin\n"
      "3_[5] 3 3 5 PD Priority\n"
      "7 7 7 N/A PD Priority\n" },
    { { .jobs = "1", .each_task = true },
      "%i %A %K %r",
      "1_0 4 0 None\n"
      "1_2 1 2 JobArrayTaskLimit\n"
      "1_4 1 4 JobArrayTaskLimit\n"
      "1_6 1 6 JobArrayTaskLimit\n"
      "1_8 1 8 JobArrayTaskLimit\n" },
    { { .jobs = "2_4,2_3,2_5" }, "%i %r", "2_3 JobHeldAdmin\n2_4 Resources\n" },
    { { .jobs = "9,7" }, "%i", "2_3\n7\n" },
    { { .jobs = "4_0" }, "%i", "" },
    { { .jobs = "3" }, "%R", "(Priority)\n" },
    { { .jobs = "1,7", .each_partition = true },
      "%i %P",
      "1_0 main\n1_[2,4,6,8%1] debug\n1_[2,4,6,8%1] main\n7 debug\n7 main\n" },
};

START_TEST(tasks_are_shown_as_slurm_shows_them)
{
    AUTO_FREE char *text = list(&lists[_i].options, lists[_i].letters);

    ck_assert_str_eq(text, lists[_i].text);
}
END_TEST

START_TEST(tasks_that_ran_before_stay_apart)
{
    AUTO_FREE char *text = NULL;

    ((struct job_info *)made_record(&jobs, 4))->job->restarts = 1;
    text = list(&(struct squeue_options){ .jobs = "2" }, "%i");

    ck_assert_str_eq(text, "2_3\n2_9\n2_[1-2,4,10-20]\n");
}
END_TEST

CHECK_MAIN_WITH(task_rows, before, after,
                LOOP_CASE(tasks_are_shown_as_slurm_shows_them, ARRAY_N(lists)),
                CASE(tasks_that_ran_before_stay_apart))
