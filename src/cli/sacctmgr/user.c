#include "cli/sacctmgr/user.h"

#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/assoc.h"
#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/forest.h"
#include "cli/sacctmgr/removal.h"

enum {
    KEY_NAME,
    KEY_ACCOUNT,
    KEY_CLUSTER,
    KEY_PARTITION,
    KEY_ADMIN,
    KEY_DEFAULT_ACCOUNT,
    KEY_DEFAULT_WCKEY,
    KEY_WCKEY
};

static const struct acct_key keys[] = {
    { "Accounts", 2, KEY_ACCOUNT },
    { "Acct", 4, KEY_ACCOUNT },
    { "AdminLevel", 2, KEY_ADMIN },
    { "Clusters", 1, KEY_CLUSTER },
    { "DefaultAccount", 8, KEY_DEFAULT_ACCOUNT },
    { "DefaultWCKey", 8, KEY_DEFAULT_WCKEY },
    { "Names", 1, KEY_NAME },
    { "Users", 1, KEY_NAME },
    { "Partitions", 2, KEY_PARTITION },
    { "WCKeys", 1, KEY_WCKEY },
};

/* What a line says of users. */
struct asked {
    struct words names, accounts, clusters, partitions, wckeys;
    struct words defaults; /* default accounts of those that are looked for */
    int level;             /* to be set; -1: none that is known */
    bool has_level;
    char *default_account, *default_wckey;
    struct words levels;
    struct assoc_values values;
    bool is_wrong;
};

static void asked_clear(struct asked *asked)
{
    words_clear(&asked->names);
    words_clear(&asked->accounts);
    words_clear(&asked->clusters);
    words_clear(&asked->partitions);
    words_clear(&asked->wckeys);
    words_clear(&asked->defaults);
    words_clear(&asked->levels);
    free(asked->default_account);
    free(asked->default_wckey);
    assoc_values_clear(&asked->values);
}

static char *first_name(const char *value)
{
    AUTO(words) struct words names = { 0 };

    acct_names_add(&names, value);
    return xstrdup(names.n ? names.at[0] : "");
}

static void refuse_value(struct mgr *mgr, const struct acct_word *word, bool modifies,
                         struct asked *asked)
{
    if (modifies)
        mgr_refuse_option(mgr, word);
    else
        mgr_refuse(mgr, " Unknown option: %s", word->text);
    asked->is_wrong = true;
}

static void read_value(struct mgr *mgr, const struct book *book, const struct acct_word *word,
                       bool modifies, struct asked *asked)
{
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_NAME;

    if (modifies && (key == KEY_NAME || key == KEY_ACCOUNT || key == KEY_PARTITION ||
                     key == KEY_CLUSTER || key == KEY_WCKEY)) {
        refuse_value(mgr, word, modifies, asked);
    } else if (key == KEY_NAME) {
        acct_names_add(&asked->names, word->value);
    } else if (key == KEY_ACCOUNT) {
        acct_names_add(&asked->accounts, word->value);
    } else if (key == KEY_CLUSTER) {
        acct_names_add(&asked->clusters, word->value);
    } else if (key == KEY_PARTITION) {
        words_add(&asked->partitions, word->value, ",");
    } else if (key == KEY_ADMIN) {
        asked->has_level = true;
        asked->level = admin_level_find(word->value);
    } else if (key == KEY_DEFAULT_ACCOUNT) {
        free(asked->default_account);
        asked->default_account = first_name(word->value);
    } else if (key == KEY_DEFAULT_WCKEY) {
        free(asked->default_wckey);
        asked->default_wckey = first_name(word->value);
    } else if (key == KEY_WCKEY) {
        acct_names_add(&asked->wckeys, word->value);
    } else if (!assoc_values_take(mgr, book, word, &asked->values)) {
        refuse_value(mgr, word, modifies, asked);
    }
}

