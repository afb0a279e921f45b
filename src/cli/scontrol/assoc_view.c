#include "cli/scontrol/assoc_view.h"

#include <stdlib.h>
#include <string.h>

#include "common/text/words.h"

static int compare_ids(const void *a, const void *b)
{
    const uint32_t left = ((const struct assoc_place *)a)->assoc->id;
    const uint32_t right = ((const struct assoc_place *)b)->assoc->id;

    return (left > right) - (left < right);
}

static struct assoc_place *find(const struct assoc_view *view, uint32_t id)
{
    const struct assoc_record assoc = { .id = id };
    const struct assoc_place key = { .assoc = &assoc };

    return view->places_n
               ? bsearch(&key, view->places, view->places_n, sizeof(*view->places), compare_ids)
               : NULL;
}

const struct assoc_place *assoc_view_find(const struct assoc_view *view, uint32_t id)
{
    return find(view, id);
}

const struct acct_use *assoc_view_use(const struct assoc_view *view, const struct qos_record *qos)
{
    for (uint32_t i = 0; i < view->uses.n; i++) {
        const struct acct_use *use = record_at(&view->uses, i);

        if (use->qos_id == qos->id && !use->account && !use->user)
            return use;
    }
    return NULL;
}

/* ---- default accounts ---- */

static int compare_users(const void *a, const void *b)
{
    return strcmp((*(const struct assoc_record *const *)a)->user,
                  (*(const struct assoc_record *const *)b)->user);
}

static void find_defaults(struct assoc_view *view)
{
    for (uint32_t i = 0; i < view->places_n; i++) {
        const struct assoc_record *assoc = view->places[i].assoc;

        if (assoc->is_default && assoc->user)
            *ARRAY_PUSH(view->defaults, view->defaults_n) = assoc;
    }
    if (view->defaults_n)
        qsort(view->defaults, view->defaults_n, sizeof(struct assoc_record *), compare_users);
}

const char *assoc_view_default(const struct assoc_view *view, const char *user)
{
    AUTO_FREE char *name = xstrdup(user);
    const struct assoc_record assoc = { .user = name };
    const struct assoc_record *key = &assoc;
    const struct assoc_record *const *found =
        view->defaults_n ? bsearch(&key, view->defaults, view->defaults_n,
                                   sizeof(struct assoc_record *), compare_users)
                         : NULL;

    return found ? (*found)->account : "";
}

/* ---- accounts by name ---- */

static int compare_accounts(const void *a, const void *b)
{
    const struct assoc_record *left = (*(struct assoc_place *const *)a)->assoc;
    const struct assoc_record *right = (*(struct assoc_place *const *)b)->assoc;
    const int order = strcmp(left->account, right->account);

    return order ? order : strcmp(left->cluster, right->cluster);
}

static struct assoc_place *find_account(struct assoc_place *const *accounts, uint32_t n,
                                        const struct assoc_record *below)
{
    char *account = below->user ? below->account : below->parent;
    const struct assoc_record assoc = { .account = account, .cluster = below->cluster };
    struct assoc_place place = { .assoc = &assoc };
    const struct assoc_place *key = &place;
    struct assoc_place *const *found =
        account && n ? bsearch(&key, accounts, n, sizeof(*accounts), compare_accounts) : NULL;

    return found ? *found : NULL;
}

static void find_above(struct assoc_view *view)
{
    AUTO_FREE struct assoc_place **accounts = NULL;
    uint32_t n = 0;

    for (uint32_t i = 0; i < view->places_n; i++) {
        if (!view->places[i].assoc->user)
            *ARRAY_PUSH(accounts, n) = &view->places[i];
    }
    if (n)
        qsort(accounts, n, sizeof(struct assoc_place *), compare_accounts);
    for (uint32_t i = 0; i < view->places_n; i++) {
        struct assoc_place *place = &view->places[i];
        const uint32_t shares = place->assoc->shares;

        place->above = find_account(accounts, n, place->assoc);
        if (place->above && shares != SHARES_PARENT)
            place->above->shares += shares == COUNT_UNSET ? SHARES_DEFAULT : shares;
    }
}

/* ---- all ---- */

void assoc_view_index(struct assoc_view *view)
{
    for (uint32_t i = 0; i < view->assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&view->assocs, i);

        if (!assoc->deleted)
            *ARRAY_PUSH(view->places, view->places_n) = (struct assoc_place){ .assoc = assoc };
    }
    if (view->places_n)
        qsort(view->places, view->places_n, sizeof(*view->places), compare_ids);
    find_above(view);
    find_defaults(view);
    for (uint32_t i = 0; i < view->shares.n; i++) {
        const struct share_info *share = record_at(&view->shares, i);
        struct assoc_place *place = find(view, share->id);

        if (place)
            place->share = share;
    }
    for (uint32_t i = 0; i < view->uses.n; i++) {
        const struct acct_use *use = record_at(&view->uses, i);
        struct assoc_place *place = use->assoc_id ? find(view, use->assoc_id) : NULL;

        if (place)
            place->use = use;
    }
}

void assoc_view_clear(struct assoc_view *view)
{
    struct records *const all[] = { &view->tres, &view->users,  &view->wckeys, &view->assocs,
                                    &view->qos,  &view->shares, &view->uses };

    for (size_t i = 0; i < ARRAY_N(all); i++) {
        if (all[i]->schema)
            records_clear(all[i]);
    }
    free(view->places);
    free(view->defaults);
    *view = (struct assoc_view){ 0 };
}
