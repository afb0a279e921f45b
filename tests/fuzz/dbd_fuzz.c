/* Lists of records between a controller and its slurmdbd, on bytes: what is taken leaves a tree
 * that can be walked, and records that can be told again. */
#include <stdlib.h>

#include "common/msg/dbd.h"
#include "ctld/control/acct/follow.h"
#include "ctld/control/acct/tree.h"
#include "ctld/control/control.h"
#include "ctld/control/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct control *new_control(struct turn *turn)
{
    struct model_config config = { .cluster_name = xstrdup("lab"),
                                   .slurm_user = xstrdup("slurm"),
                                   .has_slurmdbd = true,
                                   .first_job_id = 1,
                                   .max_job_id = 10 };
    struct control *control;
    struct act act = { .turn = turn, .now = { .wall_s = 1795302930, .cluster_ms = 1000 } };

    if (control_new(&config, &control, NULL) < 0)
        abort();
    act.control = control;
    control_ready(&act);
    return control;
}

/* All that is there can be told, and is taken as it is. */
static void tell_again(struct act *act)
{
    AUTO(dbd_records) struct dbd_records list;
    struct err err = { 0 };

    dbd_records_init(&list);
    list.is_all = true;
    acct_tell_all(act->control, "lab", &list);
    if (acct_follow(act, &list, &err) < 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(dbd_records) struct dbd_records list;
    struct turn turn;
    struct act act = { .now = { .wall_s = 1795302931, .cluster_ms = 2000 }, .turn = &turn };
    struct err err = { 0 };
    uint32_t n = 0;

    if (size == 0 || schema_decode(dbd_records_schema(), data + 1, size - 1, &list, &err) < 0)
        return 0;
    turn_init(&turn);
    act.control = new_control(&turn);
    if (data[0] & 1)
        (void)acct_adopt(&act, "lab", &list, &err);
    if (data[0] & 2)
        (void)acct_follow(&act, &list, &err);
    for (const struct assoc *at = acct_tree_root(act.control); at; at = acct_tree_next(at))
        n++;
    if (n > list.records_n + 2) /* the controller's own two */
        abort();
    tell_again(&act);
    control_free(act.control);
    turn_clear(&turn);
    return 0;
}
