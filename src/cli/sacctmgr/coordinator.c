#include "cli/sacctmgr/coordinator.h"

#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/choice.h"
#include "cli/sacctmgr/edits.h"

enum { KEY_ACCOUNT, KEY_USER };

static const struct acct_key keys[] = {
    { "Accounts", 2, KEY_ACCOUNT },
    { "Acct", 4, KEY_ACCOUNT },
    { "Names", 1, KEY_USER },
    { "Users", 1, KEY_USER },
};

struct asked {
    struct words accounts, users;
    bool is_wrong;
};

static void asked_clear(struct asked *asked)
{
    words_clear(&asked->accounts);
    words_clear(&asked->users);
}

static void read_words(struct mgr *mgr, const struct acct_words *words, struct asked *asked)
{
    for (uint32_t i = 0; i < words->n; i++) {
        const struct acct_word *word = &words->at[i];
        const int key = word->key ? acct_key_find(keys, ARRAY_N(keys), word->key) : KEY_USER;

        if (key >= 0) {
            acct_names_add(key == KEY_ACCOUNT ? &asked->accounts : &asked->users, word->value);
            continue;
        }
        mgr_refuse_condition(mgr, word);
        asked->is_wrong = true;
    }
}

static struct asked read_line(struct mgr *mgr, const struct acct_line *line)
{
    struct asked asked = { .is_wrong = false };

    read_words(mgr, &line->where, &asked);
    read_words(mgr, &line->set, &asked);
    return asked;
}

static void add_names(struct strbuf *text, const char *title, const struct words *names)
{
    strbuf_addf(text, " %s\n", title);
    for (uint32_t i = 0; i < names->n; i++)
        strbuf_addf(text, "  %s\n", names->at[i]);
}

static bool has_coordinator(const struct account_record *account, const char *user)
{
    for (uint32_t i = 0; i < account->coordinators_n; i++) {
        if (strcmp(account->coordinators[i], user) == 0)
            return true;
    }
    return false;
}

/* ---- add ---- */

static bool are_known(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    bool known = true;

    for (uint32_t i = 0; i < asked->accounts.n; i++) {
        if (book_account(book, asked->accounts.at[i]))
            continue;
        mgr_refuse(mgr, " You specified a non-existent account '%s'.", asked->accounts.at[i]);
        known = false;
    }
    for (uint32_t i = 0; i < asked->users.n; i++) {
        if (book_user(book, asked->users.at[i]))
            continue;
        mgr_refuse(mgr, " You specified a non-existent user '%s'.", asked->users.at[i]);
        known = false;
    }
    return known;
}

static void add_to(struct edits *edits, const struct account_record *was, const struct words *users)
{
    AUTO(account_record) struct account_record account;

    schema_copy(account_record_schema(), &account, was);
    for (uint32_t i = 0; i < users->n; i++) {
        if (!has_coordinator(&account, users->at[i]))
            *ARRAY_PUSH(account.coordinators, account.coordinators_n) = xstrdup(users->at[i]);
    }
    edits_alter(edits, KEPT_ACCOUNT, was, &account);
}

static int add_all(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    struct edits edits = { .adds = "coordinator" };
    int status;

    if (asked->users.n == 0)
        mgr_refuse(mgr, " You need to specify a user list here.");
    else if (asked->accounts.n == 0)
        mgr_refuse(mgr, " You need to specify an account list here.");
    if (asked->users.n == 0 || asked->accounts.n == 0 || !are_known(mgr, book, asked))
        return 1;
    add_names(&text, "Adding Coordinator User(s)", &asked->users);
    add_names(&text, "To Account(s) and all sub-accounts", &asked->accounts);
    for (uint32_t i = 0; i < asked->accounts.n; i++)
        add_to(&edits, book_account(book, asked->accounts.at[i]), &asked->users);
    status = edits_commit(mgr, &edits, strbuf_text(&text));
    edits_clear(&edits);
    return status;
}

int coordinator_add(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, line);
    int status = 1;

    if (line->where.n + line->set.n == 0)
        mgr_refuse(mgr, " You need to specify conditions to to add the coordinator.");
    else if (!asked.is_wrong)
        status = add_all(mgr, book, &asked);
    asked_clear(&asked);
    return status;
}

/* ---- delete ---- */

static void take_from(struct edits *edits, const struct account_record *was,
                      const struct words *users, struct strbuf *out)
{
    AUTO(account_record) struct account_record account;
    uint32_t kept = 0;

    schema_copy(account_record_schema(), &account, was);
    for (uint32_t i = 0; i < account.coordinators_n; i++) {
        char *name = account.coordinators[i];

        if (!choice_fits(users, name)) {
            account.coordinators[kept++] = name;
            continue;
        }
        strbuf_addf(out, "  U = %-9.9s A = %-10.10s\n", name, was->name);
        free(name);
    }
    account.coordinators_n = kept;
    edits_alter(edits, KEPT_ACCOUNT, was, &account);
}

static void add_title(struct strbuf *text, const struct asked *asked)
{
    if (asked->users.n == 0) {
        add_names(text, "Removing all users from Accounts", &asked->accounts);
        return;
    }
    add_names(text, "Removing Coordinators with user name", &asked->users);
    if (asked->accounts.n)
        add_names(text, "From Account(s)", &asked->accounts);
    else
        strbuf_adds(text, " From all accounts\n");
}

static int compare_names(const void *a, const void *b)
{
    const struct account_record *left = *(const struct account_record *const *)a;
    const struct account_record *right = *(const struct account_record *const *)b;

    return strcmp(left->name, right->name);
}

static void take_all(const struct book *book, const struct asked *asked, struct edits *edits,
                     struct strbuf *out)
{
    AUTO_FREE const struct account_record **accounts = NULL;
    uint32_t n = 0;

    for (uint32_t i = 0; i < book->accounts.n; i++) {
        const struct account_record *account = record_at(&book->accounts, i);

        if (!account->deleted && choice_fits(&asked->accounts, account->name))
            *ARRAY_PUSH(accounts, n) = account;
    }
    if (n)
        qsort(accounts, n, sizeof(*accounts), compare_names);
    for (uint32_t i = 0; i < n; i++)
        take_from(edits, accounts[i], &asked->users, out);
}

static int delete_all(struct mgr *mgr, const struct book *book, const struct asked *asked)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    AUTO(strbuf) struct strbuf removed = { 0 };
    struct edits edits = { 0 };
    int status = 1;

    add_title(&text, asked);
    take_all(book, asked, &edits, &removed);
    if (removed.len) {
        strbuf_addf(&text, " Removed Coordinators (sub accounts not listed)...\n%s",
                    strbuf_text(&removed));
        status = edits_commit(mgr, &edits, strbuf_text(&text));
    } else {
        mgr_refuse(mgr, "%s Nothing removed", strbuf_text(&text));
    }
    edits_clear(&edits);
    return status;
}

int coordinator_delete(struct mgr *mgr, const struct book *book, const struct acct_line *line)
{
    struct asked asked = read_line(mgr, line);
    int status = 1;

    if (!asked.is_wrong && asked.users.n + asked.accounts.n == 0)
        mgr_refuse(mgr, " You need to specify a user list or account list here.");
    else if (!asked.is_wrong)
        status = delete_all(mgr, book, &asked);
    asked_clear(&asked);
    return status;
}
