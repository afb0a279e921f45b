#include "ctld/control/answer/shares.h"

#include <stdlib.h>
#include <string.h>

#include "common/msg/tres.h"
#include "common/text/words.h"
#include "ctld/control/acct/fair.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/state.h"
#include "ctld/control/act/timers.h"

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
    double **run;                    /* by the same: what running jobs may still use of each TRES */
    uint32_t run_n;
    const char **tres;
    uint32_t tres_n;
    struct share_listing *listing;
};

/* ---- what running jobs may still use ---- */

static void add_run_to(struct making *making, const struct assoc *assoc, const struct tres *held,
                       double seconds)
{
    double **run = &making->run[assoc->rec.id];

    if (!*run)
        *run = xcalloc((size_t)making->tres_n + 1, sizeof(**run));
    for (uint32_t i = 0; i < making->tres_n; i++)
        (*run)[i] += (double)tres_amount(held, making->tres[i]) * seconds;
}

/* Adds what a job may use until its limit to its association, and to those above. A job without
 * limit adds nothing that could be told. */
static void add_run(void *arg, const struct usage_job *counted)
{
    struct making *making = arg;
    const struct job *job = model_find_job(making->control->model, counted->job_id);
    const int64_t end_ms = job ? job_limit_ms(job) : INT64_MAX;
    const struct assoc *assoc =
        kept_find(control_kept(making->control, KEPT_ASSOC), counted->assoc_key);

    if (end_ms != INT64_MAX && end_ms > making->now.cluster_ms) {
        AUTO(tres) struct tres held = tres_allocated(&job->rec);

        for (; assoc; assoc = assoc->parent)
            add_run_to(making, assoc, &held, (double)(end_ms - making->now.cluster_ms) / 1000);
    }
}

static void find_run(struct making *making)
{
    struct kept_table *table = control_kept(making->control, KEPT_TRES);
    const struct tres_record *rec;
    uint64_t serial = 0;

    while ((rec = kept_next(table, &serial)))
        *ARRAY_PUSH(making->tres, making->tres_n) = rec->name;
    making->run_n = control_kept(making->control, KEPT_ASSOC)->last_number + 1;
    making->run = xcalloc(making->run_n, sizeof(*making->run));
    usage_each_job(making->control, making->now, add_run, making);
}

/* ---- one record ---- */

static uint64_t billionths(double value)
{
    if (value < 0)
        return SHARE_NOT_SHOWN;
    value = value * SHARE_BILLION + 0.5;
    return value < MOST ? (uint64_t)value : SHARE_INFINITE;
}

static void add_amount(struct acct_amount **list, uint32_t *n, const char *tres, double amount)
{
    struct acct_amount *at = ARRAY_PUSH(*list, *n);

    acct_amount_init(at);
    at->tres = xstrdup(tres);
    at->amount = (uint64_t)(amount * SHARE_THOUSAND + 0.5);
}

static void add_amounts(const struct making *making, const struct assoc *assoc,
                        struct share_info *info)
{
    const double *run = making->run[assoc->rec.id];

    for (uint32_t i = 0; i < making->tres_n; i++) {
        const char *tres = making->tres[i];

        add_amount(&info->used, &info->used_n, tres,
                   usage_of_assoc(making->control, making->now, assoc, tres, USAGE_OF_ALL));
        add_amount(&info->run, &info->run_n, tres, run ? run[i] : 0);
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

/* With PrivateData=usage users see themselves, coordinators what is in their accounts. */
static bool is_shown(const struct making *making, const struct assoc_record *rec)
{
    const struct caller *caller = making->caller;

    if (!(making->control->model->config.private_data & PRIVATE_USAGE) ||
        acct_has_level(making->control, caller, ADMIN_OPERATOR))
        return true;
    return (rec->user && text_is(caller->user_name, rec->user)) ||
           acct_coordinates(making->control, caller, rec->cluster, rec->account);
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

        if (is_meant(making, &assoc->rec) && is_shown(making, &assoc->rec))
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
    struct making making = { .control = mine,
                             .now = now,
                             .caller = caller,
                             .request = request,
                             .shares = shares,
                             .listing = xcalloc(1, sizeof(*making.listing)) };

    find_run(&making);
    list_all(&making);
    for (uint32_t i = 0; i < making.run_n; i++)
        free(making.run[i]);
    free(making.run);
    free(making.tres);
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
