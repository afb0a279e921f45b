/* What a request may make of associations: references, the tree of accounts, rights. */
#include <errno.h>
#include <string.h>

#include "common/text/words.h"
#include "ctld/control/acct/common.h"
#include "ctld/control/acct/in_use.h"
#include "ctld/control/acct/tree.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/state.h"

static int check_parent(struct control *control, const struct assoc_record *rec, struct err *err)
{
    const struct assoc_record *at;

    if (rec->user || strcmp(rec->account, "root") == 0)
        return rec->parent
                   ? err_set(err, EINVAL, "%s '%s' has no parent of its own",
                             rec->user ? "user" : "account", rec->user ? rec->user : rec->account)
                   : 0;
    if (!rec->parent)
        return err_set(err, EINVAL, "account %s without a parent", rec->account);
    for (const char *name = rec->parent; name; name = at->parent) {
        if (strcmp(name, rec->account) == 0)
            return err_set(err, EINVAL, "account %s would be below itself", rec->account);
        at = acct_find_assoc(control, rec->cluster, name, NULL, NULL);
        if (!at)
            return err_set(err, E_ACCOUNT, "there is no account '%s' on cluster %s", name,
                           rec->cluster);
    }
    return 0;
}

/* Returns another association that is the user's default account on the cluster, or NULL. */
static const struct assoc_record *other_default(struct control *control,
                                                const struct assoc_record *rec)
{
    uint32_t n = 0;
    void *const *others =
        rec->user ? kept_in_group(control_kept(control, KEPT_ASSOC), rec->user, &n) : NULL;

    for (uint32_t i = 0; i < n; i++) {
        const struct assoc_record *other = others[i];

        if (!other->deleted && other->is_default && strcmp(other->cluster, rec->cluster) == 0 &&
            strcmp(other->account, rec->account) != 0)
            return other;
    }
    return NULL;
}

/* Refuses a second default account of a user on a cluster; who is not shown the first one is not
 * told of it. */
static int check_default(const struct act *act, const struct assoc_record *rec, struct err *err)
{
    const struct assoc_record *other = rec->is_default ? other_default(act->control, rec) : NULL;

    if (!other)
        return 0;
    if (!assoc_rules.shows(act->control, act->caller, other))
        return acct_refuse(err);
    return err_set(err, EBUSY, "the default account of user %s is %s", rec->user, other->account);
}

/* Refuses what only users have in an association of an account. */
static int check_of_user(const struct assoc_record *rec, struct err *err)
{
    if (rec->user)
        return 0;
    if (rec->partition)
        return err_set(err, EINVAL, "account %s in partition %s: only users have one", rec->account,
                       rec->partition);
    if (rec->is_default)
        return err_set(err, EINVAL, "account %s is nobody's: only a user has a default account",
                       rec->account);
    return 0;
}

static int check_references(const struct act *act, const struct assoc_record *rec, struct err *err)
{
    struct control *control = act->control;
    int rc;

    if (!acct_find_cluster(control, rec->cluster))
        return err_set(err, EINVAL, "there is no cluster '%s'", rec->cluster);
    if (!acct_find_account(control, rec->account))
        return err_set(err, E_ACCOUNT, "there is no account '%s'", rec->account);
    if (rec->user && !acct_find_user(control, rec->user))
        return err_set(err, E_USER_ID, "there is no user '%s'", rec->user);
    if (rec->user && !acct_find_assoc(control, rec->cluster, rec->account, NULL, NULL))
        return err_set(err, E_ACCOUNT, "account %s is not on cluster %s", rec->account,
                       rec->cluster);
    rc = check_of_user(rec, err);
    if (rc == 0)
        rc = check_parent(control, rec, err);
    if (rc == 0)
        rc = check_default(act, rec, err);
    if (rc == 0)
        rc = acct_check_qos_names(control, rec->qos, rec->qos_n, err);
    if (rc == 0 && rec->default_qos && !acct_find_qos(control, rec->default_qos))
        rc = err_set(err, E_QOS, "there is no QOS '%s'", rec->default_qos);
    if (rc == 0)
        rc = acct_check_amounts(control, assoc_record_schema(), rec, err);
    return rc;
}

static bool coordinates(struct act *act, const struct assoc_record *rec, const char *account)
{
    return acct_coordinates(act->control, act->caller, rec->cluster, account);
}

/* Returns whether the list grants the QOS (1), withholds it (0), or leaves it to the account above
 * (-1). */
static int grants_qos(const struct assoc_record *rec, const char *qos)
{
    const bool differs = rec->qos_n == 0 || qos_has_sign(rec->qos[0]);

    for (uint32_t i = rec->qos_n; i > 0; i--) { /* of two that differ the later one holds */
        const char *name = rec->qos[i - 1];

        if (strcmp(name + qos_has_sign(name), qos) == 0)
            return name[0] != '-';
    }
    return differs ? -1 : 0;
}

