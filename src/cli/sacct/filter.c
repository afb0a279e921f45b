#include "cli/sacct/filter.h"

#include <string.h>
#include <time.h>

#include "common/text/duration.h"
#include "common/text/timetext.h"

/* ---- times ---- */

static int64_t midnight(int64_t now)
{
    time_t t = (time_t)now;
    struct tm tm;

    if (!localtime_r(&t, &tm))
        return now;
    tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
    tm.tm_isdst = -1;
    return (int64_t)mktime(&tm);
}

static int read_time(const char *text, int64_t now, int64_t *ret_time, struct err *err)
{
    if (time_parse_past(text, now, ret_time, NULL) == 0)
        return 0;
    return err_set(err, EINVAL, "Invalid time specification (pos=0): %.100s", text);
}

static void add_moment(int64_t t, struct strbuf *out)
{
    time_format(out, t, NULL, 0, "");
}

static int check_order(const struct acct_filter *filter, struct err *err)
{
    AUTO(strbuf) struct strbuf from = { 0 };
    AUTO(strbuf) struct strbuf until = { 0 };

    if (!filter->from || !filter->until || filter->from <= filter->until)
        return 0;
    add_moment(filter->from, &from);
    add_moment(filter->until, &until);
    return err_set(err, E_SYNTAX, "error: Start time (%s) requested is after end time (%s).",
                   strbuf_text(&from), strbuf_text(&until));
}

/*
 * Without -S: today, with -s this moment, with -j since ever. Without -E: no end; with -s (but not
 * for named jobs) the moment of -S.
 */
static int read_window(struct acct_filter *filter, int64_t now, struct err *err)
{
    const struct sacct_options *options = filter->options;
    bool by_state = options->states.n > 0, by_job = options->jobs.n > 0;
    int rc = 0;

    if (options->start)
        rc = read_time(options->start, now, &filter->from, err);
    else if (!by_job)
        filter->from = by_state ? now : midnight(now);
    if (rc == 0 && options->end)
        rc = read_time(options->end, now, &filter->until, err);
    else if (by_state && filter->from)
        filter->until = filter->from;
    return rc < 0 ? rc : check_order(filter, err);
}

/* ---- lists ---- */

static int read_jobs(struct acct_filter *filter, struct err *err)
{
    for (uint32_t i = 0; i < filter->options->jobs.n; i++) {
        const char *text = filter->options->jobs.at[i];
        AUTO(job_refs) struct job_refs refs = { 0 };

        if (job_refs_parse(text, &refs, NULL) < 0)
            return err_set(err, E_SYNTAX, "fatal: Bad job/step specified: %.100s", text);
        for (uint32_t j = 0; j < refs.n; j++)
            *ARRAY_PUSH(filter->ids.at, filter->ids.n) = refs.at[j];
    }
    return 0;
}

static bool is_state_without_jobs(const char *word)
{
    static const char *const words[] = { "RESIZING", "RS", "REQUEUED",     "RQ",
                                         "REVOKED",  "RV", "SPECIAL_EXIT", "SE" };

    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (word_is(word, words[i]))
            return true;
    }
    return false;
}

static int read_states(struct acct_filter *filter, struct err *err)
{
    for (uint32_t i = 0; i < filter->options->states.n; i++) {
        const char *word = filter->options->states.at[i];
        uint32_t state = JOB_RUNNING, flags = 0; /* COMPLETING jobs have run till now */

        if (is_state_without_jobs(word))
            filter->no_state = true;
        else if (job_state_parse(word, &state, &flags) < 0)
            return err_set(err, E_SYNTAX, "fatal: unrecognized job state value '%.100s'", word);
        else
            *ARRAY_PUSH(filter->states, filter->states_n) = state;
    }
    return 0;
}

static int read_ids(const struct words *words, int64_t (*find)(const char *name), const char *kind,
                    uint32_t **ids, uint32_t *ids_n, struct err *err)
{
    for (uint32_t i = 0; i < words->n; i++) {
        uint64_t number;

        if (number_parse(words->at[i], 0, UINT32_MAX - 1, &number, NULL) < 0) {
            int64_t found = find(words->at[i]);

            if (found < 0)
                return err_set(err, E_SYNTAX, "error: Invalid %s id: %.100s", kind, words->at[i]);
            number = (uint64_t)found;
        }
        *ARRAY_PUSH(*ids, *ids_n) = (uint32_t)number;
    }
    return 0;
}

