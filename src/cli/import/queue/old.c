#include "cli/import/queue/old.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/msg/common.h"
#include "common/proc/apart.h"
#include "common/text/tasks.h"
#include "common/text/words.h"

#define COMMAND_TIMEOUT_MS 120000
#define WORDS_MAX          12

extern char **environ;

/* ---- running its commands ---- */

struct call {
    const struct old *old;
    const char *words[WORDS_MAX]; /* ended by NULL */
};

static char *path_of(const struct old *old, const char *name)
{
    return old->bin ? xasprintf("%s/%s", old->bin, name) : xstrdup(name);
}

/* Variables that turn the output of Slurm's commands into another are left out. */
static void clean_environment(const struct call *call)
{
    static const char *const kept[] = { "SLURM_CONF=", "SLURM_CONF_SERVER=" };

    for (char **at = environ; *at;) {
        const char *text = *at;
        AUTO_FREE char *name = NULL;
        bool is_kept = false;

        for (size_t i = 0; i < ARRAY_N(kept); i++)
            is_kept |= word_starts(text, kept[i], NULL);
        if (is_kept || !(word_starts(text, "SLURM_", NULL) || word_starts(text, "SQUEUE_", NULL) ||
                         word_starts(text, "SCANCEL_", NULL) || word_starts(text, "SACCT_", NULL) ||
                         word_starts(text, "SCONTROL_", NULL))) {
            at++;
            continue;
        }
        name = xstrndup(text, strcspn(text, "="));
        unsetenv(name);
        at = environ;
    }
    setenv("LC_ALL", "C", 1);
    setenv("SLURM_BITSTR_LEN", "0", 1); /* all tasks of an array, however many */
    if (call->old->conf)
        setenv("SLURM_CONF", call->old->conf, 1);
}

/* Becomes the command, with `fd` as its standard output. */
static void become_command(const void *arg, int fd)
{
    const struct call *call = arg;
    AUTO_FREE char *path = path_of(call->old, call->words[0]);
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    clean_environment(call);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(fd, STDOUT_FILENO) < 0)
        _exit(126);
    execvp(path, (char *const *)(uintptr_t)call->words);
    fprintf(stderr, "sluice: %s: %s\n", path, strerror(errno));
    _exit(127);
}

static int run(const struct call *call, struct strbuf *out, struct err *err)
{
    return proc_apart(become_command, call, COMMAND_TIMEOUT_MS, out, err);
}

/* ---- which cluster ---- */

/* Finds the file that a command is, as execvp does. */
static char *find_command(const struct old *old, const char *name)
{
    AUTO(words) struct words dirs = words_split(old->bin ? old->bin : getenv("PATH"), ":");

    for (uint32_t i = 0; i < dirs.n; i++) {
        AUTO_FREE char *path = xasprintf("%s/%s", dirs.at[i], name);

        if (access(path, X_OK) == 0)
            return realpath(path, NULL);
    }
    return NULL;
}

static int check_commands(const struct old *old, struct err *err)
{
    static const char *const names[] = { "squeue", "scontrol", "scancel" };

    for (size_t i = 0; i < ARRAY_N(names); i++) {
        AUTO_FREE char *path = find_command(old, names[i]);
        const char *name = path ? strrchr(path, '/') : NULL;

        if (!path)
            return err_set(err, ENOENT,
                           "there is no %s%s%s: --from-bin says where the other cluster's commands "
                           "are",
                           names[i], old->bin ? " in " : "", old->bin ? old->bin : "");
        if (name && strcmp(name, "/sluice") == 0)
            return err_set(err, EINVAL,
                           "%s is this cluster's own command, not the one that jobs come from: "
                           "--from-bin says where the other cluster's commands are",
                           names[i]);
    }
    return 0;
}

/* Returns the value of a line "KEY = VALUE", or NULL. */
static char *config_value(const char *text, const char *key)
{
    AUTO(words) struct words lines = words_split(text, "\n");

    for (uint32_t i = 0; i < lines.n; i++) {
        const char *rest;

        if (!word_starts(lines.at[i], key, &rest) || !(*rest == ' ' || *rest == '='))
            continue;
        rest += strspn(rest, " =");
        return xstrdup(rest);
    }
    return NULL;
}