/* Returns whether the list grants the QOS; what it leaves open the accounts say, from `account`
 * upwards. */
static bool grants_below(struct control *control, const struct assoc_record *rec,
                         const char *account, const char *qos)
{
    int grants = rec ? grants_qos(rec, qos) : -1;

    while (grants < 0 && account) {
        const struct assoc_record *at = acct_find_assoc(control, rec->cluster, account, NULL, NULL);

        grants = at ? grants_qos(at, qos) : 0;
        account = at ? at->parent : NULL;
    }
    return grants > 0;
}

static const char *account_above(const struct assoc_record *rec)
{
    return rec->user ? rec->account : rec->parent;
}

/* Returns whether the caller may use the QOS: in the account, or as it is granted there. What his
 * association there withheld it withholds after it is deleted, or he would get it by deleting. */
static bool has_qos(struct act *act, const char *cluster, const char *account, const char *qos)
{
    AUTO_FREE char *key = acct_assoc_key(cluster, account, act->caller->user_name, NULL);
    const struct assoc_record *own = kept_find(control_kept(act->control, KEPT_ASSOC), key);
    const struct assoc_record none = { .cluster = (char *)(uintptr_t)cluster };

    if (own && own->deleted && grants_qos(own, qos) > 0)
        own = NULL;
    return grants_below(act->control, own ? own : &none, account, qos);
}

static bool is_there(const struct assoc_record *was)
{
    return was && !was->deleted;
}

/* Returns whether the association gets the QOS by this change: by its list, by a list that
 * withholds it no longer, or by another account above. What a new association has of the account
 * above was granted there. One that comes back has no more than a new one, and less where it was
 * withheld. */
static bool gains_qos(struct control *control, const struct assoc_record *was,
                      const struct assoc_record *rec, const char *qos)
{
    const bool is_granted = grants_below(control, rec, account_above(rec), qos);

    if (is_there(was))
        return is_granted && !grants_below(control, was, account_above(was), qos);
    return grants_qos(rec, qos) > 0 || (was && is_granted && grants_qos(was, qos) == 0);
}

/* Returns whether the caller has every QOS that the association gains. */
static bool has_new_qos(struct act *act, const struct assoc_record *was,
                        const struct assoc_record *rec, const char *account)
{
    struct kept_table *table = control_kept(act->control, KEPT_QOS);
    const struct qos_record *qos;
    uint64_t serial = 0;

    while ((qos = kept_next(table, &serial))) {
        if (!qos->deleted && gains_qos(act->control, was, rec, qos->name) &&
            !has_qos(act, rec->cluster, account, qos->name))
            return false;
    }
    return !rec->default_qos || (is_there(was) && text_is(was->default_qos, rec->default_qos)) ||
           has_qos(act, rec->cluster, account, rec->default_qos);
}

/* The association that ends with its cluster. */
static bool is_root(const struct assoc_record *rec)
{
    return !rec->user && strcmp(rec->account, "root") == 0;
}

/* Returns whether the caller may make of the association what it is to be. What an account may have
 * is for a coordinator of the one above it to say, not for its own; a coordinator grants no QOS
 * that he has not himself. Moving an account takes both its places. Users choose which of their
 * accounts is the default. */
static bool may_change_assoc(struct act *act, const struct assoc_record *was,
                             const struct assoc_record *rec)
{
    const char *above = account_above(rec);

    if (caller_has_level(act->caller,
                         rec->deleted && is_root(rec) ? LEVEL_ADMINISTRATOR : LEVEL_OPERATOR))
        return true;
    if (is_there(was)) {
        if (was->user && text_is(act->caller->user_name, was->user) &&
            acct_only_differs(assoc_record_schema(), was, rec, "is_default"))
            return true;
        if (rec->deleted)
            return coordinates(act, rec, rec->account);
        if (!text_is(was->parent, rec->parent) && !coordinates(act, rec, was->parent))
            return false;
    }
    return coordinates(act, rec, above) && has_new_qos(act, was, rec, above);
}

static bool is_same_assoc(const struct assoc_record *a, const struct assoc_record *b)
{
    return strcmp(a->cluster, b->cluster) == 0 && strcmp(a->account, b->account) == 0 &&
           text_is(a->user, b->user) && text_is(a->partition, b->partition);
}

/* Refuses to delete an account's own association while there are others below it. */
static int check_empty(struct control *control, const struct assoc_record *rec, struct err *err)
{
    struct kept_table *table = control_kept(control, KEPT_ASSOC);
    const struct assoc_record *other;
    uint64_t serial = 0;

    while ((other = kept_next(table, &serial))) {
        if (!other->deleted && strcmp(other->cluster, rec->cluster) == 0 &&
            (text_is(other->parent, rec->account) ||
             (other->user && strcmp(other->account, rec->account) == 0)))
            return err_set(err, EBUSY, "account %s is not empty: %s %s is in it", rec->account,
                           other->user ? "user" : "account",
                           other->user ? other->user : other->account);
    }
    return 0;
}

