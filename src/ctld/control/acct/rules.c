/*
 * What a request may make of the records: names, references, rights. Each record is checked against
 * what the changes before it in the same request leave.
 */
#include <errno.h>
#include <string.h>

#include "common/text/words.h"
#include "ctld/control/acct/common.h"
#include "ctld/control/acct/in_use.h"
#include "ctld/control/acct/leave.h"
#include "ctld/control/acct/usage.h"
#include "ctld/control/act/state.h"

/* ---- clusters, TRES, QOS ---- */

static int check_federation_of(struct control *control, const char *name, struct err *err)
{
    const struct federation_record *rec = kept_find(control_kept(control, KEPT_FEDERATION), name);

    return rec && !rec->deleted ? 0 : err_set(err, EINVAL, "there is no federation '%s'", name);
}

/* No request sets what the cluster consists of. */
static void keep_event(const struct cluster_record *was, struct cluster_record *rec)
{
    if (rec->event)
        cluster_event_clear(rec->event);
    free(rec->event);
    rec->event = NULL;
    if (!was || !was->event)
        return;
    rec->event = xmalloc(sizeof(*rec->event));
    schema_copy(cluster_event_schema(), rec->event, was->event);
}

static int check_cluster(struct act *act, const void *before, void *after, struct err *err)
{
    const struct cluster_record *was = before;
    struct cluster_record *rec = after;
    int rc = acct_check_by_level(act, &cluster_rules, LEVEL_ADMINISTRATOR, was, rec, err);

    if (rc < 0)
        return rc;
    rc = acct_check_name("cluster", rec->name, err);
    keep_event(was, rec);
    if (rc == 0 && rec->deleted && acct_any_assoc(act->control, rec->name, NULL))
        rc = err_set(err, EBUSY, "cluster %s has associations", rec->name);
    else if (rc == 0 && !rec->deleted && rec->federation)
        rc = check_federation_of(act->control, rec->federation, err);
    if (rc == 0)
        acct_stamp(act, &cluster_rules, was, rec);
    return rc;
}

/* Refuses to delete the cluster of a controller that works with it; jobs that its associations have
 * are told of first. */
static int settle_cluster(struct act *act, const void *before, const void *after, struct err *err)
{
    const struct cluster_record *rec = after;

    if (!acct_deletes(cluster_record_schema(), before, after))
        return 0;
    return in_use_check_cluster(act->control, rec->name, err);
}

static bool names_qos(char *const *names, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(names[i] + qos_has_sign(names[i]), name) == 0)
            return true;
    }
    return false;
}

/* Refuses to delete a QOS that another record names. */
static int check_qos_deletion(struct control *control, const char *name, struct err *err)
{
    struct kept_table *assocs = control_kept(control, KEPT_ASSOC);
    struct kept_table *others = control_kept(control, KEPT_QOS);
    const struct assoc_record *assoc;
    const struct qos_record *other;
    uint64_t serial = 0;

    while ((assoc = kept_next(assocs, &serial))) {
        if (!assoc->deleted &&
            (names_qos(assoc->qos, assoc->qos_n, name) || text_is(assoc->default_qos, name)))
            return err_set(err, EBUSY, "QOS %s: association %s has it", name, assoc->key);
    }
    serial = 0;
    while ((other = kept_next(others, &serial))) {
        if (!other->deleted && strcmp(other->name, name) != 0 &&
            names_qos(other->preempt, other->preempt_n, name))
            return err_set(err, EBUSY, "QOS %s: QOS %s preempts it", name, other->name);
    }
    return 0;
}

/* Refuses flags and modes that no version has. */
static int check_qos_words(const struct qos_record *rec, struct err *err)
{
    if (rec->flags & ~(uint32_t)QOS_FLAGS)
        return err_set(err, EINVAL, "QOS %s: unknown flags 0x%x", rec->name, rec->flags);
    if (rec->preempt_mode >= QOS_PREEMPT_MODES_N)
        return err_set(err, EINVAL, "QOS %s: unknown preempt mode %u", rec->name,
                       rec->preempt_mode);
    return 0;
}

