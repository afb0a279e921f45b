#include "cli/sacctmgr/removal.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/forest.h"
#include "cli/sacctmgr/site.h"

struct list {
    const struct assoc_record **at;
    uint32_t n;
};

void removal_clear(struct removal *removal)
{
    words_clear(&removal->accounts);
    words_clear(&removal->users);
    free(removal->assocs);
}

static bool is_named(const struct removal *removal, const struct assoc_record *assoc)
{
    for (uint32_t i = 0; i < removal->assocs_n; i++) {
        const struct assoc_record *named = removal->assocs[i];

        if (named == assoc)
            return true;
        if (!named->user && strcmp(named->cluster, assoc->cluster) == 0 &&
            book_is_below(removal->book, assoc->cluster, assoc->account, named->account))
            return true;
    }
    return false;
}

static bool goes(const struct removal *removal, const struct assoc_record *assoc)
{
    if (assoc->user && words_have_exactly(&removal->users, assoc->user))
        return true;
    for (uint32_t i = 0; i < removal->accounts.n; i++) {
        if (book_is_below(removal->book, assoc->cluster, assoc->account, removal->accounts.at[i]))
            return true;
    }
    return is_named(removal, assoc);
}

/* Returns all associations that go, those in an account behind it. */
static struct list find_all(const struct removal *removal)
{
    struct list list = { 0 };

    for (uint32_t i = 0; i < removal->book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&removal->book->clusters, i);
        uint32_t n;
        AUTO_FREE const struct assoc_record **tree =
            forest_of_cluster(removal->book, cluster->name, &n);

        for (uint32_t j = 0; j < n; j++) {
            if (goes(removal, tree[j]))
                *ARRAY_PUSH(list.at, list.n) = tree[j];
        }
    }
    return list;
}

static bool has(const struct list *list, const struct assoc_record *assoc)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->at[i] == assoc)
            return true;
    }
    return false;
}

/* Returns whether the user keeps an association. */
static bool is_left(const struct book *book, const struct list *list, const char *user)
{
    for (uint32_t i = 0; i < book->assocs.n; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);

        if (!assoc->deleted && text_is(assoc->user, user) && !has(list, assoc))
            return true;
    }
    return false;
}

static int compare_users(const void *a, const void *b)
{
    const struct assoc_record *left = *(const struct assoc_record *const *)a;
    const struct assoc_record *right = *(const struct assoc_record *const *)b;

    return strcmp(left->user, right->user);
}

/* Returns whether a user is in the account without it being his default one. */
static bool is_in_more(const struct removal *removal, const struct assoc_record *assoc)
{
    const struct assoc_record *in =
        assoc->user ? book_default(removal->book, assoc->cluster, assoc->user) : NULL;

    return assoc->user && (!in || strcmp(in->account, assoc->account) != 0);
}

/* Returns the default accounts that are not taken. Slurm lets those go that are all that goes: it
 * looks at users by name, and keeps the default accounts of the first one who is in more than that
 * and of all behind him. */
static struct list find_kept_defaults(const struct removal *removal, const struct list *list)
{
    struct list kept = { 0 };
    const char *first = NULL;

    for (uint32_t i = 0; i < list->n; i++) {
        const struct assoc_record *assoc = list->at[i];

        if (is_in_more(removal, assoc) && (!first || strcmp(assoc->user, first) < 0))
            first = assoc->user;
    }
    for (uint32_t i = 0; i < list->n && first; i++) {
        const struct assoc_record *assoc = list->at[i];

        if (assoc->user && assoc->is_default && strcmp(assoc->user, first) >= 0)
            *ARRAY_PUSH(kept.at, kept.n) = assoc;
    }
    if (kept.n)
        qsort(kept.at, kept.n, sizeof(*kept.at), compare_users);
    return kept;
}

/* Refuses to take default accounts along with others. Who takes users as a whole means it. */
static bool takes_default(struct mgr *mgr, const struct removal *removal, const struct list *list)
{
    const bool looks = removal->of_users ? removal->users.n == 0 : removal->accounts.n > 0;
    struct list kept = looks ? find_kept_defaults(removal, list) : (struct list){ 0 };
    const bool is_refused = kept.n && !site_dbd_says_yes(mgr, "AllowNoDefAcct");

    if (is_refused)
        mgr_refuse(mgr, " Error with request: You can not remove the default account of a user");
    for (uint32_t i = 0; i < kept.n && is_refused; i++)
        printf("  C = %-15s A = %-10s U = %-9s\n", kept.at[i]->cluster, kept.at[i]->account,
               kept.at[i]->user);
    free(kept.at);
    if (!is_refused)
        return false;
    puts(removal->of_users
             ? " You must change the default account of these users or remove the users completely "
               "from the affected clusters to allow these changes.\n"
               " Changes Discarded"
             : " Please either remove the accounts listed above from list and resubmit,\n"
               " or change these users' default accounts to remove the account(s).\n"
               " Changes Discarded");
    return true;
}

/* ---- what is said ---- */

#define BARE "Deleting users (No Associations)"

static void add_names(struct strbuf *text, const char *title, const struct words *names)
{
    if (names->n)
        strbuf_addf(text, " %s...\n", title);
    for (uint32_t i = 0; i < names->n; i++)
        strbuf_addf(text, "  %s\n", names->at[i]);
}

