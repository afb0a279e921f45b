#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/site.h"
#include "cli/sacctmgr/user.h"
#include "cli/sacctmgr/user_line.h"
#include "cli/sacctmgr/wckey.h"

struct addition {
    const struct book *book;
    struct user_line *asked;
    bool needs_no_default; /* AllowNoDefAcct: only who asks for a default account gets one */
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
    const struct wckey_record wckey = {
        .cluster = (char *)(uintptr_t)cluster,
        .user = (char *)(uintptr_t)user,
        .name = (char *)(uintptr_t)name,
        .is_default = is_default,
    };

    wckey_add(&addition->edits, addition->book, &wckey, &addition->wckeys);
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

static bool is_on(const struct book *book, const char *account, const char *cluster)
{
    return book_assoc(book, cluster, account, NULL, NULL) != NULL;
}

/* Returns the account that is the user's default on the cluster afterwards, or NULL. */
static const char *choose_default(const struct addition *addition, const char *cluster,
                                  const struct assoc_record *old)
{
    const struct user_line *asked = addition->asked;
    const char *chosen = NULL;

    if (asked->default_account)
        return is_on(addition->book, asked->default_account, cluster) ? asked->default_account
               : old                                                  ? old->account
                                                                      : NULL;
    if (old || addition->needs_no_default)
        return old ? old->account : NULL;
    for (uint32_t i = 0; i < asked->accounts.n; i++) { /* the first by name, as in Slurm */
        const char *name = asked->accounts.at[i];

        if (is_on(addition->book, name, cluster) && (!chosen || strcmp(name, chosen) < 0))
            chosen = name;
    }
    return chosen;
}

static void add_in_accounts(struct addition *addition, const char *user)
{
    const struct user_line *asked = addition->asked;

    for (uint32_t i = 0; i < asked->accounts.n; i++) {
        const char *account = asked->accounts.at[i];

        for (uint32_t j = 0; j < asked->clusters.n; j++) {
            const char *cluster = asked->clusters.at[j];
            const char *chosen =
                choose_default(addition, cluster, book_default(addition->book, cluster, user));

            if (is_on(addition->book, account, cluster))
                add_in_account(addition, cluster, account, user, text_is(account, chosen));
        }
    }
}

static void add_to_user(struct addition *addition, const char *user)
{
    const struct user_line *asked = addition->asked;

    for (uint32_t i = 0; i < asked->clusters.n; i++) {
        const char *cluster = asked->clusters.at[i];
        const struct assoc_record *old = book_default(addition->book, cluster, user);

        if (old && !text_is(old->account, choose_default(addition, cluster, old)))
            leave_default(addition, cluster, user);
    }
    add_in_accounts(addition, user);
    for (uint32_t i = 0; i < asked->wckeys.n; i++) {
        const char *wckey = asked->wckeys.at[i];
        const bool is_default =
            asked->default_wckey ? strcmp(wckey, asked->default_wckey) == 0 : i == 0;

        for (uint32_t j = 0; j < asked->clusters.n; j++)
            add_wckey(addition, asked->clusters.at[j], user, wckey, is_default);
    }
}

/* Adds the default one behind the others, also where it is among them: Slurm's order. */
static void put_last(struct words *names, const char *name)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < names->n; i++) {
        if (strcmp(names->at[i], name) == 0)
            free(names->at[i]);
        else
            names->at[kept++] = names->at[i];
    }
    names->n = kept;
    *ARRAY_PUSH(names->at, names->n) = xstrdup(name);
}

/* Returns whether the line gives wckeys to users who are there already. */
static bool only_adds_wckeys(const struct book *book, const struct user_line *asked)
{
    for (uint32_t i = 0; i < asked->names.n; i++) {
        if (!book_user(book, asked->names.at[i]))
            return false;
    }
    return asked->wckeys.n > 0;
}

/* Drops accounts that are not known; returns false when none is left that is needed. */
static bool choose_accounts(struct mgr *mgr, const struct book *book, struct user_line *asked)
{
    uint32_t kept = 0;

    if (asked->default_account)
        put_last(&asked->accounts, asked->default_account);
    if (asked->accounts.n == 0 && only_adds_wckeys(book, asked))
        return true;
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

/* Says which accounts are on some of the clusters only. */
static void say_missing(struct mgr *mgr, const struct addition *addition)
{
    const struct user_line *asked = addition->asked;

    for (uint32_t i = 0; i < asked->accounts.n; i++) {
        for (uint32_t j = 0; j < asked->clusters.n; j++) {
            if (is_on(addition->book, asked->accounts.at[i], asked->clusters.at[j]))
                continue;
            mgr_refuse(mgr, " This account '%s' doesn't exist on cluster %s", asked->accounts.at[i],
                       asked->clusters.at[j]);
            puts("        Contact your admin to add this account.");
        }
    }
}

/* Asks whether users are meant whom this machine does not know. */
static bool are_users(const struct mgr *mgr, const struct addition *addition)
{
    const struct words *names = &addition->asked->names;

    for (uint32_t i = 0; i < names->n; i++) {
        AUTO_FREE char *question = xasprintf(
            "There is no uid for user '%s'\nAre you sure you want to continue?", names->at[i]);

        if (!book_user(addition->book, names->at[i]) && !getpwnam(names->at[i]) &&
            !mgr_agrees(mgr, question))
            return false;
    }
    return true;
}

static void say_addition(const struct addition *addition)
{
    const struct user_line *asked = addition->asked;
    const bool has_default = asked->default_account && *asked->default_account;
    AUTO(strbuf) struct strbuf values = { 0 };

    if (addition->users.len) {
        printf(" Adding User(s)\n%s", strbuf_text(&addition->users));
        if (has_default || asked->default_wckey || asked->level > 0)
            puts(" Settings =");
        if (has_default)
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
    if (asked->has_accounts || values.len) /* as in Slurm, also above nothing */
        printf(" Non Default Settings\n%s", strbuf_text(&values));
}

static int add_all(struct mgr *mgr, struct addition *addition)
{
    struct user_line *asked = addition->asked;

    if (asked->names.n == 0) {
        mgr_refuse(mgr, " Need name of user to add.");
        return 1;
    }
    choice_of_clusters(mgr, addition->book, &asked->clusters);
    if (asked->clusters.n == 0 || !choose_accounts(mgr, addition->book, asked))
        return 1;
    if (asked->default_wckey)
        put_last(&asked->wckeys, asked->default_wckey);
    say_missing(mgr, addition);
    if (!are_users(mgr, addition))
        return 1;
    for (uint32_t i = 0; i < asked->names.n; i++) {
        add_user(addition, asked->names.at[i]);
        add_to_user(addition, asked->names.at[i]);
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
    struct user_line asked = user_line_read(mgr, book, line, false);
    struct addition addition = { .book = book, .asked = &asked, .edits = { .adds = "users" } };
    int status = 1;

    addition.needs_no_default = site_dbd_says_yes(mgr, "AllowNoDefAcct");
    if (!asked.is_wrong)
        status = add_all(mgr, &addition);

    edits_clear(&addition.edits);
    strbuf_clear(&addition.users);
    strbuf_clear(&addition.assocs);
    strbuf_clear(&addition.wckeys);
    user_line_clear(&asked);
    return status;
}
