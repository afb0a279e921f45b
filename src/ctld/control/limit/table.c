#include "ctld/control/limit/table.h"

#include "common/msg/job.h"
#include "common/text/words.h"

#define COUNT_IN(record, member)                                                                   \
    {                                                                                              \
        offsetof(struct record, member), LIMIT_NOWHERE                                             \
    }
#define LIST_IN(record, member)                                                                    \
    {                                                                                              \
        offsetof(struct record, member), offsetof(struct record, member##_n)                       \
    }
#define IN_ASSOC(member)      COUNT_IN(assoc_record, member)
#define IN_QOS(member)        COUNT_IN(qos_record, member)
#define TRES_IN_ASSOC(member) LIST_IN(assoc_record, member)
#define TRES_IN_QOS(member)   LIST_IN(qos_record, member)
#define NOWHERE                                                                                    \
    {                                                                                              \
        LIMIT_NOWHERE, LIMIT_NOWHERE                                                               \
    }

/* clang-format off */
const struct limit_row limit_rows[] = {
    { "UsageThreshold", LIMIT_SHARE, LIMIT_LEAF, true, NOWHERE, IN_QOS(usage_threshold), 0,
      REASON_QOS_USAGE_THRESHOLD },
    { "MinPrioThreshold", LIMIT_PRIORITY, LIMIT_JOB, true, IN_ASSOC(min_prio_threshold),
      IN_QOS(min_prio_threshold), 0, 0 },
    { "GrpJobsAccrue", LIMIT_ACCRUING, LIMIT_GROUP, false, IN_ASSOC(grp_jobs_accrue),
      IN_QOS(grp_jobs_accrue), 0, 0 },
    { "MaxJobsAccruePA", LIMIT_ACCRUING, LIMIT_ACCOUNT, false, NOWHERE,
      IN_QOS(max_jobs_accrue_per_account), 0, 0 },
    { "MaxJobsAccrue", LIMIT_ACCRUING, LIMIT_USER, false, IN_ASSOC(max_jobs_accrue),
      IN_QOS(max_jobs_accrue_per_user), 0, 0 },
    { "GrpSubmitJobs", LIMIT_SUBMITTED, LIMIT_GROUP, false, IN_ASSOC(grp_submit_jobs),
      IN_QOS(grp_submit_jobs), REASON_ASSOC_GRP_SUBMIT, REASON_QOS_GRP_SUBMIT },
    { "MaxSubmitJobsPA", LIMIT_SUBMITTED, LIMIT_ACCOUNT, false, NOWHERE,
      IN_QOS(max_submit_per_account), 0, REASON_QOS_MAX_SUBMIT_ACCOUNT },
    { "MaxSubmitJobs", LIMIT_SUBMITTED, LIMIT_USER, false, IN_ASSOC(max_submit_jobs),
      IN_QOS(max_submit_per_user), REASON_ASSOC_MAX_SUBMIT, REASON_QOS_MAX_SUBMIT_USER },
    { "GrpJobs", LIMIT_JOBS, LIMIT_GROUP, false, IN_ASSOC(grp_jobs), IN_QOS(grp_jobs),
      REASON_ASSOC_GRP_JOBS, REASON_QOS_GRP_JOBS },
    { "GrpWall", LIMIT_WALL, LIMIT_GROUP, false, IN_ASSOC(grp_wall), IN_QOS(grp_wall),
      REASON_ASSOC_GRP_WALL, REASON_QOS_GRP_WALL },
    { "MaxJobsPA", LIMIT_JOBS, LIMIT_ACCOUNT, false, NOWHERE, IN_QOS(max_jobs_per_account), 0,
      REASON_QOS_MAX_JOBS_ACCOUNT },
    { "MaxJobs", LIMIT_JOBS, LIMIT_USER, false, IN_ASSOC(max_jobs), IN_QOS(max_jobs_per_user),
      REASON_ASSOC_MAX_JOBS, REASON_QOS_MAX_JOBS_USER },
    { "MaxWall", LIMIT_WALL, LIMIT_JOB, false, IN_ASSOC(max_wall_per_job),
      IN_QOS(max_wall_per_job), REASON_ASSOC_MAX_WALL, REASON_QOS_MAX_WALL },
    { "GrpTRESMins", LIMIT_USED, LIMIT_GROUP, false, TRES_IN_ASSOC(grp_tres_mins),
      TRES_IN_QOS(grp_tres_mins), REASON_ASSOC_GRP_MINS_CPU, REASON_QOS_GRP_MINS_CPU },
    { "GrpTRES", LIMIT_HELD, LIMIT_GROUP, false, TRES_IN_ASSOC(grp_tres), TRES_IN_QOS(grp_tres),
      REASON_ASSOC_GRP_CPU, REASON_QOS_GRP_CPU },
    { "GrpTRESRunMins", LIMIT_LEFT, LIMIT_GROUP, false, TRES_IN_ASSOC(grp_tres_run_mins),
      TRES_IN_QOS(grp_tres_run_mins), REASON_ASSOC_GRP_RUN_MINS_CPU,
      REASON_QOS_GRP_RUN_MINS_CPU },
    { "MaxTRESMins", LIMIT_USED, LIMIT_JOB, false, TRES_IN_ASSOC(max_tres_mins_per_job),
      TRES_IN_QOS(max_tres_mins_per_job), REASON_ASSOC_MAX_MINS_CPU, REASON_QOS_MAX_MINS_CPU },
    { "MaxTRES", LIMIT_HELD, LIMIT_JOB, false, TRES_IN_ASSOC(max_tres_per_job),
      TRES_IN_QOS(max_tres_per_job), REASON_ASSOC_MAX_JOB_CPU, REASON_QOS_MAX_JOB_CPU },
    { "MaxTRESPerNode", LIMIT_HELD, LIMIT_JOB_NODE, false, TRES_IN_ASSOC(max_tres_per_node),
      TRES_IN_QOS(max_tres_per_node), REASON_ASSOC_MAX_NODE_CPU, REASON_QOS_MAX_NODE_CPU },
    { "MinTRES", LIMIT_HELD, LIMIT_JOB, true, NOWHERE, TRES_IN_QOS(min_tres_per_job), 0,
      REASON_QOS_MIN_CPU },
    { "MaxTRESPA", LIMIT_HELD, LIMIT_ACCOUNT, false, NOWHERE, TRES_IN_QOS(max_tres_per_account), 0,
      REASON_QOS_MAX_ACCOUNT_CPU },
    { "MaxTRESPU", LIMIT_HELD, LIMIT_USER, false, NOWHERE, TRES_IN_QOS(max_tres_per_user), 0,
      REASON_QOS_MAX_USER_CPU },
    { "MaxTRESRunMinsPA", LIMIT_LEFT, LIMIT_ACCOUNT, false, NOWHERE,
      TRES_IN_QOS(max_tres_run_mins_per_account), 0, REASON_QOS_MAX_ACCOUNT_CPU },
    { "MaxTRESRunMinsPU", LIMIT_LEFT, LIMIT_USER, false, NOWHERE,
      TRES_IN_QOS(max_tres_run_mins_per_user), 0, REASON_QOS_MAX_USER_CPU },
};
/* clang-format on */

const uint32_t limit_rows_n = ARRAY_N(limit_rows);

/* Returns which of a row's reasons is that of the TRES. */
static uint32_t tres_number(const char *tres)
{
    static const struct {
        const char *begins;
        enum limit_tres number;
    } kinds[] = {
        { "cpu", LIMIT_TRES_CPU },    { "mem", LIMIT_TRES_MEM },
        { "node", LIMIT_TRES_NODE },  { "energy", LIMIT_TRES_ENERGY },
        { "gres/", LIMIT_TRES_GRES }, { "license/", LIMIT_TRES_LICENSE },
        { "bb/", LIMIT_TRES_BB },     { "billing", LIMIT_TRES_BILLING },
    };

    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (word_starts(tres, kinds[i].begins, NULL))
            return kinds[i].number;
    }
    return LIMIT_TRES_UNKNOWN;
}

uint32_t limit_row_reason(const struct limit_row *row, bool is_qos, const char *tres)
{
    return (is_qos ? row->qos_reason : row->assoc_reason) + (tres ? tres_number(tres) : 0);
}