static void add_assocs(struct strbuf *text, const struct list *list, bool of_users)
{
    if (list->n)
        strbuf_addf(text, " Deleting %s associations...\n", of_users ? "user" : "account");
    for (uint32_t i = 0; i < list->n; i++) {
        const struct assoc_record *assoc = list->at[i];

        if (!assoc->user)
            strbuf_addf(text, "  C = %-10s A = %s of %s\n", assoc->cluster, assoc->account,
                        assoc->parent ? assoc->parent : "");
        else
            strbuf_addf(text, "  C = %-10s A = %-10s U = %-9s%s%s\n", assoc->cluster,
                        assoc->account, assoc->user, assoc->partition ? " P = " : "",
                        assoc->partition ? assoc->partition : "");
    }
}

/* ---- what is done ---- */

static void drop_assoc(struct edits *edits, const struct assoc_record *was, int64_t now)
{
    struct assoc_record gone = *was; /* borrows its texts */

    gone.deleted = now;
    gone.is_default = false;
    edits_alter(edits, KEPT_ASSOC, was, &gone);
}

/* Deletes a user; `if_free`: unless he is in accounts, perhaps such as are not shown here. What is
 * his goes with him. */
static void drop_user(struct edits *edits, const struct book *book, const char *name, int64_t now,
                      bool if_free)
{
    const struct user_record *was = book_user(book, name);
    struct user_record gone = *was;

    gone.deleted = now;
    if (edits_alter(edits, KEPT_USER, was, &gone))
        edits->change.edits[edits->change.edits_n - 1].if_free = if_free;
}

static void drop_account(struct edits *edits, const struct book *book, const char *name,
                         int64_t now)
{
    const struct account_record *was = book_account(book, name);
    struct account_record gone = *was;

    gone.deleted = now;
    gone.coordinators_n = 0;
    gone.flags = 0;
    edits_alter(edits, KEPT_ACCOUNT, was, &gone);
}

/* Finds the users of whom nothing is left. */
static struct words find_users_left_bare(const struct removal *removal, const struct list *list)
{
    struct words users = { 0 };

    for (uint32_t i = 0; i < list->n; i++) {
        const char *user = list->at[i]->user;

        if (user && !words_have_exactly(&removal->users, user) &&
            !words_have_exactly(&users, user) && !is_left(removal->book, list, user))
            *ARRAY_PUSH(users.at, users.n) = xstrdup(user);
    }
    choice_sort(&users);
    return users;
}

static void gather(struct edits *edits, const struct removal *removal, const struct list *list,
                   const struct words *bare)
{
    const int64_t now = (int64_t)time(NULL);

    for (uint32_t i = list->n; i > 0; i--)
        drop_assoc(edits, list->at[i - 1], now);
    for (uint32_t i = 0; i < removal->users.n; i++)
        drop_user(edits, removal->book, removal->users.at[i], now, false);
    for (uint32_t i = 0; i < bare->n; i++)
        drop_user(edits, removal->book, bare->at[i], now, true);
    for (uint32_t i = 0; i < removal->accounts.n; i++)
        drop_account(edits, removal->book, removal->accounts.at[i], now);
}

/* Moves to `ret` the users who are still there. */
static void take_stayed(struct words *users, const struct edits *edits, struct words *ret)
{
    uint32_t gone = 0;

    for (uint32_t i = 0; i < users->n; i++) {
        if (edits_did(edits, KEPT_USER, users->at[i]))
            users->at[gone++] = users->at[i];
        else
            *ARRAY_PUSH(ret->at, ret->n) = users->at[i];
    }
    users->n = gone;
}

/* Says, once all is done, which of the users of whom nothing was seen to be left are gone:
 * `says_first`, who was said to go, and has stayed. */
static void say_bare(const struct mgr *mgr, const struct edits *edits, struct words *bare,
                     bool says_first)
{
    AUTO(words) struct words stayed = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };

    if (edits->changed.changed_n == 0)
        return;
    take_stayed(bare, edits, &stayed);
    if (!says_first)
        add_names(&text, BARE, bare);
    fputs(strbuf_text(&text), stdout);
    fflush(stdout);
    for (uint32_t i = 0; i < stayed.n && says_first && !mgr->quiet; i++)
        fprintf(stderr, "sacctmgr: note: user %s is in other accounts, and stays\n", stayed.at[i]);
}

static int run(struct mgr *mgr, const struct removal *removal, const struct list *list)
{
    AUTO(words) struct words bare = { 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    const bool says_first = !mgr->at_once;
    struct edits edits = { 0 };
    int status;

    if (removal->of_users)
        bare = find_users_left_bare(removal, list);
    add_names(&text, "Deleting accounts", &removal->accounts);
    add_names(&text, "Deleting users", &removal->users);
    if (removal->accounts.n == 0 && removal->users.n == 0)
        add_assocs(&text, list, removal->of_users);
    if (says_first)
        add_names(&text, BARE, &bare);
    gather(&edits, removal, list, &bare);
    status = edits_commit(mgr, &edits, strbuf_text(&text));
    say_bare(mgr, &edits, &bare, says_first);
    edits_clear(&edits);
    return status;
}

int removal_run(struct mgr *mgr, struct removal *removal)
{
    struct list list = find_all(removal);
    int status = 1;

    if (list.n == 0 && removal->users.n == 0 && removal->accounts.n == 0)
        mgr_refuse(mgr, " Nothing deleted");
    else if (!takes_default(mgr, removal, &list))
        status = run(mgr, removal, &list);
    free(list.at);
    return status;
}
