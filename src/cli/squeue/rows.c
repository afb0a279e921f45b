#include "cli/squeue/rows.h"

#include <string.h>

#include "cli/squeue/job_values.h"
#include "cli/squeue/task_rows.h"

struct queue_rank queue_rank_of(const struct report_context *ctx, const struct job_row *row)
{
    return (struct queue_rank){ queue_start_time(ctx, row), row->job->id, row->job->array_task,
                                row->tier };
}

int queue_rank_compare(const void *left, const void *right)
{
    const struct queue_rank *a = left, *b = right;

    if (a->start != b->start)
        return a->start > b->start ? -1 : 1;
    if (a->id == b->id && a->tier != b->tier)
        return a->tier > b->tier ? 1 : -1;
    if (a->id == b->id)
        return a->task > b->task ? 1 : -1;
    if (!a->start) /* neither has one: the younger job first */
        return a->id > b->id ? -1 : 1;
    return a->id < b->id ? -1 : 1;
}

static int compare_rows(const void *a, const void *b, void *ctx)
{
    const struct queue_rank left = queue_rank_of(ctx, a), right = queue_rank_of(ctx, b);

    return queue_rank_compare(&left, &right);
}

static void set_order(struct queue_rows *rows, size_t size, const struct report_sort *sort,
                      const struct report_context *ctx)
{
    rows->order = xcalloc(rows->n ? rows->n : 1, sizeof(*rows->order));
    for (uint32_t i = 0; i < rows->n; i++)
        rows->order[i] = (const char *)rows->rows + i * size;
    report_sort_rows(sort, ctx, rows->order, rows->n);
}

void queue_rows_make(const struct queue_source *source, struct queue_rows *ret_rows)
{
    struct task_rows rows = { .each_task = source->each_task,
                              .refs = &source->filter->jobs,
                              .cluster = source->cluster,
                              .only = &source->filter->partitions };

    for (uint32_t i = 0; i < source->jobs->n; i++) {
        const struct job_info *info = record_at(source->jobs, i);

        if (info->job && info->job->spec && queue_filter_wants_job(source->filter, info->job))
            task_rows_add(&rows, info);
    }
    if (source->partitions)
        task_rows_divide(&rows, source->partitions);
    *ret_rows = (struct queue_rows){
        .rows = rows.at,
        .n = rows.n,
        .records = rows.records,
        .records_n = rows.records_n,
        .texts = rows.texts,
        .texts_n = rows.texts_n,
    };
}

void queue_rows_of_jobs(const struct queue_source *source, const struct report_context *ctx,
                        struct queue_rows *ret_rows)
{
    queue_rows_make(source, ret_rows);
    if (ret_rows->n)
        qsort_r(ret_rows->rows, ret_rows->n, sizeof(struct job_row), compare_rows,
                (void *)(uintptr_t)ctx);
    set_order(ret_rows, sizeof(struct job_row), source->sort, ctx);
}

void queue_rows_of_steps(const struct records *steps, const struct queue_filter *filter,
                         const struct report_sort *sort, const struct report_context *ctx,
                         const char *cluster, struct queue_rows *ret_rows)
{
    struct step_row *rows = xcalloc(steps->n ? steps->n : 1, sizeof(*rows));
    struct queue_rows result = { .rows = rows };

    for (uint32_t i = 0; i < steps->n; i++) {
        const struct step_record *step = record_at(steps, i);

        if (!queue_filter_wants_step(filter, step))
            continue;
        rows[result.n] = (struct step_row){ step, people_user(&result.people, step->uid), cluster };
        result.n++;
    }
    set_order(&result, sizeof(*rows), sort, ctx);
    *ret_rows = result;
}

void queue_rows_clear(struct queue_rows *rows)
{
    people_clear(&rows->people);
    for (uint32_t i = 0; i < rows->records_n; i++)
        free(rows->records[i]);
    for (uint32_t i = 0; i < rows->texts_n; i++)
        free(rows->texts[i]);
    free(rows->records);
    free(rows->texts);
    free(rows->rows);
    free(rows->order);
    memset(rows, 0, sizeof(*rows));
}

void queue_rows_auto_(struct queue_rows *rows)
{
    queue_rows_clear(rows);
}
