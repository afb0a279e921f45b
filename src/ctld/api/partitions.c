/* partitions.c - scontrol create, update and delete of partitions. */
#include "ctld/api/api.h"

#include "common/conf/partition_change.h"
#include "common/msg/types.h"
#include "common/text/words.h"
#include "ctld/control/acct/acct.h"
#include "ctld/control/load.h"

static int change_conf(struct slurm_conf *conf, const struct partition_change *change,
                       struct err *err)
{
    switch (change->verb) {
    case PARTITION_CREATE:
        return conf_partition_create(conf, change->name, change->pairs, change->pairs_n, err);
    case PARTITION_DELETE:
        return conf_partition_delete(conf, change->name, err);
    default:
        return conf_partition_update(conf, change->name, change->pairs, change->pairs_n, err);
    }
}

/* Refuses a QOS that is not there: no limit would hold, and nobody would be told. */
static int check_qos(struct control *control, const struct partition_change *change,
                     struct err *err)
{
    for (uint32_t i = 0; i < change->pairs_n; i++) {
        const char *qos;

        if (word_starts(change->pairs[i], "QOS=", &qos) && *qos && !acct_find_qos(control, qos))
            return err_set(err, E_QOS, "%s: there is no QOS '%s'", err_string(E_QOS), qos);
    }
    return 0;
}

/* Changes partitions: all of the change is done, or nothing. */
static int on_partition_change(struct request *request, void *msg, struct err *err)
{
    struct ctld *ctld = request->ctld;
    const struct partition_change *change = msg;
    AUTO(conf_partitions) struct conf_partitions other = conf_partitions_copy(ctld->conf);
    int rc;

    if (change->verb == PARTITION_DELETE && control_uses_partition(ctld->control, change->name))
        return err_set(err, E_PARTITION_IN_USE, "%s", err_string(E_PARTITION_IN_USE));
    rc = check_qos(ctld->control, change, err);
    if (rc < 0)
        return rc;
    rc = change_conf(ctld->conf, change, err);
    if (rc == 0)
        rc = ctld->obey_conf(ctld, err);
    if (rc < 0) {
        conf_partitions_swap(&other, ctld->conf);
        return rc;
    }
    request_reply(request, MSG_OK, NULL);
    return 0;
}

const struct handler partition_handlers[] = {
    { MSG_PARTITION_CHANGE, ROLE_ADMINISTRATOR, HANDLER_CHANGES, on_partition_change },
};
const size_t partition_handlers_n = ARRAY_N(partition_handlers);