static void read_condition(struct mgr *mgr, const struct acct_word *word, struct asked *asked)
{
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_NAME;
    struct words *const lists[] = {
        [KEY_NAME] = &asked->names,           [KEY_ACCOUNT] = &asked->accounts,
        [KEY_CLUSTER] = &asked->clusters,     [KEY_PARTITION] = &asked->partitions,
        [KEY_ADMIN] = &asked->levels,         [KEY_DEFAULT_ACCOUNT] = &asked->defaults,
        [KEY_DEFAULT_WCKEY] = &asked->wckeys, [KEY_WCKEY] = &asked->wckeys,
    };

    if (key >= 0) {
        acct_names_add(lists[key], word->value);
        return;
    }
    mgr_refuse_condition(mgr, word);
    asked->is_wrong = true;
}

static struct asked read_line(struct mgr *mgr, const struct book *book,
                              const struct acct_line *line, bool modifies)
{
    struct asked asked = { .level = -1 };

    assoc_values_init(&asked.values);
    for (uint32_t i = 0; i < line->where.n; i++)
        read_condition(mgr, &line->where.at[i], &asked);
    for (uint32_t i = 0; i < line->set.n && !asked.is_wrong; i++)
        read_value(mgr, book, &line->set.at[i], modifies, &asked);
    return asked;
}

/* ---- add ---- */

struct addition {
    const struct book *book;
    struct asked *asked;
    struct edits edits;
    struct strbuf users, assocs, wckeys;
};

static void add_user(struct addition *addition, const char *name)
{
    const struct user_record *was = book_any_user(addition->book, name);
    AUTO(user_record) struct user_record user;

    user_record_init(&user);
    if (was && !was->deleted)
        return;
    user.name = xstrdup(name);
    user.admin_level = addition->asked->level > 0 ? (uint32_t)addition->asked->level : ADMIN_NONE;
    edits_put(&addition->edits, KEPT_USER, was, &user);
    strbuf_addf(&addition->users, "  %s\n", name);
}

/* Adds one association. `is_default`: it is in the user's default account. */
static void add_assoc(struct addition *addition, struct assoc_record *assoc, bool is_default)
{
    const struct assoc_record *was = book_any_assoc(addition->book, assoc->cluster, assoc->account,
                                                    assoc->user, assoc->partition);

    if (was && !was->deleted)
        return;
    assoc->is_default = is_default;
    assoc_apply_all(addition->book, &addition->asked->values.words, assoc);
    edits_put(&addition->edits, KEPT_ASSOC, was, assoc);
    strbuf_addf(&addition->assocs, "  U = %-9.9s A = %-10.10s C = %-10.10s", assoc->user,
                assoc->account, assoc->cluster);
    if (assoc->partition)
        strbuf_addf(&addition->assocs, " P = %-10.10s", assoc->partition);
    strbuf_addc(&addition->assocs, '\n');
}

static void add_in_account(struct addition *addition, const char *cluster, const char *account,
                           const char *user, bool is_default)
{
    const struct words *partitions = &addition->asked->partitions;

    for (uint32_t i = 0; i < (partitions->n ? partitions->n : 1); i++) {
        AUTO(assoc_record)
        struct assoc_record assoc =
            assoc_of(cluster, account, user, partitions->n ? partitions->at[i] : NULL);

        add_assoc(addition, &assoc, is_default);
    }
}

static void add_wckey(struct addition *addition, const char *cluster, const char *user,
                      const char *name, bool is_default)
{
    AUTO_FREE char *key = acct_wckey_key(cluster, user, name);
    AUTO(wckey_record) struct wckey_record wckey;

    wckey_record_init(&wckey);
    for (uint32_t i = 0; i < addition->book->wckeys.n; i++) {
        const struct wckey_record *was = record_at(&addition->book->wckeys, i);

        if (text_is(was->key, key))
            return;
    }
    wckey.cluster = xstrdup(cluster);
    wckey.user = xstrdup(user);
    wckey.name = xstrdup(name);
    wckey.is_default = is_default;
    edits_add(&addition->edits, KEPT_WCKEY, &wckey);
    strbuf_addf(&addition->wckeys, "  U = %-9.9s W = %-10.10s C = %-10.10s\n", user, name, cluster);
}

