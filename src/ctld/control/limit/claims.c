#include "ctld/control/limit/claims.h"

#include <math.h>

#include "common/text/select_flags.h"
#include "common/text/words.h"
#include "ctld/control/act/state.h"
#include "ctld/control/limit/used.h"
#include "ctld/control/request/tres.h"

#define USE_MAX (UINT64_C(1) << 60) /* TRES seconds that no limit leaves */

/* Returns whether the job gets just what it asks for, whatever nodes it gets. */
static bool gets_what_it_asks(const struct control *control, const struct job_spec *spec,
                              const struct partition *part)
{
    const uint32_t select = part->conf->select ? part->conf->select : control->model->config.select;

    return spec->share != SHARE_EXCLUSIVE && spec->share != SHARE_USER && !spec->overcommit &&
           (spec->max_nodes == COUNT_UNSET || spec->max_nodes == spec->min_nodes) &&
           spec->mem_per_node != 0 && spec->core_spec == COUNT_UNSET &&
           spec->thread_spec == COUNT_UNSET && spec->min_cpus_per_node == COUNT_UNSET &&
           spec->ntasks_per_core == COUNT_UNSET && spec->threads_per_core == COUNT_UNSET &&
           spec->cpus_per_gpu == COUNT_UNSET && part->conf->share != OVERSUBSCRIBE_EXCLUSIVE &&
           (select & (SELECT_CPU | SELECT_CORE)) && !(select & SELECT_LINEAR);
}

/* Returns whether the TRES is counted by cpus: billing is where nothing else weighs. */
static bool counts_cpus(const struct partition *part, const char *tres)
{
    const char *weights = part->conf->billing_weights;

    return word_is(tres, "cpu") || (word_is(tres, "billing") && (!weights || !*weights));
}

/* Returns how the planner is told what the job gets of the TRES where it runs. */
static struct plan_claim claim_of_nodes(const struct partition *part, const struct limit *limit)
{
    if (counts_cpus(part, limit->tres))
        return (struct plan_claim){ .amount = 1, .of = PLAN_CLAIM_CPUS };
    if (word_is(limit->tres, "mem"))
        return (struct plan_claim){ .amount = 1, .of = PLAN_CLAIM_MEMORY };
    if (limit->gres_name)
        return (struct plan_claim){ .amount = 1,
                                    .of = PLAN_CLAIM_GRES,
                                    .gres_name = limit->gres_name,
                                    .gres_type = limit->gres_type };
    return (struct plan_claim){ .amount = 0 };
}

/* Returns what the job claims of a limit in minutes: to be let through its gate or, to be safe, all
 * that it may use. Without time limit that is too much. */
static struct plan_claim claim_of_use(const struct control *control,
                                      const struct standing *standing, const struct tres_job *job,
                                      const struct limit *limit)
{
    const double asked = limit->tres ? tres_of_job(control->model, job, limit->tres) : 1;
    const double amount = asked * standing->factor;
    const int64_t time_s = job->rec->spec->time_limit;

    if (amount <= 0)
        return (struct plan_claim){ .amount = 0 };
    if (!(control->model->config.acct_enforce & ACCT_ENFORCE_SAFE))
        return (struct plan_claim){ .amount = 1 };
    return (struct plan_claim){ .amount = time_s < 0 ? USE_MAX
                                                     : (uint64_t)ceil(amount * (double)time_s) };
}

/* Returns what the job claims in the limit's pot. What is not counted by nodes (licences, billing)
 * is what it asks for; of a job that gets just that wherever it runs (`is_exact`) all is, and so is
 * what UsageFactorSafe makes more or less of it. */
static struct plan_claim claim_of(const struct control *control, const struct standing *standing,
                                  const struct tres_job *job, bool is_exact,
                                  const struct limit *limit)
{
    const double factor = limit->row->what == LIMIT_LEFT ? standing->factor : 1;
    const bool is_scaled = factor < 1 || factor > 1;
    struct plan_claim claim = { .amount = 1 };
    double amount;

    if (limit_is_of_use(limit))
        return claim_of_use(control, standing, job, limit);
    if (!limit->tres)
        return claim;
    if (word_is(limit->tres, "node") && !is_scaled)
        return (struct plan_claim){ .amount = 1, .of = PLAN_CLAIM_NODES };
    if (!is_exact && !is_scaled)
        claim = claim_of_nodes(job->part, limit);
    if (claim.of != PLAN_CLAIM_FIXED)
        return claim;
    amount = tres_of_job(control->model, job, limit->tres) * factor;
    claim.amount = amount > 0 ? (uint64_t)ceil(amount) : 0;
    return claim;
}

void limit_add_claims(struct control *control, const struct job_record *rec,
                      const struct job_request *request, const struct partition *part,
                      uint32_t first, struct plan_claim **claims, uint32_t *n)
{
    const struct tres_job job = { rec, request, part };
    const struct standing *standing;
    bool is_exact;

    if (!(control->model->config.acct_enforce & ACCT_ENFORCE_LIMITS))
        return;
    standing = limit_standing(control, rec, part);
    is_exact = standing->has_single_threads && gets_what_it_asks(control, rec->spec, part);
    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const struct limit *limit = &standing->limits[i];
        struct plan_claim claim;

        if (!limit->pot || limit->pot->pool == LIMIT_NO_POOL || !limit_is_counted(control, limit))
            continue;
        if (is_exact && limit_is_on_one(limit))
            continue; /* it was judged by that */
        claim = claim_of(control, standing, &job, is_exact, limit);
        claim.pool = first + limit->pot->pool;
        if (claim.amount > 0)
            *ARRAY_PUSH(*claims, *n) = claim;
    }
}

int64_t limit_room_ms(struct control *control, struct moment now, const struct job_record *rec,
                      const struct job_request *request, const struct partition *part)
{
    const uint32_t safe = ACCT_ENFORCE_LIMITS | ACCT_ENFORCE_SAFE;
    const struct tres_job job = { rec, request, part };
    const struct standing *standing;
    int64_t room_ms = now.cluster_ms;

    if ((control->model->config.acct_enforce & safe) != safe)
        return room_ms;
    standing = limit_standing(control, rec, part);
    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const struct limit *limit = &standing->limits[i];
        double wanted;
        int64_t ms;

        if (!limit_is_of_use(limit) || !limit_is_counted(control, limit))
            continue;
        wanted = (double)claim_of_use(control, standing, &job, limit).amount;
        if (wanted <= 0)
            continue;
        ms = limit_leaves_ms(control, now, limit, wanted);
        if (ms > room_ms)
            room_ms = ms;
    }
    return room_ms;
}
