#include "ctld/dispatch/completion_text.h"

#include <inttypes.h>
#include <paths.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "common/base/plain.h"
#include "common/msg/tres.h"
#include "common/text/duration.h"
#include "common/text/timetext.h"

#define NO_TASK UINT32_C(0xfffffffe) /* what scripts see where there is no task of an array */

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static void add_exit(int32_t status, struct strbuf *out)
{
    strbuf_addf(out, "%d:%d", WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

/* Adds the limit in minutes; what the partition allows is not known here. */
static void add_limit(const struct job_record *job, struct strbuf *out)
{
    int64_t limit = job->spec->time_limit;

    if (limit < 0)
        strbuf_adds(out, "UNLIMITED");
    else
        strbuf_addi(out, duration_minutes(limit));
}

/* ---- the line of jobcomp/filetxt ---- */

static void add_key(const char *key, const char *value, struct strbuf *out)
{
    strbuf_addf(out, "%s=", key);
    for (const char *at = or_empty(value); *at; at++)
        strbuf_addc(out, (unsigned char)*at < ' ' ? ' ' : *at);
    strbuf_addc(out, ' ');
}

static void add_owner(const char *key, const char *name, uint32_t id, struct strbuf *out)
{
    strbuf_addf(out, "%s=%s(%" PRIu32 ") ", key, or_empty(name), id);
}

static void add_time(const char *key, int64_t t, struct strbuf *out)
{
    strbuf_addf(out, "%s=", key);
    time_format(out, t, NULL, 0, "Unknown");
    strbuf_addc(out, ' ');
}

static void add_where(const struct job_record *job, const struct job_body *body,
                      const char *counted, struct strbuf *out)
{
    AUTO(tres) struct tres tres = tres_requested(job);

    add_key("NodeList", job->node_list ? job->node_list : "(null)", out);
    strbuf_addf(out, "NodeCnt=%" PRIu32 " ProcCnt=%" PRIu32 " ", job->nodes_n, job->ncpus);
    add_key("WorkDir", body->work_dir ? body->work_dir : "unknown", out);
    add_key("ReservationName", job->spec->reservation, out);
    strbuf_adds(out, "Tres=");
    tres_format(&tres, counted, out);
    strbuf_addc(out, ' ');
}

static void add_rest(const struct job_record *job, const char *cluster, struct strbuf *out)
{
    add_key("Account", job->spec->account, out);
    add_key("QOS", job->spec->qos, out);
    add_key("WcKey", job->spec->wckey, out);
    add_key("Cluster", cluster, out);
    add_time("SubmitTime", job->submit_time, out);
    add_time("EligibleTime", job->eligible_time, out);
    if (job->array_task != COUNT_UNSET)
        strbuf_addf(out, "ArrayJobId=%" PRIu32 " ArrayTaskId=%" PRIu32 " ", job->array_job_id,
                    job->array_task);
    strbuf_adds(out, "DerivedExitCode=");
    add_exit(job->derived_status, out);
    strbuf_adds(out, " ExitCode=");
    add_exit(job->exit_status, out);
    strbuf_addc(out, ' ');
}

void completion_line(const struct job_record *job, const struct job_body *body, const char *cluster,
                     const char *counted, struct strbuf *out)
{
    const size_t from = out->len;

    strbuf_addf(out, "JobId=%" PRIu32 " ", job->id);
    add_owner("UserId", job->user_name, job->uid, out);
    add_owner("GroupId", job->group_name, job->gid, out);
    add_key("Name", job->spec->name, out);
    add_key("JobState", job_state_name(job->state, 0), out);
    add_key("Partition", job->partition, out);
    strbuf_adds(out, "TimeLimit=");
    add_limit(job, out);
    strbuf_addc(out, ' ');
    add_time("StartTime", job->start_time, out);
    add_time("EndTime", job->end_time, out);
    add_where(job, body, counted, out);
    add_rest(job, cluster, out);
    plain_escape(out, from);
    strbuf_addc(out, '\n');
}

/* ---- the variables of jobcomp/script ---- */

struct variables {
    char **at;
    uint32_t n;
};

static void set(struct variables *variables, const char *name, const char *value)
{
    *ARRAY_PUSH(variables->at, variables->n) = xasprintf("%s=%s", name, or_empty(value));
}

static void set_number(struct variables *variables, const char *name, int64_t number)
{
    *ARRAY_PUSH(variables->at, variables->n) = xasprintf("%s=%" PRId64, name, number);
}

static void set_made(struct variables *variables, const char *name, struct strbuf *value)
{
    set(variables, name, strbuf_text(value));
    strbuf_clear(value);
}

static void set_numbers(struct variables *variables, const struct job_record *job)
{
    AUTO(strbuf) struct strbuf value = { 0 };

    set_number(variables, "JOBID", job->id);
    add_exit(job->exit_status, &value);
    set_made(variables, "EXITCODE", &value);
    add_exit(job->derived_status, &value);
    set_made(variables, "DERIVED_EC", &value);
    set_number(variables, "ARRAYJOBID", job->array_job_id);
    set_number(variables, "ARRAYTASKID",
               job->array_task == COUNT_UNSET ? NO_TASK : job->array_task);
    set_number(variables, "UID", job->uid);
    set_number(variables, "GID", job->gid);
    set_number(variables, "START", job->start_time);
    set_number(variables, "END", job->end_time);
    set_number(variables, "SUBMIT", job->submit_time);
    set_number(variables, "PROCS", job->ncpus);
    set_number(variables, "NODECNT", job->nodes_n);
    add_limit(job, &value);
    set_made(variables, "LIMIT", &value);
}

static void set_texts(struct variables *variables, const struct job_record *job,
                      const struct job_body *body, const char *cluster)
{
    const struct job_spec *spec = job->spec;

    set(variables, "BATCH", spec->kind == JOB_KIND_BATCH ? "yes" : "no");
    set(variables, "CLUSTER", cluster);
    set(variables, "CONSTRAINTS", spec->features);
    set(variables, "NODES", job->node_list);
    set(variables, "ACCOUNT", spec->account);
    set(variables, "JOBNAME", spec->name);
    set(variables, "JOBSTATE", job_state_name(job->state, 0));
    set(variables, "PARTITION", job->partition);
    set(variables, "QOS", spec->qos);
    set(variables, "WORK_DIR", body->work_dir);
    set(variables, "RESERVATION", spec->reservation);
    set(variables, "USERNAME", job->user_name);
    set(variables, "GROUPNAME", job->group_name);
    set(variables, "STATEREASONPREV", job_reason_name(job->reason));
    set(variables, "STDIN", body->std_in);
    set(variables, "STDOUT", body->std_out);
    set(variables, "STDERR", body->std_err);
    set(variables, "PATH", _PATH_STDPATH);
    if (getenv("TZ"))
        set(variables, "TZ", getenv("TZ"));
}

char **completion_environment(const struct job_record *job, const struct job_body *body,
                              const char *cluster)
{
    struct variables variables = { 0 };

    set_numbers(&variables, job);
    set_texts(&variables, job, body, cluster);
    *ARRAY_PUSH(variables.at, variables.n) = NULL;
    return variables.at;
}
