#include "cli/sacctmgr/account.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/assoc.h"
#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/facts.h"
#include "cli/sacctmgr/forest.h"
#include "cli/sacctmgr/sequel.h"
#include "cli/sacctmgr/removal.h"

enum { KEY_NAME, KEY_CLUSTER, KEY_DESCRIPTION, KEY_FLAGS, KEY_ORGANIZATION, KEY_PARENT };

static const struct acct_key keys[] = {
    { "Accounts", 3, KEY_NAME },
    { "Acct", 4, KEY_NAME },
    { "Names", 1, KEY_NAME },
    { "Clusters", 1, KEY_CLUSTER },
    { "Description", 1, KEY_DESCRIPTION },
    { "Flags", 2, KEY_FLAGS },
    { "Organization", 1, KEY_ORGANIZATION },
    { "Parent", 1, KEY_PARENT },
};

/* What a line says of accounts. */
struct asked {
    struct words names, clusters;
    struct words users; /* in the accounts, whose associations are meant in the place of theirs */
    bool takes_users;
    struct words descriptions, organizations, parents, flags; /* of what is looked for */
    char *description, *organization, *parent;                /* to be set */
    struct assoc_values values;
    uint32_t flags_set, flags_cleared; /* bits of enum account_flag */
    bool has_names, is_wrong;
};

static void asked_clear(struct asked *asked)
{
    words_clear(&asked->names);
    words_clear(&asked->clusters);
    words_clear(&asked->users);
    words_clear(&asked->descriptions);
    words_clear(&asked->organizations);
    words_clear(&asked->parents);
    words_clear(&asked->flags);
    free(asked->description);
    free(asked->organization);
    free(asked->parent);
    assoc_values_clear(&asked->values);
}

/* Sets the text in small letters: Slurm folds descriptions, too. */
static void set_folded(char **member, const char *text)
{
    xstrset(member, text);
    for (char *at = *member; *at; at++)
        *at = *at >= 'A' && *at <= 'Z' ? (char)(*at | 0x20) : *at;
}

int account_flags_apply(const struct acct_word *word, uint32_t *flags, struct err *err)
{
    AUTO(words) struct words names = { 0 };
    bool sets = false;

    acct_names_add(&names, word->value);
    for (uint32_t i = 0; i < names.n; i++) {
        if (word_is(names.at[i], USERS_ARE_COORDS))
            sets = word->operation != ACCT_MINUS;
        else if (!word_is(names.at[i], "NoUsersAreCoords"))
            return err_set(err, EINVAL,
                           "Unknown flag of accounts: %s (" USERS_ARE_COORDS ", NoUsersAreCoords)",
                           names.at[i]);
    }
    if (sets)
        *flags |= ACCOUNT_USERS_ARE_COORDS;
    else
        *flags &= ~(uint32_t)ACCOUNT_USERS_ARE_COORDS;
    return 0;
}

static void read_flags(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    struct err err = { 0 };
    uint32_t flags = 0;

    if (account_flags_apply(word, &flags, &err) < 0) {
        mgr_refuse(mgr, " %s", err.text);
        asked->is_wrong = true;
    }
    asked->flags_set = flags;
    asked->flags_cleared = ~flags & ACCOUNT_USERS_ARE_COORDS;
}

static uint32_t flags_after(const struct asked *asked, uint32_t flags)
{
    return (flags & ~asked->flags_cleared) | asked->flags_set;
}

static void read_value(struct mgr *mgr, const struct book *book, const struct acct_word *word,
                       struct asked *asked)
{
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_NAME;