static int check_qos(struct act *act, const void *before, void *after, struct err *err)
{
    const struct qos_record *was = before;
    struct qos_record *rec = after;
    int rc = acct_check_by_level(act, &qos_rules, LEVEL_ADMINISTRATOR, was, rec, err);

    if (rc < 0)
        return rc;
    rc = acct_check_name("QOS", rec->name, err);
    if (rc == 0)
        rc = check_qos_words(rec, err);
    if (rc == 0 && rec->deleted)
        rc = check_qos_deletion(act->control, rec->name, err);
    if (rc == 0 && acct_deletes(qos_record_schema(), was, rec))
        rc = in_use_check_qos(act->control, rec->name, err);
    if (rc == 0 && !rec->deleted)
        rc = acct_check_qos_names(act->control, rec->preempt, rec->preempt_n, err);
    if (rc == 0)
        rc = acct_check_amounts(act->control, qos_record_schema(), rec, err);
    if (rc == 0)
        acct_stamp(act, &qos_rules, was, rec);
    return rc;
}

/* ---- accounts and users ---- */

static int check_coordinators(struct control *control, const struct account_record *rec,
                              struct err *err)
{
    for (uint32_t i = 0; i < rec->coordinators_n; i++) {
        if (!acct_find_user(control, rec->coordinators[i]))
            return err_set(err, E_USER_ID, "there is no user '%s'", rec->coordinators[i]);
    }
    return 0;
}

/* Returns whether the caller may make of the account what it is to be. Any coordinator may add one,
 * for which the same request has to find a place (settle_account); he says who else coordinates his
 * accounts. To delete one is an operator's, even of one that the coordinator has added. */
static bool may_change_account(struct act *act, const struct account_record *was,
                               const struct account_record *rec)
{
    const char *own = act->control->model->config.cluster_name;

    if (caller_has_level(act->caller, LEVEL_OPERATOR))
        return true;
    if (!was || was->deleted)
        return acct_coordinates_any(act->control, act->caller);
    return acct_only_differs(account_record_schema(), was, rec, "coordinators") &&
           acct_coordinates(act->control, act->caller, own, was->name);
}

/* Refuses an account in no tree, but to operators: nothing that a coordinator may do would end with
 * it. */
static int settle_account(struct act *act, const void *before, const void *after, struct err *err)
{
    const struct account_record *was = before, *rec = after;

    if (!rec || rec->deleted || (was && !was->deleted) ||
        caller_has_level(act->caller, LEVEL_OPERATOR) ||
        acct_any_assoc(act->control, NULL, rec->name))
        return 0;
    return acct_refuse(err);
}

static int check_account_deletion(struct control *control, const char *name, struct err *err)
{
    if (strcmp(name, "root") == 0)
        return err_set(err, EBUSY, "account root is above all others");
    if (acct_any_assoc(control, NULL, name))
        return err_set(err, EBUSY, "account %s has associations", name);
    return 0;
}

#define ACCOUNT_TEXT_MAX 4096

static int check_account_texts(const struct account_record *rec, struct err *err)
{
    const char *const texts[] = { rec->description, rec->organization };

    for (size_t i = 0; i < ARRAY_N(texts); i++) {
        if (texts[i] && strlen(texts[i]) > ACCOUNT_TEXT_MAX)
            return err_set(err, EINVAL, "account %s: its %s has more than %d bytes", rec->name,
                           i ? "organization" : "description", ACCOUNT_TEXT_MAX);
    }
    return 0;
}

static int check_account(struct act *act, const void *before, void *after, struct err *err)
{
    const struct account_record *was = before;
    struct account_record *rec = after;
    int rc = acct_check_change(&account_rules, was, rec, err);

    if (rc < 0)
        return rc;
    if (!may_change_account(act, was, rec))
        return acct_refuse(err);
    rc = acct_check_name("account", rec->name, err);
    if (rc == 0 && rec->flags & ~(uint32_t)ACCOUNT_USERS_ARE_COORDS)
        rc = err_set(err, EINVAL, "account %s: unknown flags %#x", rec->name, rec->flags);
    if (rc == 0)
        rc = check_account_texts(rec, err);
    if (rc == 0)
        rc = rec->deleted ? check_account_deletion(act->control, rec->name, err)
                          : check_coordinators(act->control, rec, err);
    if (rc < 0)
        return rc;
    if (!rec->description)
        rec->description = xstrdup(rec->name);
    if (!rec->organization)
        rec->organization = xstrdup(rec->name);
    acct_stamp(act, &account_rules, was, rec);
    return 0;
}

/* Refuses levels above the caller's own, given or taken; to change that of a user who is there is
 * for administrators. */
