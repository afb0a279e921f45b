#include "cli/sacct/lines.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct acct_block {
    int64_t submit_time;
    uint32_t array, task, job, launch;
    char *text;
};

void acct_lines_add(struct acct_lines *lines, const struct job_record *job, struct strbuf *text)
{
    struct acct_block *block = ARRAY_PUSH(lines->blocks, lines->n);

    *block = (struct acct_block){ .submit_time = job->submit_time,
                                  .array = job->array_job_id,
                                  .task = job->array_task,
                                  .job = job->id,
                                  .launch = job->launch_number };
    block->text = strbuf_steal(text);
}

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *left, const void *right)
{
    const struct acct_block *a = left, *b = right;
    int rc = order(a->submit_time, b->submit_time);

    if (rc == 0)
        rc = order(a->array, b->array);
    if (rc == 0)
        rc = order(a->task, b->task);
    if (rc == 0)
        rc = order(a->job, b->job);
    return rc ? rc : order(a->launch, b->launch);
}

int acct_lines_print(struct acct_lines *lines, struct err *err)
{
    if (lines->n)
        qsort(lines->blocks, lines->n, sizeof(*lines->blocks), compare);
    for (uint32_t i = 0; i < lines->n; i++) {
        if (fputs(lines->blocks[i].text, stdout) == EOF)
            return err_set(err, errno, "standard output: %s", strerror(errno));
    }
    return 0;
}

void acct_lines_clear(struct acct_lines *lines)
{
    for (uint32_t i = 0; i < lines->n; i++)
        free(lines->blocks[i].text);
    free(lines->blocks);
    *lines = (struct acct_lines){ 0 };
}