/* "2", "2-4" */
static int read_range(const char *text, const char *what, struct acct_range *ret, struct err *err)
{
    AUTO_FREE char *first = text ? xstrndup(text, strcspn(text, "-")) : NULL;
    const char *dash = text ? strchr(text, '-') : NULL;

    *ret = (struct acct_range){ 0, UINT64_MAX };
    if (!text)
        return 0;
    if (number_parse(first, 0, UINT32_MAX, &ret->least, NULL) < 0 ||
        number_parse(dash ? dash + 1 : first, 0, UINT32_MAX, &ret->most, NULL) < 0)
        return err_set(err, E_SYNTAX, "error: Invalid %s: %.100s", what, text);
    return 0;
}

static int read_limits(struct acct_filter *filter, struct err *err)
{
    const struct sacct_options *options = filter->options;
    int64_t least, most;

    filter->limit_s = (struct acct_range){ 0, UINT64_MAX };
    if (!options->limit_min)
        return 0;
    if (duration_parse(options->limit_min, &least, NULL) < 0 || least < 0)
        return err_set(err, E_SYNTAX, "error: Invalid time limit: %.100s", options->limit_min);
    most = least;
    if (options->limit_max && (duration_parse(options->limit_max, &most, NULL) < 0 || most < 0))
        return err_set(err, E_SYNTAX, "error: Invalid time limit: %.100s", options->limit_max);
    filter->limit_s = (struct acct_range){ (uint64_t)least, (uint64_t)most };
    return 0;
}

static void choose_users(struct acct_filter *filter, uint32_t uid)
{
    const struct sacct_options *options = filter->options;

    if (filter->uids_n || options->all_users || options->completion || filter->ids.n || uid == 0)
        return;
    *ARRAY_PUSH(filter->uids, filter->uids_n) = uid;
}

int acct_filter_init(struct acct_filter *ret_filter, const struct sacct_options *options,
                     int64_t now, uint32_t uid, const struct acct_lookup *lookup, struct err *err)
{
    struct acct_filter *filter = ret_filter;
    int rc;

    *filter = (struct acct_filter){ .options = options };
    if ((rc = read_window(filter, now, err)) < 0 || (rc = read_jobs(filter, err)) < 0 ||
        (rc = read_states(filter, err)) < 0 ||
        (rc = read_ids(&options->users, lookup->user, "user", &filter->uids, &filter->uids_n,
                       err)) < 0 ||
        (rc = read_ids(&options->groups, lookup->group, "group", &filter->gids, &filter->gids_n,
                       err)) < 0 ||
        (rc = read_range(options->nnodes, "node count", &filter->nnodes, err)) < 0 ||
        (rc = read_range(options->ncpus, "cpu count", &filter->ncpus, err)) < 0 ||
        (rc = read_limits(filter, err)) < 0)
        return rc;
    if (options->nodes && (rc = hostlist_parse(options->nodes, &filter->nodes, err)) < 0)
        return rc;
    choose_users(filter, uid);
    return 0;
}

void acct_filter_clear(struct acct_filter *filter)
{
    job_refs_clear(&filter->ids);
    free(filter->states);
    free(filter->uids);
    free(filter->gids);
    hostlist_free(filter->nodes);
    *filter = (struct acct_filter){ 0 };
}

void acct_filter_auto_(struct acct_filter *filter)
{
    acct_filter_clear(filter);
}

/* ---- the request ---- */

static void copy_words(const struct words *words, char ***ret_texts, uint32_t *ret_n)
{
    for (uint32_t i = 0; i < words->n; i++)
        *ARRAY_PUSH(*ret_texts, *ret_n) = xstrdup(words->at[i]);
}

