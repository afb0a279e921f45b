#include "cli/squeue/filter.h"

#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include "cli/lib/tasks.h"
#include "common/text/licenses.h"

#define STATE_BIT(state) (1u << (state))
#define STATES_SHOWN     (STATE_BIT(JOB_PENDING) | STATE_BIT(JOB_RUNNING) | STATE_BIT(JOB_SUSPENDED))
#define FLAGS_SHOWN      (JOB_FLAG_COMPLETING | JOB_FLAG_CONFIGURING | JOB_FLAG_SPECIAL_EXIT)

/* States of Slurm that a job here is never in; asking for them is fine. */
static bool is_other_state(const char *word)
{
    static const char *const words[] = {
        "RESIZING",     "RS", "RESV_DEL_HOLD", "RD", "REQUEUED",  "RQ", "REQUEUE_FED",  "RF",
        "REQUEUE_HOLD", "RH", "REVOKED",       "RV", "SIGNALING", "SI", "SPECIAL_EXIT", "SE",
        "STAGE_OUT",    "SO", "STOPPED",       "ST",
    };

    for (size_t i = 0; i < ARRAY_N(words); i++) {
        if (word_is(word, words[i]))
            return true;
    }
    return false;
}

static int err_state(const char *word, struct err *err)
{
    AUTO(strbuf) struct strbuf names = { 0 };

    for (uint32_t i = 0; i < JOB_STATES_N; i++)
        strbuf_addf(&names, "%s,", job_state_name(i, 0));
    strbuf_adds(&names, "COMPLETING,CONFIGURING,RESIZING,RESV_DEL_HOLD,REQUEUED,REQUEUE_FED,"
                        "REQUEUE_HOLD,REVOKED,SIGNALING,SPECIAL_EXIT,STAGE_OUT,STOPPED");
    return err_set(err, E_SYNTAX,
                   "Invalid job state specified: %.60s\nValid job states include: %s", word,
                   strbuf_text(&names));
}

static int read_states(const char *text, struct queue_filter *filter, struct err *err)
{
    AUTO(words) struct words words = words_split(text, ",");

    filter->states = filter->flags = word_is(text, "all") ? UINT32_MAX : 0;
    if (filter->states)
        return 0;
    for (uint32_t i = 0; i < words.n; i++) {
        uint32_t state = JOB_STATES_N, flags = 0;

        if (job_state_parse(words.at[i], &state, &flags) == 0) {
            filter->states |= state < JOB_STATES_N ? STATE_BIT(state) : 0;
            filter->flags |= flags;
        } else if (!is_other_state(words.at[i])) {
            return err_state(words.at[i], err);
        }
    }
    return 0;
}

static void read_user(const char *name, struct queue_filter *filter)
{
    const struct passwd *entry = getpwnam(name);
    uint64_t uid = 0;

    if (entry)
        uid = entry->pw_uid;
    else if (number_parse(name, 0, UINT32_MAX - 1, &uid, NULL) < 0 || !getpwuid((uid_t)uid)) {
        *ARRAY_PUSH(filter->strangers.at, filter->strangers.n) = xstrdup(name);
        return;
    }
    *ARRAY_PUSH(filter->uids, filter->uids_n) = (uint32_t)uid;
}

static void read_users(const char *text, struct queue_filter *filter)
{
    AUTO(words) struct words words = words_split(text, ",");

    filter->some_users = true;
    for (uint32_t i = 0; i < words.n; i++)
        read_user(words.at[i], filter);
}

/* Reads references; where parts are told from one another, names the first that is none. */
static int read_refs(const char *text, const char *what, struct job_refs *ret, struct err *err)
{
    AUTO(words) struct words parts = { 0 };
    const char *wrong = text;

    if (!text || !*text || job_refs_parse(text, ret, NULL) == 0)
        return 0;
    if (!strchr(text, '['))
        parts = words_split(text, ",");
    for (uint32_t i = 0; i < parts.n && wrong == text; i++) {
        AUTO(job_refs) struct job_refs one = { 0 };

        if (job_refs_parse(parts.at[i], &one, NULL) < 0)
            wrong = parts.at[i];
    }
    return err_set(err, E_SYNTAX, "Invalid %s: %.100s", what, wrong);
}

