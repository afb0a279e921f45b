#include "ctld/control/control.h"

#include "ctld/control/acct/carry.h"
#include "ctld/control/acct/fair.h"
#include "ctld/control/acct/tree.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/act/state.h"
#include "ctld/control/answer/question.h"
#include "ctld/control/feed/all.h"
#include "ctld/control/feed/rank.h"
#include "ctld/control/job/depend.h"
#include "ctld/control/limit/standing.h"
#include "ctld/control/node/outage.h"
#include "ctld/control/node/trigger.h"
/* What priority/basic gives the first job; each that follows gets one less. */
#define FIRST_PRIORITY UINT64_C(4294901759)

int control_new(struct model_config *config, struct control **ret_control, struct err *err)
{
    struct control *control = xcalloc(1, sizeof(*control));
    int rc = model_new(config, &control->model, err);

    if (rc < 0) {
        free(control);
        return rc;
    }
    control->planner = planner_new();
    control->rank = rank_new();
    control->acct = acct_tree_new();
    control->limits = limit_state_new();
    control->usage = usage_new();
    control->fair = fair_new();
    control->depend = depend_new();
    control->triggers = triggers_new();
    control->next_priority = FIRST_PRIORITY;
    control->next_ms = INT64_MAX;
    control->planner_stale = true;
    control->accrual_held = true; /* as far as is known */
    bitset_init(&control->told_usable, control->model->nodes_n);
    bitset_init(&control->told_absent, control->model->nodes_n);
    bitset_init(&control->outages_due, control->model->nodes_n);
    control_kept_init(control);
    diag_init(&control->diag);
    *ret_control = control;
    return 0;
}

struct control *control_free(struct control *control)
{
    if (!control)
        return NULL;
    feed_free(control);
    model_free(control->model);
    rank_free(control->rank);
    acct_tree_free(control->acct);
    carry_clear(control);
    limit_state_free(control->limits);
    usage_free(control->usage);
    fair_free(control->fair);
    depend_free(control->depend);
    questions_free(control);
    triggers_free(control->triggers);
    control_kept_clear(control);
    bitset_clear(&control->told_usable);
    bitset_clear(&control->outages_due);
    outage_clear_left(control);
    bitset_clear(&control->told_absent);
    free(control->untold);
    diag_clear(&control->diag);
    free(control);
    return NULL;
}

uint64_t control_incarnation(const struct control *control)
{
    return control->incarnation;
}

const struct model *control_model(const struct control *control)
{
    return control->model;
}