void acct_filter_request(const struct acct_filter *filter, struct history_list *ret_list)
{
    history_list_init(ret_list);
    for (uint32_t i = 0; i < filter->ids.n; i++)
        *ARRAY_PUSH(ret_list->job_ids, ret_list->job_ids_n) = filter->ids.at[i].job;
    for (uint32_t i = 0; i < filter->uids_n; i++)
        *ARRAY_PUSH(ret_list->uids, ret_list->uids_n) = filter->uids[i];
    copy_words(&filter->options->partitions, &ret_list->partitions, &ret_list->partitions_n);
    copy_words(&filter->options->names, &ret_list->names, &ret_list->names_n);
    ret_list->from = filter->from;
    ret_list->until = filter->until;
}

/* ---- jobs ---- */

/* When it ended, or a moment that never comes. */
static int64_t end_of(const struct job_record *job)
{
    return job_state_is_over(job->state) ? job->end_time : INT64_MAX;
}

static bool is_between(const struct acct_filter *filter, int64_t begin, int64_t end)
{
    return end >= filter->from && (!filter->until || begin <= filter->until);
}

static bool was_in_state(const struct acct_filter *filter, const struct job_record *job,
                         uint32_t state)
{
    int64_t start = job->start_time ? job->start_time : end_of(job);

    if (state == JOB_PENDING)
        return is_between(filter, job->submit_time, start);
    if (state == JOB_RUNNING)
        return job->nodes_n && is_between(filter, start, end_of(job));
    return job->state == state && is_between(filter, end_of(job), end_of(job));
}

static bool fits_time(const struct acct_filter *filter, const struct job_record *job)
{
    for (uint32_t i = 0; i < filter->states_n; i++) {
        if (was_in_state(filter, job, filter->states[i]))
            return true;
    }
    if (filter->states_n || filter->no_state)
        return false;
    return is_between(filter, job->eligible_time, end_of(job));
}

/* A named job in a wanted state, whenever that was. */
static bool fits_state(const struct acct_filter *filter, const struct job_record *job)
{
    for (uint32_t i = 0; i < filter->states_n; i++) {
        if (filter->states[i] == job->state)
            return true;
    }
    return filter->states_n == 0 && !filter->no_state;
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

    return !filter->options->limit_min || (limit >= 0 && is_in(&filter->limit_s, (uint64_t)limit));
}

bool acct_filter_wants(const struct acct_filter *filter, const struct job_record *job)
{
    const struct sacct_options *options = filter->options;
    bool by_name_only = filter->ids.n && !filter->from && !filter->until;

    return (by_name_only ? fits_state(filter, job) : fits_time(filter, job)) &&
           has_number(filter->uids, filter->uids_n, job->uid) &&
           has_number(filter->gids, filter->gids_n, job->gid) &&
           has_word(&options->partitions, job->partition) &&
           has_word(&options->names, job->spec->name) &&
           has_word(&options->accounts, job->spec->account) &&
           has_word(&options->qos, job->spec->qos) &&
           has_word(&options->wckeys, job->spec->wckey) && fits_nodes(filter, job) &&
           fits_limit(filter, job);
}

/* A task of an array is none of our jobs. */
static bool is_task(const struct job_ref *ref)
{
    return ref->array_task != NO_VAL || ref->all_tasks;
}

bool acct_filter_wants_line(const struct acct_filter *filter, const struct job_record *job)
{
    for (uint32_t i = 0; i < filter->ids.n; i++) {
        const struct job_ref *ref = &filter->ids.at[i];

        if (ref->job == job->id && !is_task(ref) &&
            (ref->step == NO_VAL || filter->options->allocations))
            return true;
    }
    return filter->ids.n == 0;
}

bool acct_filter_wants_step(const struct acct_filter *filter, const struct step_record *step)
{
    if (filter->options->allocations || filter->options->completion || !step->start_time)
        return false;
    for (uint32_t i = 0; i < filter->ids.n; i++) {
        const struct job_ref *ref = &filter->ids.at[i];

        if (ref->job == step->job_id && !is_task(ref) &&
            (ref->step == NO_VAL || ref->step == step->step_id))
            return true;
    }
    return filter->ids.n == 0;
}
