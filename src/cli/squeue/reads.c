#include "cli/squeue/reads.h"

#include <assert.h>
#include <string.h>

#include "common/text/words.h"

/* rows.c orders by the start, task_rows.c puts tasks together; states and owners are filtered. */
static const char of_rows[] =
    "info.now info.planned_start job.id job.uid job.state job.flags job.start_time job.end_time "
    "job.restarts job.partition job.array_job_id job.array_task job.array_tasks job.spec.begin "
    "job.spec.name job.spec.partition";

/* Adds a path: "info.x" is a field of the message, "job.x" one of its part of that name. */
static void add(struct schema_view *view, const char *path)
{
    const char *field = path;
    int rc;

    if (!word_starts(path, "info.", &field))
        field = path;
    rc = schema_view_add(view, field, NULL);
    assert(rc == 0); /* a test adds those of every column */
    (void)rc;
}

static void add_paths(struct schema_view *view, const char *paths)
{
    AUTO(words) struct words words = words_split(paths, " ");

    for (uint32_t i = 0; i < words.n; i++)
        add(view, words.at[i]);
}

static void add_column(struct schema_view *view, const struct report_column *column)
{
    if (column && column->path)
        add(view, column->path);
    if (column && column->reads)
        add_paths(view, column->reads);
}

static void add_filter(struct schema_view *view, const struct queue_filter *filter)
{
    if (filter->accounts.n)
        add(view, "job.spec.account");
    if (filter->qos.n)
        add(view, "job.spec.qos");
    if (filter->licenses.n)
        add(view, "job.spec.licenses");
    if (filter->reservation)
        add(view, "job.spec.reservation");
    if (filter->nodes)
        add(view, "job.nodes.name");
}

struct schema_view *queue_reads(const struct report_format *format, const struct report_sort *sort,
                                const struct queue_filter *filter)
{
    struct schema_view *view = schema_view_new(job_info_schema());

    add_paths(view, of_rows);
    for (uint32_t i = 0; i < format->cells_n; i++)
        add_column(view, format->cells[i].column);
    for (uint32_t i = 0; i < sort->keys_n; i++)
        add_column(view, sort->keys[i].column);
    add_filter(view, filter);
    return view;
}
