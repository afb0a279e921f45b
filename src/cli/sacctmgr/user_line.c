#include "cli/sacctmgr/user_line.h"

#include <string.h>

#include "cli/sacctmgr/choice.h"

enum {
    KEY_NAME,
    KEY_ACCOUNT,
    KEY_CLUSTER,
    KEY_PARTITION,
    KEY_ADMIN,
    KEY_DEFAULT_ACCOUNT,
    KEY_DEFAULT_WCKEY,
    KEY_NEW_NAME,
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
    { "NewName", 4, KEY_NEW_NAME },
    { "Users", 1, KEY_NAME },
    { "Partitions", 2, KEY_PARTITION },
    { "WCKeys", 1, KEY_WCKEY },
};

void user_line_clear(struct user_line *asked)
{
    words_clear(&asked->names);
    words_clear(&asked->accounts);
    words_clear(&asked->clusters);
    words_clear(&asked->partitions);
    words_clear(&asked->wckeys);
    words_clear(&asked->default_wckeys);
    words_clear(&asked->defaults);
    words_clear(&asked->levels);
    free(asked->default_account);
    free(asked->default_wckey);
    free(asked->new_name);
    assoc_values_clear(&asked->values);
}

static char *first_name(const char *value)
{
    AUTO(words) struct words names = { 0 };

    acct_names_add(&names, value);
    return xstrdup(names.n ? names.at[0] : "");
}

static void refuse_value(struct mgr *mgr, const struct acct_word *word, bool modifies,
                         struct user_line *asked)
{
    if (modifies)
        mgr_refuse_option(mgr, word);
    else
        mgr_refuse(mgr, " Unknown option: %s", word->text);
    asked->is_wrong = true;
}

static void read_value(struct mgr *mgr, const struct book *book, const struct acct_word *word,
                       bool modifies, struct user_line *asked)
{
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_NAME;

    if (modifies && (key == KEY_NAME || key == KEY_ACCOUNT || key == KEY_PARTITION ||
                     key == KEY_CLUSTER || key == KEY_WCKEY)) {
        refuse_value(mgr, word, modifies, asked);
    } else if (key == KEY_NAME) {
        acct_names_add(&asked->names, word->value);
    } else if (key == KEY_ACCOUNT) {
        acct_names_add(&asked->accounts, word->value);
        asked->has_accounts = true;
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
    } else if (key == KEY_NEW_NAME && modifies) {
        free(asked->new_name);
        asked->new_name = first_name(word->value);
    } else if (key == KEY_WCKEY) {
        acct_names_add(&asked->wckeys, word->value);
    } else {
        const int rc = assoc_values_take(mgr, book, word, &asked->values);

        if (rc == 0)
            refuse_value(mgr, word, modifies, asked);
        asked->is_wrong |= rc < 0;
    }
}

static void read_condition(struct mgr *mgr, const struct acct_word *word, struct user_line *asked)
{
    const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_NAME;
    struct words *const lists[] = {
        [KEY_NAME] = &asked->names,
        [KEY_ACCOUNT] = &asked->accounts,
        [KEY_CLUSTER] = &asked->clusters,
        [KEY_PARTITION] = &asked->partitions,
        [KEY_ADMIN] = &asked->levels,
        [KEY_DEFAULT_ACCOUNT] = &asked->defaults,
        [KEY_DEFAULT_WCKEY] = &asked->default_wckeys,
        [KEY_WCKEY] = &asked->wckeys,
    };

    if (key >= 0 && key != KEY_NEW_NAME) {
        acct_names_add(lists[key], word->value);
        return;
    }
    mgr_refuse_condition(mgr, word);
    asked->is_wrong = true;
}

struct user_line user_line_read(struct mgr *mgr, const struct book *book,
                                const struct acct_line *line, bool modifies)
{
    struct user_line asked = { .level = -1 };

    assoc_values_init(&asked.values);
    for (uint32_t i = 0; i < line->where.n; i++)
        read_condition(mgr, &line->where.at[i], &asked);
    for (uint32_t i = 0; i < line->set.n && !asked.is_wrong; i++)
        read_value(mgr, book, &line->set.at[i], modifies, &asked);
    return asked;
}

/* ---- who is meant ---- */

static bool default_fits(const struct user_line *asked, const struct book *book, const char *user)
{
    const struct assoc_record *assoc = book_default(book, book->cluster, user);

    return choice_fits(&asked->defaults, assoc ? assoc->account : NULL);
}

bool user_line_means(const struct user_line *asked, const struct book *book,
                     const struct user_record *user)
{
    return !user->deleted && choice_fits(&asked->names, user->name) &&
           choice_fits_level(&asked->levels, user->admin_level) &&
           default_fits(asked, book, user->name) &&
           choice_has_wckey(&asked->wckeys, book, user->name, false) &&
           choice_has_wckey(&asked->default_wckeys, book, user->name, true);
}

bool user_line_means_assoc(const struct user_line *asked, const struct book *book,
                           const struct assoc_record *assoc)
{
    const struct user_record *user = assoc->user ? book_user(book, assoc->user) : NULL;

    return user && user_line_means(asked, book, user) &&
           choice_fits(&asked->accounts, assoc->account) &&
           choice_fits(&asked->clusters, assoc->cluster) &&
           choice_fits(&asked->partitions, assoc->partition);
}

struct words user_line_names(const struct user_line *asked, const struct book *book)
{
    struct words names = { 0 };

    for (uint32_t i = 0; i < book->users.n; i++) {
        const struct user_record *user = record_at(&book->users, i);

        if (user_line_means(asked, book, user))
            *ARRAY_PUSH(names.at, names.n) = xstrdup(user->name);
    }
    choice_sort(&names);
    return names;
}
