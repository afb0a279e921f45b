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

    if (filter->from <= filter->until)
        return 0;
    add_moment(filter->from, &from);
    add_moment(filter->until, &until);
    return err_set(err, E_SYNTAX, "error: Start time (%s) requested is after end time (%s).",
                   strbuf_text(&from), strbuf_text(&until));
}

/*
 * Reads the window. Without -S it begins today, with -s at this moment, with -j at no time; without
 * -E it ends now; with -s at the moment of -S, when there is one. The end is left out, unless it is
 * now or the beginning.
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
    filter->until = by_state && filter->from ? filter->from : now;
    if (rc == 0 && options->end)
        rc = read_time(options->end, now, &filter->until, err);
    if (rc == 0)
        rc = check_order(filter, err);
    if (filter->until == filter->from || filter->until == now)
        filter->until++;
    return rc;
}

void acct_filter_describe(const struct acct_filter *filter, struct strbuf *out)
{
    const char *date = "%a %b %e %H:%M:%S %Y"; /* as Slurm shows it here */

    strbuf_addf(out, "Jobs %s in the time window from ",
                filter->options->states.n ? "of these states" : "Eligible");
    time_format(out, filter->from, date, 0, "Epoch 0");
    strbuf_adds(out, " to ");
    time_format(out, filter->until, date, 0, "");
}

/* ---- lists ---- */

/* Fails as Slurm does, which names what stands behind the number, and the number. */
static int refuse_job(const char *text, struct err *err)
{
    const size_t n = strspn(text, "0123456789");
    const char behind = n ? text[n] : '\0';

    if (behind == '_')
        return err_set(err, E_SYNTAX, "fatal: Bad job array element specified: %.*s", (int)n, text);
    if (behind == '.')
        return err_set(err, E_SYNTAX, "fatal: Bad step specified: %.*s", (int)n, text);
    if (behind == '+')
        return err_set(err, E_SYNTAX, "fatal: Bad hetjob offset specified: %.*s", (int)n, text);
    return err_set(err, E_SYNTAX, "fatal: Bad job/step specified: %.100s", text);
}

static int read_jobs(struct acct_filter *filter, struct err *err)
{
    for (uint32_t i = 0; i < filter->options->jobs.n; i++) {
        const char *text = filter->options->jobs.at[i];
        AUTO(job_refs) struct job_refs refs = { 0 };

        if (job_refs_parse(text, &refs, NULL) < 0)
            return refuse_job(text, err);
        for (uint32_t j = 0; j < refs.n; j++)
            *ARRAY_PUSH(filter->ids.at, filter->ids.n) = refs.at[j];
    }
    return 0;
}

static bool is_state_without_jobs(const char *word)
{
    static const char *const words[] = { "RESIZING", "RS", "REVOKED", "RV", "SPECIAL_EXIT", "SE" };

    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (word_is(word, words[i]))
            return true;
    }
    return false;
}

static int read_state(struct acct_filter *filter, const char *word, struct err *err)
{
    uint32_t state = JOB_RUNNING, flags = 0; /* COMPLETING jobs have run till now */

    if (job_state_parse(word, &state, &flags) < 0)
        return err_set(err, E_SYNTAX, "fatal: unrecognized job state value '%.100s'", word);
    *ARRAY_PUSH(filter->states, filter->states_n) = state;
    return 0;
}

static int read_states(struct acct_filter *filter, struct err *err)
{
    for (uint32_t i = 0; i < filter->options->states.n; i++) {
        const char *word = filter->options->states.at[i];

        if (word_is(word, "REQUEUED") || word_is(word, "RQ"))
            filter->requeued = true;
        else if (!is_state_without_jobs(word) && read_state(filter, word, err) < 0)
            return -err->code;
    }
    return 0;
}

