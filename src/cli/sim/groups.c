#include "cli/sim/groups.h"

static bool holds(const void *ctx, const struct sim_job *job)
{
    const struct group *group = ctx;

    switch (group->kind) {
    case GROUP_SIZE:
        return metrics_size_class(job->procs) == group->number;
    case GROUP_QUEUE:
        return job->queue == group->number;
    case GROUP_ALL:
        break;
    }
    return true;
}

struct metrics group_metrics(const struct group *group, const struct workload *workload)
{
    return metrics_of(workload, holds, group);
}

static void add_group(struct groups *groups, enum group_kind kind, int64_t number, char *name)
{
    *ARRAY_PUSH(groups->at, groups->n) = (struct group){ kind, number, name };
}

static void add_sizes(const struct workload *workload, struct groups *groups)
{
    uint32_t counts[METRICS_SIZE_CLASSES] = { 0 };

    for (uint32_t i = 0; i < workload->jobs_n; i++)
        counts[metrics_size_class(workload->jobs[i].procs)]++;
    for (uint32_t i = 0; i < METRICS_SIZE_CLASSES; i++) {
        AUTO(strbuf) struct strbuf name = { 0 };

        if (counts[i] == 0)
            continue;
        strbuf_adds(&name, "size ");
        metrics_size_class_name(i, &name);
        add_group(groups, GROUP_SIZE, i, strbuf_steal(&name));
    }
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

static void add_queues(const struct workload *workload, struct groups *groups)
{
    AUTO_FREE int64_t *queues = xcalloc(workload->jobs_n, sizeof(*queues));

    for (uint32_t i = 0; i < workload->jobs_n; i++)
        queues[i] = workload->jobs[i].queue;
    qsort(queues, workload->jobs_n, sizeof(*queues), by_value);
    if (workload->jobs_n == 0 || queues[0] == queues[workload->jobs_n - 1])
        return;
    for (uint32_t i = 0; i < workload->jobs_n; i++) {
        if (i == 0 || queues[i] != queues[i - 1])
            add_group(groups, GROUP_QUEUE, queues[i],
                      queues[i] < 0 ? xstrdup("no queue")
                                    : xasprintf("queue %lld", (long long)queues[i]));
    }
}

struct groups groups_of(const struct workload *workload)
{
    struct groups groups = { 0 };

    add_group(&groups, GROUP_ALL, 0, xstrdup("all"));
    add_sizes(workload, &groups);
    add_queues(workload, &groups);
    return groups;
}

void groups_auto_(struct groups *groups)
{
    for (uint32_t i = 0; i < groups->n; i++)
        free(groups->at[i].name);
    free(groups->at);
}
