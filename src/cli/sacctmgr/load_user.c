/* Users in files of dump: what a line says of one, and his default account in the end. */
#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/load_plan.h"
#include "cli/sacctmgr/load_say.h"

enum { KEY_LEVEL, KEY_COORDINATOR, KEY_ACCOUNT, KEY_DEFAULT_WCKEY, KEY_PARTITION, KEY_WCKEYS };

static const struct acct_key user_keys[] = {
    { "AdminLevel", 2, KEY_LEVEL },       { "Coordinator", 2, KEY_COORDINATOR },
    { "DefaultAccount", 8, KEY_ACCOUNT }, { "DefaultWCKey", 8, KEY_DEFAULT_WCKEY },
    { "Partition", 3, KEY_PARTITION },    { "WCKeys", 1, KEY_WCKEYS },
};

static int key_of_user(const struct acct_word *word)
{
    return word->key ? acct_key_find(user_keys, ARRAY_N(user_keys), word->key) : -1;
}

static bool has_wckey(const struct load_plan *plan, const char *user, const char *name)
{
    for (uint32_t i = 0; i < plan->book->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&plan->book->wckeys, i);

        if (!wckey->deleted && text_is(wckey->user, user) && text_is(wckey->name, name) &&
            text_is(wckey->cluster, plan->cluster))
            return true;
    }
    return false;
}

static void take_default_account(struct load_user *user, const struct load_line *line,
                                 const char *name)
{
    const char *was = user->default_account ? user->default_account : user->had;
    AUTO(words) struct words names = { 0 };

    if (acct_names_add(&names, name) == 0)
        return;
    if (!user->is_new && load_text_differs(was, names.at[0]))
        load_say_change("Default Account", "User", user->now.name, was, names.at[0]);
    xstrset(&user->default_account, names.at[0]);
    user->default_line = line->number;
}

static void take_default_wckey(const struct load_plan *plan, struct load_user *user,
                               const char *name)
{
    const struct wckey_record *was = load_default_wckey(plan, user->now.name);
    const char *before = user->default_wckey ? user->default_wckey
                         : was && was->name  ? was->name
                                             : "";

    if (!user->is_new && load_text_differs(before, name))
        load_say_change("Default WCKey", "User", user->now.name, before, name);
    xstrset(&user->default_wckey, name);
}

static int take_level(struct load_plan *plan, const struct load_line *line, struct load_user *user,
                      const struct acct_word *word)
{
    const int level = admin_level_find(word->value);
    const struct err nothing = { 0 };

    if (level < 0)
        return load_refuse_word(plan, line, word, &nothing);
    if (!user->is_new && user->now.admin_level != (uint32_t)level)
        load_say_change("Admin Level", "User", user->now.name,
                        admin_level_name(user->now.admin_level), admin_level_name((uint32_t)level));
    user->now.admin_level = (uint32_t)level;
    user->has_level = true;
    return 0;
}

static bool coordinates(const struct load_plan *plan, const char *account, const char *user)
{
    const struct account_record *record = book_account(plan->book, account);

    for (uint32_t i = 0; record && i < record->coordinators_n; i++) {
        if (strcmp(record->coordinators[i], user) == 0)
            return true;
    }
    return false;
}

static void take_coordinated(const struct load_plan *plan, struct load_user *user,
                             const char *accounts)
{
    AUTO(words) struct words names = { 0 };
    AUTO(strbuf) struct strbuf added = { 0 };

    acct_names_add(&names, accounts);
    for (uint32_t i = 0; i < names.n; i++) {
        if (words_have_exactly(&user->coordinated, names.at[i]) ||
            coordinates(plan, names.at[i], user->now.name))
            continue;
        *ARRAY_PUSH(user->coordinated.at, user->coordinated.n) = xstrdup(names.at[i]);
        strbuf_addf(&added, "%s%s", added.len ? ", " : "", names.at[i]);
    }
    if (!user->is_new && added.len)
        printf(" Making User '%s' coordinator for account(s) %s\n", user->now.name,
               strbuf_text(&added));
}

static void take_wckeys(const struct load_plan *plan, struct load_user *user, const char *wckeys)
{
    AUTO(words) struct words names = { 0 };
    AUTO(strbuf) struct strbuf added = { 0 };

    acct_names_add(&names, wckeys);
    for (uint32_t i = 0; i < names.n; i++) {
        if (words_have_exactly(&user->wckeys, names.at[i]) ||
            has_wckey(plan, user->now.name, names.at[i]))
            continue;
        *ARRAY_PUSH(user->wckeys.at, user->wckeys.n) = xstrdup(names.at[i]);
        strbuf_addf(&added, "%s'%s'", added.len ? ", " : "", names.at[i]);
    }
    if (!user->is_new && added.len)
        printf(" Adding WCKey(s) %s for user '%s'\n", strbuf_text(&added), user->now.name);
}

