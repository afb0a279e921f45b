#include "cli/sacct/completion.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "common/text/hostlist.h"
#include "common/text/timetext.h"
#include "common/text/words.h"

typedef void set_fn(struct job_record *job, const char *value);

static uint32_t read_number(const char *text)
{
    uint64_t number;

    return number_parse(text, 0, UINT32_MAX, &number, NULL) < 0 ? 0 : (uint32_t)number;
}

static int64_t read_time(const char *text)
{
    int64_t moment;

    return time_parse(text, 0, &moment, NULL) < 0 ? 0 : moment;
}

/* Reads "ann(1000)". */
static void read_owner(const char *value, char **name, uint32_t *ret_id)
{
    const char *open = strrchr(value, '(');
    AUTO_FREE char *id = open ? xstrndup(open + 1, strcspn(open + 1, ")")) : NULL;

    free(*name);
    *name = open ? xstrndup(value, (size_t)(open - value)) : xstrdup(value);
    if (id)
        *ret_id = read_number(id);
}

/* Reads code and signal, as "3:0". */
static int32_t read_exit(const char *value)
{
    AUTO(words) struct words parts = words_split(value, ":");
    const int code = parts.n > 0 ? (int)read_number(parts.at[0]) : 0;
    const int signal = parts.n > 1 ? (int)read_number(parts.at[1]) : 0;

    return W_EXITCODE(code & 0xff, signal & 0x7f);
}

static void set_user(struct job_record *job, const char *value)
{
    read_owner(value, &job->user_name, &job->uid);
}

static void set_group(struct job_record *job, const char *value)
{
    read_owner(value, &job->group_name, &job->gid);
}

static void set_state(struct job_record *job, const char *value)
{
    uint32_t flags = 0;

    (void)job_state_parse(value, &job->state, &flags);
}

static void set_limit(struct job_record *job, const char *value)
{
    uint64_t minutes;

    if (word_is(value, "UNLIMITED"))
        job->spec->time_limit = LIMIT_INFINITE;
    else if (number_parse(value, 0, UINT32_MAX, &minutes, NULL) == 0)
        job->spec->time_limit = (int64_t)minutes * 60;
}

static void set_nodes(struct job_record *job, const char *value)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;

    xstrset(&job->node_list, value);
    if (strcmp(value, "(null)") == 0 || hostlist_parse(value, &hosts, NULL) < 0)
        return;
    for (uint32_t i = 0; i < hostlist_count(hosts); i++) {
        struct job_node *node = ARRAY_PUSH(job->nodes, job->nodes_n);

        job_node_init(node);
        node->name = xstrdup(hostlist_get(hosts, i));
    }
}

enum kind { UNTOLD, NUMBER, MOMENT, STATUS, TEXT, SPEC_TEXT, BODY_TEXT, SPECIAL };

#define MEMBER(m) offsetof(struct job_record, m)
#define SPEC(m)   offsetof(struct job_spec, m)
#define BODY(m)   offsetof(struct job_body, m)

/* Keys in the order of a line. No column tells what is UNTOLD. */
static const struct key {
    const char *name;
    enum kind kind;
    size_t member; /* of the record; of its spec or body for SPEC_TEXT, BODY_TEXT */
    set_fn *set;   /* of SPECIAL */
} keys[] = {
    { "JobId", NUMBER, MEMBER(id), NULL },
    { "UserId", SPECIAL, 0, set_user },
    { "GroupId", SPECIAL, 0, set_group },
    { "Name", SPEC_TEXT, SPEC(name), NULL },
    { "JobState", SPECIAL, 0, set_state },
    { "Partition", TEXT, MEMBER(partition), NULL },
    { "TimeLimit", SPECIAL, 0, set_limit },
    { "StartTime", MOMENT, MEMBER(start_time), NULL },
    { "EndTime", MOMENT, MEMBER(end_time), NULL },
    { "NodeList", SPECIAL, 0, set_nodes },
    { "NodeCnt", UNTOLD, 0, NULL },
    { "ProcCnt", NUMBER, MEMBER(ncpus), NULL },
    { "WorkDir", BODY_TEXT, BODY(work_dir), NULL },
    { "ReservationName", SPEC_TEXT, SPEC(reservation), NULL },
    { "Gres", UNTOLD, 0, NULL },
    { "Tres", UNTOLD, 0, NULL },
    { "Account", SPEC_TEXT, SPEC(account), NULL },
    { "QOS", SPEC_TEXT, SPEC(qos), NULL },
    { "WcKey", SPEC_TEXT, SPEC(wckey), NULL },
    { "Cluster", UNTOLD, 0, NULL },
    { "SubmitTime", MOMENT, MEMBER(submit_time), NULL },
    { "EligibleTime", MOMENT, MEMBER(eligible_time), NULL },
    { "ArrayJobId", NUMBER, MEMBER(array_job_id), NULL },
    { "ArrayTaskId", NUMBER, MEMBER(array_task), NULL },
    { "DerivedExitCode", STATUS, MEMBER(derived_status), NULL },
    { "ExitCode", STATUS, MEMBER(exit_status), NULL },
};

