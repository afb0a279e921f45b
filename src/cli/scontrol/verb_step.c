/* verb_step.c - scontrol update StepId=12.0 TimeLimit=5. */
#include "cli/lib/tasks.h"
#include "cli/scontrol/session.h"
#include "cli/scontrol/update.h"
#include "common/msg/alter.h"
#include "common/msg/types.h"
#include "common/text/duration.h"
#include "common/text/jobid.h"
#include "common/text/words.h"

#define UPDATE "slurm_update"

/* Reads "5", or "+5" and "-5" for more and less. */
static bool read_limit(const char *value, struct step_update *update)
{
    const bool is_change = value[0] == '+' || value[0] == '-';
    int64_t seconds;

    if (duration_parse(value + is_change, &seconds, NULL) < 0 || (is_change && seconds < 0))
        return false;
    if (is_change)
        update->more_time_s = value[0] == '-' ? -seconds : seconds;
    else
        update->time_limit = seconds < 0 ? LIMIT_INFINITE : duration_round_up(seconds);
    return true;
}

/* Adds what one pair says; else tells what is wrong and returns false. */
static bool read_pair(struct scontrol *session, const char *pair, struct job_refs *refs,
                      struct step_update *update)
{
    AUTO_FREE char *value = strchr(pair, '=') ? update_value(pair) : NULL;

    if (!value) {
        session_refuse(session, "Invalid input: %s\nRequest aborted", pair);
    } else if (update_has_key(pair, "StepId")) {
        if (job_refs_parse(value, refs, NULL) == 0 && refs->n > 0)
            return true;
        session_refuse(session, "Invalid StepID parameter: %s\nRequest aborted", pair);
    } else if (update_has_key(pair, "TimeLimit")) {
        if (read_limit(value, update))
            return true;
        session_refuse(session, "scontrol: error: Invalid TimeLimit value");
    } else {
        session_refuse(session, "Update of this parameter is not supported: %s\nRequest aborted",
                       pair);
    }
    return false;
}

static void update_all(struct scontrol *session, struct job_refs *refs, struct step_update *update)
{
    for (uint32_t i = 0; i < refs->n;) {
        const struct job_ref ref = refs->at[i];
        AUTO_FREE char *tasks = refs_take_tasks(refs, &i);

        update->job_id = ref.job;
        update->step_id = ref.step == NO_VAL ? COUNT_UNSET : ref.step;
        update->tasks = tasks;
        session_order(session, UPDATE, MSG_STEP_UPDATE, update);
        update->tasks = NULL;
    }
}

void scontrol_update_step(struct scontrol *session, int argc, char *const *argv)
{
    AUTO(job_refs) struct job_refs refs = { 0 };
    AUTO(step_update) struct step_update update;

    step_update_init(&update);
    for (int i = 0; i < argc; i++) {
        if (!read_pair(session, argv[i], &refs, &update))
            return;
    }
    if (update.time_limit == LIMIT_UNSET && update.more_time_s == 0)
        session_refuse(session, "No changes specified");
    else
        update_all(session, &refs, &update);
}
