#include "cli/squeue/lines.h"

#include <string.h>

#include "cli/lib/listing.h"
#include "cli/lib/tasks.h"

/* Returns one text for neighbours, which mostly have the same partition and state. */
static char *share_text(struct queue_lines *lines, char *text)
{
    const uint32_t keys_n = lines->source->sort->keys_n;
    char *like = lines->orders_n < keys_n ? NULL : lines->orders[lines->orders_n - keys_n].text;

    if (text && like && strcmp(text, like) == 0) {
        free(text);
        return like;
    }
    if (text)
        *ARRAY_PUSH(lines->texts, lines->texts_n) = text;
    return text;
}

static void add_orders(struct queue_lines *lines, const struct job_row *row)
{
    const struct report_sort *sort = lines->source->sort;
    struct report_order orders[REPORT_KEYS_MAX];

    report_sort_orders(sort, &lines->ctx, row, orders);
    for (uint32_t i = 0; i < sort->keys_n; i++) {
        orders[i].text = share_text(lines, orders[i].text);
        *ARRAY_PUSH(lines->orders, lines->orders_n) = orders[i];
    }
}

static void add_line(struct queue_lines *lines, const struct job_row *row)
{
    const size_t at = lines->text.len;
    struct queue_line *line = ARRAY_PUSH(lines->at, lines->n);

    add_orders(lines, row);
    report_line(lines->format, &lines->ctx, row, &lines->text);
    *line = (struct queue_line){ queue_rank_of(&lines->ctx, row), lines->n - 1, at,
                                 lines->text.len - at };
}

/* ---- as records come ---- */

static void clear_lines(struct queue_lines *lines)
{
    for (uint32_t i = 0; i < lines->texts_n; i++)
        free(lines->texts[i]);
    strbuf_truncate(&lines->text, 0);
    lines->n = lines->orders_n = lines->texts_n = 0;
}

static void begin(void *ctx)
{
    struct queue_lines *lines = ctx;

    clear_lines(lines);
    lines->has_begun = false;
}

/* True if the record is one row, whatever else comes. */
static bool is_one_row(const struct queue_lines *lines, const struct job_record *job)
{
    return !job->array_job_id && refs_name_job(&lines->source->filter->jobs, job) &&
           !(lines->divides && job->spec->partition && strchr(job->spec->partition, ','));
}

static bool take(const void *record, void *ctx)
{
    struct queue_lines *lines = ctx;
    const struct job_info *info = record;

    if (!lines->has_begun)
        lines->ctx.now = info->now;
    lines->has_begun = true;
    if (!info->job || !info->job->spec || !queue_filter_wants_job(lines->source->filter, info->job))
        return true;
    if (!is_one_row(lines, info->job))
        return false;
    add_line(lines, &(struct job_row){
                        .info = info, .job = info->job, .cluster = lines->source->cluster });
    return true;
}

struct records_reader queue_lines_reader(struct queue_lines *lines)
{
    return (struct records_reader){ begin, take, lines };
}

void queue_lines_finish(struct queue_lines *lines)
{
    AUTO(queue_rows) struct queue_rows rows = { 0 };
    const struct job_row *row;

    queue_rows_make(lines->source, &rows);
    row = rows.rows;
    for (uint32_t i = 0; i < rows.n; i++)
        add_line(lines, &row[i]);
}

/* ---- all of them, in their order ---- */

void queue_lines_sort(struct queue_lines *lines)
{
    const struct report_sort *sort = lines->source->sort;

    lines->sorted = xcalloc(lines->n + 1, sizeof(*lines->sorted));
    if (lines->n)
        qsort(lines->at, lines->n, sizeof(*lines->at), queue_rank_compare);
    for (uint32_t i = 0; i < lines->n; i++)
        lines->sorted[i] =
            (struct report_sorted){ &lines->at[i],
                                    &lines->orders[lines->at[i].nth * sort->keys_n] };
    report_sort_by_orders(sort, lines->sorted, lines->n);
}

void queue_lines_write(const struct queue_lines *lines, uint32_t i, struct strbuf *out)
{
    const struct queue_line *line = lines->sorted[i].row;

    strbuf_add(out, strbuf_text(&lines->text) + line->at, line->len);
}

int queue_lines_print(const struct queue_lines *lines, const struct command *command,
                      bool has_header)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    int status = 0;

    if (has_header)
        report_header(lines->format, &text);
    for (uint32_t i = 0; i < lines->n && status == 0; i++) {
        queue_lines_write(lines, i, &text);
        if (text.len >= LISTING_FLUSH_BYTES)
            status = listing_write(command, &text);
    }
    return status ? status : listing_write(command, &text);
}

void queue_lines_clear(struct queue_lines *lines)
{
    clear_lines(lines);
    strbuf_clear(&lines->text);
    free(lines->at);
    free(lines->orders);
    free(lines->texts);
    free(lines->sorted);
    *lines = (struct queue_lines){ 0 };
}

void queue_lines_auto_(struct queue_lines *lines)
{
    queue_lines_clear(lines);
}