static int read_ids(const struct words *words, int64_t (*find)(const char *name), const char *kind,
                    uint32_t **ids, uint32_t *ids_n, struct err *err)
{
    for (uint32_t i = 0; i < words->n; i++) {
        uint64_t number;

        if (strcmp(words->at[i], "-1") == 0)
            continue; /* anybody */
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

static bool is_reason(const char *word)
{
#define REASON_WORD(name, number, text) text,
    static const char *const words[] = { JOB_REASONS(REASON_WORD) };
#undef REASON_WORD

    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (word_is(word, words[i]))
            return true;
    }
    return false;
}

static int read_reasons(const struct acct_filter *filter, struct err *err)
{
    const struct words *reasons = &filter->options->reasons;

    for (uint32_t i = 0; i < reasons->n; i++) {
        if (!is_reason(reasons->at[i]))
            return err_set(err, E_SYNTAX, "fatal: unrecognized job reason value '%.100s'",
                           reasons->at[i]);
    }
    return 0;
}

static int read_flags(struct acct_filter *filter, struct err *err)
{
    const struct words *flags = &filter->options->flags;

    for (uint32_t i = 0; i < flags->n; i++) {
        if (word_is(flags->at[i], "SchedMain"))
            filter->main_flag = true;
        else if (word_is(flags->at[i], "SchedBackfill"))
            filter->backfill_flag = true;
        else if (!word_is(flags->at[i], "SchedSubmit")) /* no job starts at its submission */
            return err_set(err, E_SYNTAX,
                           "error: Invalid flag '%.100s': SchedSubmit, SchedMain, SchedBackfill",
                           flags->at[i]);
    }
    return 0;
}

/* Reads "2" or "2-4". */
static int read_range(const char *text, const char *what, struct acct_range *ret, struct err *err)
{
    AUTO_FREE char *first = text ? xstrndup(text, strcspn(text, "-")) : NULL;
    const char *dash = text ? strchr(text, '-') : NULL;

    *ret = (struct acct_range){ 0, UINT64_MAX };
    if (!text)
        return 0;
    if (number_parse(first, 0, UINT32_MAX, &ret->least, NULL) < 0 ||
        number_parse(dash ? dash + 1 : first, 0, UINT32_MAX, &ret->most, NULL) < 0)
        return err_set(err, E_SYNTAX,
                       "error: Invalid numeric value \"%.100s\" for requested %s range.", text,
                       what);
    return 0;
}

static int read_limit(const char *text, uint64_t *ret_s, struct err *err)
{
    int64_t limit;

    if (duration_parse(text, &limit, NULL) < 0 || limit == 0)
        return err_set(err, E_SYNTAX, "fatal: Invalid time limit specification");
    *ret_s = limit < 0 ? UINT64_MAX : (uint64_t)duration_round_up(limit);
    return 0;
}

/* Reads the limits; the upper end alone means nothing. */
static int read_limits(struct acct_filter *filter, struct err *err)
{
    const struct sacct_options *options = filter->options;
    uint64_t most = 0;
    int rc = 0;

    filter->limit_s = (struct acct_range){ 0, UINT64_MAX };
    if (options->limit_max)
        rc = read_limit(options->limit_max, &most, err);
    if (rc == 0 && options->limit_min)
        rc = read_limit(options->limit_min, &filter->limit_s.least, err);
    if (rc == 0 && options->limit_min)
        filter->limit_s.most = options->limit_max ? most : filter->limit_s.least;
    return rc;
}

static void choose_users(struct acct_filter *filter, uint32_t uid)
{
    const struct sacct_options *options = filter->options;

    if (options->all_users || words_have(&options->users, "-1"))
        filter->uids_n = 0;
    else if (!filter->uids_n && !filter->ids.n && !options->nodes && uid)
        *ARRAY_PUSH(filter->uids, filter->uids_n) = uid;
}

int acct_filter_init(struct acct_filter *ret_filter, const struct sacct_options *options,
                     int64_t now, uint32_t uid, const struct acct_lookup *lookup, struct err *err)
{
    struct acct_filter *filter = ret_filter;
    int rc;

    *filter = (struct acct_filter){ .options = options };
    if ((rc = read_window(filter, now, err)) < 0 || (rc = read_jobs(filter, err)) < 0 ||
        (rc = read_states(filter, err)) < 0 || (rc = read_reasons(filter, err)) < 0 ||
        (rc = read_flags(filter, err)) < 0 ||
        (rc = read_ids(&options->users, lookup->user, "user", &filter->uids, &filter->uids_n,
                       err)) < 0 ||
        (rc = read_ids(&options->groups, lookup->group, "group", &filter->gids, &filter->gids_n,
                       err)) < 0 ||
        (rc = read_range(options->nnodes, "node", &filter->nnodes, err)) < 0 ||
        (rc = read_range(options->ncpus, "cpu", &filter->ncpus, err)) < 0 ||
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
    copy_words(&filter->options->accounts, &ret_list->accounts, &ret_list->accounts_n);
    ret_list->no_steps = filter->options->allocations;
    ret_list->from = filter->from;
    ret_list->until = filter->until;
    /* The last run that counts is not always the job's last. */
    ret_list->duplicates = filter->options->duplicates || filter->ids.n == 0;
}
