/*
 * What squeue asks to be told of jobs is enough for what it prints, and no more: every column of
 * arbitrary jobs, told in whole and told in part.
 */
#include "unit/check_main.h"
#include "unit/cli/made_records.h"

#include <string.h>
#include <time.h>

#include "cli/squeue/columns.h"
#include "cli/squeue/reads.h"
#include "cli/squeue/rows.h"
#include "common/text/words.h"

#define JOBS_N     600
#define FILTERED_N 60

static struct job_info jobs[JOBS_N];

static void hold_gpus(struct job_record *job)
{
    for (uint32_t i = 0; i < job->nodes_n; i++) {
        for (uint32_t k = 0; k < job->nodes[i].gres_n; k++)
            xstrset(&job->nodes[i].gres[k].name, "gpu");
    }
}

/* Values that lead to all branches are likelier than arbitrary ones. */
static void make_likely(struct job_info *info, uint32_t i)
{
    static const uint32_t flags[] = { 0, JOB_FLAG_COMPLETING, JOB_FLAG_REQUEUED_HELD, 0 };
    static const uint32_t reasons[] = { REASON_NONE, REASON_RESOURCES, REASON_NODES_UNAVAILABLE };
    static const char *const tasks[] = { NULL, "1-5", "7,9" };
    static const char *const gres[] = { NULL, "gpu:2", "gpu:tesla:1" };
    struct job_record *job = info->job;

    job->state %= JOB_STATES_N;
    job->flags = flags[i / JOB_STATES_N % ARRAY_N(flags)];
    job->reason = reasons[i % ARRAY_N(reasons)];
    job->spec->kind %= JOB_KIND_RUN + 1;
    job->spec->share %= SHARE_OVERSUBSCRIBE + 1;
    job->spec->requeue %= REQUEUE_YES + 1;
    job->id = 1 + job->id % 1000;
    job->array_job_id %= 1000;
    job->array_task = i % 2 ? COUNT_UNSET : job->array_task % 1000;
    job->pre_suspend_s %= 1000;
    xstrset(&job->array_tasks, tasks[i / 2 % ARRAY_N(tasks)]);
    xstrset(&job->spec->tres_per_job, gres[i % ARRAY_N(gres)]);
    xstrset(&job->spec->tres_per_node, gres[i / 9 % ARRAY_N(gres)]);
    xstrset(&job->spec->tres_per_socket, gres[i / 3 % ARRAY_N(gres)]);
    xstrset(&job->spec->tres_per_task, gres[i / 27 % ARRAY_N(gres)]);
    hold_gpus(job);
    xstrset(&job->spec->licenses, i % 2 ? "matlab:3" : NULL);
    xstrset(&info->body->command, i % 3 ? "/bin/job.sh" : NULL);
    if (i % 4 == 0) {
        schema_copy_field(schema_find(job_record_schema(), "nodes"), job,
                          job_record_schema()->initial);
        job->suspended_ms = job->suspend_time = 0;
    }
    if (i % 5 == 0)
        job->end_time = info->planned_start = 0;
    if (i % 7 == 0)
        job->start_time = 0;
    if (i % 2 == 0)
        job->priority = 0;
    if (i % 6 == 0) {
        job->spec->mem_per_node = job->spec->mem_per_cpu = MB_UNSET;
        job->spec->mem_per_gpu = 512;
        job->spec->min_nodes = 2;
        job->spec->sockets_per_node = 2;
    }
}

static void make_jobs(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    for (uint32_t i = 0; i < JOBS_N; i++) {
        schema_random(job_info_schema(), &jobs[i], i + 1);
        make_likely(&jobs[i], i);
    }
}

static void clear_jobs(void)
{
    for (uint32_t i = 0; i < JOBS_N; i++)
        job_info_clear(&jobs[i]);
}

/* As it arrives where only the fields of the view were sent. */
static void tell(const struct schema_view *view, const struct job_info *info, struct job_info *ret)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    struct err err = { 0 };

    schema_view_encode(view, info, &bytes);
    ck_assert_msg(schema_decode(job_info_schema(), bytes.data, bytes.len, ret, &err) == 0, "%s",
                  err.text);
}

static char *value(const struct report_column *column, const struct job_info *info)
{
    const struct report_context ctx = { .now = 1000,
                                        .tasks_length = 64,
                                        .counted = "gres/gpu,license/matlab" };
    const struct job_row row = { .info = info, .job = info->job, .cluster = "lab" };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct report_path path;

    ck_assert_int_eq(report_path_find(&queue_table, column, &path, NULL), 0);
    report_value(column, &path, &ctx, &row, &text);
    if (column->number) {
        int64_t number = 0;

        strbuf_addf(&text, " %d", column->number(&ctx, &row, &number));
        strbuf_addf(&text, " %lld", (long long)number);
    }
    return strbuf_steal(&text);
}

static bool is_same(const struct report_column *column, const struct schema_view *view, uint32_t i)
{
    AUTO(job_info) struct job_info told;
    AUTO_FREE char *whole = value(column, &jobs[i]);
    AUTO_FREE char *part = NULL;

    tell(view, &jobs[i], &told);
    part = value(column, &told);
    return strcmp(whole, part) == 0;
}

START_TEST(a_column_prints_the_same_of_what_it_reads)
{
    const struct report_column *column = &queue_table.columns[_i];
    const struct report_sort sort = { 0 };
    const struct queue_filter filter = { 0 };
    AUTO(report_format) struct report_format format;
    AUTO(schema_view) struct schema_view *view = NULL;

    report_format_init(&format, &queue_table);
    ck_assert_int_eq(report_format_add(&format, column, 0, false, NULL, NULL), 0);
    view = queue_reads(&format, &sort, &filter);

    for (uint32_t i = 0; i < JOBS_N; i++)
        ck_assert_msg(is_same(column, view, i), "%s, job %u", column->name, i);
}
END_TEST

