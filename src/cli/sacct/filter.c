#include "cli/sacct/filter.h"

#include <string.h>

#include "cli/sacct/columns.h"
#include "common/text/duration.h"
#include "common/text/tasks.h"

#define TASKS_END 4000001u /* above the largest number that any task has */

static bool ended_within(const struct acct_filter *filter, const struct job_record *job)
{
    return job->end_time >= filter->from && job->end_time <= filter->until;
}

static bool was_in_state(const struct acct_filter *filter, const struct job_record *job,
                         uint32_t state)
{
    bool is_over = job_state_is_over(job->state);
    int64_t start = job->start_time, end = is_over ? job->end_time : INT64_MAX;

    if (state == JOB_PENDING)
        return job->eligible_time && filter->until > job->eligible_time &&
               (start || is_over ? filter->from < (start ? start : end) : job->state == state);
    if (state == JOB_RUNNING)
        return job->nodes_n && filter->from < end && filter->until > start;
    if (state == JOB_SUSPENDED)
        return job->state == state;
    return job->state == state && ended_within(filter, job);
}

static bool was_in_any_state(const struct acct_filter *filter, const struct history_job *history)
{
    const bool is_requeued = acct_is_requeued(history->job, history->is_earlier_run);

    for (uint32_t i = 0; i < filter->states_n; i++) {
        const uint32_t state = filter->states[i];

        if ((!is_requeued || !job_state_is_over(state)) &&
            was_in_state(filter, history->job, state))
            return true;
    }
    return is_requeued && filter->requeued && ended_within(filter, history->job);
}

/* True if the job is in the window; one that could never start, only if it is named. */
static bool fits_time(const struct acct_filter *filter, const struct history_job *history)
{
    const struct job_record *job = history->job;
    int64_t begin = filter->ids.n ? job->submit_time : job->eligible_time;

    if (filter->options->states.n)
        return was_in_any_state(filter, history);
    if (begin == 0)
        return false;
    return begin < filter->until &&
           (!job_state_is_over(job->state) || job->end_time >= filter->from);
}

static bool has_number(const uint32_t *numbers, uint32_t n, uint32_t number)
{
    for (uint32_t i = 0; i < n; i++) {
        if (numbers[i] == number)
            return true;
    }
    return n == 0;
}

static bool has_word(const struct words *words, const char *text)
{
    return words->n == 0 || (text && words_have(words, text));
}

/* Returns whether the job is of one of the associations that are asked for by their numbers. */
static bool has_association(const struct acct_filter *filter, const struct job_record *job)
{
    AUTO(strbuf) struct strbuf number = { 0 };

    if (filter->options->associations.n == 0)
        return true;
    strbuf_addu(&number, acct_number_of_assoc(filter->numbers, filter->cluster, job));
    return has_word(&filter->options->associations, strbuf_text(&number));
}

static bool is_in(const struct acct_range *range, uint64_t number)
{
    return number >= range->least && number <= range->most;
}

static bool fits_nodes(const struct acct_filter *filter, const struct job_record *job)
{
    if (!is_in(&filter->nnodes, job->nodes_n) || !is_in(&filter->ncpus, job->ncpus))
        return false;
    for (uint32_t i = 0; filter->nodes && i < job->nodes_n; i++) {
        if (hostlist_find(filter->nodes, job->nodes[i].name) >= 0)
            return true;
    }
    return !filter->nodes;
}

static bool fits_limit(const struct acct_filter *filter, const struct job_record *job)
{
    int64_t limit = job->spec->time_limit;

    if (!filter->options->limit_min)
        return true;
    if (limit == LIMIT_INFINITE)
        return filter->limit_s.most == UINT64_MAX;
    return limit >= 0 && is_in(&filter->limit_s, (uint64_t)duration_round_up(limit));
}

/* True if the job asked for all features of -C; each may be a part of what it asked for. */
static bool fits_constraints(const struct words *wanted, const char *features)
{
    for (uint32_t i = 0; i < wanted->n; i++) {
        if (!features || !strstr(features, wanted->at[i]))
            return false;
    }
    return true;
}

static bool fits_flags(const struct acct_filter *filter, const struct job_record *job)
{
    bool backfilled = job->flags & JOB_FLAG_BACKFILLED;

    if (filter->options->flags.n == 0)
        return true;
    return job->nodes_n && (backfilled ? filter->backfill_flag : filter->main_flag);
}

bool acct_filter_wants(const struct acct_filter *filter, const struct history_job *history)
{
    const struct sacct_options *options = filter->options;
    const struct job_record *job = history->job;

    return fits_time(filter, history) && has_number(filter->uids, filter->uids_n, job->uid) &&
           has_number(filter->gids, filter->gids_n, job->gid) &&
           has_word(&options->partitions, job->partition) &&
           has_word(&options->names, job->spec->name) &&
           has_word(&options->accounts, job->spec->account) &&
           has_word(&options->qos, job->spec->qos) &&
           has_word(&options->wckeys, job->spec->wckey) && has_association(filter, job) &&
           has_word(&options->reasons, job_reason_name(job->reason)) && fits_nodes(filter, job) &&
           fits_limit(filter, job) &&
           fits_constraints(&options->constraints, job->spec->features) && fits_flags(filter, job);
}

/* True if the task is among those that the record stands for. */
static bool has_task(const struct job_record *job, uint32_t task)
{
    AUTO(bitset) struct bitset tasks = { 0 };
    uint32_t limit;

    if (!job_is_task_set(job))
        return job->array_task == task;
    return tasks_parse(job->array_tasks, TASKS_END, &tasks, &limit, NULL) == 0 &&
           task < tasks.size && bitset_has(&tasks, task);
}

bool acct_ref_names(const struct job_ref *ref, const struct job_record *job)
{
    if (ref->array_task != NO_VAL)
        return ref->job == job->array_job_id && has_task(job, ref->array_task);
    if (ref->all_tasks)
        return ref->job == job->array_job_id;
    return ref->job == job->id || ref->job == job->array_job_id;
}

bool acct_filter_wants_line(const struct acct_filter *filter, const struct job_record *job)
{
    for (uint32_t i = 0; i < filter->ids.n; i++) {
        const struct job_ref *ref = &filter->ids.at[i];

        if (acct_ref_names(ref, job) &&
            (ref->step == NO_VAL || filter->options->allocations || filter->options->completion))
            return true;
    }
    return filter->ids.n == 0;
}

bool acct_filter_wants_logged(const struct acct_filter *filter, const struct job_record *job)
{
    return has_word(&filter->options->partitions, job->partition) &&
           acct_filter_wants_line(filter, job);
}

bool acct_filter_wants_step(const struct acct_filter *filter, const struct job_record *job,
                            const struct step_record *step)
{
    if (filter->options->allocations || !step->start_time)
        return false;
    for (uint32_t i = 0; i < filter->ids.n; i++) {
        const struct job_ref *ref = &filter->ids.at[i];

        if (acct_ref_names(ref, job) && (ref->step == NO_VAL || ref->step == step->step_id))
            return true;
    }
    return filter->ids.n == 0;
}
