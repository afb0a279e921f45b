#include "cli/sacctmgr/load_plan.h"

#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/assoc.h"
#include "cli/sacctmgr/load_say.h"
#include "common/schema/slot.h"

#define SHARES_OF_PARENT 2147483647u /* Fairshare=parent in such files */

void load_plan_clear(struct load_plan *plan)
{
    for (uint32_t i = 0; i < plan->accounts_n; i++)
        account_record_clear(&plan->accounts[i].now);
    for (uint32_t i = 0; i < plan->users_n; i++) {
        user_record_clear(&plan->users[i].now);
        free(plan->users[i].default_account);
        free(plan->users[i].default_wckey);
        words_clear(&plan->users[i].wckeys);
        words_clear(&plan->users[i].coordinated);
    }
    for (uint32_t i = 0; i < plan->assocs_n; i++)
        assoc_record_clear(&plan->assocs[i].now);
    free(plan->accounts);
    free(plan->users);
    free(plan->assocs);
    free(plan->cluster);
    free(plan->parent);
    *plan = (struct load_plan){ 0 };
}

/* ---- what is wrong ---- */

int load_refuse(struct load_plan *plan, const struct load_line *line, const char *text)
{
    mgr_refuse(plan->mgr, " line(%u) %s", line->number, text);
    plan->is_refused = true;
    return -1;
}

int load_refuse_word(struct load_plan *plan, const struct load_line *line,
                     const struct acct_word *word, const struct err *err)
{
    if (err->code)
        mgr_refuse_value(plan->mgr, err);
    mgr_refuse(plan->mgr, " Unknown option: %s", word->text);
    printf(" Problem with line(%u)\n", line->number);
    return -1;
}

/* ---- finding, and beginning with what is there ---- */

struct load_assoc *load_find_assoc(const struct load_plan *plan, const char *account,
                                   const char *user, const char *partition)
{
    for (uint32_t i = 0; i < plan->assocs_n; i++) {
        const struct assoc_record *now = &plan->assocs[i].now;

        if (text_is(now->account, account) && (user ? text_is(now->user, user) : !now->user) &&
            (partition ? text_is(now->partition, partition) : !now->partition))
            return &plan->assocs[i];
    }
    return NULL;
}

struct load_assoc *load_get_assoc(struct load_plan *plan, const struct load_line *line,
                                  const char *account, const char *user, const char *partition)
{
    struct load_assoc *assoc = load_find_assoc(plan, account, user, partition);

    if (assoc)
        return assoc;
    assoc = ARRAY_PUSH(plan->assocs, plan->assocs_n);
    *assoc = (struct load_assoc){
        .was = book_any_assoc(plan->book, plan->cluster, account, user, partition),
        .line = line->number,
    };
    assoc->is_new = !assoc->was || assoc->was->deleted || plan->is_clean;
    if (assoc->is_new) {
        assoc->now = assoc_of(plan->cluster, account, user, partition);
        assoc->now.usage_resets = assoc->was ? assoc->was->usage_resets : 0;
    } else {
        assoc_record_init(&assoc->now);
        schema_copy(assoc_record_schema(), &assoc->now, assoc->was);
    }
    return assoc;
}

struct load_account *load_get_account(struct load_plan *plan, const char *name)
{
    struct load_account *account;

    for (uint32_t i = 0; i < plan->accounts_n; i++) {
        if (text_is(plan->accounts[i].now.name, name))
            return &plan->accounts[i];
    }
    account = ARRAY_PUSH(plan->accounts, plan->accounts_n);
    *account = (struct load_account){ .was = book_any_account(plan->book, name) };
    account->is_new = !account->was || account->was->deleted;
    account_record_init(&account->now);
    if (account->is_new)
        account->now.name = xstrdup(name);
    else
        schema_copy(account_record_schema(), &account->now, account->was);
    return account;
}

struct load_user *load_get_user(struct load_plan *plan, const char *name)
{
    struct load_user *user;
    const struct assoc_record *in;