static struct schema_view *view_without(const struct words *paths, const char *left_out)
{
    struct schema_view *view = schema_view_new(job_info_schema());

    for (uint32_t i = 0; i < paths->n; i++) {
        const char *path = paths->at[i];

        if (strcmp(path, left_out) != 0)
            ck_assert_int_eq(schema_view_add(view, path + (path[0] == 'i' ? 5 : 0), NULL), 0);
    }
    return view;
}

static bool is_missed(const struct report_column *column, const struct schema_view *view)
{
    for (uint32_t i = 0; i < JOBS_N; i++) {
        if (!is_same(column, view, i))
            return true;
    }
    return false;
}

/* So the jobs above lead to all that the functions look at. */
START_TEST(whatever_a_column_reads_is_missed_when_it_is_left_out)
{
    const struct report_column *column = &queue_table.columns[_i];
    AUTO(words) struct words paths = { 0 };

    if (column->reads)
        paths = words_split(column->reads, " ");
    for (uint32_t i = 0; i < paths.n; i++) {
        AUTO(schema_view) struct schema_view *view = view_without(&paths, paths.at[i]);

        if (strcmp(paths.at[i], "job.id") != 0) /* is always told */
            ck_assert_msg(is_missed(column, view), "%s: %s", column->name, paths.at[i]);
    }
}
END_TEST

static char *list(const struct records *records, const struct squeue_options *options,
                  const struct report_format *format, const struct report_sort *sort,
                  const struct queue_filter *filter)
{
    const struct report_context ctx = { .now = 1000, .tasks_length = 64 };
    const struct queue_source source = { .jobs = records,
                                         .filter = filter,
                                         .sort = sort,
                                         .cluster = "lab",
                                         .each_task = options->each_task };
    AUTO(queue_rows) struct queue_rows rows = { 0 };
    AUTO(strbuf) struct strbuf out = { 0 };

    queue_rows_of_jobs(&source, &ctx, &rows);
    for (uint32_t i = 0; i < rows.n; i++)
        report_line(format, &ctx, rows.order[i], &out);
    return strbuf_steal(&out);
}

static const struct squeue_options filters[] = {
    { .states = "all" },
    { .states = "all", .each_task = true },
    { .states = "PD,CG" },
    { .states = "all", .accounts = "a" },
    { .states = "all", .qos = "a" },
    { .states = "all", .licenses = "matlab" },
    { .states = "all", .reservation = "a" },
    { .states = "all", .names = "a" },
    { .states = "all", .partitions = "a" },
    { .states = "all", .nodes = "a" },
};

/* Some of the jobs, half of which the filters want. */
static void make_alike(uint32_t i)
{
    struct job_record *job = jobs[i].job;
    struct job_spec *spec = job->spec;
    const char *name = i % 2 ? "a" : "b";

    xstrset(&spec->account, name);
    xstrset(&spec->qos, name);
    xstrset(&spec->reservation, name);
    xstrset(&spec->name, name);
    xstrset(&job->partition, name);
    job->array_job_id %= 4;
    for (uint32_t k = 0; k < job->nodes_n; k++)
        xstrset(&job->nodes[k].name, name);
}

START_TEST(rows_are_the_same_in_the_same_order)
{
    AUTO(queue_filter) struct queue_filter filter;
    AUTO(report_format) struct report_format format;
    AUTO(schema_view) struct schema_view *view = NULL;
    struct job_info told[FILTERED_N];
    const struct records whole = { .schema = job_info_schema(), .at = jobs, .n = FILTERED_N };
    const struct records part = { .schema = job_info_schema(), .at = told, .n = FILTERED_N };
    struct report_sort sort;
    AUTO_FREE char *expected = NULL;
    AUTO_FREE char *got = NULL;

    report_format_init(&format, &queue_table);
    ck_assert_int_eq(queue_filter_init(&filter, &filters[_i], 0, NULL), 0);
    ck_assert_int_eq(report_format_parse_letters(&format, "%i|%r|%t", NULL), 0);
    ck_assert_int_eq(report_sort_parse(&queue_table, "P,t,-p,-M", &sort, NULL), 0);
    view = queue_reads(&format, &sort, &filter);
    for (uint32_t i = 0; i < FILTERED_N; i++) {
        make_alike(i);
        tell(view, &jobs[i], &told[i]);
    }

    expected = list(&whole, &filters[_i], &format, &sort, &filter);
    got = list(&part, &filters[_i], &format, &sort, &filter);

    ck_assert_str_eq(got, expected);
    ck_assert_str_ne(got, "");
    for (uint32_t i = 0; i < FILTERED_N; i++)
        job_info_clear(&told[i]);
}
END_TEST

int main(void)
{
    const int columns_n = (int)queue_table.columns_n;
    const struct check_case cases[] = {
        LOOP_CASE(a_column_prints_the_same_of_what_it_reads, columns_n),
        LOOP_CASE(whatever_a_column_reads_is_missed_when_it_is_left_out, columns_n),
        LOOP_CASE(rows_are_the_same_in_the_same_order, (int)ARRAY_N(filters)),
    };

    int status;

    make_jobs(); /* once: each test has a process of its own, and so its own copy */
    status = check_run("squeue_reads", NULL, NULL, cases, ARRAY_N(cases));
    clear_jobs();
    return status;
}