static bool names_none(const char *text, const struct job_refs *refs)
{
    return text && *text && refs->n == 0;
}

/*
 * Reads words. A list without a name, as of a variable that is set and empty, is one that no job is
 * in.
 */
static struct words read_words(const char *text, struct queue_filter *filter)
{
    struct words words = text ? words_split(text, ",") : (struct words){ 0 };

    filter->wants_none |= text && words.n == 0;
    return words;
}

/* Reads nodes; "localhost" is this machine. */
static int read_nodes(const char *text, struct queue_filter *filter, struct err *err)
{
    char name[HOSTLIST_NAME_MAX + 1] = "";
    AUTO(hostlist) struct hostlist *hosts = NULL;
    int rc = hostlist_parse(text, &hosts, err);

    if (rc < 0)
        return rc;
    gethostname(name, sizeof(name) - 1);
    name[strcspn(name, ".")] = '\0';
    filter->nodes = hostlist_new();
    for (uint32_t i = 0; i < hostlist_count(hosts); i++) {
        const char *host = hostlist_get(hosts, i);

        hostlist_add(filter->nodes, strcmp(host, "localhost") == 0 ? name : host);
    }
    return 0;
}

int queue_filter_init(struct queue_filter *filter, const struct squeue_options *options,
                      uint32_t my_uid, struct err *err)
{
    int rc;

    memset(filter, 0, sizeof(*filter));
    filter->not_uid = options->not_me ? my_uid : COUNT_UNSET;
    filter->see_all = options->all && !options->hide;
    filter->states = options->start ? STATE_BIT(JOB_PENDING) : STATES_SHOWN;
    filter->flags = options->start ? 0 : FLAGS_SHOWN;
    filter->partitions = read_words(options->partitions, filter);
    filter->names = read_words(options->names, filter);
    filter->accounts = read_words(options->accounts, filter);
    filter->qos = read_words(options->qos, filter);
    filter->licenses = read_words(options->licenses, filter);
    filter->reservation = options->reservation;
    rc = read_refs(options->jobs, "job id", &filter->jobs, err);
    if (rc == 0)
        rc = read_refs(options->steps, "job_step id", &filter->steps, err);
    filter->wants_none |=
        names_none(options->jobs, &filter->jobs) || names_none(options->steps, &filter->steps);
    if (rc == 0 && options->states)
        rc = read_states(options->states, filter, err);
    if (options->users && !options->me)
        read_users(options->users, filter);
    if (rc == 0 && options->nodes)
        rc = read_nodes(options->nodes, filter, err);
    if (options->me) {
        filter->some_users = true;
        *ARRAY_PUSH(filter->uids, filter->uids_n) = my_uid;
    }
    return rc;
}

void queue_filter_clear(struct queue_filter *filter)
{
    job_refs_clear(&filter->jobs);
    job_refs_clear(&filter->steps);
    words_clear(&filter->partitions);
    words_clear(&filter->names);
    words_clear(&filter->accounts);
    words_clear(&filter->qos);
    words_clear(&filter->licenses);
    words_clear(&filter->strangers);
    hostlist_free(filter->nodes);
    free(filter->uids);
    memset(filter, 0, sizeof(*filter));
}

void queue_filter_auto_(struct queue_filter *filter)
{
    queue_filter_clear(filter);
}

/* ---- deciding ---- */

static bool has_uid(const struct queue_filter *filter, uint32_t uid)
{
    if (uid == filter->not_uid)
        return false;
    for (uint32_t i = 0; i < filter->uids_n; i++) {
        if (filter->uids[i] == uid)
            return true;
    }
    return !filter->some_users;
}

/* True if the word is in the list, in the same case. An empty list wants all. */
static bool has_word(const struct words *words, const char *text)
{
    return words->n == 0 || words_have_exactly(words, text);
}