static int check_level(struct act *act, const struct user_record *was,
                       const struct user_record *rec, struct err *err)
{
    const bool was_there = was && !was->deleted;
    const uint32_t had = was_there ? was->admin_level : ADMIN_NONE;
    const uint32_t level = rec->deleted ? ADMIN_NONE : rec->admin_level; /* he loses it */
    const uint32_t higher = had > level ? had : level;

    if (level >= ADMIN_LEVELS_N)
        return err_set(err, EINVAL, "unknown admin level %u", level);
    if (had == level)
        return 0;
    if (!acct_gives_level(act->caller, higher) ||
        (was_there && !rec->deleted && !caller_has_level(act->caller, LEVEL_ADMINISTRATOR)))
        return acct_refuse(err);
    return 0;
}

static bool is_in_accounts(struct control *control, const void *record)
{
    const struct user_record *rec = record;

    return acct_user_is_in(control, NULL, NULL, rec->name);
}

/* Returns whether the caller may make of the user what he is to be. Coordinators add users and
 * delete those who have no association left; they change none. */
static bool may_change_user(struct act *act, const struct user_record *was,
                            const struct user_record *rec)
{
    const bool was_there = was && !was->deleted;

    return caller_has_level(act->caller, LEVEL_OPERATOR) ||
           (was_there != !rec->deleted && acct_coordinates_any(act->control, act->caller));
}

static int check_user(struct act *act, const void *before, void *after, struct err *err)
{
    const struct user_record *was = before;
    struct user_record *rec = after;
    int rc = acct_check_change(&user_rules, was, rec, err);

    if (rc < 0)
        return rc;
    if (!may_change_user(act, was, rec))
        return acct_refuse(err);
    rc = acct_check_name("user", rec->name, err);
    if (rc == 0)
        rc = check_level(act, was, rec, err);
    if (rc == 0 && rec->deleted && is_in_accounts(act->control, rec))
        rc = err_set(err, EBUSY, "user %s has associations", rec->name);
    if (rc == 0)
        acct_stamp(act, &user_rules, was, rec);
    return rc;
}

static int check_wckey(struct act *act, const void *before, void *after, struct err *err)
{
    const struct wckey_record *was = before;
    struct wckey_record *rec = after;
    int rc = acct_check_change(&wckey_rules, was, rec, err);

    if (rc < 0)
        return rc;
    if (was && (strcmp(was->cluster, rec->cluster) != 0 || strcmp(was->user, rec->user) != 0 ||
                !text_is(was->name, rec->name)))
        return err_set(err, E_NOT_SUPPORTED, "a wckey's cluster, user and name are not changed");
    if (!caller_has_level(act->caller, LEVEL_OPERATOR))
        return acct_refuse(err);
    if (!acct_find_cluster(act->control, rec->cluster))
        rc = err_set(err, EINVAL, "there is no cluster '%s'", rec->cluster);
    else if (!acct_find_user(act->control, rec->user))
        rc = err_set(err, E_USER_ID, "there is no user '%s'", rec->user);
    else if (rec->name)
        rc = acct_check_name("wckey", rec->name, err);
    if (rc < 0)
        return rc;
    free(rec->key);
    rec->key = acct_wckey_key(rec->cluster, rec->user, rec->name);
    acct_stamp(act, &wckey_rules, was, rec);
    return 0;
}

/* Refuses to delete a wckey that jobs of the user have, but names first the jobs of associations
 * that go along with it. */
static int settle_wckey(struct act *act, const void *before, const void *after, struct err *err)
{
    const struct wckey_record *rec = after;

    if (!acct_deletes(wckey_record_schema(), before, after) || !rec->name)
        return 0;
    return in_use_check_wckey(act->control, rec, err);
}

/* A user's wckeys go with him. */
static int settle_user(struct act *act, const void *before, const void *after, struct err *err)
{
    const struct user_record *rec = after;

    if (!acct_deletes(user_record_schema(), before, after))
        return 0;
    return acct_check_leave(act->control, rec->name, err);
}

static void user_changed(struct act *act, const void *before, void *after)
{
    const struct user_record *rec = after;

    if (acct_deletes(user_record_schema(), before, after))
        acct_leave(act, rec->name);
    acct_tell(act, user_record_schema(), before, after, "Users", rec->name);
}

TELLS(cluster, "Clusters", name)
TELLS(wckey, "WCKeys", key)

static void account_changed(struct act *act, const void *before, void *after)
{
    const struct account_record *rec = after;

    acct_tell(act, account_record_schema(), before, after, "Accounts", rec->name);
    acct_tell_coordinators(act, before, rec);
}

