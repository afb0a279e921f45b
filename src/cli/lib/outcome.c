#include "cli/lib/outcome.h"

#include <sys/wait.h>

#include "cli/lib/job_facts.h"
#include "common/text/distribution.h"
#include "common/text/hostlist.h"
#include "common/text/jobid.h"
#include "common/text/pattern.h"

void outcome_add_exit(int32_t status, struct strbuf *out)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

    strbuf_addi(out, code);
    strbuf_addc(out, ':');
    strbuf_addi(out, number);
}

void outcome_add_reason(const struct job_record *job, char blank, struct strbuf *out)
{
    const char *text = job_reason_name(job->reason);

    if (job->reason_text &&
        (job->reason == REASON_NODES_UNAVAILABLE || (job->flags & JOB_FLAG_REQUEUED_HELD)))
        text = job->reason_text;
    /* Who holds a job that runs matters once it waits again. */
    if (job_state_is_active(job->state))
        text = job_reason_name(REASON_NONE);
    for (; *text; text++)
        strbuf_addc(out, *text == ' ' ? blank : *text);
}

void outcome_add_command(const struct job_body *body, struct strbuf *out)
{
    if (!body->command)
        return;
    strbuf_adds(out, body->command);
    for (uint32_t i = 0; i < body->script_args_n; i++)
        strbuf_addf(out, " %s", body->script_args[i]);
}

void outcome_add_path(const struct job_record *job, const struct job_body *body,
                      const char *pattern, struct strbuf *out)
{
    const struct pattern_values values = {
        .job = job->id,
        .array_job = job_array_id(job),
        .array_task = job->array_task,
        .step = STEP_BATCH,
        .node_name = job_batch_host(job),
        .user_name = job->user_name,
        .job_name = job->spec->name,
    };
    AUTO_FREE char *path = NULL;

    if (pattern_expand(pattern, &values, &path, NULL) < 0)
        path = xstrdup(pattern);
    if (path[0] != '/' && body->work_dir) {
        strbuf_adds(out, body->work_dir);
        strbuf_addc(out, '/');
    }
    strbuf_adds(out, path);
}

void outcome_add_stream(const struct job_record *job, const struct job_body *body,
                        const char *pattern, struct strbuf *out)
{
    if (job->spec->kind == JOB_KIND_BATCH)
        outcome_add_path(job, body, pattern, out);
}

/* True if tasks are numbered by blocks; with a node for each, blocks and cycles are the same. */
static bool is_by_blocks(const struct step_record *step)
{
    const uint32_t distribution = step->spec->distribution;

    return distribution == DIST_BLOCK ||
           (distribution == DIST_DEFAULT && step->ntasks > step->nodes_n);
}

void outcome_add_distribution(const struct step_record *step, struct strbuf *out)
{
    const struct step_spec *spec = step->spec;

    if (!spec)
        return;
    if (spec->distribution == DIST_PLANE || spec->distribution == DIST_ARBITRARY)
        strbuf_adds(out, distribution_name(spec->distribution));
    else
        strbuf_adds(out, distribution_name(is_by_blocks(step) ? DIST_BLOCK : DIST_CYCLIC));
    if (spec->distribution == DIST_PLANE)
        strbuf_addf(out, "=%u", spec->plane_size);
}

const char *outcome_wait_words(uint32_t reason)
{
    static const struct {
        uint32_t reason;
        const char *words;
    } known[] = {
        { REASON_PARTITION_NODE_LIMIT, "Requested partition configuration not available now" },
        { REASON_PARTITION_TIME_LIMIT, "Requested partition configuration not available now" },
        { REASON_PARTITION_CONFIG, "Requested partition configuration not available now" },
        { REASON_PARTITION_MEMORY, "Requested partition configuration not available now" },
        { REASON_QOS_NOT_ALLOWED, "Requested partition configuration not available now" },
        { REASON_ACCOUNT_NOT_ALLOWED, "Requested partition configuration not available now" },
        { REASON_QOS_USAGE_THRESHOLD, "Requested partition configuration not available now" },
        { REASON_PARTITION_DOWN, "Partition in DOWN state" },
        { REASON_HELD_ADMIN, "Job is in held state, pending scheduler release" },
        { REASON_HELD_USER, "Job is in held state, pending scheduler release" },
        { REASON_NODES_UNAVAILABLE, "Required node not available (down, drained or reserved)" },
    };

    for (size_t i = 0; i < ARRAY_N(known); i++)
        if (known[i].reason == reason)
            return known[i].words;
    return NULL;
}