/* Takes the place of the user's default account, if another one was it. */
static void leave_default(struct addition *addition, const char *cluster, const char *user)
{
    for (uint32_t i = 0; i < addition->book->assocs.n; i++) {
        const struct assoc_record *was = record_at(&addition->book->assocs, i);
        struct assoc_record assoc = *was; /* borrows its texts */

        assoc.is_default = false;
        if (!was->deleted && text_is(was->user, user) && strcmp(was->cluster, cluster) == 0)
            edits_alter(&addition->edits, KEPT_ASSOC, was, &assoc);
    }
}

static void add_on_cluster(struct addition *addition, const char *cluster, const char *user)
{
    const struct asked *asked = addition->asked;
    const struct assoc_record *old = book_default(addition->book, cluster, user);
    const char *chosen = asked->default_account ? asked->default_account
                         : old                  ? old->account
                                                : asked->accounts.at[asked->accounts.n - 1];

    if (old && strcmp(old->account, chosen) != 0)
        leave_default(addition, cluster, user);
    for (uint32_t i = 0; i < asked->accounts.n; i++)
        add_in_account(addition, cluster, asked->accounts.at[i], user,
                       strcmp(asked->accounts.at[i], chosen) == 0);
    if (asked->default_wckey)
        add_wckey(addition, cluster, user, asked->default_wckey, true);
    for (uint32_t i = 0; i < asked->wckeys.n; i++)
        add_wckey(addition, cluster, user, asked->wckeys.at[i], !asked->default_wckey && i == 0);
}

/* Drops accounts that are not known; returns false when none is left. */
static bool choose_accounts(struct mgr *mgr, const struct book *book, struct asked *asked)
{
    uint32_t kept = 0;

    if (asked->default_account)
        acct_names_add(&asked->accounts, asked->default_account);
    if (asked->accounts.n == 0) {
        mgr_refuse(mgr, " Need name of account to add user to.");
        return false;
    }
    for (uint32_t i = 0; i < asked->accounts.n; i++) {
        if (book_account(book, asked->accounts.at[i])) {
            asked->accounts.at[kept++] = asked->accounts.at[i];
            continue;
        }
        mgr_refuse(mgr, " This account '%s' doesn't exist.", asked->accounts.at[i]);
        puts("        Contact your admin to add this account.");
        free(asked->accounts.at[i]);
    }
    asked->accounts.n = kept;
    if (kept == 0)
        puts(" No associations or wckeys created.");
    return kept > 0;
}

static void say_addition(const struct addition *addition)
{
    const struct asked *asked = addition->asked;
    AUTO(strbuf) struct strbuf values = { 0 };

    if (addition->users.len) {
        printf(" Adding User(s)\n%s", strbuf_text(&addition->users));
        if (asked->default_account || asked->default_wckey || asked->level > 0)
            puts(" Settings =");
        if (asked->default_account)
            printf("  Default Account = %s\n", asked->default_account);
        if (asked->default_wckey)
            printf("  Default WCKey   = %s\n", asked->default_wckey);
        if (asked->level > 0)
            printf("  Admin Level     = %s\n", admin_level_name((uint32_t)asked->level));
    }
    if (addition->assocs.len)
        printf(" Associations =\n%s", strbuf_text(&addition->assocs));
    if (addition->wckeys.len)
        printf(" WCKeys =\n%s", strbuf_text(&addition->wckeys));
    assoc_show(addition->book, &asked->values.record, &values);
    printf(" Non Default Settings\n%s", strbuf_text(&values));
}

