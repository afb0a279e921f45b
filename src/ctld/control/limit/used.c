#include "ctld/control/limit/used.h"

#include "ctld/control/acct/fair.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"
#include "ctld/sched/planner.h"

#define MINUTE_S 60

bool limit_is_of_use(const struct limit *limit)
{
    return limit->row->scope == LIMIT_GROUP &&
           (limit->row->what == LIMIT_USED || limit->row->what == LIMIT_WALL);
}

bool limit_hangs_on_use(const struct limit *limit)
{
    return limit_is_of_use(limit) || limit->row->what == LIMIT_SHARE;
}

static const char *tres_of(const struct limit *limit)
{
    return limit->tres ? limit->tres : USAGE_WALL;
}

static double seconds_of(const struct limit *limit)
{
    return (double)limit->most * MINUTE_S;
}

/* Returns what is used by now; `of` says by which jobs. */
static double used(struct control *control, struct moment now, const struct limit *limit,
                   enum usage_of of)
{
    return limit->qos ? usage_of_qos(control, now, limit->qos->name, tres_of(limit), of)
                      : usage_of_assoc(control, now, limit->assoc, tres_of(limit), of);
}

int64_t limit_leaves_ms(struct control *control, struct moment now, const struct limit *limit,
                        double seconds)
{
    const double most = seconds_of(limit) - seconds;

    return limit->qos ? usage_of_qos_below_ms(control, now, limit->qos->name, tres_of(limit), most)
                      : usage_of_assoc_below_ms(control, now, limit->assoc, tres_of(limit), most);
}

/* Returns whether the association has less of a share left than the limit wants. */
static bool is_below_share(struct control *control, struct moment now, const struct limit *limit)
{
    return fair_of(control, now, limit->assoc)->factor * 1e6 < (double)limit->most;
}

void limit_fill_used(struct control *control, struct moment now, const struct limit *limit,
                     struct plan_pool *ret)
{
    double left;

    if (limit->row->what == LIMIT_SHARE) {
        ret->kind = PLAN_POOL_GATE;
        ret->opens_ms = is_below_share(control, now, limit) ? PLAN_NEVER : now.cluster_ms;
        return;
    }
    if (control->model->config.acct_enforce & ACCT_ENFORCE_SAFE) {
        left = seconds_of(limit) - used(control, now, limit, USAGE_OF_ENDED);
        ret->kind = PLAN_POOL_SUM;
        ret->is_spent = true;
        ret->total = left > 0 ? (uint64_t)left : 0;
        return;
    }
    ret->kind = PLAN_POOL_GATE;
    ret->opens_ms = limit_leaves_ms(control, now, limit, 0);
}

int64_t limit_reached_ms(struct control *control, struct moment now, const struct limit *limit)
{
    const double most = seconds_of(limit);

    if ((control->model->config.acct_enforce & ACCT_ENFORCE_SAFE) || !limit_is_of_use(limit))
        return INT64_MAX;
    return limit->qos
               ? usage_of_qos_reaches_ms(control, now, limit->qos->name, tres_of(limit), most)
               : usage_of_assoc_reaches_ms(control, now, limit->assoc, tres_of(limit), most);
}

static bool counts_for(struct control *control, const struct job *job, const struct limit_pot *pot)
{
    const struct standing *standing;

    if (job->partition == PARTITION_NONE || !job_state_is_active(job->rec.state))
        return false;
    standing = limit_standing(control, &job->rec, &control->model->partitions[job->partition]);
    for (uint32_t i = 0; i < standing->limits_n; i++) {
        if (standing->limits[i].pot == pot)
            return true;
    }
    return false;
}

/* Returns whether the time limits of all jobs that use something of the pot are later. Else it is
 * not known when they will have used it up. */
static bool all_last(struct control *control, const struct limit_pot *pot, int64_t until_ms)
{
    for (const struct job *job = control->model->jobs; job; job = job->hh.next) {
        if (job_limit_ms(job) < until_ms && counts_for(control, job, pot))
            return false;
    }
    return true;
}

const struct limit *limit_running_out(struct control *control, struct moment now,
                                      const struct job_record *rec, const struct partition *part,
                                      int64_t by_ms, int64_t *ret_ms)
{
    const struct standing *standing = limit_standing(control, rec, part);
    const struct limit *first = NULL;

    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const int64_t at_ms = limit_reached_ms(control, now, &standing->limits[i]);

        if (at_ms <= now.cluster_ms || at_ms > by_ms || (first && at_ms >= *ret_ms) ||
            !all_last(control, standing->limits[i].pot, at_ms))
            continue;
        first = &standing->limits[i];
        *ret_ms = at_ms;
    }
    return first;
}

const struct limit *limit_used_up(struct control *control, struct moment now, const struct job *job)
{
    const uint32_t enforce = control->model->config.acct_enforce;
    const struct standing *standing;

    if (!(enforce & ACCT_ENFORCE_LIMITS) || (enforce & ACCT_ENFORCE_SAFE) ||
        job->partition == PARTITION_NONE)
        return NULL;
    standing = limit_standing(control, &job->rec, &control->model->partitions[job->partition]);
    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const struct limit *limit = &standing->limits[i];

        if (limit_is_of_use(limit) && used(control, now, limit, USAGE_OF_ALL) >= seconds_of(limit))
            return limit;
    }
    return NULL;
}

int limit_check_share(struct control *control, struct moment now, const struct job_record *rec,
                      const struct partition *part, struct err *err)
{
    const struct standing *standing = limit_standing(control, rec, part);
    AUTO(strbuf) struct strbuf text = { 0 };

    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const struct limit *limit = &standing->limits[i];

        if (limit->row->what != LIMIT_SHARE || !is_below_share(control, now, limit))
            continue;
        limit_tell(limit, &text);
        return err_set(err, E_USAGE_THRESHOLD, "%s: %s", err_string(E_USAGE_THRESHOLD),
                       strbuf_text(&text));
    }
    return 0;
}
