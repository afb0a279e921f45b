#include "cli/sacct/completion.h"

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

static void set_text(char **member, const char *value)
{
    free(*member);
    *member = xstrdup(value);
}

/* "ann(1000)" */
static void read_owner(const char *value, char **name, uint32_t *ret_id)
{
    const char *open = strrchr(value, '(');
    AUTO_FREE char *id = open ? xstrndup(open + 1, strcspn(open + 1, ")")) : NULL;

    free(*name);
    *name = open ? xstrndup(value, (size_t)(open - value)) : xstrdup(value);
    if (id)
        *ret_id = read_number(id);
}

/* "3:0": code and signal. */
static int32_t read_exit(const char *value)
{
    AUTO(words) struct words parts = words_split(value, ":");
    const int code = parts.n > 0 ? (int)read_number(parts.at[0]) : 0;
    const int signal = parts.n > 1 ? (int)read_number(parts.at[1]) : 0;

    return W_EXITCODE(code & 0xff, signal & 0x7f);
}

static void set_id(struct job_record *job, const char *value)
{
    job->id = read_number(value);
}

static void set_user(struct job_record *job, const char *value)
{
    read_owner(value, &job->user_name, &job->uid);
}

static void set_group(struct job_record *job, const char *value)
{
    read_owner(value, &job->group_name, &job->gid);
}

static void set_name(struct job_record *job, const char *value)
{
    set_text(&job->spec->name, value);
}

static void set_state(struct job_record *job, const char *value)
{
    uint32_t flags = 0;

    (void)job_state_parse(value, &job->state, &flags);
}

static void set_partition(struct job_record *job, const char *value)
{
    set_text(&job->partition, value);
}

static void set_limit(struct job_record *job, const char *value)
{
    uint64_t minutes;

    if (word_is(value, "UNLIMITED"))
        job->spec->time_limit = LIMIT_INFINITE;
    else if (number_parse(value, 0, UINT32_MAX, &minutes, NULL) == 0)
        job->spec->time_limit = (int64_t)minutes * 60;
}

static void set_start(struct job_record *job, const char *value)
{
    job->start_time = read_time(value);
}

static void set_end(struct job_record *job, const char *value)
{
    job->end_time = read_time(value);
}

static void set_nodes(struct job_record *job, const char *value)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;

    set_text(&job->node_list, value);
    if (strcmp(value, "(null)") == 0 || hostlist_parse(value, &hosts, NULL) < 0)
        return;
    for (uint32_t i = 0; i < hostlist_count(hosts); i++) {
        struct job_node *node = ARRAY_PUSH(job->nodes, job->nodes_n);

        job_node_init(node);
        node->name = xstrdup(hostlist_get(hosts, i));
    }
}

static void set_cpus(struct job_record *job, const char *value)
{
    job->ncpus = read_number(value);
}

static void set_directory(struct job_record *job, const char *value)
{
    set_text(&job->spec->work_dir, value);
}

static void set_reservation(struct job_record *job, const char *value)
{
    set_text(&job->spec->reservation, value);
}

static void set_account(struct job_record *job, const char *value)
{
    set_text(&job->spec->account, value);
}

static void set_qos(struct job_record *job, const char *value)
{
    set_text(&job->spec->qos, value);
}

static void set_wckey(struct job_record *job, const char *value)
{
    set_text(&job->spec->wckey, value);
}

static void set_submit(struct job_record *job, const char *value)
{
    job->submit_time = read_time(value);
}

static void set_eligible(struct job_record *job, const char *value)
{
    job->eligible_time = read_time(value);
}

static void set_array(struct job_record *job, const char *value)
{
    job->array_job_id = read_number(value);
}

static void set_task(struct job_record *job, const char *value)
{
    job->array_task = read_number(value);
}

static void set_derived(struct job_record *job, const char *value)
{
    job->derived_status = read_exit(value);
}

static void set_exit(struct job_record *job, const char *value)
{
    job->exit_status = read_exit(value);
}

/* In the order of a line; NULL is not told by any column. */
static const struct key {
    const char *name;
    set_fn *set;
} keys[] = {
    { "JobId", set_id },
    { "UserId", set_user },
    { "GroupId", set_group },
    { "Name", set_name },
    { "JobState", set_state },
    { "Partition", set_partition },
    { "TimeLimit", set_limit },
    { "StartTime", set_start },
    { "EndTime", set_end },
    { "NodeList", set_nodes },
    { "NodeCnt", NULL },
    { "ProcCnt", set_cpus },
    { "WorkDir", set_directory },
    { "ReservationName", set_reservation },
    { "Gres", NULL },
    { "Tres", NULL },
    { "Account", set_account },
    { "QOS", set_qos },
    { "WcKey", set_wckey },
    { "Cluster", NULL },
    { "SubmitTime", set_submit },
    { "EligibleTime", set_eligible },
    { "ArrayJobId", set_array },
    { "ArrayTaskId", set_task },
    { "DerivedExitCode", set_derived },
    { "ExitCode", set_exit },
};

/* The key that begins here, from `first` on: names of jobs and directories may look like others. */
static const struct key *key_at(const char *text, size_t first)
{
    for (size_t i = first; i < ARRAY_N(keys); i++) {
        const size_t n = strlen(keys[i].name);

        if (strncmp(text, keys[i].name, n) == 0 && text[n] == '=')
            return &keys[i];
    }
    return NULL;
}

/* Where the next key begins, or the end: values may have blanks in them. */
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

static void read_keys(const char *line, struct job_record *job)
{
    const struct key *key, *next;

    line = next_key(line, 0, &key);
    while (key) {
        const char *value = line + strlen(key->name) + 1;
        const char *end = next_key(value, (size_t)(key - keys) + 1, &next);
        AUTO_FREE char *text = xstrndup(value, (size_t)(end - value));

        if (key->set)
            key->set(job, word_trim(text));
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
    read_keys(line, history.job);
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
