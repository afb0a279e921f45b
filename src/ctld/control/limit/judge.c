#include "ctld/control/limit/judge.h"

#include "common/base/minmax.h"
#include "common/text/duration.h"
#include "common/text/select_flags.h"
#include "common/text/words.h"
#include "ctld/control/act/state.h"
#include "ctld/control/limit/several.h"
#include "ctld/control/request/request.h"
#include "ctld/control/limit/used.h"

#define MINUTE_S 60

static bool holds(const struct control *control, enum acct_enforce what)
{
    return control->model->config.acct_enforce & what;
}

/* Returns whether the job has all cpus of its nodes. */
static bool has_whole_nodes(const struct control *control, const struct tres_job *job)
{
    const uint32_t own = job->part->conf->select;

    return job->rec->spec->share == SHARE_EXCLUSIVE ||
           job->part->conf->share == OVERSUBSCRIBE_EXCLUSIVE ||
           ((own ? own : control->model->config.select) & SELECT_LINEAR);
}

/* Returns whether the job breaks a limit on cpus by those of its nodes, of which it asks for fewer
 * and gets all. Slurm refuses no job for that. */
static bool breaks_by_nodes(const struct control *control, const struct standing *standing,
                            const struct tres_job *job, const struct limit *limit)
{
    const struct limit_row *row = limit->row;
    const uint64_t nodes = row->scope == LIMIT_JOB_NODE ? 1 : job->rec->spec->min_nodes;

    if (row->what != LIMIT_HELD || row->is_least || !limit->tres || !word_is(limit->tres, "cpu") ||
        !has_whole_nodes(control, job))
        return false;
    return standing->node_cpus_least * nodes > limit->most;
}

/* Returns how much the job asks for of what the limit is about; below 0: without end. */
static double asked(const struct control *control, const struct standing *standing,
                    const struct tres_job *job, const struct limit *limit)
{
    const struct limit_row *row = limit->row;
    const int64_t time_s = job->rec->spec->time_limit; /* --time-min bends no limit, as in Slurm */
    const double amount = limit->tres ? tres_of_job(control->model, job, limit->tres) : 1;
    const double minutes = time_s < 0 ? -1 : (double)time_s / MINUTE_S * standing->factor;

    switch (row->what) {
    case LIMIT_USED:
    case LIMIT_LEFT:
        return amount > 0 ? amount * minutes : 0;
    case LIMIT_WALL:
        return minutes;
    case LIMIT_HELD:
        return row->scope == LIMIT_JOB_NODE ? amount / job->rec->spec->min_nodes : amount;
    default:
        return amount;
    }
}

static bool breaks(const struct control *control, const struct standing *standing,
                   const struct tres_job *job, const struct limit *limit)
{
    const double amount = asked(control, standing, job, limit);

    if (limit->row->is_least)
        return amount < (double)limit->most;
    return amount < 0 || amount > (double)limit->most;
}

static bool has_deny_flag(const struct qos_record *qos)
{
    return qos && (qos->flags & QOS_DENY_ON_LIMIT);
}

/* Returns whether a job that breaks the limit by itself is refused: the flag DenyOnLimit, of the
 * job's QOS or of its partition's, is about all limits that hold for the job, whosever they are. */
static bool denies(const struct standing *standing, const struct limit *limit)
{
    return (has_deny_flag(standing->qos) || has_deny_flag(standing->part_qos)) &&
           limit->row->what != LIMIT_JOBS;
}

/* Returns whether the limit says nothing of what a job asks for. */
static bool is_of_others(const struct limit *limit)
{
    const enum limit_what what = limit->row->what;

    return what == LIMIT_SUBMITTED || what == LIMIT_ACCRUING || what == LIMIT_PRIORITY ||
           what == LIMIT_SHARE;
}

/* Returns whether a job that breaks the limit by itself waits. */
static bool keeps(const struct control *control, const struct limit *limit)
{
    return !limit_is_of_use(limit) && (limit->row->is_least || limit_is_counted(control, limit));
}

/* Returns the first limit that the job breaks by itself, or NULL. Of limits on what all jobs of a
 * group have together it is told by one only if it breaks another one, which keeps it from the
 * planner, or if it is to be refused: then limits on minutes of use count, too. */
