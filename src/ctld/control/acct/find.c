/* Finding records by what they are known by; deleted ones are not there. */
#include <string.h>

#include "ctld/control/acct/acct.h"
#include "ctld/control/act/state.h"

const struct account_record *acct_find_account(struct control *control, const char *name)
{
    const struct account_record *rec = kept_find(control_kept(control, KEPT_ACCOUNT), name);

    return rec && !rec->deleted ? rec : NULL;
}

const struct user_record *acct_find_user(struct control *control, const char *name)
{
    const struct user_record *rec = kept_find(control_kept(control, KEPT_USER), name);

    return rec && !rec->deleted ? rec : NULL;
}

const struct qos_record *acct_find_qos(struct control *control, const char *name)
{
    const struct qos_record *rec = kept_find(control_kept(control, KEPT_QOS), name);

    return rec && !rec->deleted ? rec : NULL;
}

const struct assoc_record *acct_find_assoc(struct control *control, const char *cluster,
                                           const char *account, const char *user,
                                           const char *partition)
{
    AUTO_FREE char *key = acct_assoc_key(cluster, account, user, partition);
    const struct assoc_record *rec = kept_find(control_kept(control, KEPT_ASSOC), key);

    return rec && !rec->deleted ? rec : NULL;
}

const struct cluster_record *acct_find_cluster(struct control *control, const char *name)
{
    const struct cluster_record *rec = kept_find(control_kept(control, KEPT_CLUSTER), name);

    return rec && !rec->deleted ? rec : NULL;
}

static bool is_in(const struct assoc_record *rec, const char *cluster, const char *account)
{
    return !rec->deleted && (!cluster || strcmp(rec->cluster, cluster) == 0) &&
           (!account || strcmp(rec->account, account) == 0);
}

const struct assoc_record *acct_any_assoc(struct control *control, const char *cluster,
                                          const char *account)
{
    struct kept_table *table = control_kept(control, KEPT_ASSOC);
    const struct assoc_record *rec;
    uint64_t serial = 0;

    while ((rec = kept_next(table, &serial))) {
        if (is_in(rec, cluster, account))
            return rec;
    }
    return NULL;
}

bool acct_user_is_in(struct control *control, const char *cluster, const char *account,
                     const char *user)
{
    uint32_t n;
    void *const *records = kept_in_group(control_kept(control, KEPT_ASSOC), user, &n);

    for (uint32_t i = 0; i < n; i++) {
        if (is_in(records[i], cluster, account))
            return true;
    }
    return false;
}