static int add_all(struct mgr *mgr, struct addition *addition)
{
    struct asked *asked = addition->asked;

    if (asked->names.n == 0) {
        mgr_refuse(mgr, " Need name of user to add.");
        return 1;
    }
    choice_of_clusters(mgr, addition->book, &asked->clusters);
    if (asked->clusters.n == 0 || !choose_accounts(mgr, addition->book, asked))
        return 1;
    for (uint32_t i = 0; i < asked->names.n; i++) {
        add_user(addition, asked->names.at[i]);
        for (uint32_t j = 0; j < asked->clusters.n; j++)
            add_on_cluster(addition, asked->clusters.at[j], asked->names.at[i]);
    }
    if (!addition->users.len && !addition->assocs.len && !addition->wckeys.len) {
        mgr_refuse(mgr, " Nothing new added.");
        return 1;
    }
    say_addition(addition);
    return mgr_commits(mgr) ? edits_send(mgr, &addition->edits) : 0;
}

int user_add(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, book, line, false);
    struct addition addition = { .book = book, .asked = &asked };
    const int status = asked.is_wrong ? 1 : add_all(mgr, &addition);

    edits_clear(&addition.edits);
    strbuf_clear(&addition.users);
    strbuf_clear(&addition.assocs);
    strbuf_clear(&addition.wckeys);
    asked_clear(&asked);
    return status;
}

/* ---- those that are meant ---- */

static bool is_meant(const struct asked *asked, const struct user_record *user)
{
    return !user->deleted && choice_fits(&asked->names, user->name) &&
           choice_fits_level(&asked->levels, user->admin_level);
}

/* Returns the names of the users who are meant, in their order. */
static struct words names_meant(const struct book *book, const struct asked *asked)
{
    struct words names = { 0 };

    for (uint32_t i = 0; i < book->users.n; i++) {
        const struct user_record *user = record_at(&book->users, i);

        if (is_meant(asked, user))
            *ARRAY_PUSH(names.at, names.n) = xstrdup(user->name);
    }
    choice_sort(&names);
    return names;
}

static bool is_assoc_meant(const struct book *book, const struct asked *asked,
                           const struct assoc_record *assoc)
{
    const struct user_record *user = assoc->user ? book_user(book, assoc->user) : NULL;

    return user && is_meant(asked, user) && choice_fits(&asked->accounts, assoc->account) &&
           choice_fits(&asked->clusters, assoc->cluster) &&
           choice_fits(&asked->partitions, assoc->partition);
}

/* ---- modify ---- */

static void modify_default(const struct book *book, const struct asked *asked,
                           const struct user_record *user, const char *cluster, struct edits *edits)
{
    /* Who is it no more first: there is never more than one. */
    for (int to = 0; to <= 1; to++) {
        for (uint32_t i = 0; i < book->assocs.n; i++) {
            const struct assoc_record *was = record_at(&book->assocs, i);
            struct assoc_record assoc = *was; /* borrows its texts */

            if (was->deleted || !text_is(was->user, user->name) ||
                strcmp(was->cluster, cluster) != 0)
                continue;
            assoc.is_default = strcmp(was->account, asked->default_account) == 0;
            if (assoc.is_default == (bool)to)
                edits_alter(edits, KEPT_ASSOC, was, &assoc);
        }
    }
}

static bool may_have_default(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    bool may = true;

    for (uint32_t i = 0; asked->default_account && i < book->users.n; i++) {
        const struct user_record *user = record_at(&book->users, i);

        if (!is_meant(asked, user) ||
            book_assoc(book, book->cluster, asked->default_account, user->name, NULL))
            continue;
        if (may)
            mgr_refuse(mgr,
                       " Can't modify because these users aren't associated with new default "
                       "account '%s'...",
                       asked->default_account);
        printf("  U = %s C = %s\n", user->name, book->cluster);
        may = false;
    }
    return may;
}

static void modify_users(const struct book *book, const struct asked *asked, struct edits *edits,
                         struct strbuf *names)
{
    AUTO(words) struct words meant = names_meant(book, asked);