static void set_member(const struct key *key, struct history_job *history, const char *value)
{
    struct job_record *job = history->job;
    char *member = (char *)job + key->member;

    switch (key->kind) {
    case UNTOLD:
        break;
    case NUMBER:
        *(uint32_t *)(void *)member = read_number(value);
        break;
    case MOMENT:
        *(int64_t *)(void *)member = read_time(value);
        break;
    case STATUS:
        *(int32_t *)(void *)member = read_exit(value);
        break;
    case TEXT:
        xstrset((char **)(void *)member, value);
        break;
    case SPEC_TEXT:
        xstrset((char **)(void *)((char *)job->spec + key->member), value);
        break;
    case BODY_TEXT:
        xstrset((char **)(void *)((char *)history->body + key->member), value);
        break;
    case SPECIAL:
        key->set(job, value);
        break;
    }
}

/*
 * Returns the key that begins here, from `first` on: names of jobs and directories may look like
 * others.
 */
static const struct key *key_at(const char *text, size_t first)
{
    for (size_t i = first; i < ARRAY_N(keys); i++) {
        const size_t n = strlen(keys[i].name);

        if (strncmp(text, keys[i].name, n) == 0 && text[n] == '=')
            return &keys[i];
    }
    return NULL;
}

/* Returns where the next key begins, or the end: values may have blanks in them. */
static const char *next_key(const char *text, size_t first, const struct key **ret_key)
{
    const char *at = text;

    *ret_key = NULL;
    while (*at && !(*ret_key = key_at(at, first))) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    return at;
}

static void read_keys(const char *line, struct history_job *history)
{
    const struct key *key, *next;

    line = next_key(line, 0, &key);
    while (key) {
        const char *value = line + strlen(key->name) + 1;
        const char *end = next_key(value, (size_t)(key - keys) + 1, &next);
        AUTO_FREE char *text = xstrndup(value, (size_t)(end - value));

        set_member(key, history, word_trim(text));
        line = end;
        key = next;
    }
}

int completion_read(const char *line, struct history_job *ret_history, struct err *err)
{
    struct history_job history;

    history_job_init(&history);
    history.job = xcalloc(1, sizeof(*history.job));
    job_record_init(history.job);
    history.job->spec = xcalloc(1, sizeof(*history.job->spec));
    job_spec_init(history.job->spec);
    history.body = xmalloc(sizeof(*history.body));
    job_body_init(history.body);
    read_keys(line, &history);
    history.now = history.job->end_time;
    if (!history.job->id) {
        history_job_clear(&history);
        return err_set(err, E_SYNTAX, "no line of jobcomp/filetxt: %.100s", line);
    }
    *ret_history = history;
    return 0;
}

void completion_each(FILE *file, void (*on_job)(const struct history_job *history, void *ctx),
                     void *ctx)
{
    AUTO_FREE char *line = NULL;
    size_t size = 0;

    while (getline(&line, &size, file) > 0) {
        AUTO(history_job) struct history_job history;

        history_job_init(&history);
        line[strcspn(line, "\n")] = '\0';
        if (completion_read(line, &history, NULL) == 0)
            on_job(&history, ctx);
    }
}