static const struct limit *first_broken(struct control *control, const struct tres_job *job,
                                        bool is_refused)
{
    const struct standing *standing = limit_standing(control, job->rec, job->part);
    const struct limit *first = NULL;
    bool is_kept = is_refused;

    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const struct limit *limit = &standing->limits[i];
        const bool counts = is_refused ? denies(standing, limit) : keeps(control, limit);

        if (!counts || is_of_others(limit) ||
            (!breaks(control, standing, job, limit) &&
             (is_refused || !breaks_by_nodes(control, standing, job, limit))))
            continue;
        first = first ? first : limit;
        is_kept |= limit_is_on_one(limit);
    }
    return is_kept ? first : NULL;
}

static bool may_use_qos(const struct job_spec *spec, const struct standing *standing)
{
    return standing->qos &&
           (spec->qos_is_operators || bitset_has(&standing->assoc->qos, standing->qos->id));
}

uint32_t limit_reason_of(struct control *control, const struct job_record *rec,
                         const struct job_request *request, const struct partition *part,
                         const struct limit **ret_limit)
{
    const struct tres_job job = { rec, request, part };
    const struct standing *standing;
    const struct limit *limit = NULL;

    if (ret_limit)
        *ret_limit = NULL;
    if (!holds(control, ACCT_ENFORCE_ASSOCIATIONS))
        return REASON_NONE;
    standing = limit_standing(control, rec, part);
    if (!standing->assoc)
        return REASON_INVALID_ACCOUNT;
    if (holds(control, ACCT_ENFORCE_QOS) && !may_use_qos(rec->spec, standing))
        return REASON_INVALID_QOS;
    if (holds(control, ACCT_ENFORCE_LIMITS))
        limit = first_broken(control, &job, false);
    if (ret_limit)
        *ret_limit = limit;
    return limit ? limit_reason(limit) : REASON_NONE;
}

void limit_judge(struct control *control, const struct job_record *rec, uint32_t partition,
                 struct job_request *request)
{
    const struct partition *parts = control->model->partitions;
    uint32_t kept = 0;

    request->limited_by = partition == PARTITION_NONE
                              ? REASON_NONE
                              : limit_reason_of(control, rec, request, &parts[partition], NULL);
    if (!holds(control, ACCT_ENFORCE_ASSOCIATIONS))
        return;
    for (uint32_t i = 0; i < request->others_n; i++) {
        const uint32_t other = request->others[i];

        if (limit_reason_of(control, rec, request, &parts[other], NULL) == REASON_NONE)
            request->others[kept++] = other;
    }
    request->others_n = kept;
}

void limit_read_request(struct control *control, struct job_record *rec, uint32_t partition,
                        struct job_request *request)
{
    request_read(control->model, rec->spec, partition, request);
    limit_fill_time(control, rec, request, partition);
    limit_judge(control, rec, partition, request);
}

/* Returns the seconds of the whole minutes. */
static int64_t seconds_of(double minutes)
{
    return minutes < 1e9 ? (int64_t)minutes * MINUTE_S : LIMIT_INFINITE;
}

/* Returns the seconds that the limit leaves a job which names no time limit, or LIMIT_INFINITE.
 * Limits on TRES times minutes bound the time only of jobs that would be refused for them. */
static int64_t leaves_s(const struct control *control, const struct tres_job *job,
                        const struct standing *standing, const struct limit *limit)
{
    const struct limit_row *row = limit->row;
    double amount;

    if (row->what == LIMIT_WALL)
        return seconds_of((double)limit->most / standing->factor);
    if (!((row->what == LIMIT_LEFT && row->scope == LIMIT_GROUP) ||
          (row->what == LIMIT_USED && row->scope == LIMIT_JOB)) ||
        !denies(standing, limit))
        return LIMIT_INFINITE;
    amount = tres_of_job(control->model, job, limit->tres);
    return amount > 0 ? seconds_of((double)limit->most / amount / standing->factor)
                      : LIMIT_INFINITE;
}

/* Returns the least of what the limits in the partition leave, or LIMIT_INFINITE. Of GrpWall at
 * several places the nearest counts. */