    for (uint32_t i = 0; i < meant.n; i++) {
        const struct user_record *was = book_user(book, meant.at[i]);
        struct user_record user = *was; /* borrows its texts */

        if (asked->has_level)
            user.admin_level = (uint32_t)asked->level;
        edits_alter(edits, KEPT_USER, was, &user);
        if (asked->default_account)
            modify_default(book, asked, was, book->cluster, edits);
        strbuf_addf(names, "  %s\n", was->name);
    }
}

static void modify_assocs(const struct book *book, const struct asked *asked, struct edits *edits,
                          struct strbuf *names)
{
    for (uint32_t i = 0; i < book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&book->clusters, i);
        uint32_t n;
        AUTO_FREE const struct assoc_record **tree = forest_of_cluster(book, cluster->name, &n);

        for (uint32_t j = 0; j < n; j++) {
            AUTO(assoc_record) struct assoc_record assoc;

            assoc_record_init(&assoc);
            if (!is_assoc_meant(book, asked, tree[j]))
                continue;
            schema_copy(assoc_record_schema(), &assoc, tree[j]);
            assoc_apply_all(book, &asked->values.words, &assoc);
            edits_alter(edits, KEPT_ASSOC, tree[j], &assoc);
            strbuf_addf(names, "  C = %-10.10s A = %-20.20s U = %-9.9s%s%s\n", assoc.cluster,
                        assoc.account, assoc.user, assoc.partition ? " P = " : "",
                        assoc.partition ? assoc.partition : "");
        }
    }
}

static int modify(struct mgr *mgr, const struct book *book, const struct asked *asked,
                  struct edits *edits)
{
    AUTO(strbuf) struct strbuf users = { 0 };
    AUTO(strbuf) struct strbuf assocs = { 0 };

    if (asked->has_level && asked->level < 0) {
        mgr_refuse(mgr, " Nothing modified");
        return 1;
    }
    if (!may_have_default(mgr, book, asked))
        return 1;
    if (asked->has_level || asked->default_account)
        modify_users(book, asked, edits, &users);
    if (asked->values.words.n)
        modify_assocs(book, asked, edits, &assocs);
    if (!users.len && !assocs.len) {
        mgr_refuse(mgr, " Nothing modified");
        return 1;
    }
    if (users.len)
        printf(" Modified users...\n%s", strbuf_text(&users));
    if (assocs.len)
        printf(" Modified user associations...\n%s", strbuf_text(&assocs));
    if (!mgr_commits(mgr) || edits->change.edits_n == 0)
        return 0;
    return edits_send(mgr, edits);
}

int user_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, book, line, true);
    struct edits edits = { 0 };
    int status = 1;

    if (!asked.is_wrong && line->set.n == 0)
        mgr_refuse(mgr, " You didn't give me anything to set");
    else if (!asked.is_wrong)
        status = modify(mgr, book, &asked, &edits);
    edits_clear(&edits);
    asked_clear(&asked);
    return status;
}

/* ---- delete ---- */

int user_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, book, line, false);
    struct removal removal = { .book = book };
    const bool is_whole = asked.accounts.n == 0 && asked.clusters.n == 0 && asked.partitions.n == 0;
    int status = 1;

    if (is_whole && !asked.is_wrong)
        removal.users = names_meant(book, &asked);
    for (uint32_t i = 0; i < book->assocs.n && !is_whole && !asked.is_wrong; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);

        if (!assoc->deleted && is_assoc_meant(book, &asked, assoc))
            *ARRAY_PUSH(removal.assocs, removal.assocs_n) = assoc;
    }
    if (line->where.n == 0 || asked.is_wrong)
        mgr_refuse(mgr, " No conditions given to remove, not executing.");
    else
        status = removal_run(mgr, &removal);
    removal_clear(&removal);
    asked_clear(&asked);
    return status;
}
