#include "cli/lib/job_facts.h"

#include "common/text/hostlist.h"

/* ---- when ---- */

int64_t job_started(const struct job_record *job)
{
    return job->state == JOB_PENDING || job_never_began(job) ? 0 : job->start_time;
}

bool job_never_began(const struct job_record *job)
{
    return job_state_is_over(job->state) && !job->nodes_n &&
           (!job->start_time || job->start_time == job->end_time);
}

int64_t job_ended(const struct job_record *job)
{
    return job_state_is_over(job->state) ? job->end_time : 0;
}

int64_t job_start_planned(const struct job_record *job, const struct job_info *info)
{
    if (!job->start_time && job->state == JOB_PENDING)
        return info->planned_start;
    return job->start_time;
}

int64_t job_start_expected(const struct job_record *job, const struct job_info *info, int64_t now)
{
    if (job->start_time || job_state_is_over(job->state))
        return job->start_time ? job->start_time : job->end_time;
    if (info->planned_start)
        return info->planned_start;
    return job->spec->begin > now ? job->spec->begin : 0;
}

int64_t job_end_from(const struct job_record *job, int64_t start)
{
    if (!job->end_time && start && job->spec->time_limit >= 0)
        return start + job->spec->time_limit;
    return job->end_time;
}

int64_t job_suspended_time(const struct job_record *job, int64_t now)
{
    const int64_t end = job_until(job, now);

    if (!job->suspend_time || end < job->start_time)
        return 0;
    return end - job->start_time - job_run_time(job, now);
}

int64_t job_time_left(const struct job_record *job, int64_t now)
{
    const int64_t limit = job->spec->time_limit;
    const int64_t left = limit - job_run_time(job, now);

    if (limit == LIMIT_UNSET || limit == LIMIT_INFINITE)
        return limit;
    return left < 0 ? 0 : left; /* KillWait is running */
}

int64_t job_waited(const struct job_record *job, int64_t now)
{
    struct span wait;

    return job_wait_span(job, now, &wait) ? wait.until - wait.from : 0;
}

int64_t job_pending_time(const struct job_record *job, int64_t now)
{
    return (job->start_time ? job->start_time : now) - job->submit_time;
}

int64_t job_accrues_from(const struct job_record *job)
{
    if (job->accrues_not)
        return 0;
    return job->accrue_time ? job->accrue_time : job->eligible_time;
}

int64_t job_looked_at(const struct job_record *job)
{
    if (job->start_time)
        return job->start_time;
    return job->eligible_time ? job->eligible_time : job->submit_time;
}

/* ---- where ---- */

const char *job_batch_host(const struct job_record *job)
{
    return job->nodes_n ? job->nodes[0].name : NULL;
}

static bool is_busy(const struct job_record *job, const struct job_node *node)
{
    return !job_is_completing(job) || !node->clean;
}

char *job_busy_nodes(const struct job_record *job)
{
    AUTO(hostlist) struct hostlist *busy = NULL;

    if (!job_is_completing(job))
        return xstrdup(job->node_list ? job->node_list : "");
    busy = hostlist_new();
    for (uint32_t i = 0; i < job->nodes_n; i++) {
        if (is_busy(job, &job->nodes[i]))
            hostlist_add(busy, job->nodes[i].name);
    }
    return hostlist_format(busy);
}

uint32_t job_busy_nodes_n(const struct job_record *job)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < job->nodes_n; i++)
        n += is_busy(job, &job->nodes[i]);
    return n;
}

uint32_t job_asked_nodes(const struct job_spec *spec)
{
    const uint32_t asked = count_or(spec->min_nodes, 1);

    return asked ? asked : 1;
}

uint32_t job_least_nodes(const struct job_spec *spec, const struct job_info *info)
{
    const uint32_t asked = job_asked_nodes(spec);

    return asked > info->least_nodes ? asked : info->least_nodes;
}

/* ---- how much ---- */

uint32_t job_cpus_per_task(const struct job_spec *spec)
{
    return count_or(spec->cpus_per_task, 1);
}

uint32_t job_least_cpus_of_node(const struct job_spec *spec)
{
    const uint32_t tasks = count_or(spec->ntasks_per_node, 1);
    const uint32_t needed = job_cpus_per_task(spec) * (tasks ? tasks : 1);
    const uint32_t asked = count_or(spec->min_cpus_per_node, 0);

    return asked > needed ? asked : needed;
}

struct tres job_tres(const struct job_record *job)
{
    return job->nodes_n ? tres_allocated(job) : tres_requested(job);
}

void job_node_gres(const struct job_node *node, struct strbuf *out)
{
    for (uint32_t i = 0; i < node->gres_n; i++) {
        AUTO(strbuf) struct strbuf text = { 0 };

        job_gres_format(&node->gres[i], &text);
        strbuf_addf(out, "%s%s", i ? "," : "", strbuf_text(&text));
    }
}

/* ---- files ---- */

const char *job_std_in(const struct job_body *body)
{
    return body->std_in ? body->std_in : "/dev/null";
}

const char *job_std_out(const struct job_record *job, const struct job_body *body)
{
    return body->std_out ? body->std_out : job_usual_output(job);
}

const char *job_std_err(const struct job_record *job, const struct job_body *body)
{
    return body->std_err ? body->std_err : job_std_out(job, body);
}