    if (key == KEY_NAME) {
        acct_names_add(&asked->names, word->value);
        asked->has_names = true;
    } else if (key == KEY_CLUSTER) {
        acct_names_add(&asked->clusters, word->value);
    } else if (key == KEY_DESCRIPTION) {
        set_folded(&asked->description, word->value);
    } else if (key == KEY_ORGANIZATION) {
        set_folded(&asked->organization, word->value);
    } else if (key == KEY_FLAGS) {
        read_flags(mgr, word, asked);
    } else if (key == KEY_PARENT) {
        set_folded(&asked->parent, word->value);
    } else {
        const int rc = assoc_values_take(mgr, book, word, &asked->values);

        if (rc == 0)
            mgr_refuse_option(mgr, word);
        asked->is_wrong |= rc <= 0;
    }
}

static bool is_users(const struct acct_word *word)
{
    static const struct acct_key users[] = { { "Users", 1, 0 } };

    return word->key && acct_key_find(users, ARRAY_N(users), word->key) == 0;
}

static void read_condition(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_NAME;
    struct words *const lists[] = {
        [KEY_NAME] = &asked->names,
        [KEY_CLUSTER] = &asked->clusters,
        [KEY_DESCRIPTION] = &asked->descriptions,
        [KEY_FLAGS] = &asked->flags,
        [KEY_ORGANIZATION] = &asked->organizations,
        [KEY_PARENT] = &asked->parents,
    };

    if (key >= 0) {
        acct_names_add(lists[key], word->value);
        return;
    }
    if (asked->takes_users && is_users(word)) {
        acct_names_add(&asked->users, word->value);
        return;
    }
    mgr_refuse_condition(mgr, word);
    asked->is_wrong = true;
}

static struct asked read_line(struct mgr *mgr, const struct book *book,
                              const struct acct_line *line, bool takes_users)
{
    struct asked asked = { .takes_users = takes_users };

    assoc_values_init(&asked.values);
    for (uint32_t i = 0; i < line->where.n; i++)
        read_condition(mgr, &line->where.at[i], &asked);
    for (uint32_t i = 0; i < line->set.n && !asked.is_wrong; i++)
        read_value(mgr, book, &line->set.at[i], &asked);
    return asked;
}

/* ---- add ---- */

/* What an add comes to. */
struct addition {
    const struct book *book;
    struct asked *asked;
    struct edits edits;
    struct strbuf accounts, assocs;
    bool lacks_place; /* an account is new, and nowhere is its parent */
};

static void add_record(struct addition *addition, const char *name)
{
    const struct account_record *was = book_any_account(addition->book, name);
    const struct asked *asked = addition->asked;
    AUTO(account_record) struct account_record account;

    account_record_init(&account);
    if (was && !was->deleted)
        return;
    account.name = xstrdup(name);
    account.description = xstrdup(asked->description ? asked->description : name);
    account.organization =
        xstrdup(asked->organization                                   ? asked->organization
                : asked->parent && strcmp(asked->parent, "root") != 0 ? asked->parent
                                                                      : name);
    account.flags = flags_after(asked, 0);
    edits_put(&addition->edits, KEPT_ACCOUNT, was, &account);
    strbuf_addf(&addition->accounts, "  %s\n", name);
}

static void add_assoc(struct addition *addition, const char *cluster, const char *name)
{
    const struct assoc_record *was = book_any_assoc(addition->book, cluster, name, NULL, NULL);
    const struct asked *asked = addition->asked;
    AUTO(assoc_record) struct assoc_record assoc = assoc_of(cluster, name, NULL, NULL);

    if (was && !was->deleted)
        return;
    assoc.parent = xstrdup(asked->parent ? asked->parent : "root");
    assoc_apply_all(addition->book, &asked->values.words, &assoc);
    edits_put(&addition->edits, KEPT_ASSOC, was, &assoc);
    strbuf_addf(&addition->assocs, "  A = %-10.10s C = %-10.10s\n", name, cluster);
}

/* Returns whether the parent is on the cluster. */
static bool has_parent(struct mgr *mgr, const struct addition *addition, const char *cluster)
{
    const char *parent = addition->asked->parent;

    if (!parent || book_assoc(addition->book, cluster, parent, NULL, NULL))
        return true;
    mgr_refuse(mgr, " Parent account '%s' doesn't exist on cluster %s", parent, cluster);
    puts("        Contact your admin to add this account.");
    return false;
}

