#include "ctld/sim/policy.h"

#include <string.h>

#include "ctld/control/feed/policy.h"
#include "ctld/model/model.h"

/* Returns the policy of a slurm.conf that says nothing about scheduling. */
static struct plan_policy default_policy(void)
{
    struct model_config config = { .select = SELECT_CPU, .backfill = true };

    sched_params_parse(NULL, &config.sched, NULL, NULL);
    return control_policy(&config);
}

int policy_find(const char *name, struct plan_policy *ret, struct err *err)
{
    static const struct {
        const char *name;
        struct plan_policy policy;
    } policies[] = {
        { "fcfs", { .select = SELECT_CPU, .plans_max = 1, .turn = PLAN_TURN_QUEUE } },
        { "easy",
          { .select = SELECT_CPU, .backfill = true, .plans_max = 1, .turn = PLAN_TURN_QUEUE } },
        { "sjbf",
          { .select = SELECT_CPU, .backfill = true, .plans_max = 1, .turn = PLAN_TURN_SHORTEST } },
        { "plan", { .select = SELECT_CPU, .backfill = true, .plans_max = UINT32_MAX } },
    };

    if (strcmp(name, "default") == 0) {
        *ret = default_policy();
        return 0;
    }
    for (size_t i = 0; i < ARRAY_N(policies); i++) {
        if (strcmp(name, policies[i].name) == 0) {
            *ret = policies[i].policy;
            return 0;
        }
    }
    return err_set(err, EINVAL, "no policy '%s'; there are fcfs, easy, sjbf, plan and default",
                   name);
}
