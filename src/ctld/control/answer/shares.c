#include "ctld/control/answer/shares.h"

#include <stdlib.h>
#include <string.h>

#include "common/text/words.h"
#include "ctld/control/acct/fair.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/state.h"
#include "ctld/control/answer/tally.h"

#define MOST 1.8e19 /* what 64 bits hold */

struct share_listing {
    struct share_info *infos; /* what is told, owned; done_n are with the caller */
    uint32_t n, done_n;
};

/* What the list is made of. */
struct making {
    struct control *control;
    struct moment now;
    const struct caller *caller;
    const struct share_list *request;
    const struct fair_share *shares; /* by the ids of associations */
    const struct tally *tally;       /* what running jobs may still use */
    struct share_listing *listing;
};

/* ---- one record ---- */

static uint64_t billionths(double value)
{
    if (value < 0)
        return SHARE_NOT_SHOWN;
    value = value * SHARE_BILLION + 0.5;
    return value < MOST ? (uint64_t)value : SHARE_INFINITE;
}

static void add_amounts(const struct making *making, const struct assoc *assoc,
                        struct share_info *info)
{
    const struct tally *tally = making->tally;
    const double *left = tally->assocs[assoc->rec.id].left;

    for (uint32_t i = 0; i < tally->tres_n; i++) {
        const char *tres = tally->tres[i];

        answer_add_thousandths(
            &info->used, &info->used_n, tres,
            usage_of_assoc(making->control, making->now, assoc, tres, USAGE_OF_ALL));
        answer_add_thousandths(&info->run, &info->run_n, tres, left ? left[i] : 0);
    }
    for (uint32_t i = 0; i < assoc->rec.grp_tres_mins_n; i++)
        schema_copy(acct_amount_schema(), ARRAY_PUSH(info->grp_tres_mins, info->grp_tres_mins_n),
                    &assoc->rec.grp_tres_mins[i]);
}

static void add_info(struct making *making, const struct assoc *assoc)
{
    struct share_info *info = ARRAY_PUSH(making->listing->infos, making->listing->n);
    const struct fair_share *share = &making->shares[assoc->rec.id];

    share_info_init(info);
    info->id = assoc->rec.id;
    info->cluster = xstrdup(assoc->rec.cluster);
    info->account = xstrdup(assoc->rec.account);
    info->user = xstrdup(assoc->rec.user);
    info->parent = xstrdup(assoc->rec.parent);
    info->partition = xstrdup(assoc->rec.partition);
    info->shares = fair_own_shares(&assoc->rec);
    info->norm_shares = billionths(share->norm_shares);
    info->norm_usage = billionths(share->norm_usage);
    info->effective_usage = billionths(share->effective_usage);
    info->factor = billionths(share->factor);
    info->level = billionths(share->level);
    add_amounts(making, assoc, info);
}

/* ---- which ones, and in which order ---- */

static bool has_word(char *const *words, uint32_t n, const char *word)
{
    for (uint32_t i = 0; i < n; i++) {
        if (word_is(words[i], word))
            return true;
    }
    return n == 0;
}

static bool is_meant(const struct making *making, const struct assoc_record *rec)
{
    const struct share_list *request = making->request;

    return has_word(request->accounts, request->accounts_n, rec->account) &&
           (!rec->user || has_word(request->users, request->users_n, rec->user));
}

static const char *name_of(const struct assoc_record *rec)
{
    return rec->user ? rec->user : rec->account;
}

static int compare_siblings(const void *left, const void *right)
{
    const struct assoc_record *a = &(*(const struct assoc *const *)left)->rec;
    const struct assoc_record *b = &(*(const struct assoc *const *)right)->rec;
    int order = (b->user != NULL) - (a->user != NULL);

    if (order == 0)
        order = strcmp(name_of(a), name_of(b));
    if (order == 0)
        order = strcmp(a->partition ? a->partition : "", b->partition ? b->partition : "");
    return order;
}

/* Associations that are still to be walked through; the last one is the next. */
struct ahead {
    const struct assoc **at;
    uint32_t n;
};

/* Adds those below an association, so that the first in order is the next. */
static void add_below(struct ahead *ahead, const struct assoc *above)
{
    const uint32_t first = ahead->n;

    for (const struct assoc *assoc = above->first; assoc; assoc = assoc->next)
        *ARRAY_PUSH(ahead->at, ahead->n) = assoc;
    if (ahead->n > first)
        qsort(ahead->at + first, ahead->n - first, sizeof(*ahead->at), compare_siblings);
    for (uint32_t i = first, k = ahead->n; i + 1 < k; i++) {
        const struct assoc *other = ahead->at[--k];

        ahead->at[k] = ahead->at[i];
        ahead->at[i] = other;
    }
}

static void list_all(struct making *making)
{
    const bool is_used = acct_is_used(making->control);
    const struct assoc *root = is_used ? acct_tree_root(making->control) : NULL;
    struct ahead ahead = { 0 };

    if (root)
        *ARRAY_PUSH(ahead.at, ahead.n) = root;
    while (ahead.n > 0) {
        const struct assoc *assoc = ahead.at[--ahead.n];

        if (is_meant(making, &assoc->rec) &&
            acct_sees_usage(making->control, making->caller, assoc->rec.cluster, assoc->rec.account,
                            assoc->rec.user))
            add_info(making, assoc);
        add_below(&ahead, assoc);
    }
    free(ahead.at);
}

/* Usage and tree are brought to this moment where they are looked at, which changes nothing that
 * can be seen otherwise. */
struct share_listing *control_share_list(const struct control *control, struct moment now,
                                         const struct caller *caller,
                                         const struct share_list *request)
{
    struct control *mine = (struct control *)(uintptr_t)control;
    AUTO_FREE struct fair_share *shares = fair_compute(mine, now);
    struct tally *tally = tally_new(mine, now);
    struct making making = { .control = mine,
                             .now = now,
                             .caller = caller,
                             .request = request,
                             .shares = shares,
                             .tally = tally,
                             .listing = xcalloc(1, sizeof(*making.listing)) };

    list_all(&making);
    tally_free(tally);
    return making.listing;
}

bool control_share_next(struct share_listing *listing, struct share_info *ret)
{
    if (listing->done_n == listing->n)
        return false;
    *ret = listing->infos[listing->done_n++];
    return true;
}

struct share_listing *control_share_list_free(struct share_listing *listing)
{
    while (listing->done_n < listing->n)
        share_info_clear(&listing->infos[listing->done_n++]);
    free(listing->infos);
    free(listing);
    return NULL;
}