/* Adds the account on the clusters that have its parent; says of others that they have not. */
static void add_account(struct mgr *mgr, struct addition *addition, const char *name)
{
    const struct words *clusters = &addition->asked->clusters;
    AUTO(words) struct words places = { 0 };

    for (uint32_t i = 0; i < clusters->n; i++) {
        if (book_assoc(addition->book, clusters->at[i], name, NULL, NULL) ||
            has_parent(mgr, addition, clusters->at[i]))
            *ARRAY_PUSH(places.at, places.n) = xstrdup(clusters->at[i]);
    }
    if (places.n == 0 && !book_account(addition->book, name))
        addition->lacks_place = true;
    if (places.n)
        add_record(addition, name);
    for (uint32_t i = 0; i < places.n; i++)
        add_assoc(addition, places.at[i], name);
}

static void say_addition(const struct addition *addition)
{
    const struct asked *asked = addition->asked;
    AUTO(strbuf) struct strbuf values = { 0 };

    if (addition->accounts.len)
        printf(" Adding Account(s)\n%s Settings\n  Description     = %s\n  Organization    = %s\n",
               strbuf_text(&addition->accounts),
               asked->description ? asked->description : "Account Name",
               asked->organization ? asked->organization : "Parent/Account Name");
    if (!addition->assocs.len)
        return;
    printf(" Associations\n%s", strbuf_text(&addition->assocs));
    assoc_show(addition->book, &asked->values.record, &values);
    if (values.len)
        printf(" Settings\n%s", strbuf_text(&values));
}

static int add_all(struct mgr *mgr, struct addition *addition)
{
    struct asked *asked = addition->asked;

    if (asked->names.n == 0 && asked->has_names)
        puts(" No blank names are allowed when adding.");
    if (asked->names.n == 0) {
        mgr_refuse(mgr, asked->has_names ? " Nothing new added." : " Need name of account to add.");
        return 1;
    }
    choice_of_clusters(mgr, addition->book, &asked->clusters);
    if (asked->clusters.n == 0)
        return 1;
    for (uint32_t i = 0; i < asked->names.n; i++)
        add_account(mgr, addition, asked->names.at[i]);
    if (addition->lacks_place && addition->edits.change.edits_n == 0) {
        puts(" No associations created.");
        return 1;
    }
    if (addition->edits.change.edits_n == 0) {
        mgr_refuse(mgr, " Nothing new added.");
        return 1;
    }
    if (asked->parent)
        xstrset(&asked->values.record.parent, asked->parent);
    else if (asked->description || asked->organization || asked->values.words.n)
        xstrset(&asked->values.record.parent, "root");
    say_addition(addition);
    return mgr_commits(mgr) ? edits_send(mgr, &addition->edits) : 0;
}

int account_add(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, book, line, false);
    struct addition addition = { .book = book, .asked = &asked, .edits = { .adds = "accounts" } };
    const int status = asked.is_wrong ? 1 : add_all(mgr, &addition);

    edits_clear(&addition.edits);
    strbuf_clear(&addition.accounts);
    strbuf_clear(&addition.assocs);
    asked_clear(&asked);
    return status;
}

/* ---- those that are meant ---- */

/* Returns whether the account is in one of the parents that are asked for, on any cluster. */
static bool parent_fits(const struct book *book, const struct asked *asked, const char *account)
{
    for (uint32_t i = 0; i < book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&book->clusters, i);
        const struct assoc_record *assoc = book_assoc(book, cluster->name, account, NULL, NULL);

        if (assoc && choice_fits(&asked->parents, assoc->parent))
            return true;
    }
    return asked->parents.n == 0;
}