int old_open(struct old *old, struct err *err)
{
    const struct call call = { old, { "scontrol", "show", "config" } };
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO_FREE char *flags = NULL;
    int rc = check_commands(old, err);

    if (rc == 0)
        rc = run(&call, &text, err);
    if (rc < 0)
        return rc;
    old->cluster = config_value(strbuf_text(&text), "ClusterName");
    if (!old->cluster || !*old->cluster)
        return err_set(
            err, E_CONTACT,
            "'scontrol show config' names no cluster: the one that jobs come from has to "
            "run");
    flags = config_value(strbuf_text(&text), "AccountingStoreFlags");
    old->keeps_environments = list_has_word(flags, "job_env");
    return 0;
}

void old_close(struct old *old)
{
    free(old->cluster);
    old->cluster = NULL;
}

/* ---- lists ---- */

/* Columns of squeue that hold numbers, words of Slurm's own, and names of users. */
#define ROW_FORMAT "%A|%F|%K|%U|%G|%u|%t|%y|%Q|%V|%r"

enum {
    ROW_JOB,
    ROW_ARRAY,
    ROW_TASKS,
    ROW_UID,
    ROW_GID,
    ROW_USER,
    ROW_STATE,
    ROW_NICE,
    ROW_PRIORITY,
    ROW_SUBMITTED,
    ROW_REASON,
    ROW_N,
};

/* Splits a line at its first ROW_N - 1 bars, in place. */
static int split_row(char *line, const char *cells[ROW_N], struct err *err)
{
    char *at = line;

    for (int i = 0; i < ROW_N; i++) {
        cells[i] = at;
        if (i == ROW_N - 1)
            break;
        at = strchr(at, '|');
        if (!at)
            return err_set(err, E_PROTO, "squeue: '%.100s' is no line of a list of jobs", line);
        *at++ = '\0';
    }
    return 0;
}

static int read_u32(const char *text, uint32_t *ret, struct err *err)
{
    uint64_t number;
    int rc = number_parse(text, 0, UINT32_MAX, &number, err);

    if (rc == 0)
        *ret = (uint32_t)number;
    return rc < 0 ? err_prefix(err, "squeue") : 0;
}

static int read_nice(const char *text, int32_t *ret, struct err *err)
{
    const bool is_negative = *text == '-';
    uint64_t number;
    int rc = number_parse(text + is_negative, 0, INT32_MAX, &number, err);

    if (rc < 0)
        return err_prefix(err, "squeue");
    *ret = is_negative ? -(int32_t)number : (int32_t)number;
    return 0;
}

/* Whoever held a job, its priority is 0. */
static uint32_t hold_of(const char *priority, const char *reason)
{
    if (strcmp(priority, "0") != 0)
        return QUEUE_HOLD_NONE;
    return word_is(reason, "JobHeldAdmin") ? QUEUE_HOLD_ADMIN : QUEUE_HOLD_USER;
}

static int read_row(char *line, struct queue_job *job, struct err *err)
{
    const char *cells[ROW_N];
    int rc = split_row(line, cells, err);

    if (rc == 0)
        rc = read_u32(cells[ROW_JOB], &job->job_id, err);
    if (rc == 0)
        rc = read_u32(cells[ROW_ARRAY], &job->array_id, err);
    if (rc == 0)
        rc = read_u32(cells[ROW_UID], &job->uid, err);
    if (rc == 0)
        rc = read_u32(cells[ROW_GID], &job->gid, err);
    if (rc == 0)
        rc = read_nice(cells[ROW_NICE], &job->nice, err);
    if (rc < 0)
        return rc;
    if (strcmp(cells[ROW_TASKS], "N/A") == 0)
        job->array_id = 0;
    else
        job->tasks = xstrdup(cells[ROW_TASKS]);
    job->user_name = xstrdup(cells[ROW_USER]);
    job->submitted = xstrdup(cells[ROW_SUBMITTED]);
    job->waits = strcmp(cells[ROW_STATE], "PD") == 0;
    job->hold = job->waits ? hold_of(cells[ROW_PRIORITY], cells[ROW_REASON]) : QUEUE_HOLD_NONE;
    return 0;
}

static int compare_jobs(const void *a, const void *b)
{
    const struct queue_job *one = a, *other = b;

    return one->job_id < other->job_id ? -1 : one->job_id > other->job_id;
}

/* Adds a task to those of the record, of which squeue prints a line for each. */
static void add_task(struct queue_job *job, const char *task, struct strbuf *tasks)
{
    if (!job->array_id)
        return;
    strbuf_addf(tasks, "%s%s", tasks->len ? "," : "", task);
}

