/* The edits that a file of dump comes to, in an order in which each may be done. */
#include <string.h>
#include <time.h>

#include "cli/sacctmgr/cluster.h"
#include "cli/sacctmgr/forest.h"
#include "cli/sacctmgr/load_plan.h"
#include "cli/sacctmgr/wckey.h"

/* Returns whether the association, which no line is about, is in a default account that a user of
 * the file had, and ceases to be that. */
static bool leaves_default(const struct load_plan *plan, const struct assoc_record *was)
{
    const struct load_user *user = NULL;

    for (uint32_t j = 0; j < plan->users_n && was->is_default && was->user && !user; j++) {
        if (text_is(plan->users[j].now.name, was->user))
            user = &plan->users[j];
    }
    return user && !was->deleted && text_is(was->cluster, plan->cluster) &&
           load_text_differs(user->default_account, was->account) &&
           !load_find_assoc(plan, was->account, was->user, was->partition);
}

/* Takes the place of the default account that the user had, where that is another one. */
static void leave_defaults(const struct load_plan *plan, struct edits *edits)
{
    for (uint32_t i = 0; i < plan->book->assocs.n; i++) {
        const struct assoc_record *was = record_at(&plan->book->assocs, i);
        struct assoc_record left = *was; /* borrows its texts */

        left.is_default = false;
        if (leaves_default(plan, was))
            edits_alter(edits, KEPT_ASSOC, was, &left);
    }
}

/* Adds what becomes of an association. The root of a new cluster has the QOS normal if no other. */
static void gather_assoc(const struct load_plan *plan, const struct load_assoc *assoc,
                         struct edits *edits)
{
    AUTO(assoc_record) struct assoc_record now;
    const bool is_root = !assoc->now.user && !assoc->now.parent;

    assoc_record_init(&now);
    schema_copy(assoc_record_schema(), &now, &assoc->now);
    if (assoc->is_new && is_root && now.qos_n == 0 && book_qos(plan->book, "normal"))
        *ARRAY_PUSH(now.qos, now.qos_n) = xstrdup("normal");
    if (assoc->is_new)
        edits_put(edits, KEPT_ASSOC, assoc->was, &now);
    else
        edits_alter(edits, KEPT_ASSOC, assoc->was, &now);
}

/* Those that cease to be a default go first: a user has one. */
static void gather_assocs(const struct load_plan *plan, bool of_users, bool of_defaults,
                          struct edits *edits)
{
    for (uint32_t i = 0; i < plan->assocs_n; i++) {
        const struct load_assoc *assoc = &plan->assocs[i];

        if ((assoc->now.user != NULL) == of_users && assoc->now.is_default == of_defaults)
            gather_assoc(plan, assoc, edits);
    }
}

static void gather_wckeys(const struct load_plan *plan, const struct load_user *user,
                          struct edits *edits)
{
    AUTO(strbuf) struct strbuf said = { 0 };
    const struct wckey_record *was = load_default_wckey(plan, user->now.name);
    const char *name = user->default_wckey;

    if (name && load_text_differs(was ? was->name : NULL, name))
        wckey_choose(edits, plan->book, plan->cluster, user->now.name, name);
    if (name && !words_have_exactly(&user->wckeys, name)) {
        const struct wckey_record wckey = { .cluster = plan->cluster,
                                            .user = user->now.name,
                                            .name = (char *)(uintptr_t)name,
                                            .is_default = true };

        wckey_add(edits, plan->book, &wckey, &said);
    }
    for (uint32_t i = 0; i < user->wckeys.n; i++) {
        const struct wckey_record wckey = { .cluster = plan->cluster,
                                            .user = user->now.name,
                                            .name = user->wckeys.at[i],
                                            .is_default = text_is(user->wckeys.at[i], name) ||
                                                          (!name && !was && i == 0) };

        wckey_add(edits, plan->book, &wckey, &said);
    }
}

/* Makes users coordinators of accounts, which they have to be there for. */
static void gather_coordinators(const struct load_plan *plan, struct edits *edits)
{
    for (uint32_t i = 0; i < plan->accounts_n; i++) {
        const struct load_account *account = &plan->accounts[i];
        AUTO(account_record) struct account_record now;

        account_record_init(&now);
        schema_copy(account_record_schema(), &now, &account->now);
        for (uint32_t j = 0; j < plan->users_n; j++) {
            if (words_have_exactly(&plan->users[j].coordinated, now.name))
                *ARRAY_PUSH(now.coordinators, now.coordinators_n) =
                    xstrdup(plan->users[j].now.name);
        }
        edits_alter(edits, KEPT_ACCOUNT, &account->now, &now);
    }
}

/* Deletes the associations of the cluster that the file does not name: what is in an account
 * before it, and of a user the default last. */
static void gather_rest(const struct load_plan *plan, struct edits *edits)
{
    const int64_t now = (int64_t)time(NULL);
    uint32_t n = 0;
    AUTO_FREE const struct assoc_record **all = forest_of_cluster(plan->book, plan->cluster, &n);

    for (uint32_t i = n; i > 0; i--) {
        struct assoc_record was = *all[i - 1], gone = was; /* borrow its texts */

        gone.deleted = now;
        gone.is_default = false;
        was.is_default = was.is_default && !leaves_default(plan, all[i - 1]);
        if (!load_find_assoc(plan, was.account, was.user, was.partition))
            edits_alter(edits, KEPT_ASSOC, &was, &gone);
    }
}

void load_plan_gather(const struct load_plan *plan, struct edits *edits)
{
    if (plan->is_new_cluster || plan->classification)
        cluster_put(edits, plan->book, plan->cluster, plan->classification);
    for (uint32_t i = 0; i < plan->accounts_n; i++) {
        struct load_account *account = &plan->accounts[i];

        if (account->is_new)
            edits_put(edits, KEPT_ACCOUNT, account->was, &account->now);
        else
            edits_alter(edits, KEPT_ACCOUNT, account->was, &account->now);
    }
    gather_assocs(plan, false, false, edits);
    for (uint32_t i = 0; i < plan->users_n; i++) {
        struct load_user *user = &plan->users[i];

        if (user->is_new)
            edits_put(edits, KEPT_USER, user->was, &user->now);
        else
            edits_alter(edits, KEPT_USER, user->was, &user->now);
    }
    leave_defaults(plan, edits);
    gather_assocs(plan, true, false, edits);
    gather_assocs(plan, true, true, edits);
    for (uint32_t i = 0; i < plan->users_n; i++)
        gather_wckeys(plan, &plan->users[i], edits);
    gather_coordinators(plan, edits);
    if (plan->is_clean)
        gather_rest(plan, edits);
}