static bool is_meant(const struct book *book, const struct asked *asked,
                     const struct account_record *account)
{
    return !account->deleted && choice_fits(&asked->names, account->name) &&
           choice_fits(&asked->descriptions, account->description) &&
           choice_fits(&asked->organizations, account->organization) &&
           choice_fits(&asked->flags, fact_account_flags(account->flags)) &&
           parent_fits(book, asked, account->name);
}

/* Returns the names of the accounts that are meant, in their order. */
static struct words names_meant(const struct book *book, const struct asked *asked)
{
    struct words names = { 0 };

    for (uint32_t i = 0; i < book->accounts.n; i++) {
        const struct account_record *account = record_at(&book->accounts, i);

        if (is_meant(book, asked, account))
            *ARRAY_PUSH(names.at, names.n) = xstrdup(account->name);
    }
    choice_sort(&names);
    return names;
}

/* Returns whether the account's own association is meant, or that of a user who is named. */
static bool is_assoc_meant(const struct book *book, const struct asked *asked,
                           const struct assoc_record *assoc)
{
    const struct account_record *account = book_account(book, assoc->account);

    if (!account || !is_meant(book, asked, account) ||
        !choice_fits(&asked->clusters, assoc->cluster))
        return false;
    if (asked->users.n)
        return assoc->user && choice_fits(&asked->users, assoc->user);
    return !assoc->user && choice_fits(&asked->parents, assoc->parent);
}

/* ---- modify ---- */

static void modify_records(const struct book *book, const struct asked *asked, struct edits *edits,
                           struct strbuf *names)
{
    AUTO(words) struct words meant = names_meant(book, asked);

    for (uint32_t i = 0; i < meant.n; i++) {
        const struct account_record *was = book_account(book, meant.at[i]);
        AUTO(account_record) struct account_record account;

        account_record_init(&account);
        schema_copy(account_record_schema(), &account, was);
        if (asked->description)
            xstrset(&account.description, asked->description);
        if (asked->organization)
            xstrset(&account.organization, asked->organization);
        account.flags = flags_after(asked, account.flags);
        edits_alter(edits, KEPT_ACCOUNT, was, &account);
        strbuf_addf(names, "  %s\n", was->name);
    }
}

/* Puts what would be above itself to where the account was: as Slurm does when an account moves
 * below one of its own. */
static void make_way(struct sequel *sequel, const struct assoc_record *moved, const char *parent,
                     struct edits *edits)
{
    const struct book *book = sequel->now;
    const struct assoc_record *was = book_assoc(book, moved->cluster, parent, NULL, NULL);
    AUTO(assoc_record) struct assoc_record assoc;

    assoc_record_init(&assoc);
    if (!was || !book_is_below(book, moved->cluster, parent, moved->account))
        return;
    schema_copy(assoc_record_schema(), &assoc, was);
    xstrset(&assoc.parent, moved->parent);
    edits_alter(edits, KEPT_ASSOC, was, &assoc);
    sequel_set(sequel, was, &assoc);
}

static void modify_assoc(struct sequel *sequel, const struct asked *asked,
                         const struct assoc_record *was, struct edits *edits, struct strbuf *names)
{
    const struct book *book = sequel->now;
    const bool moves = asked->parent && was->parent && strcmp(asked->parent, was->account) != 0 &&
                       strcmp(asked->parent, was->parent) != 0;
    AUTO(assoc_record) struct assoc_record assoc;

    assoc_record_init(&assoc);
    if (asked->values.words.n == 0 && !moves)
        return;
    schema_copy(assoc_record_schema(), &assoc, was);
    assoc_values_apply(book, &asked->values, asked->clusters.n > 0, &assoc);
    if (moves) {
        make_way(sequel, was, asked->parent, edits);
        xstrset(&assoc.parent, asked->parent);
    }
    edits_alter(edits, KEPT_ASSOC, was, &assoc);
    sequel_set(sequel, was, &assoc);
    strbuf_addf(names, "  C = %-10.10s A = %s%s%s\n", was->cluster, was->account,
                was->parent ? " of " : "", was->parent ? was->parent : "");
    sequel_add_heirs(sequel, was, names);
}

