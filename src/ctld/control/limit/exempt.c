#include "ctld/control/limit/exempt.h"

#include "common/msg/acct.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/act/state.h"
#include "ctld/model/exempt.h"

#define EXEMPTS (QOS_PARTITION_MIN_NODES | QOS_PARTITION_MAX_NODES | QOS_PARTITION_TIME_LIMIT)

static uint32_t flags_of(const struct qos_record *rec)
{
    return rec->deleted ? 0 : rec->flags & EXEMPTS;
}

static bool is_known(const struct control *control, struct kept_table *table)
{
    const struct qos_record *rec;
    uint64_t serial = 0;

    while ((rec = kept_next(table, &serial))) {
        if (model_exempt(control->model, rec->name) != flags_of(rec))
            return false;
    }
    return true;
}

bool limit_tell_exempt(struct control *control)
{
    struct kept_table *table = control_kept(control, KEPT_QOS);
    const struct qos_record *rec;
    uint64_t serial = 0;

    if (is_known(control, table))
        return false;
    model_clear_exempt(control->model);
    while ((rec = kept_next(table, &serial)))
        model_add_exempt(control->model, rec->name, flags_of(rec));
    return true;
}
