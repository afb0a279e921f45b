/* What has to be there before anybody adds anything: Slurm makes the same when a cluster
 * registers. */
#include <string.h>

#include "common/msg/acct_meet.h"
#include "common/text/words.h"
#include "ctld/control/acct/common.h"
#include "ctld/control/acct/follow.h"
#include "ctld/control/acct/tree.h"
#include "ctld/control/act/state.h"

#define TRES_FIRST_NAMED 1001

static void begin_qos_named(struct act *act, const char *name)
{
    struct qos_record qos;

    if (kept_find(control_kept(act->control, KEPT_QOS), name))
        return;
    acct_fill_qos_normal(&qos);
    if (strcmp(name, qos.name) != 0) {
        qos.name = (char *)(uintptr_t)name;
        qos.description = (char *)(uintptr_t) "Added as default";
    }
    qos.created = qos.modified = act->now.wall_s;
    kept_create(act, KEPT_QOS, &qos);
}

/* Also those of DefaultQOS, as Slurm does. */
static void begin_qos(struct act *act)
{
    const char *names = act->control->model->config.default_qos;
    AUTO(words) struct words more = words_split(names ? names : "", ",");

    begin_qos_named(act, "normal");
    for (uint32_t i = 0; i < more.n; i++) {
        if (acct_check_name("QOS", more.at[i], NULL) == 0)
            begin_qos_named(act, more.at[i]);
    }
}

/* Makes a record, or brings back the one of its key that was deleted, which keeps its number. */
static void begin_record(struct act *act, enum kept_number number, void *record)
{
    struct kept_table *table = control_kept(act->control, number);
    AUTO_FREE char *key = kept_key(table->kind, record);
    void *there = kept_find(table, key);

    if (!there) {
        kept_create(act, number, record);
    } else if (acct_is_deleted(table->kind->schema(), there)) {
        if (kept_number_of(table->kind, record))
            *kept_number_of(table->kind, record) = *kept_number_of(table->kind, there);
        control_kept_take(act, &(struct kept_taken){ number, record }, 1);
    }
}

static void begin_root(struct act *act)
{
    struct account_record account;
    struct user_record user;

    acct_fill_account_root(&account);
    account.created = account.modified = act->now.wall_s;
    begin_record(act, KEPT_ACCOUNT, &account);
    acct_fill_user_root(&user);
    user.created = user.modified = act->now.wall_s;
    begin_record(act, KEPT_USER, &user);
}

/* Makes the association of the root account, or of the user root in it. */
static void begin_assoc(struct act *act, const char *cluster, const char *user)
{
    AUTO_FREE char *key = acct_assoc_key(cluster, "root", user, NULL);
    struct assoc_record assoc;

    acct_fill_assoc_root(cluster, user, &assoc);
    assoc.key = key;
    assoc.created = assoc.modified = act->now.wall_s;
    begin_record(act, KEPT_ASSOC, &assoc);
}

void acct_begin_root_of(struct act *act, const char *cluster)
{
    begin_root(act);
    begin_assoc(act, cluster, NULL);
    begin_assoc(act, cluster, "root");
}

static void begin_cluster(struct act *act)
{
    char *name = act->control->model->config.cluster_name;
    struct cluster_record cluster;

    if (!name) /* a simulated one */
        return;
    if (!kept_find(control_kept(act->control, KEPT_CLUSTER), name)) {
        cluster_record_init(&cluster);
        cluster.name = name;
        cluster.created = cluster.modified = act->now.wall_s;
        kept_create(act, KEPT_CLUSTER, &cluster);
    }
    acct_begin_root_of(act, name);
}

static void begin_tres_named(struct act *act, const char *name, uint32_t first)
{
    struct kept_table *table = control_kept(act->control, KEPT_TRES);
    struct tres_record tres;

    if (kept_find(table, name))
        return;
    tres_record_init(&tres);
    tres.name = (char *)(uintptr_t)name;
    tres.id = table->last_number < first ? first : 0;
    kept_create(act, KEPT_TRES, &tres);
}

void acct_begin_tres(struct act *act, const char *name)
{
    begin_tres_named(act, name, TRES_FIRST_NAMED);
}

static void begin_tres(struct act *act)
{
    static const char *const always[] = { "cpu",     "mem",     "energy", "node",
                                          "billing", "fs/disk", "vmem",   "pages" };
    const char *names = act->control->model->config.accounting_tres;
    AUTO(words) struct words counted = words_split(names ? names : "", ",");

    for (uint32_t i = 0; i < ARRAY_N(always); i++)
        begin_tres_named(act, always[i], i + 1);
    for (uint32_t i = 0; i < counted.n; i++)
        acct_begin_tres(act, counted.at[i]);
}

void acct_begin(struct act *act)
{
    if (!act->control->model->config.has_slurmdbd && acct_owner(act->control))
        acct_follow_nobody(act);
    acct_tree_changed(act->control); /* limits follow from the configuration, too */
    if (acct_owner(act->control))
        return;
    begin_tres(act);
    begin_qos(act);
    begin_root(act);
    begin_cluster(act);
}
