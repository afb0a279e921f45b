#include "ctld/control/feed/reserved.h"

#include "common/base/minmax.h"
#include "common/text/licenses.h"
#include "ctld/control/act/state.h"
#include "ctld/control/feed/snapshot.h"
#include "ctld/control/resv/resv.h"
#include "ctld/model/license.h"

/* Each entry has two pools: of the reservation, and of what is outside, of which the one of the
 * license's first entry is used. */
enum { POOL_INSIDE, POOL_OUTSIDE, POOLS_EACH };

/* ---- which there are ---- */

/* One that floats has no times: its licenses are kept from nobody. */
static void add_entries(const struct act *act, const struct reservation_record *resv,
                        struct reserved_license **list, uint32_t *n)
{
    const struct model *model = act->control->model;
    AUTO(licenses) struct licenses licenses = { 0 };

    if (!resv->licenses || resv->flags & RESV_TIME_FLOAT ||
        licenses_parse(resv->licenses, &licenses, NULL) < 0)
        return;
    for (uint32_t i = 0; i < licenses.n; i++) {
        const struct license_info *license = model_find_license(model, licenses.at[i].name);

        if (license)
            *ARRAY_PUSH(*list, *n) = (struct reserved_license){
                .resv_id = resv->id,
                .license = (uint32_t)(license - model->licenses),
                .count = licenses.at[i].count,
                .is_open = resv_is_open(resv, act->now.wall_s),
            };
    }
}

/* Returns what reservations have, in their order; the caller's. */
static struct reserved_license *list_all(const struct act *act, uint32_t *ret_n)
{
    struct reserved_license *list = NULL;
    const struct reservation_record *resv;
    uint64_t at = 0;

    *ret_n = 0;
    while ((resv = resv_next(act->control, &at)))
        add_entries(act, resv, &list, ret_n);
    return list;
}

void feed_count_reserved(struct act *act)
{
    free(act->control->reserved);
    act->control->reserved = list_all(act, &act->control->reserved_n);
}

static bool is_same(const struct reserved_license *a, const struct reserved_license *b)
{
    return a->resv_id == b->resv_id && a->license == b->license && a->count == b->count &&
           a->is_open == b->is_open;
}

void feed_watch_reserved(struct act *act)
{
    struct control *control = act->control;
    uint32_t n;
    AUTO_FREE struct reserved_license *list = list_all(act, &n);
    bool same = n == control->reserved_n;

    for (uint32_t i = 0; same && i < n; i++)
        same = is_same(&list[i], &control->reserved[i]);
    if (!same)
        control->planner_stale = true;
}

/* ---- pools ---- */

uint32_t feed_reserved_pools_n(const struct control *control)
{
    return control->reserved_n * POOLS_EACH;
}

static uint32_t pool_of(const struct control *control, const struct reserved_license *entry,
                        uint32_t which)
{
    const uint32_t i = (uint32_t)(entry - control->reserved);

    return feed_license_pools_n(control->model) + i * POOLS_EACH + which;
}

/* Returns the first entry of the license, or NULL: no reservation has any. */
static const struct reserved_license *first_of(const struct control *control, uint32_t license)
{
    for (uint32_t i = 0; i < control->reserved_n; i++) {
        if (control->reserved[i].license == license)
            return &control->reserved[i];
    }
    return NULL;
}

void feed_add_reserved_pools(const struct control *control, struct plan_snapshot *snapshot)
{
    struct plan_pool *pools = (struct plan_pool *)snapshot->pools;

    for (uint32_t i = 0; i < control->reserved_n; i++) {
        const struct reserved_license *entry = &control->reserved[i];
        struct plan_pool outside = pools[entry->license], inside = outside;

        inside.total = entry->count;
        *ARRAY_PUSH(pools, snapshot->pools_n) = inside;
        *ARRAY_PUSH(pools, snapshot->pools_n) = outside;
    }
    snapshot->pools = pools;
}

/* ---- claims ---- */

struct plan_claim *feed_reserved_claims(const struct control *control,
                                        const struct reservation_record *resv, uint32_t *ret_n)
{
    struct plan_claim *claims = NULL;

    *ret_n = 0;
    for (uint32_t i = 0; i < control->reserved_n; i++) {
        const struct reserved_license *entry = &control->reserved[i];

        if (entry->resv_id == resv->id)
            *ARRAY_PUSH(claims, *ret_n) = (struct plan_claim){
                .pool = pool_of(control, first_of(control, entry->license), POOL_OUTSIDE),
                .amount = entry->count,
            };
    }
    return claims;
}

/* Returns whether the job has its licenses from its reservation, as far as they go. One that waits
 * begins in the reservation's time, but for FLEX; one that runs may have stayed on. */
static bool is_inside(const struct control *control, const struct job_record *rec,
                      const struct reserved_license *entry)
{
    const struct reservation_record *resv = resv_find_id(control, entry->resv_id);

    return entry->is_open || (resv && rec->state == JOB_PENDING && !(resv->flags & RESV_FLEX));
}

/* Returns what the reservation has of the license, if a job has licenses from it; or NULL. */
static const struct reserved_license *find_inside(const struct control *control,
                                                  const struct job_record *rec,
                                                  uint32_t reservation, uint32_t license)
{
    for (uint32_t i = 0; i < control->reserved_n; i++) {
        const struct reserved_license *entry = &control->reserved[i];

        if (entry->resv_id == (reservation & ~PLAN_RESV_WITHIN) && entry->license == license &&
            is_inside(control, rec, entry))
            return entry;
    }
    return NULL;
}

/* Adds the claims of so many of the license; `first` is its first entry. What a reservation has too
 * little of for a job comes from outside. */
static void add_claims(const struct control *control, const struct reserved_license *first,
                       const struct reserved_license *inside, uint64_t amount,
                       struct plan_claim **claims, uint32_t *n)
{
    const uint64_t from_inside = inside ? MIN(amount, inside->count) : 0;

    if (from_inside)
        *ARRAY_PUSH(*claims, *n) = (struct plan_claim){
            .pool = pool_of(control, inside, POOL_INSIDE),
            .amount = from_inside,
        };
    if (amount > from_inside)
        *ARRAY_PUSH(*claims, *n) = (struct plan_claim){
            .pool = pool_of(control, first, POOL_OUTSIDE),
            .amount = amount - from_inside,
        };
}

void feed_claim_reserved(const struct control *control, const struct job_record *rec,
                         struct plan_option *option)
{
    struct plan_claim *claims = (struct plan_claim *)option->claims;
    const uint32_t licenses_n = option->claims_n;

    for (uint32_t i = 0; i < licenses_n && control->reserved_n; i++) {
        const struct plan_claim claim = claims[i];
        const struct reserved_license *first = first_of(control, claim.pool);

        if (first)
            add_claims(control, first, find_inside(control, rec, option->reservation, claim.pool),
                       claim.amount, &claims, &option->claims_n);
    }
    option->claims = claims;
}
