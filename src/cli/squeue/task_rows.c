#include "cli/squeue/task_rows.h"

#include <string.h>

#include "cli/lib/outcome.h"
#include "cli/lib/tasks.h"
#include "common/msg/node.h"
#include "common/text/tasks.h"
#include "common/text/words.h"

static struct job_record *own_record(struct task_rows *rows, const struct job_record *from)
{
    struct job_record *copy = xmemdup(from, sizeof(*from));

    *ARRAY_PUSH(rows->records, rows->records_n) = copy;
    return copy;
}

static char *own_text(struct task_rows *rows, struct strbuf *text)
{
    char *copy = strbuf_steal(text);

    *ARRAY_PUSH(rows->texts, rows->texts_n) = copy;
    return copy;
}

static void add_row(struct task_rows *rows, const struct job_info *info,
                    const struct job_record *job)
{
    *ARRAY_PUSH(rows->at, rows->n) =
        (struct job_row){ .info = info, .job = job, .cluster = rows->cluster };
}

static void add_each(struct task_rows *rows, const struct job_info *info,
                     const struct bitset *tasks)
{
    BITSET_FOREACH (tasks, task) {
        const struct job_record copy = job_as_task(info->job, (uint32_t)task);

        add_row(rows, info, own_record(rows, &copy));
    }
}

/* ---- folding ---- */

/* True if both wait and nothing but the reason tells them apart. Slurm does not put tasks together
   again that ran before. */
static bool may_fold(const struct job_record *a, const struct job_record *b)
{
    return a->array_job_id == b->array_job_id && a->state == JOB_PENDING &&
           b->state == JOB_PENDING && a->restarts == 0 && b->restarts == 0 &&
           text_is(a->spec->name, b->spec->name) && text_is(a->partition, b->partition);
}

static struct job_row *find_fold(struct task_rows *rows, const struct job_record *job)
{
    for (uint32_t i = rows->n; i-- > 0;) {
        if (may_fold(rows->at[i].job, job))
            return &rows->at[i];
    }
    return NULL;
}

static void add_all(struct bitset *to, const struct bitset *from)
{
    BITSET_FOREACH (from, task)
        bitset_add(to, (uint32_t)task);
}

static char *tasks_of_both(struct task_rows *rows, const struct job_record *a,
                           const struct job_record *b)
{
    AUTO(bitset) struct bitset left = { 0 }, right = { 0 }, both = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    job_tasks(a, &left);
    job_tasks(b, &right);
    bitset_init(&both, left.size > right.size ? left.size : right.size);
    add_all(&both, &left);
    add_all(&both, &right);
    tasks_format(&both, &text);
    return own_text(rows, &text);
}

/* Returns the reasons of both, each once, as "Resources,JobHeldUser". */
static const char *reasons_of_both(struct task_rows *rows, const struct job_row *row,
                                   const struct job_record *other)
{
    AUTO(strbuf) struct strbuf text = { 0 }, more = { 0 };

    if (row->reasons)
        strbuf_adds(&text, row->reasons);
    else
        outcome_add_reason(row->job, ' ', &text);
    outcome_add_reason(other, ' ', &more);
    if (!strstr(strbuf_text(&text), strbuf_text(&more)))
        strbuf_addf(&text, ",%s", strbuf_text(&more));
    return own_text(rows, &text);
}

static void fold(struct task_rows *rows, struct job_row *row, const struct job_record *other)
{
    struct job_record *both = own_record(rows, row->job);

    both->array_task = COUNT_UNSET;
    both->array_tasks = tasks_of_both(rows, row->job, other);
    row->reasons = reasons_of_both(rows, row, other);
    row->job = both;
}

/* ---- one record ---- */

void task_rows_add(struct task_rows *rows, const struct job_info *info)
{
    AUTO(bitset) struct bitset tasks = { 0 };
    struct job_row *like;

    if (!refs_name_job(rows->refs, info->job)) {
        refs_name_tasks(rows->refs, info->job, &tasks);
        add_each(rows, info, &tasks);
        return;
    }
    if (!info->job->array_job_id) {
        add_row(rows, info, info->job);
        return;
    }
    like = rows->each_task ? NULL : find_fold(rows, info->job);
    job_tasks(info->job, &tasks);
    if (rows->each_task)
        add_each(rows, info, &tasks);
    else if (like)
        fold(rows, like, info->job);
    else
        add_row(rows, info, info->job);
}

/* ---- a row for each partition ---- */

static uint32_t tier_of(const struct records *partitions, const char *name)
{
    for (uint32_t i = 0; i < partitions->n; i++) {
        const struct partition_info *part = record_at(partitions, i);

        if (strcmp(part->name, name) == 0)
            return part->priority_tier;
    }
    return 0;
}

static void divide(struct task_rows *rows, uint32_t at, const struct words *names,
                   const struct records *partitions)
{
    const struct job_row row = rows->at[at];
    const bool all = !rows->only || rows->only->n == 0;
    uint32_t found_n = 0;

    for (uint32_t i = 0; i < names->n; i++) {
        struct job_row *one;
        struct strbuf name = { 0 };

        if (!all && !words_have_exactly(rows->only, names->at[i]))
            continue;
        one = found_n++ == 0 ? &rows->at[at] : ARRAY_PUSH(rows->at, rows->n);
        strbuf_adds(&name, names->at[i]);
        *one = row;
        one->partition = own_text(rows, &name);
        one->tier = tier_of(partitions, names->at[i]);
    }
}

void task_rows_divide(struct task_rows *rows, const struct records *partitions)
{
    const uint32_t n = rows->n;

    for (uint32_t i = 0; i < n; i++) {
        const struct job_record *job = rows->at[i].job;
        AUTO(words) struct words names = { 0 };

        if (job->state != JOB_PENDING || !job->spec->partition)
            continue;
        names = words_split(job->spec->partition, ",");
        if (names.n > 1)
            divide(rows, i, &names, partitions);
    }
}