static int64_t longest_in(struct control *control, const struct tres_job *job)
{
    const struct standing *standing = limit_standing(control, job->rec, job->part);
    int64_t longest = LIMIT_INFINITE;
    bool has_group = false;

    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const struct limit *limit = &standing->limits[i];
        const bool is_group = limit->row->what == LIMIT_WALL && limit->row->scope == LIMIT_GROUP;
        const int64_t seconds =
            is_group && has_group ? LIMIT_INFINITE : leaves_s(control, job, standing, limit);

        has_group |= is_group;
        if (seconds >= 0 && (longest < 0 || seconds < longest))
            longest = seconds;
    }
    return longest;
}

int64_t limit_longest(struct control *control, const struct tres_job *job)
{
    AUTO_FREE const struct partition **parts = NULL;
    int64_t longest = LIMIT_INFINITE;
    uint32_t n;

    if (!holds(control, ACCT_ENFORCE_LIMITS))
        return LIMIT_INFINITE;
    parts = limit_partitions(control, job->rec, job->part, &n);
    for (uint32_t i = 0; i < n; i++) {
        const struct tres_job there = { job->rec, job->request, parts[i] };
        const int64_t seconds = longest_in(control, &there);

        if (seconds >= 0 && (longest < 0 || seconds < longest))
            longest = seconds;
    }
    return longest;
}

int limit_check_denied(struct control *control, const struct tres_job *job, struct err *err)
{
    AUTO_FREE const struct partition **parts = NULL;
    uint32_t n;

    if (!holds(control, ACCT_ENFORCE_LIMITS))
        return 0;
    parts = limit_partitions(control, job->rec, job->part, &n);
    for (uint32_t i = 0; i < n; i++) {
        const struct tres_job there = { job->rec, job->request, parts[i] };
        const struct limit *limit = first_broken(control, &there, true);

        if (limit)
            return limit_refuse(limit, err);
    }
    return 0;
}

/* Returns whether the limit is on how much of the TRES one job has. */
static bool is_on(const struct limit *limit, const char *tres)
{
    const struct limit_row *row = limit->row;

    return row->what == LIMIT_HELD && row->scope == LIMIT_JOB && !row->is_least && limit->tres &&
           word_is(limit->tres, tres);
}

static uint32_t one_or(uint32_t count)
{
    return count == COUNT_UNSET || count == 0 ? 1 : count;
}

/* Returns how many cpus each further node brings the job; 0: tasks say how many it has. */
static uint32_t cpus_per_node(const struct control *control, const struct standing *standing,
                              const struct tres_job *job)
{
    const struct job_spec *spec = job->rec->spec;

    if (has_whole_nodes(control, job))
        return standing->node_cpus_most;
    if (spec->ntasks != COUNT_UNSET)
        return 0;
    return one_or(spec->cpus_per_task) * one_or(spec->ntasks_per_node);
}

/* Returns how many nodes the limit lets the job have, 0: any. */
static uint64_t most_nodes_by(const struct control *control, const struct standing *standing,
                              const struct tres_job *job, const struct limit *limit)
{
    uint32_t cpus;

    if (is_on(limit, "node"))
        return limit->most;
    cpus = is_on(limit, "cpu") ? cpus_per_node(control, standing, job) : 0;
    return cpus ? limit->most / cpus : 0;
}

uint32_t limit_most_nodes(struct control *control, const struct job_record *rec,
                          const struct partition *part)
{
    const struct standing *standing = limit_standing(control, rec, part);
    const struct tres_job job = { .rec = rec, .part = part };
    uint64_t most = UINT64_MAX;

    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const uint64_t nodes = most_nodes_by(control, standing, &job, &standing->limits[i]);

        if (nodes && nodes >= rec->spec->min_nodes)
            most = MIN(most, nodes);
    }
    return most == UINT64_MAX ? 0 : (uint32_t)MIN(most, UINT32_MAX);
}

bool limit_denies_place(struct control *control, const struct job_record *rec, uint64_t priority,
                        const struct partition *part)
{
    const struct standing *standing = limit_standing(control, rec, part);

    if (standing->qos && (standing->qos->flags & QOS_NO_RESERVE))
        return true;
    for (uint32_t i = 0; i < standing->limits_n; i++) {
        const struct limit *limit = &standing->limits[i];

        if (limit->row->what == LIMIT_PRIORITY && priority < limit->most)
            return true;
    }
    return false;
}