static void modify_assocs(struct sequel *sequel, const struct asked *asked, struct edits *edits,
                          struct strbuf *names)
{
    const struct book *book = sequel->now;

    for (uint32_t i = 0; i < book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&book->clusters, i);
        uint32_t n;
        AUTO_FREE const struct assoc_record **tree = forest_of_cluster(book, cluster->name, &n);

        for (uint32_t j = 0; j < n; j++) {
            if (!is_assoc_meant(book, asked, tree[j]))
                continue;
            if (tree[j]->user)
                sequel_alter_user(sequel, tree[j], &asked->values, asked->clusters.n > 0, edits,
                                  names);
            else
                modify_assoc(sequel, asked, tree[j], edits, names);
        }
    }
}

static int modify_meant(struct mgr *mgr, struct sequel *sequel, const struct asked *asked,
                        struct edits *edits)
{
    AUTO(strbuf) struct strbuf accounts = { 0 };
    AUTO(strbuf) struct strbuf assocs = { 0 };

    if (asked->description || asked->organization || asked->flags_set || asked->flags_cleared)
        modify_records(sequel->now, asked, edits, &accounts);
    if (asked->values.words.n || asked->parent)
        modify_assocs(sequel, asked, edits, &assocs);
    return sequel_commit(mgr, sequel, edits, "account", &accounts, &assocs);
}

static int modify(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    struct sequel sequel = sequel_new(book);
    struct edits edits = { 0 };
    int status = 1;

    if (asked->parent && !book_account(book, asked->parent)) {
        mgr_refuse(mgr, " Parent Account %s doesn't exist.", asked->parent);
    } else if (asked->parent && asked->users.n) {
        mgr_refuse(mgr, " Parent= is of accounts, not of users in them");
    } else if (asked->values.record.usage_resets && asked->names.n == 0) {
        mgr_refuse_value(
            mgr, &(struct err){ EINVAL, "An association name is required to remove usage" });
    } else {
        assoc_say_reset(book, &asked->values, asked->clusters.n > 0);
        status = modify_meant(mgr, &sequel, asked, &edits);
    }
    sequel_clear(&sequel);
    edits_clear(&edits);
    return status;
}

int account_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = { 0 };
    int status = 1;

    for (uint32_t i = 0; i < line->set.n; i++) {
        const struct acct_word *word = &line->set.at[i];

        if (!word->key || acct_key_find(keys, ARRAY_N(keys), word->key) == KEY_NAME) {
            mgr_refuse(mgr, " Can't modify the name of an account");
            return 1;
        }
    }
    asked = read_line(mgr, book, line, true);
    if (!asked.is_wrong && line->set.n == 0)
        mgr_refuse(mgr, " You didn't give me anything to set");
    else if (!asked.is_wrong)
        status = mgr_means_all(mgr, line) ? modify(mgr, book, &asked) : 0;
    asked_clear(&asked);
    return status;
}

/* ---- delete ---- */

int account_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, book, line, false);
    struct removal removal = { .book = book };
    int status = 1;

    if (asked.clusters.n == 0 && !asked.is_wrong)
        removal.accounts = names_meant(book, &asked);
    for (uint32_t i = 0; i < book->assocs.n && asked.clusters.n && !asked.is_wrong; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);

        if (!assoc->deleted && is_assoc_meant(book, &asked, assoc))
            *ARRAY_PUSH(removal.assocs, removal.assocs_n) = assoc;
    }
    if (acct_words_are_blank(&line->where) || asked.is_wrong)
        mgr_refuse(mgr, " No conditions given to remove, not executing.");
    else if (words_have_exactly(&removal.accounts, "root")) {
        mgr_refuse(mgr, " You are not allowed to remove the root account.");
        puts(" Use remove cluster instead.");
    } else
        status = removal_run(mgr, &removal);
    removal_clear(&removal);
    asked_clear(&asked);
    return status;
}
