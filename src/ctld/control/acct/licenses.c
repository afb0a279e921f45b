#include "ctld/control/acct/licenses.h"

#include "common/msg/acct.h"
#include "common/text/words.h"
#include "ctld/control/act/kept.h"
#include "ctld/control/act/state.h"
#include "ctld/model/license.h"

static const struct resource_share *share_of(const struct resource_record *rec, const char *cluster)
{
    for (uint32_t i = 0; i < rec->shares_n; i++) {
        if (text_is(rec->shares[i].cluster, cluster))
            return &rec->shares[i];
    }
    return NULL;
}

static uint32_t total_of(const struct resource_record *rec, const struct resource_share *share)
{
    if (rec->flags & RESOURCE_ABSOLUTE)
        return share->allowed;
    return (uint32_t)((uint64_t)rec->count * share->allowed / 100);
}

/*
 * Returns how many of the cluster's licenses somebody has whom no cluster knows. What the server
 * says is consumed may be all that is not this cluster's, and what its jobs hold; the rest is
 * missing here. It is reckoned when the resource changes, not with each job, as the number is of
 * that moment.
 */
static uint32_t deficit_of(const struct resource_record *rec, uint32_t total, uint32_t used)
{
    const uint64_t elsewhere = rec->count > total ? rec->count - total : 0;
    const uint64_t known = elsewhere + used;
    uint64_t missing = rec->last_consumed > known ? rec->last_consumed - known : 0;

    return missing < total ? (uint32_t)missing : total;
}

static void add_share(struct model *model, const struct resource_record *rec)
{
    const struct resource_share *share = share_of(rec, model->config.cluster_name);

    if (rec->deleted || !share)
        return;
    model_add_license(model, &(struct license_info){
                                 .name = rec->key,
                                 .total = total_of(rec, share),
                                 .is_remote = true,
                                 .last_consumed = rec->last_consumed,
                                 .last_update = rec->modified,
                             });
}

static void set_deficits(struct control *control)
{
    struct model *model = control->model;
    const struct kept_table *resources = control_kept(control, KEPT_RESOURCE);
    AUTO_FREE uint32_t *used = model_licenses_used(model);

    for (uint32_t i = 0; i < model->licenses_n; i++) {
        struct license_info *license = &model->licenses[i];

        if (license->is_remote)
            license->last_deficit =
                deficit_of(kept_find(resources, license->name), license->total, used[i]);
    }
}

void licenses_renew(struct control *control)
{
    const struct kept_table *resources = control_kept(control, KEPT_RESOURCE);
    const struct resource_record *rec;
    uint64_t serial = 0;

    if (!control->model->config.cluster_name)
        return;
    model_reset_licenses(control->model);
    while ((rec = kept_next(resources, &serial)))
        add_share(control->model, rec);
    set_deficits(control);
    control->planner_stale = true;
}
