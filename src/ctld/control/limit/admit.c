#include "ctld/control/limit/admit.h"

#include <ctype.h>
#include <string.h>

#include "common/text/words.h"
#include "ctld/control/acct/tree.h"
#include "ctld/control/act/state.h"
#include "ctld/control/limit/standing.h"

#define QOS_DEFAULT "normal"

static bool insists(const struct control *control, enum acct_enforce what)
{
    return control->model->config.acct_enforce & what;
}

/* Folds a name to small letters, the only ones that Slurm knows in accounts and QOS. */
static void fold(char *name)
{
    for (; name && *name; name++)
        *name = (char)tolower((unsigned char)*name);
}

/* ---- the account ---- */

/* Returns the partition whose association counts: the first that is named, or the default one; to
 * be freed. */
static char *first_partition(const struct control *control, const struct job_spec *spec)
{
    const struct partition *fallback = model_default_partition(control->model);

    if (spec->partition)
        return xstrndup(spec->partition, strcspn(spec->partition, ","));
    return fallback ? xstrdup(fallback->conf->name) : NULL;
}

static int refuse_account(struct control *control, const char *user, const struct job_spec *spec,
                          const char *partition, struct err *err)
{
    if (!spec->account)
        return err_set(err, E_ACCOUNT, "%s: user %s has no %saccount on cluster %s",
                       err_string(E_ACCOUNT), user, acct_tree_user(control, user) ? "default " : "",
                       control->model->config.cluster_name);
    return err_set(err, E_ACCOUNT, "%s: user %s, account '%s', partition %s", err_string(E_ACCOUNT),
                   user, spec->account, partition ? partition : "(none)");
}

/* Fills in the account and finds the association; *ret is NULL if the user has none, and needs
 * none. Where nobody insists, who has accounts and names another one gets his default, as in
 * Slurm. */
static int fill_account(struct control *control, const char *user, struct job_spec *spec,
                        const struct assoc **ret, struct err *err)
{
    AUTO_FREE char *partition = first_partition(control, spec);
    const struct acct_user *known = acct_tree_user(control, user);
    const struct assoc *fallback = known ? known->fallback : NULL;

    if (!spec->account && fallback)
        xstrset(&spec->account, fallback->rec.account);
    *ret = acct_tree_find(control, spec->account, user, partition);
    if (*ret && (*ret)->rec.partition && spec->partition && strchr(spec->partition, ','))
        return err_set(err, E_PARTITION_ASSOC, "%s: user %s has account %s in partition %s",
                       err_string(E_PARTITION_ASSOC), user, (*ret)->rec.account,
                       (*ret)->rec.partition);
    if (*ret)
        return 0;
    if (insists(control, ACCT_ENFORCE_ASSOCIATIONS))
        return refuse_account(control, user, spec, partition, err);
    if (fallback) {
        xstrset(&spec->account, fallback->rec.account);
        *ret = fallback;
    }
    return 0;
}

/* ---- the QOS ---- */

static int refuse_qos(const struct job_spec *spec, const char *why, struct err *err)
{
    return err_set(err, E_QOS, "%s: '%s' %s", err_string(E_QOS), spec->qos, why);
}

static int refuse_qos_to(const struct job_spec *spec, const struct assoc *assoc, struct err *err)
{
    AUTO_FREE char *whose = assoc->rec.user ? xasprintf("user %s in ", assoc->rec.user) : NULL;
    AUTO_FREE char *why =
        xasprintf("may not be used by %saccount %s", whose ? whose : "", assoc->rec.account);

    return refuse_qos(spec, why, err);
}

/* Returns whether the QOS has the flag Relative and is a partition's: its limits are shares of that
 * alone, and no job may name it. */
static bool is_partitions(const struct control *control, const struct qos_record *qos)
{
    for (uint32_t i = 0; (qos->flags & QOS_RELATIVE) && i < control->model->partitions_n; i++) {
        if (word_is(qos->name, control->model->partitions[i].conf->qos))
            return true;
    }
    return false;
}

static int fill_qos(struct control *control, bool by_operator, const struct assoc *assoc,
                    struct job_spec *spec, struct err *err)
{
    const char *fallback = acct_default_qos(control, assoc);
    const struct qos_record *qos;