/* Returns whether the association was not in its account before. */
static bool comes_to_parent(const struct assoc_record *was, const struct assoc_record *rec)
{
    return (!is_there(was) && !rec->deleted) || !text_is(was->parent, rec->parent);
}

/* Who adds a user to an account, and is not shown where else he is, takes it for his first one. It
 * is not where he has a default account. */
static void keep_hidden_default(struct act *act, const struct assoc_record *was,
                                struct assoc_record *rec)
{
    const struct assoc_record *other =
        rec->is_default && !is_there(was) ? other_default(act->control, rec) : NULL;

    if (other && !assoc_rules.shows(act->control, act->caller, other))
        rec->is_default = false;
}

static int check_assoc(struct act *act, const void *before, void *after, struct err *err)
{
    const struct assoc_record *was = before;
    struct assoc_record *rec = after;
    int rc = acct_check_change(&assoc_rules, was, rec, err);

    if (rc < 0)
        return rc;
    if (was && !is_same_assoc(was, rec))
        return err_set(err, E_NOT_SUPPORTED,
                       "an association's cluster, account, user and partition are not changed");
    if (!may_change_assoc(act, was, rec))
        return acct_refuse(err);
    keep_hidden_default(act, was, rec);
    if (rec->deleted && !rec->user && (!was || !was->deleted))
        rc = check_empty(act->control, rec, err);
    else if (!rec->deleted)
        rc = check_references(act, rec, err);
    if (rc < 0)
        return rc;
    free(rec->key);
    rec->key = acct_assoc_key(rec->cluster, rec->account, rec->user, rec->partition);
    rec->added_ms = comes_to_parent(was, rec) ? act->now.cluster_ms : was->added_ms;
    acct_stamp(act, &assoc_rules, was, rec);
    return 0;
}

/* Refuses to delete what jobs hang on, or a controller: once all deletions are made, so that the
 * jobs of all are named. */
static int settle_assoc(struct act *act, const void *before, const void *after, struct err *err)
{
    const struct assoc_record *rec = after;
    int rc;

    if (!acct_deletes(assoc_record_schema(), before, after))
        return 0;
    rc = in_use_check_assoc(act->control, rec, err);
    return rc == 0 && is_root(rec) ? in_use_check_cluster(act->control, rec->cluster, err) : rc;
}

static void assoc_changed(struct act *act, const void *before, void *after)
{
    const struct assoc_record *was = before, *rec = after;

    acct_tell(act, assoc_record_schema(), before, after, "Associations", rec->key);
    acct_tree_changed(act->control);
    if (was && was->usage_resets != rec->usage_resets)
        usage_forget_assoc(act, after);
}

static void release_assoc(void *record)
{
    bitset_clear(&((struct assoc *)record)->qos);
}

/* Groups associations by user: rights ask what somebody is in. */
static const char *user_of(const void *record)
{
    return ((const struct assoc_record *)record)->user;
}

/* Returns whether the account of `rec` is that of the association, or above it. */
static bool is_above(struct control *control, const struct assoc_record *rec,
                     const struct assoc_record *assoc)
{
    const char *at = strcmp(rec->cluster, assoc->cluster) == 0 ? assoc->account : NULL;

    while (at && strcmp(at, rec->account) != 0) {
        const struct assoc_record *account = acct_find_assoc(control, rec->cluster, at, NULL, NULL);

        at = account ? account->parent : NULL;
    }
    return at;
}

/* With PrivateData=users users see their associations and those of accounts above them,
 * coordinators what they coordinate. */
static bool shows_assoc(const struct control *control, const struct caller *caller,
                        const void *record)
{
    struct control *mine = (struct control *)(uintptr_t)control;
    const struct assoc_record *rec = record;
    void *const *own;
    uint32_t n = 0;

    if (acct_sees(control, caller, PRIVATE_USERS) ||
        acct_coordinates(mine, caller, rec->cluster, rec->account))
        return true;
    if (rec->user)
        return text_is(caller->user_name, rec->user);
    own = caller->user_name ? kept_in_group(control_kept(mine, KEPT_ASSOC), caller->user_name, &n)
                            : NULL;
    for (uint32_t i = 0; i < n; i++) {
        const struct assoc_record *assoc = own[i];

        if (!assoc->deleted && is_above(mine, rec, assoc))
            return true;
    }
    return false;
}

const struct kept_rules assoc_rules = {
    .kind = KEPT_ASSOC,
    .room = sizeof(struct assoc),
    .release = release_assoc,
    .group_of = user_of,
    .check = check_assoc,
    .settle = settle_assoc,
    .changed = assoc_changed,
    .shows = shows_assoc,
    .tells_refusal = true,
};