/* Writes the tasks as "1-5,9"; what is none stays for whoever looks at it. */
static void close_tasks(struct queue_job *job, struct strbuf *tasks)
{
    AUTO(bitset) struct bitset set = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    uint32_t limit;

    if (tasks_parse(strbuf_text(tasks), ARRAY_TASKS_MAX, &set, &limit, NULL) == 0) {
        tasks_format(&set, &text);
        xstrset(&job->tasks, strbuf_text(&text));
    }
    strbuf_truncate(tasks, 0);
}

/* Makes one record of the lines of one, which stand beside one another. */
static void join_rows(struct saved *saved)
{
    AUTO(strbuf) struct strbuf tasks = { 0 };
    uint32_t n = 0;

    for (uint32_t i = 0; i < saved->jobs_n; i++) {
        struct queue_job *job = &saved->jobs[i];
        const bool is_more = n && saved->jobs[n - 1].job_id == job->job_id;

        if (!is_more && n)
            close_tasks(&saved->jobs[n - 1], &tasks);
        add_task(job, job->tasks, &tasks);
        if (is_more)
            queue_job_clear(job);
        else
            saved->jobs[n++] = *job;
    }
    if (n)
        close_tasks(&saved->jobs[n - 1], &tasks);
    saved->jobs_n = n;
}

int old_read_rows(const char *text, struct saved *ret, struct err *err)
{
    AUTO(words) struct words lines = words_split(text, "\n");
    int rc = 0;

    for (uint32_t i = 0; rc == 0 && i < lines.n; i++) {
        struct queue_job *job = ARRAY_PUSH(ret->jobs, ret->jobs_n);

        queue_job_init(job);
        rc = read_row(lines.at[i], job, err);
    }
    if (rc == 0 && ret->jobs_n) {
        qsort(ret->jobs, ret->jobs_n, sizeof(*ret->jobs), compare_jobs);
        join_rows(ret);
    }
    return rc;
}

int old_list(const struct old *old, struct saved *ret, struct err *err)
{
    /* The line with titles tells an empty list from a command that failed. */
    const struct call call = { old,
                               { "squeue", "-a", "-r", "-t", "PD,R,S,CG,CF", "-o", ROW_FORMAT } };
    AUTO(strbuf) struct strbuf text = { 0 };
    const char *rows;
    int rc = run(&call, &text, err);

    *ret = (struct saved){ 0 };
    if (rc < 0)
        return rc;
    rows = strchr(strbuf_text(&text), '\n');
    if (!rows)
        return err_set(err, E_CONTACT, "squeue of cluster %s lists nothing", old->cluster);
    rc = old_read_rows(rows, ret, err);
    if (rc < 0)
        saved_clear(ret);
    return rc;
}

/* ---- one job ---- */

#define CONTROLS "\001"

/* Reads "COMMENT\001PATH\001PATH\001PATH\001" of the job's first line. What only administrators
 * write comes first, where no text of a user is before it. */
static void read_patterns(char *text, struct queue_job *job)
{
    char **const into[] = { &job->admin_comment, &job->std_out, &job->std_err, &job->std_in };

    for (size_t i = 0; i < ARRAY_N(into); i++) {
        char *end = strchr(text, CONTROLS[0]);

        if (!end)
            return;
        *end = '\0';
        xstrset(into[i], *text && strcmp(text, "(null)") != 0 ? text : NULL);
        text = end + 1;
    }
}

static int look_at_patterns(const struct old *old, struct queue_job *job, const char *id,
                            struct err *err)
{
    const struct call call = { old,
                               { "squeue", "-h", "-a", "-j", id, "-O",
                                 "admin_comment:" CONTROLS ",STDOUT:" CONTROLS ",STDERR:" CONTROLS
                                 ",STDIN:" CONTROLS } };
    AUTO(strbuf) struct strbuf text = { 0 };
    int rc = run(&call, &text, err);

    if (rc == 0 && text.len)
        read_patterns(text.data, job);
    return rc;
}

static int look_at_script(const struct old *old, struct queue_job *job, const char *id,
                          struct err *err)
{
    const struct call call = { old, { "scontrol", "write", "batch_script", id, "-" } };
    AUTO(strbuf) struct strbuf text = { 0 };
    int rc = run(&call, &text, err);

    if (rc < 0 || text.len > BLOB_MAX)
        return rc;
    free(job->script.data);
    job->script.n = (uint32_t)text.len;
    job->script.data = xmemdup(strbuf_text(&text), text.len);
    return 0;
}