/* Returns whether what was used of the QOS on this cluster is to be forgotten. */
static bool forgets_usage(const struct control *control, const struct qos_record *was,
                          const struct qos_record *rec)
{
    const char *cluster = control->model->config.cluster_name; /* NULL: a slurmdbd's, of none */

    if (!was || was->usage_resets == rec->usage_resets || !cluster)
        return false;
    for (uint32_t i = 0; i < rec->reset_on_n; i++) {
        if (strcmp(rec->reset_on[i], cluster) == 0)
            return true;
    }
    return rec->reset_on_n == 0;
}

static void qos_changed(struct act *act, const void *before, void *after)
{
    const struct qos_record *was = before, *rec = after;

    acct_tell(act, qos_record_schema(), before, after, "QOS", rec->name);
    usage_qos_changed(act, was, rec);
    if (forgets_usage(act->control, was, rec))
        usage_forget_qos(act, rec->name);
    acct_tree_changed(act->control);
}

/* ---- who is shown what ---- */

static bool shows_all(const struct control *control, const struct caller *caller,
                      const void *record)
{
    (void)control;
    (void)caller;
    (void)record;
    return true;
}

/* With PrivateData=accounts coordinators see the accounts that they coordinate, and nobody else may
 * ask. */
static bool lists_accounts(const struct control *control, const struct caller *caller)
{
    struct control *mine = (struct control *)(uintptr_t)control;

    return acct_sees(control, caller, PRIVATE_ACCOUNTS) || acct_coordinates_any(mine, caller);
}

static bool shows_account(const struct control *control, const struct caller *caller,
                          const void *record)
{
    struct control *mine = (struct control *)(uintptr_t)control;
    const struct account_record *rec = record;

    return acct_sees(control, caller, PRIVATE_ACCOUNTS) ||
           acct_coordinates(mine, caller, control->model->config.cluster_name, rec->name);
}

/* Returns whether the user is in an account that the caller coordinates. */
static bool coordinates_user(struct control *control, const struct caller *caller, const char *user)
{
    uint32_t n;
    void *const *own = kept_in_group(control_kept(control, KEPT_ASSOC), user, &n);

    for (uint32_t i = 0; i < n; i++) {
        const struct assoc_record *assoc = own[i];

        if (!assoc->deleted && acct_coordinates(control, caller, assoc->cluster, assoc->account))
            return true;
    }
    return false;
}

/* With PrivateData=users users see themselves, and coordinators whom they may change. */
static bool shows_user(const struct control *control, const struct caller *caller,
                       const void *record)
{
    struct control *mine = (struct control *)(uintptr_t)control;
    const struct user_record *rec = record;

    return acct_sees(control, caller, PRIVATE_USERS) || text_is(caller->user_name, rec->name) ||
           coordinates_user(mine, caller, rec->name);
}

static bool shows_wckey(const struct control *control, const struct caller *caller,
                        const void *record)
{
    const struct wckey_record *rec = record;

    return acct_sees(control, caller, PRIVATE_USERS) || text_is(caller->user_name, rec->user);
}

const struct kept_rules cluster_rules = {
    .kind = KEPT_CLUSTER,
    .check = check_cluster,
    .settle = settle_cluster,
    .changed = cluster_changed,
    .shows = shows_all,
    .tells_refusal = true,
};

const struct kept_rules account_rules = {
    .kind = KEPT_ACCOUNT,
    .check = check_account,
    .settle = settle_account,
    .changed = account_changed,
    .lists = lists_accounts,
    .shows = shows_account,
    .tells_refusal = true,
};

/* Coordinators add users of whom they need not know whether they are there already. */
const struct kept_rules user_rules = {
    .kind = KEPT_USER,
    .check = check_user,
    .settle = settle_user,
    .is_held = is_in_accounts,
    .changed = user_changed,
    .shows = shows_user,
    .tells_refusal = true,
    .adds_hidden = true,
};
RULES(qos, KEPT_QOS, shows_all);

const struct kept_rules wckey_rules = {
    .kind = KEPT_WCKEY,
    .check = check_wckey,
    .settle = settle_wckey,
    .changed = wckey_changed,
    .shows = shows_wckey,
    .tells_refusal = true,
};

/* No request changes TRES: they follow from the configuration. */
const struct kept_rules tres_rules = { .kind = KEPT_TRES, .shows = shows_all };