    for (uint32_t i = 0; i < plan->users_n; i++) {
        if (text_is(plan->users[i].now.name, name))
            return &plan->users[i];
    }
    user = ARRAY_PUSH(plan->users, plan->users_n);
    *user = (struct load_user){ .was = book_any_user(plan->book, name) };
    user->is_new = !user->was || user->was->deleted;
    user_record_init(&user->now);
    if (user->is_new)
        user->now.name = xstrdup(name);
    else
        schema_copy(user_record_schema(), &user->now, user->was);
    in = book_default(plan->book, plan->cluster, name);
    user->had = in ? in->account : NULL;
    user->default_account = xstrdup(plan->is_clean ? NULL : user->had);
    return user;
}

bool load_has_account(const struct load_plan *plan, const char *name)
{
    return strcmp(name, "root") == 0 || load_find_assoc(plan, name, NULL, NULL) ||
           (!plan->is_clean && book_assoc(plan->book, plan->cluster, name, NULL, NULL));
}

/* ---- values ---- */

bool load_text_differs(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") != 0;
}

/* Returns whether two lists have the same names in some order. */
static bool has_same_qos(const struct assoc_record *a, const struct assoc_record *b)
{
    AUTO(words) struct words names = { 0 };
    uint32_t same = 0;

    for (uint32_t i = 0; i < a->qos_n; i++)
        words_add(&names, a->qos[i], ",");
    for (uint32_t i = 0; i < b->qos_n; i++)
        same += words_have_exactly(&names, b->qos[i]);
    return a->qos_n == b->qos_n && same == b->qos_n;
}

/* Returns whether two lists have the same amounts in some order. */
static bool has_same_amounts(const struct schema_field *field, const struct assoc_record *a,
                             const struct assoc_record *b)
{
    const struct acct_amount *here = *schema_slot(field, a).records;
    const struct acct_amount *there = *schema_slot(field, b).records;
    const uint32_t n = *schema_count(field, a), there_n = *schema_count(field, b);
    uint32_t same = 0;

    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < there_n; k++)
            same += strcmp(here[i].tres, there[k].tres) == 0 && here[i].amount == there[k].amount;
    }
    return same == n && there_n == n;
}

/* Takes lists of amounts back that differ from those of before only in their order. */
static void keep_order(const struct assoc_record *before, struct assoc_record *now)
{
    const struct schema *schema = assoc_record_schema();

    for (uint32_t i = 0; i < schema->fields_n; i++) {
        const struct schema_field *field = &schema->fields[i];

        if (field->kind == KIND_LIST && field->record == acct_amount_schema &&
            has_same_amounts(field, before, now))
            schema_copy_field(field, now, before);
    }
}

void load_say_differences(const struct load_plan *plan, const char *kind, const char *name,
                          const struct assoc_record *before, struct load_assoc *assoc)
{
    if (assoc->is_new)
        return;
    if (has_same_qos(before, &assoc->now))
        schema_copy_field(schema_find(assoc_record_schema(), "qos"), &assoc->now, before);
    keep_order(before, &assoc->now);
    load_say_assoc(plan->book, kind, name, before, &assoc->now);
}

int load_apply(struct load_plan *plan, const struct load_line *line, const struct acct_word *word,
               struct load_assoc *assoc)
{
    struct assoc_record *now = &assoc->now;
    struct err err = { 0 };
    const bool has_shares = now->shares != COUNT_UNSET;
    const int rc = assoc_apply(plan->book, word, now, &err);

    if (now->shares == SHARES_OF_PARENT)
        now->shares = SHARES_PARENT;
    if (!assoc->is_new && !has_shares && now->shares == SHARES_DEFAULT)
        now->shares = COUNT_UNSET; /* dumps name what nobody has set, too */
    return rc > 0 ? 0 : load_refuse_word(plan, line, word, &err);
}

/* ---- wckeys ---- */

const struct wckey_record *load_default_wckey(const struct load_plan *plan, const char *user)
{
    for (uint32_t i = 0; i < plan->book->wckeys.n; i++) {
        const struct wckey_record *wckey = record_at(&plan->book->wckeys, i);

        if (!wckey->deleted && wckey->is_default && text_is(wckey->user, user) &&
            text_is(wckey->cluster, plan->cluster))
            return wckey;
    }
    return NULL;
}
