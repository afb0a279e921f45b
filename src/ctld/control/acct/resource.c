/* What several clusters have together: licenses that they share, and federations, which are written
 * down and no more. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/text/words.h"
#include "ctld/control/acct/common.h"
#include "ctld/control/acct/licenses.h"
#include "ctld/control/act/state.h"

/* Refuses shares of clusters that are not there, and more than there is. */
static int check_shares(struct control *control, const struct resource_record *rec, struct err *err)
{
    const bool is_absolute = rec->flags & RESOURCE_ABSOLUTE;
    const uint64_t most = is_absolute ? rec->count : 100;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < rec->shares_n; i++) {
        if (!acct_find_cluster(control, rec->shares[i].cluster))
            return err_set(err, EINVAL, "there is no cluster '%s'", rec->shares[i].cluster);
        sum += rec->shares[i].allowed;
    }
    if (sum > most)
        return err_set(err, EINVAL, "resource %s@%s: clusters would have %" PRIu64 "%s of %" PRIu64,
                       rec->name, rec->server, sum, is_absolute ? "" : "%", most);
    return 0;
}

static int check_resource(struct act *act, const void *before, void *after, struct err *err)
{
    const struct resource_record *was = before;
    struct resource_record *rec = after;
    const bool changes = was && !was->deleted && rec && !rec->deleted; /* what is there */
    int rc = acct_check_change(&resource_rules, was, rec, err);

    if (rc < 0)
        return rc;
    if (was && (!text_is(was->name, rec->name) || !text_is(was->server, rec->server)))
        return err_set(err, E_NOT_SUPPORTED, "a resource's name and server are not changed");
    if (!caller_has_level(act->caller, changes ? LEVEL_OPERATOR : LEVEL_ADMINISTRATOR))
        return acct_refuse(err);
    rc = acct_check_name("resource", rec->name, err);
    if (rc == 0)
        rc = acct_check_name("server", rec->server, err);
    if (rc == 0 && !rec->deleted)
        rc = check_shares(act->control, rec, err);
    if (rc < 0)
        return rc;
    free(rec->key);
    rec->key = xasprintf("%s@%s", rec->name, rec->server);
    acct_stamp(act, &resource_rules, was, rec);
    return 0;
}

static void resource_changed(struct act *act, const void *before, void *after)
{
    const struct resource_record *rec = after;

    acct_tell(act, resource_record_schema(), before, after, "Resources", rec->key);
    licenses_renew(act->control);
}

/* ---- federations ---- */

/* Refuses to delete a federation that a cluster is in. */
static int check_members(struct control *control, const char *name, struct err *err)
{
    struct kept_table *clusters = control_kept(control, KEPT_CLUSTER);
    const struct cluster_record *cluster;
    uint64_t serial = 0;

    while ((cluster = kept_next(clusters, &serial))) {
        if (!cluster->deleted && text_is(cluster->federation, name))
            return err_set(err, EBUSY, "federation %s: cluster %s is in it", name, cluster->name);
    }
    return 0;
}

static int check_federation(struct act *act, const void *before, void *after, struct err *err)
{
    const struct federation_record *was = before;
    struct federation_record *rec = after;
    int rc = acct_check_by_level(act, &federation_rules, LEVEL_ADMINISTRATOR, was, rec, err);

    if (rc < 0)
        return rc;
    rc = acct_check_name("federation", rec->name, err);
    if (rc == 0 && rec->deleted)
        rc = check_members(act->control, rec->name, err);
    if (rc == 0)
        acct_stamp(act, &federation_rules, was, rec);
    return rc;
}

TELLS(federation, "Federations", name)

static bool shows_all(const struct control *control, const struct caller *caller,
                      const void *record)
{
    (void)control;
    (void)caller;
    (void)record;
    return true;
}

RULES(resource, KEPT_RESOURCE, shows_all);
RULES(federation, KEPT_FEDERATION, shows_all);