    fold(spec->qos);
    if (!spec->qos)
        xstrset(&spec->qos, fallback ? fallback : QOS_DEFAULT);
    qos = acct_find_qos(control, spec->qos);
    if (!qos && insists(control, ACCT_ENFORCE_QOS))
        return refuse_qos(spec, "is not there", err);
    if (qos && is_partitions(control, qos))
        return refuse_qos(spec, "is relative to a partition, and no job may name it", err);
    if (!qos) /* as in Slurm */
        xstrset(&spec->qos, NULL);
    else if (assoc && insists(control, ACCT_ENFORCE_QOS) && !by_operator &&
             !bitset_has(&assoc->qos, qos->id))
        return refuse_qos_to(spec, assoc, err);
    return 0;
}

/* ---- the wckey ---- */

/* Returns the user's default wckey, or NULL. */
static const char *default_wckey(struct control *control, const char *user)
{
    struct kept_table *table = control_kept(control, KEPT_WCKEY);
    const char *cluster = control->model->config.cluster_name;
    const struct wckey_record *rec;
    uint64_t serial = 0;

    while ((rec = kept_next(table, &serial))) {
        if (!rec->deleted && rec->is_default && strcmp(rec->user, user) == 0 &&
            strcmp(rec->cluster, cluster) == 0)
            return rec->name;
    }
    return NULL;
}

static int check_wckey(struct control *control, const char *user, const struct job_spec *spec,
                       struct err *err)
{
    AUTO_FREE char *key = acct_wckey_key(control->model->config.cluster_name, user, spec->wckey);
    const struct wckey_record *rec = kept_find(control_kept(control, KEPT_WCKEY), key);

    if (rec && !rec->deleted)
        return 0;
    return err_set(err, E_WCKEY, "%s: '%s' is none of user %s", err_string(E_WCKEY), spec->wckey,
                   user);
}

/* Checks the wckey that the job names, where somebody insists; one that names none has the user's
 * default one where wckeys are tracked. */
static int fill_wckey(struct control *control, const char *user, struct job_spec *spec,
                      struct err *err)
{
    const bool is_named = spec->wckey && spec->wckey[0] != JOB_WCKEY_DEFAULTED;
    const char *name;

    if (is_named)
        return insists(control, ACCT_ENFORCE_WCKEYS) ? check_wckey(control, user, spec, err) : 0;
    if (!control->model->config.track_wckey && !insists(control, ACCT_ENFORCE_WCKEYS))
        return 0;
    name = default_wckey(control, user);
    free(spec->wckey);
    spec->wckey = xasprintf("%c%s", JOB_WCKEY_DEFAULTED, name ? name : "");
    return 0;
}

/* ---- all of it ---- */

int limit_admit(struct control *control, const char *user, bool by_operator, struct job_spec *spec,
                struct err *err)
{
    const struct assoc *assoc;
    int rc;

    limit_refresh(control);
    fold(spec->account); /* also where nobody keeps accounts */
    if (!acct_is_used(control) || !user) {
        if (spec->account && !*spec->account)
            xstrset(&spec->account, NULL);
        return 0;
    }
    rc = fill_account(control, user, spec, &assoc, err);
    if (rc == 0)
        rc = fill_qos(control, by_operator, assoc, spec, err);
    return rc < 0 ? rc : fill_wckey(control, user, spec, err);
}

int limit_admit_again(struct control *control, const struct job_record *rec, bool by_operator,
                      struct job_spec *spec, struct err *err)
{
    const char *user = rec->user_name;

    if (acct_is_used(control) && user) {
        if (!insists(control, ACCT_ENFORCE_ASSOCIATIONS) && !acct_tree_user(control, user))
            xstrset(&spec->account, rec->spec->account);
        fold(spec->qos);
        if (!insists(control, ACCT_ENFORCE_QOS) && spec->qos && !acct_find_qos(control, spec->qos))
            xstrset(&spec->qos, NULL);
    }
    return limit_admit(control, user, by_operator, spec, err);
}

int limit_check_reservation(struct control *control, const struct job_spec *spec, struct err *err)
{
    const struct qos_record *qos = spec->qos ? acct_find_qos(control, spec->qos) : NULL;

    if (!qos || !(qos->flags & QOS_REQUIRES_RESERVATION) || spec->reservation)
        return 0;
    return err_set(err, E_QOS, "%s: '%s' is for jobs in a reservation", err_string(E_QOS),
                   spec->qos);
}
