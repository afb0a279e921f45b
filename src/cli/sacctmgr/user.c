#include "cli/sacctmgr/user.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/edits.h"
#include "cli/sacctmgr/forest.h"
#include "cli/sacctmgr/sequel.h"
#include "cli/sacctmgr/removal.h"
#include "cli/sacctmgr/site.h"
#include "cli/sacctmgr/user_line.h"
#include "cli/sacctmgr/user_rename.h"
#include "cli/sacctmgr/wckey.h"

/* ---- modify ---- */

static void modify_default(const struct book *book, const struct user_line *asked,
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

static bool may_have_default(struct mgr *mgr, const struct book *book,
                             const struct user_line *asked)
{
    const bool takes_away = asked->default_account && !*asked->default_account;
    bool may = true;

    if (takes_away && !site_dbd_says_yes(mgr, "AllowNoDefAcct")) {
        mgr_refuse(mgr, " Error with request: You can not remove the default account of a user");
        return false;
    }
    if (takes_away)
        return true;
    for (uint32_t i = 0; asked->default_account && i < book->users.n; i++) {
        const struct user_record *user = record_at(&book->users, i);

        if (!user_line_means(asked, book, user) ||
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

static void modify_users(const struct book *book, const struct user_line *asked,
                         struct edits *edits, struct strbuf *names)
{
    AUTO(words) struct words meant = user_line_names(asked, book);

    for (uint32_t i = 0; i < meant.n; i++) {
        const struct user_record *was = book_user(book, meant.at[i]);
        struct user_record user = *was; /* borrows its texts */

        if (asked->has_level)
            user.admin_level = (uint32_t)asked->level;
        edits_alter(edits, KEPT_USER, was, &user);
        if (asked->default_account)
            modify_default(book, asked, was, book->cluster, edits);
        if (asked->default_wckey)
            wckey_choose(edits, book, book->cluster, was->name, asked->default_wckey);
        strbuf_addf(names, "  %s\n", was->name);
    }
}

static void modify_assocs(struct sequel *sequel, const struct user_line *asked, struct edits *edits,
                          struct strbuf *names)
{
    const struct book *book = sequel->now;

    for (uint32_t i = 0; i < book->clusters.n; i++) {
        const struct cluster_record *cluster = record_at(&book->clusters, i);
        uint32_t n;
        AUTO_FREE const struct assoc_record **tree = forest_of_cluster(book, cluster->name, &n);

        for (uint32_t j = 0; j < n; j++) {
            if (user_line_means_assoc(asked, book, tree[j]))
                sequel_alter_user(sequel, tree[j], &asked->values, asked->clusters.n > 0, edits,
                                  names);
        }
    }
}

static int modify_meant(struct mgr *mgr, struct sequel *sequel, const struct user_line *asked,
                        struct edits *edits)
{
    AUTO(strbuf) struct strbuf users = { 0 };
    AUTO(strbuf) struct strbuf assocs = { 0 };

    if (asked->has_level || asked->default_account || asked->default_wckey)
        modify_users(sequel->now, asked, edits, &users);
    if (asked->values.words.n)
        modify_assocs(sequel, asked, edits, &assocs);
    return sequel_commit(mgr, sequel, edits, "user", &users, &assocs);
}

static int modify(struct mgr *mgr, const struct book *book, const struct user_line *asked)
{
    struct sequel sequel = sequel_new(book);
    struct edits edits = { 0 };
    int status = 1;

    if (asked->has_level && asked->level < 0) {
        mgr_refuse(mgr, " Nothing modified");
    } else if (asked->values.record.usage_resets && asked->accounts.n == 0) {
        mgr_refuse_value(mgr, &(struct err){ EINVAL, "An account must be specified" });
    } else if (may_have_default(mgr, book, asked) && wckey_may_be_default(mgr, book, asked)) {
        assoc_say_reset(book, &asked->values, asked->clusters.n > 0);
        status = modify_meant(mgr, &sequel, asked, &edits);
    }
    sequel_clear(&sequel);
    edits_clear(&edits);
    return status;
}

int user_modify(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct user_line asked = user_line_read(mgr, book, line, true);
    int status = 1;

    if (!asked.is_wrong && line->set.n == 0)
        mgr_refuse(mgr, " You didn't give me anything to set");
    else if (!asked.is_wrong && asked.new_name)
        status = user_rename(mgr, book, &asked);
    else if (!asked.is_wrong)
        status = mgr_means_all(mgr, line) ? modify(mgr, book, &asked) : 0;
    user_line_clear(&asked);
    return status;
}

/* ---- delete ---- */

int user_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct user_line asked = user_line_read(mgr, book, line, false);
    struct removal removal = { .book = book, .of_users = true };
    const bool is_whole = asked.accounts.n == 0 && asked.clusters.n == 0 && asked.partitions.n == 0;
    int status = 1;

    if (is_whole && !asked.is_wrong)
        removal.users = user_line_names(&asked, book);
    for (uint32_t i = 0; i < book->assocs.n && !is_whole && !asked.is_wrong; i++) {
        const struct assoc_record *assoc = record_at(&book->assocs, i);

        if (!assoc->deleted && user_line_means_assoc(&asked, book, assoc))
            *ARRAY_PUSH(removal.assocs, removal.assocs_n) = assoc;
    }
    if (acct_words_are_blank(&line->where) || asked.is_wrong)
        mgr_refuse(mgr, " No conditions given to remove, not executing.");
    else if (asked.wckeys.n)
        status = wckey_delete(mgr, book, &asked);
    else
        status = removal_run(mgr, &removal);
    removal_clear(&removal);
    user_line_clear(&asked);
    return status;
}
