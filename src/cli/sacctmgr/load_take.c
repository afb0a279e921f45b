/* Lines of files of dump: the cluster, where accounts stand, and what they say of accounts. */
#include <stdio.h>
#include <string.h>

#include "cli/sacctmgr/account.h"
#include "cli/sacctmgr/cluster.h"
#include "cli/sacctmgr/facts.h"
#include "cli/sacctmgr/load_plan.h"
#include "cli/sacctmgr/load_say.h"

/* ---- accounts ---- */

enum { KEY_DESCRIPTION, KEY_FLAGS, KEY_ORGANIZATION };

static const struct acct_key account_keys[] = {
    { "Description", 3, KEY_DESCRIPTION },
    { "Flags", 2, KEY_FLAGS },
    { "Organization", 1, KEY_ORGANIZATION },
};

/* Takes a text of the account itself, in small letters as everywhere. */
static void take_text(struct load_account *account, const char *title, char **member,
                      const char *value)
{
    AUTO_FREE char *small = xstrdup(value);

    for (char *at = small; *at; at++)
        *at = *at >= 'A' && *at <= 'Z' ? (char)(*at | 0x20) : *at;
    if (!account->is_new && load_text_differs(*member, small))
        load_say_change(title, "Account", account->now.name, *member, small);
    xstrset(member, small);
}

static int take_flags(struct load_plan *plan, const struct load_line *line,
                      const struct acct_word *word, struct load_account *account)
{
    const uint32_t was = account->now.flags;
    struct err err = { 0 };

    if (account_flags_apply(word, &account->now.flags, &err) < 0)
        return load_refuse_word(plan, line, word, &err);
    if (!account->is_new && account->now.flags != was)
        load_say_change("flags", "Account", account->now.name, fact_account_flags(was),
                        fact_account_flags(account->now.flags));
    return 0;
}

static int take_account_values(struct load_plan *plan, const struct load_line *line,
                               struct load_account *account, struct load_assoc *assoc)
{
    for (uint32_t i = 0; i < line->values.set.n; i++) {
        const struct acct_word *word = &line->values.set.at[i];
        const int key =
            word->key ? acct_key_find(account_keys, ARRAY_N(account_keys), word->key) : -1;

        if (key == KEY_DESCRIPTION)
            take_text(account, "description", &account->now.description, word->value);
        else if (key == KEY_ORGANIZATION)
            take_text(account, "organization", &account->now.organization, word->value);
        else if (key == KEY_FLAGS && take_flags(plan, line, word, account) < 0)
            return -1;
        else if (key != KEY_FLAGS && load_apply(plan, line, word, assoc) < 0)
            return -1;
    }
    return 0;
}

/* Returns the account that one will be below, or NULL: it is root, or not there. */
static const char *parent_of(const struct load_plan *plan, const char *account)
{
    const struct load_assoc *planned = load_find_assoc(plan, account, NULL, NULL);
    const struct assoc_record *there =
        planned ? &planned->now : book_assoc(plan->book, plan->cluster, account, NULL, NULL);

    return there ? there->parent : NULL;
}

static bool is_below(const struct load_plan *plan, const char *account, const char *above)
{
    for (const char *at = account; at; at = parent_of(plan, at)) {
        if (strcmp(at, above) == 0)
            return true;
    }
    return false;
}

/* Puts the account where the last Parent line says. */
static int place_account(struct load_plan *plan, const struct load_line *line,
                         struct load_assoc *assoc)
{
    const char *was = assoc->now.parent;
    AUTO_FREE char *text = NULL;

    if (was && assoc->line != line->number && strcmp(was, plan->parent) != 0) {
        text = xasprintf("account %s stands in %s already, by line(%u): it cannot be in %s, too",
                         line->name, was, assoc->line, plan->parent);
        return load_refuse(plan, line, text);
    }
    if (is_below(plan, plan->parent, line->name)) {
        text = xasprintf("account %s cannot be in %s, which is in it or it itself", line->name,
                         plan->parent);
        return load_refuse(plan, line, text);
    }
    xstrset(&assoc->now.parent, plan->parent);
    return 0;
}

static void fill_texts(const struct load_plan *plan, struct load_account *account)
{
    struct account_record *now = &account->now;
    const bool is_below_root = strcmp(plan->parent, "root") == 0;

    if (!now->description)
        now->description = xstrdup(now->name);
    if (!now->organization)
        now->organization = xstrdup(is_below_root ? now->name : plan->parent);
}