/* True if the word is in the list in any case, as in Slurm for job names and accounts. */
static bool has_word_in_any_case(const struct words *words, const char *text)
{
    return words->n == 0 || (text && words_have(words, text));
}

static bool has_state(const struct queue_filter *filter, const struct job_record *job)
{
    if (job->flags & FLAGS_SHOWN)
        return filter->flags & job->flags & FLAGS_SHOWN;
    return filter->states & STATE_BIT(job->state);
}

static bool has_node(const struct queue_filter *filter, const struct job_record *job)
{
    bool found = !filter->nodes;

    for (uint32_t i = 0; i < job->nodes_n && !found; i++)
        found = hostlist_find(filter->nodes, job->nodes[i].name) >= 0;
    return found;
}

static bool has_license(const struct queue_filter *filter, const struct job_record *job)
{
    AUTO(licenses) struct licenses licenses = { 0 };

    if (filter->licenses.n == 0)
        return true;
    licenses_parse(job->spec->licenses, &licenses, NULL);
    for (uint32_t i = 0; i < filter->licenses.n; i++) {
        if (licenses_count(&licenses, filter->licenses.at[i]))
            return true;
    }
    return false;
}

/* True if the job names the reservation; one that names several does so only by all of them. */
static bool has_reservation(const struct queue_filter *filter, const struct job_record *job)
{
    const char *named = job->spec->reservation;

    return !filter->reservation || (named && strcmp(filter->reservation, named) == 0);
}

bool queue_filter_wants_job(const struct queue_filter *filter, const struct job_record *job)
{
    return !filter->wants_none && has_uid(filter, job->uid) && has_state(filter, job) &&
           has_word(&filter->partitions, job->partition) &&
           has_word_in_any_case(&filter->names, job->spec->name) &&
           has_word_in_any_case(&filter->accounts, job->spec->account) &&
           has_word(&filter->qos, job->spec->qos) && has_node(filter, job) &&
           has_license(filter, job) && has_reservation(filter, job);
}

static bool step_has_node(const struct queue_filter *filter, const struct step_record *step)
{
    bool found = !filter->nodes;

    for (uint32_t i = 0; i < step->nodes_n && !found; i++)
        found = hostlist_find(filter->nodes, step->nodes[i].name) >= 0;
    return found;
}

bool queue_filter_wants_step(const struct queue_filter *filter, const struct step_record *step)
{
    return !filter->wants_none && step->state != STEP_PENDING && step->state != STEP_ENDED &&
           refs_name_step(&filter->jobs, step) && refs_name_step(&filter->steps, step) &&
           has_uid(filter, step->uid) && has_word(&filter->partitions, step->partition) &&
           step_has_node(filter, step);
}

/*
 * Sets the states to ask for. A job with a flag that is shown is judged by that, others by their
 * state.
 */
static void request_states(const struct queue_filter *filter, struct job_list *request)
{
    if (filter->states == UINT32_MAX || !(filter->states | filter->flags))
        return;
    for (uint32_t state = 0; state < JOB_STATES_N; state++) {
        if (filter->states & STATE_BIT(state))
            *ARRAY_PUSH(request->states, request->states_n) = state;
    }
    request->flags = filter->flags & FLAGS_SHOWN;
}

void queue_filter_request(const struct queue_filter *filter, bool of_steps,
                          struct job_list *request)
{
    request->hide = !filter->see_all && !filter->jobs.n && !filter->partitions.n;
    for (uint32_t i = 0; i < filter->jobs.n; i++)
        *ARRAY_PUSH(request->job_ids, request->job_ids_n) = filter->jobs.at[i].job;
    for (uint32_t i = 0; i < filter->uids_n; i++)
        *ARRAY_PUSH(request->uids, request->uids_n) = filter->uids[i];
    if (of_steps) /* they have partitions and states of their own */
        return;
    for (uint32_t i = 0; i < filter->partitions.n; i++)
        *ARRAY_PUSH(request->partitions, request->partitions_n) = xstrdup(filter->partitions.at[i]);
    request_states(filter, request);
}
