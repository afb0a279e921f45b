#include "cli/lib/step_facts.h"

#include "common/msg/job.h"

int64_t step_run_time(const struct step_record *step, int64_t now)
{
    const int64_t until = step->end_time ? step->end_time : now;

    return step->start_time && until > step->start_time ? until - step->start_time : 0;
}

int64_t step_time_limit(const struct step_record *step)
{
    return step->spec ? step->spec->time_limit : LIMIT_UNSET;
}

uint32_t step_job_state(const struct step_record *step)
{
    if (step->state == STEP_ENDED)
        return step->end_state;
    return step->state == STEP_PENDING ? JOB_PENDING : JOB_RUNNING;
}

struct cpu_times step_cpu_times(const struct step_record *steps, uint32_t n)
{
    struct cpu_times times = { 0 };

    for (uint32_t i = 0; i < n; i++) {
        const struct step_usage *usage = steps[i].usage;

        times.user_us += usage ? usage->user_us : 0;
        times.system_us += usage ? usage->system_us : 0;
    }
    return times;
}

uint64_t step_usage_amount(const struct step_record *step, const struct usage_spread *spread,
                           enum usage_pick pick)
{
    switch (pick) {
    case PICK_MAX:
        return spread->max;
    case PICK_MIN:
        return spread->min;
    case PICK_AVERAGE:
        return spread->total / step->usage->tasks;
    case PICK_TOTAL:
        break;
    }
    return spread->total;
}

const char *step_usage_node(const struct step_record *step, const struct usage_spread *spread,
                            enum usage_pick pick)
{
    const uint32_t node = pick == PICK_MAX ? spread->max_node : spread->min_node;

    return node < step->nodes_n ? step->nodes[node].name : "";
}

uint32_t step_usage_task(const struct usage_spread *spread, enum usage_pick pick)
{
    return pick == PICK_MAX ? spread->max_task : spread->min_task;
}