/* True if the line begins a variable: a name as shells have it, or a function of bash. */
static bool begins_variable(const char *line)
{
    size_t n = 0;

    if (!isalpha((unsigned char)*line) && *line != '_')
        return false;
    while (isalnum((unsigned char)line[n]) || (line[n] && strchr("_%-.():", line[n])))
        n++;
    return line[n] == '=';
}

/* True at the head of another record's variables. */
static bool is_head(const char *line)
{
    return word_starts(line, "Environment used for ", NULL);
}

void old_read_environment(const char *text, struct strbuf *out)
{
    const char *at = strstr(text, "\n----");
    size_t last = 0;

    if (!is_head(text) || !at)
        return;
    at += 1 + strcspn(at + 1, "\n");
    for (at += *at == '\n'; *at && !is_head(at); at += *at == '\n') {
        const size_t n = strcspn(at, "\n");

        if (begins_variable(at) && out->len)
            strbuf_addc(out, '\0');
        else if (out->len)
            strbuf_addc(out, '\n');
        if (begins_variable(at) || out->len)
            strbuf_add(out, at, n);
        if (n)
            last = out->len;
        at += n;
    }
    strbuf_truncate(out, last); /* empty lines end the answer */
    if (out->len)
        strbuf_addc(out, '\0');
}

static int look_at_environment(const struct old *old, struct queue_job *job, const char *id,
                               struct err *err)
{
    const struct call call = { old, { "sacct", "-j", id, "--env-vars" } };
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(strbuf) struct strbuf variables = { 0 };
    int rc = old->keeps_environments ? run(&call, &text, err) : 0;

    if (rc < 0)
        return rc;
    old_read_environment(strbuf_text(&text), &variables);
    if (!variables.len || variables.len > BLOB_MAX)
        return 0;
    free(job->environment.data);
    job->environment.n = (uint32_t)variables.len;
    job->environment.data = xmemdup(variables.data, variables.len);
    return 0;
}

int old_show(const struct old *old, struct queue_job *job, struct err *err)
{
    AUTO_FREE char *id = xasprintf("%u", job->job_id);
    const struct call call = { old, { "scontrol", "show", "job", id } };
    AUTO(strbuf) struct strbuf text = { 0 };
    int rc = run(&call, &text, err);

    if (rc == 0)
        xstrset(&job->shown, strbuf_text(&text));
    return rc;
}

int old_look(const struct old *old, struct queue_job *job, struct err *err)
{
    AUTO_FREE char *id = xasprintf("%u", job->job_id);
    int rc = old_show(old, job, err);

    if (rc == 0)
        rc = look_at_patterns(old, job, id, err);
    if (rc == 0)
        rc = look_at_script(old, job, id, err);
    return rc < 0 ? rc : look_at_environment(old, job, id, err);
}

/* ---- changes ---- */

/* Returns the job's name for commands. The tasks of an array that are in the record are named: some
 * may be in others, which are not meant. */
static char *name_of(const struct queue_job *job)
{
    return job->array_id ? xasprintf("%u_[%s]", job->array_id, job->tasks)
                         : xasprintf("%u", job->job_id);
}

static int order(const struct old *old, const char *program, const char *verb, const char *id,
                 struct err *err)
{
    const struct call call = { old, { program, verb ? verb : id, verb ? id : NULL } };
    AUTO(strbuf) struct strbuf text = { 0 };

    return run(&call, &text, err);
}

int old_hold(const struct old *old, const struct queue_job *job, struct err *err)
{
    AUTO_FREE char *id = xasprintf("%u", job->job_id); /* to name tasks would divide the record */

    return order(old, "scontrol", "hold", id, err);
}

int old_unhold(const struct old *old, const struct queue_job *job, struct err *err)
{
    AUTO_FREE char *id = name_of(job);

    if (job->hold == QUEUE_HOLD_ADMIN)
        return 0;
    return order(old, "scontrol", job->hold == QUEUE_HOLD_USER ? "uhold" : "release", id, err);
}

int old_cancel(const struct old *old, const struct queue_job *job, struct err *err)
{
    AUTO_FREE char *id = name_of(job);

    /* Slurm 22.05 cancels all tasks that wait when some are named beside a state. */
    return order(old, "scancel", job->array_id ? NULL : "--state=PENDING", id, err);
}
