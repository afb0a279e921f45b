#include "ctld/control/answer/use.h"

#include <stdlib.h>

#include "ctld/control/acct/usage.h"
#include "ctld/control/act/state.h"
#include "ctld/control/answer/tally.h"

struct use_listing {
    struct acct_use *at; /* what is told, owned; done_n are with the caller */
    uint32_t n, done_n;
};

struct making {
    struct control *control;
    struct moment now;
    const struct caller *caller;
    const struct tally *tally;
    struct use_listing *listing;
};

/* Adds a record of what jobs are and hold. */
static struct acct_use *add_use(const struct making *making, const struct tally_sum *sum)
{
    struct acct_use *use = ARRAY_PUSH(making->listing->at, making->listing->n);

    acct_use_init(use);
    use->jobs = sum->running_n;
    use->submitted = sum->submitted_n;
    use->accruing = sum->accruing_n;
    for (uint32_t i = 0; sum->held && i < making->tally->tres_n; i++) {
        struct acct_amount *held = ARRAY_PUSH(use->held, use->held_n);

        acct_amount_init(held);
        held->tres = xstrdup(making->tally->tres[i]);
        held->amount = (uint64_t)sum->held[i];
        answer_add_thousandths(&use->left, &use->left_n, making->tally->tres[i], sum->left[i]);
    }
    return use;
}

static uint64_t thousandths(double seconds)
{
    return (uint64_t)(seconds * 1000 + 0.5);
}

static void add_assoc(const struct making *making, const struct assoc *assoc)
{
    struct acct_use *use = add_use(making, &making->tally->assocs[assoc->rec.id]);

    use->assoc_id = assoc->rec.id;
    use->wall_ms =
        thousandths(usage_of_assoc(making->control, making->now, assoc, USAGE_WALL, USAGE_OF_ALL));
    for (uint32_t i = 0; i < making->tally->tres_n; i++) {
        const char *tres = making->tally->tres[i];

        answer_add_thousandths(
            &use->used, &use->used_n, tres,
            usage_of_assoc(making->control, making->now, assoc, tres, USAGE_OF_ALL));
    }
}

static void add_qos(const struct making *making, const struct qos_record *qos)
{
    struct acct_use *use = add_use(making, &making->tally->qos[qos->id]);

    use->qos_id = qos->id;
    use->wall_ms = thousandths(
        usage_of_qos(making->control, making->now, qos->name, USAGE_WALL, USAGE_OF_ALL));
    for (uint32_t i = 0; i < making->tally->tres_n; i++) {
        const char *tres = making->tally->tres[i];

        answer_add_thousandths(
            &use->used, &use->used_n, tres,
            usage_of_qos(making->control, making->now, qos->name, tres, USAGE_OF_ALL));
    }
}

static void add_part(const struct making *making, const struct tally_part *part)
{
    const char *cluster = making->control->model->config.cluster_name;
    struct acct_use *use;

    if (!acct_sees_usage(making->control, making->caller, cluster, part->account, part->user))
        return;
    use = add_use(making, &part->sum);
    use->qos_id = part->qos_id;
    use->account = xstrdup(part->account);
    use->user = xstrdup(part->user);
}

static void list_all(const struct making *making)
{
    const struct qos_record *qos;
    uint64_t serial = 0;

    for (const struct assoc *assoc = acct_tree_root(making->control); assoc;
         assoc = acct_tree_next(assoc)) {
        if (acct_sees_usage(making->control, making->caller, assoc->rec.cluster, assoc->rec.account,
                            assoc->rec.user))
            add_assoc(making, assoc);
    }
    while ((qos = kept_next(control_kept(making->control, KEPT_QOS), &serial))) {
        if (!qos->deleted)
            add_qos(making, qos);
    }
    for (const struct tally_part *part = making->tally->parts; part; part = part->hh.next)
        add_part(making, part);
}

/* The tree is brought to this moment where it is looked at, which changes nothing that can be seen
 * otherwise. */
struct use_listing *control_use_list(const struct control *control, struct moment now,
                                     const struct caller *caller)
{
    struct control *mine = (struct control *)(uintptr_t)control;
    struct use_listing *listing = xcalloc(1, sizeof(*listing));
    struct tally *tally = tally_new(mine, now);
    const struct making making = { mine, now, caller, tally, listing };

    if (acct_is_used(mine))
        list_all(&making);
    tally_free(tally);
    return listing;
}

bool control_use_next(struct use_listing *listing, struct acct_use *ret)
{
    if (listing->done_n == listing->n)
        return false;
    *ret = listing->at[listing->done_n++];
    return true;
}

struct use_listing *control_use_list_free(struct use_listing *listing)
{
    while (listing->done_n < listing->n)
        acct_use_clear(&listing->at[listing->done_n++]);
    free(listing->at);
    free(listing);
    return NULL;
}
