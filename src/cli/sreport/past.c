#include "cli/sreport/past.h"

#include <string.h>

#include "common/msg/job_sums.h"
#include "common/msg/types.h"
#include "common/text/numbers.h"

bool past_is_asked(const struct ask *ask)
{
    return ask->is_given[ASK_JOBS] || ask->is_given[ASK_GIDS] || ask->is_given[ASK_NODES];
}

/* What is made while jobs come. */
struct making {
    const struct ask *ask;
    struct job_sums sums;
};

static void begin(void *ctx)
{
    job_sums_clear(&((struct making *)ctx)->sums);
}

static bool has_gid(const struct ask *ask, uint32_t gid)
{
    AUTO_FREE char *text = xasprintf("%u", gid);

    return ask_fits(ask, ASK_GIDS, text);
}

static bool has_node(const struct ask *ask, const struct job_record *job)
{
    if (!ask->is_given[ASK_NODES])
        return true;
    for (uint32_t i = 0; i < job->nodes_n; i++) {
        if (words_have(&ask->lists[ASK_NODES], job->nodes[i].name))
            return true;
    }
    return false;
}

static bool is_meant(const struct ask *ask, const struct job_record *job)
{
    char uid[SUM_UID_MAX];
    const struct job_sum key = job_sum_key(job, uid);

    return has_gid(ask, job->gid) && has_node(ask, job) && ask_fits(ask, ASK_USERS, key.user) &&
           ask_fits(ask, ASK_PARTITIONS, key.partition) &&
           ask_fits(ask, ASK_WCKEY_NAMES, key.wckey);
}

static bool take(const void *record, void *ctx)
{
    const struct history_job *history = record;
    struct making *making = ctx;

    if (is_meant(making->ask, history->job))
        job_sums_add_between(&making->sums, history->job, history->now, making->ask->start,
                             making->ask->end, true);
    return true;
}

/* Adds the numbers of jobs; those of steps behind them say nothing about a job's size. */
static void add_jobs(const struct words *jobs, struct history_list *request)
{
    for (uint32_t i = 0; i < jobs->n; i++) {
        AUTO_FREE char *id = xstrndup(jobs->at[i], strcspn(jobs->at[i], "._"));
        uint64_t number;

        if (number_parse(id, 1, UINT32_MAX, &number, NULL) == 0)
            *ARRAY_PUSH(request->job_ids, request->job_ids_n) = (uint32_t)number;
    }
    if (request->job_ids_n == 0) /* a number that no job has: none are meant */
        *ARRAY_PUSH(request->job_ids, request->job_ids_n) = UINT32_MAX;
}

static void tell(const struct job_sums *sums, struct held *held)
{
    held->past = xcalloc((size_t)HASH_COUNT(sums->rows) + 1, sizeof(*held->past));
    for (const struct job_sum *row = sums->rows; row; row = row->hh.next)
        job_sum_tell(row, &held->past[held->sums_n++]);
    held->sums = held->past;
}

int past_load(struct sreport *sreport, const struct ask *ask, struct held *held)
{
    AUTO(history_list) struct history_list request;
    AUTO(records) struct records none = { .schema = history_job_schema() };
    struct making making = { .ask = ask };
    const struct records_reader reader = { begin, take, &making };
    struct err err = { 0 };
    int rc;

    history_list_init(&request);
    request.cluster = xstrdup(held->book.cluster);
    request.from = ask->start;
    request.until = ask->end;
    request.duplicates = true;
    if (ask->is_given[ASK_JOBS])
        add_jobs(&ask->lists[ASK_JOBS], &request);
    rc = records_read(sreport->command->cli.client, MSG_HISTORY_LIST, &request, MSG_HISTORY_JOB,
                      &reader, &none, &err);
    if (rc < 0)
        records_report(sreport->command, "Problem with query", &err);
    else
        tell(&making.sums, held);
    job_sums_clear(&making.sums);
    return rc < 0 ? -1 : 0;
}