static int take_account(struct load_plan *plan, const struct load_line *line)
{
    struct load_account *account = load_get_account(plan, line->name);
    struct load_assoc *assoc = load_get_assoc(plan, line, line->name, NULL, NULL);
    AUTO(assoc_record) struct assoc_record before;

    assoc_record_init(&before);
    schema_copy(assoc_record_schema(), &before, &assoc->now);
    if (strcmp(line->name, "root") == 0)
        return load_refuse(plan, line,
                           "account root is the cluster's own: its values are in the "
                           "line of the cluster");
    if (place_account(plan, line, assoc) < 0 || take_account_values(plan, line, account, assoc) < 0)
        return -1;
    if (account->is_new)
        fill_texts(plan, account);
    load_say_differences(plan, "Account", line->name, &before, assoc);
    return 0;
}

/* ---- the cluster, and lines ---- */

/* Plans the user root of a cluster that is made anew. */
static void plan_root_user(struct load_plan *plan, const struct load_line *line)
{
    load_get_assoc(plan, line, "root", "root", NULL)->is_hidden = true;
    xstrset(&load_get_user(plan, "root")->default_account, "root");
}

static int take_cluster_values(struct load_plan *plan, const struct load_line *line,
                               struct load_assoc *root)
{
    static const struct acct_key classification = { "Classification", 3, 0 };
    const struct err nothing = { 0 };

    for (uint32_t i = 0; i < line->values.set.n; i++) {
        const struct acct_word *word = &line->values.set.at[i];

        if (!word->key || acct_key_find(&classification, 1, word->key) < 0) {
            if (load_apply(plan, line, word, root) < 0)
                return -1;
            continue;
        }
        plan->classification = cluster_classification(word->value);
        if (!plan->classification)
            return load_refuse_word(plan, line, word, &nothing);
    }
    return 0;
}

static int take_cluster(struct load_plan *plan, const struct load_line *line)
{
    AUTO(assoc_record) struct assoc_record before;
    struct load_assoc *root;

    assoc_record_init(&before);
    if (plan->parent || plan->assocs_n) {
        mgr_refuse(plan->mgr, " You can only add one cluster at a time.");
        return -1;
    }
    if (!plan->cluster)
        plan->cluster = xstrdup(line->name);
    printf("For cluster %s\n", plan->cluster);
    plan->is_new_cluster = !book_cluster(plan->book, plan->cluster);
    root = load_get_assoc(plan, line, "root", NULL, NULL);
    schema_copy(assoc_record_schema(), &before, &root->now);
    if (take_cluster_values(plan, line, root) < 0)
        return -1;
    load_say_differences(plan, "Cluster", plan->cluster, &before, root);
    if (root->is_new)
        plan_root_user(plan, line);
    return 0;
}

static int take_parent(struct load_plan *plan, const struct load_line *line)
{
    if (!load_has_account(plan, line->name)) {
        AUTO_FREE char *text = xasprintf("You need to add this parent (%s) as a child before you "
                                         "can add children to it.",
                                         line->name);

        return load_refuse(plan, line, text);
    }
    xstrset(&plan->parent, line->name);
    return 0;
}

static int refuse_format(struct load_plan *plan, const struct load_line *line)
{
    mgr_refuse(plan->mgr, " Misformatted line(%u): %s\n", line->number, line->text);
    return -1;
}

int load_plan_take(struct load_plan *plan, const struct load_line *line)
{
    if (line->kind == LOAD_NOTHING)
        return 0;
    if (line->kind == LOAD_CLUSTER)
        return take_cluster(plan, line);
    if (line->kind == LOAD_UNKNOWN && !strstr(line->text, " - "))
        return refuse_format(plan, line);
    if (plan->assocs_n == 0) {
        mgr_refuse(plan->mgr,
                   " You need to specify a cluster name first with 'Cluster - $NAME' in your file");
        plan->is_refused = true;
        return -1;
    }
    if (line->kind == LOAD_PARENT)
        return take_parent(plan, line);
    if (!plan->parent) {
        puts(" No parent given creating off root, If incorrect specify 'Parent - name' before any "
             "children in your file");
        plan->parent = xstrdup("root");
    }
    if (line->kind == LOAD_UNKNOWN)
        return refuse_format(plan, line);
    return line->kind == LOAD_ACCOUNT ? take_account(plan, line) : load_take_user(plan, line);
}
