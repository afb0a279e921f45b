#include "cli/srun/streams.h"

#include <string.h>

#include "common/text/pattern.h"
#include "common/text/words.h"

static char *absolute(const char *path, const char *dir)
{
    return path[0] == '/' ? xstrdup(path) : xasprintf("%s/%s", dir, path);
}

static void plan_stream(const char *text, uint32_t ntasks, const char *dir,
                        struct stream_plan *ret_plan)
{
    uint64_t task;

    *ret_plan = (struct stream_plan){ .only_task = COUNT_UNSET };
    if (!text || word_is(text, "all"))
        return;
    if (number_parse(text, 0, ntasks - 1, &task, NULL) == 0)
        ret_plan->only_task = (uint32_t)task;
    else if (strcmp(text, "/dev/null") == 0 || pattern_has(text, "nNt"))
        ret_plan->node_path = absolute(text, dir);
    else
        ret_plan->srun_path = absolute(text, dir);
}

void stream_plans_make(const struct submit_options *options, const char *dir,
                       struct stream_plans *ret_plans)
{
    const struct job_spec *job = &options->job;
    const struct job_body *body = &options->body;
    uint32_t ntasks = job->ntasks;

    if (ntasks == COUNT_UNSET)
        ntasks = job->min_nodes == COUNT_UNSET || job->min_nodes == 0 ? 1 : job->min_nodes;
    plan_stream(body->std_in, ntasks, dir, &ret_plans->in);
    plan_stream(body->std_out, ntasks, dir, &ret_plans->out);
    plan_stream(body->std_err ? body->std_err : body->std_out, ntasks, dir, &ret_plans->err);
    ret_plans->no_input = ret_plans->in.node_path != NULL;
}

static void plan_clear(struct stream_plan *plan)
{
    free(plan->node_path);
    free(plan->srun_path);
    memset(plan, 0, sizeof(*plan));
}

void stream_plans_clear(struct stream_plans *plans)
{
    plan_clear(&plans->in);
    plan_clear(&plans->out);
    plan_clear(&plans->err);
}