/* Takes what a word says of the user himself. Returns 0, or -1 after saying what is wrong. */
static int take_of_user(struct load_plan *plan, const struct load_line *line,
                        struct load_user *user, const struct acct_word *word)
{
    switch (key_of_user(word)) {
    case KEY_ACCOUNT:
        take_default_account(user, line, word->value);
        return 0;
    case KEY_DEFAULT_WCKEY:
        take_default_wckey(plan, user, word->value);
        return 0;
    case KEY_LEVEL:
        return take_level(plan, line, user, word);
    case KEY_COORDINATOR:
        take_coordinated(plan, user, word->value);
        return 0;
    default:
        take_wckeys(plan, user, word->value);
        return 0;
    }
}

/* Applies the words that are about the user's association. */
static int take_of_assoc(struct load_plan *plan, const struct load_line *line,
                         struct load_assoc *assoc)
{
    AUTO(assoc_record) struct assoc_record before;

    assoc_record_init(&before);
    schema_copy(assoc_record_schema(), &before, &assoc->now);
    for (uint32_t i = 0; i < line->values.set.n; i++) {
        const struct acct_word *word = &line->values.set.at[i];

        if (key_of_user(word) < 0 && load_apply(plan, line, word, assoc) < 0)
            return -1;
    }
    load_say_differences(plan, "User", line->name, &before, assoc);
    return 0;
}

/* Takes all that the line says of the user himself, whatever its order, in the order in which that
 * is said. */
static int take_all_of_user(struct load_plan *plan, const struct load_line *line)
{
    static const int order[] = { KEY_ACCOUNT, KEY_DEFAULT_WCKEY, KEY_LEVEL, KEY_COORDINATOR,
                                 KEY_WCKEYS };
    struct load_user *user = load_get_user(plan, line->name);

    for (size_t i = 0; i < ARRAY_N(order); i++) {
        for (uint32_t j = 0; j < line->values.set.n; j++) {
            const struct acct_word *word = &line->values.set.at[j];

            if (key_of_user(word) == order[i] && take_of_user(plan, line, user, word) < 0)
                return -1;
        }
    }
    return 0;
}

int load_take_user(struct load_plan *plan, const struct load_line *line)
{
    const char *partition = NULL;

    for (uint32_t i = 0; i < line->values.set.n; i++) {
        if (key_of_user(&line->values.set.at[i]) == KEY_PARTITION)
            partition = line->values.set.at[i].value;
    }
    if (take_all_of_user(plan, line) < 0)
        return -1;
    return take_of_assoc(plan, line,
                         load_get_assoc(plan, line, plan->parent, line->name, partition));
}

/* ---- default accounts ---- */

/* Returns whether the user is in the account afterwards. */
static bool is_in(const struct load_plan *plan, const char *user, const char *account)
{
    const struct records *assocs = &plan->book->assocs;

    for (uint32_t i = 0; i < plan->assocs_n; i++) {
        if (text_is(plan->assocs[i].now.user, user) &&
            text_is(plan->assocs[i].now.account, account))
            return true;
    }
    for (uint32_t i = 0; i < assocs->n && !plan->is_clean; i++) {
        const struct assoc_record *assoc = record_at(assocs, i);

        if (!assoc->deleted && text_is(assoc->cluster, plan->cluster) &&
            text_is(assoc->user, user) && text_is(assoc->account, account))
            return true;
    }
    return false;
}

/* Sets which of the user's associations are in his default account; who has none yet gets the
 * first. */
static int choose_default(struct load_plan *plan, struct load_user *user)
{
    const char *name = user->now.name;

    for (uint32_t i = 0; i < plan->assocs_n && !user->default_account; i++) {
        if (text_is(plan->assocs[i].now.user, name))
            user->default_account = xstrdup(plan->assocs[i].now.account);
    }
    if (!is_in(plan, name, user->default_account)) {
        plan->is_refused = true;
        mgr_refuse(plan->mgr, " line(%u) Default account %s of user %s: the user is not in it",
                   user->default_line, user->default_account, name);
        return -1;
    }
    for (uint32_t i = 0; i < plan->assocs_n; i++) {
        struct assoc_record *now = &plan->assocs[i].now;

        if (text_is(now->user, name))
            now->is_default = text_is(now->account, user->default_account);
    }
    return 0;
}

/* Looks for the accounts that the user is to coordinate, which need not be in the file. */
static int find_coordinated(struct load_plan *plan, const struct load_user *user)
{
    for (uint32_t i = 0; i < user->coordinated.n; i++) {
        if (load_has_account(plan, user->coordinated.at[i]) ||
            book_account(plan->book, user->coordinated.at[i])) {
            load_get_account(plan, user->coordinated.at[i]);
            continue;
        }
        plan->is_refused = true;
        mgr_refuse(plan->mgr, " User %s cannot coordinate account %s, which is not there",
                   user->now.name, user->coordinated.at[i]);
        return -1;
    }
    return 0;
}

int load_plan_end(struct load_plan *plan)
{
    for (uint32_t i = 0; i < plan->users_n; i++) {
        if (choose_default(plan, &plan->users[i]) < 0 ||
            find_coordinated(plan, &plan->users[i]) < 0)
            return -1;
    }
    return 0;
}
