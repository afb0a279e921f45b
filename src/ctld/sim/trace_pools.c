#include "ctld/sim/trace_pools.h"

#include <stdlib.h>

#include "common/base/alloc.h"
#include "common/msg/job.h"

static int compare_users(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return left < right ? -1 : left > right;
}

static void find_users(struct trace_pools *pools, const struct workload *workload)
{
    int64_t *all = xcalloc(workload->jobs_n, sizeof(*all));

    for (uint32_t i = 0; i < workload->jobs_n; i++)
        all[i] = workload->jobs[i].user;
    qsort(all, workload->jobs_n, sizeof(*all), compare_users);
    for (uint32_t i = 0; i < workload->jobs_n; i++) {
        if (i == 0 || all[i] != all[i - 1])
            all[pools->users_n++] = all[i];
    }
    pools->users = all;
}

static struct plan_pool *pool_of(const struct trace_pools *pools, const struct sim_job *job)
{
    const int64_t *user =
        bsearch(&job->user, pools->users, pools->users_n, sizeof(*pools->users), compare_users);

    return &pools->pools[pools->pools_n - pools->users_n + (uint32_t)(user - pools->users)];
}

static void add_pool(struct trace_pools *pools, uint64_t total, bool is_private)
{
    *ARRAY_PUSH(pools->pools, pools->pools_n) = (struct plan_pool){
        .name = is_private ? "of a user" : "never runs out",
        .total = total,
        .is_private = is_private,
        .reason = REASON_LICENSES,
    };
}

void trace_pools_init(struct trace_pools *pools, const struct workload *workload,
                      const struct trace_limits *limits)
{
    *pools = (struct trace_pools){ 0 };
    for (uint32_t i = 0; i < limits->claims_n; i++) {
        add_pool(pools, (uint64_t)workload->procs + 1, false);
        *ARRAY_PUSH(pools->claims, pools->claims_n) = (struct plan_claim){ .pool = i, .amount = 1 };
    }
    if (limits->user_procs == 0)
        return;
    find_users(pools, workload);
    for (uint32_t i = 0; i < pools->users_n; i++)
        add_pool(pools, limits->user_procs, true);
    for (uint32_t i = 0; i < workload->jobs_n; i++) {
        struct plan_pool *pool = pool_of(pools, &workload->jobs[i]);

        pool->total = workload->jobs[i].procs > pool->total ? workload->jobs[i].procs : pool->total;
    }
    (void)ARRAY_PUSH(pools->claims, pools->claims_n);
}

void trace_pools_clear(struct trace_pools *pools)
{
    free(pools->pools);
    free(pools->claims);
    free(pools->users);
    *pools = (struct trace_pools){ 0 };
}

const struct plan_claim *trace_claims(struct trace_pools *pools, const struct sim_job *job,
                                      uint32_t *ret_n)
{
    *ret_n = pools->claims_n;
    if (pools->users_n)
        pools->claims[pools->claims_n - 1] = (struct plan_claim){
            .pool = (uint32_t)(pool_of(pools, job) - pools->pools),
            .amount = job->procs,
        };
    return pools->claims;
}
