/* settings.c - what scontrol changes while the controller runs; slurm.conf is the law again when it
 * is next read. */
#include "ctld/api/api.h"

#include "common/conf/debug_flags.h"
#include "common/msg/types.h"
#include "ctld/control/node/node_act.h"
#include "ctld/control/node/settings.h"

static int read_level(const char *value, enum log_level *ret, struct err *err)
{
    if (log_level_parse(value, ret) < 0)
        return err_set(err, EINVAL, "invalid debug level: %s", value);
    return 0;
}

static int set_debug_level(struct ctld *ctld, const char *value, struct err *err)
{
    enum log_level level;
    int rc = read_level(value, &level, err);

    if (rc < 0)
        return rc;
    ctld->conf->slurmctld_debug = level;
    log_set_level(ctld->log, level);
    return 0;
}

static int check_debug_level(const char *value, struct err *err)
{
    enum log_level level;

    return read_level(value, &level, err);
}

static int set_debug_flags(struct ctld *ctld, const char *value, struct err *err)
{
    return conf_debug_flags_change(&ctld->conf->debug_flags, value, err);
}

static int check_debug_flags(const char *value, struct err *err)
{
    AUTO_FREE char *tried = NULL;

    return conf_debug_flags_change(&tried, value, err);
}

/* Refuses with Slurm's answer where there is no SlurmSchedLogFile: here there never is. */
static int set_sched_log(struct ctld *ctld, const char *value, struct err *err)
{
    (void)ctld;
    (void)value;
    return err_set(err, E_DISABLED, "the scheduler has no log of its own: see setdebug");
}

static int set_dampening(struct ctld *ctld, const char *value, struct err *err)
{
    (void)ctld;
    (void)value;
    (void)err;
    return 0;
}

static const struct setting_row {
    enum controller_setting setting;
    const char *name;
    int (*set)(struct ctld *ctld, const char *value, struct err *err);
    const char *remark; /* for the user; NULL: it has the effect that one expects */

    /* For nodes: `act` is what they are told, `check` fails on a value that they would not take.
     * NULL: there is no such. */
    int (*check)(const char *value, struct err *err);
    enum node_act act;
} rows[] = {
    { SETTING_DEBUG_LEVEL, "SlurmctldDebug", set_debug_level, NULL, check_debug_level,
      NODE_ACT_DEBUG_LEVEL },
    { SETTING_DEBUG_FLAGS, "DebugFlags", set_debug_flags,
      "DebugFlags are shown by show config and have no effect: see setdebug", check_debug_flags,
      NODE_ACT_DEBUG_FLAGS },
    { SETTING_SCHED_LOG, "SlurmSchedLogLevel", set_sched_log, NULL, NULL, 0 },
    { SETTING_DAMPENING, "FairShareDampeningFactor", set_dampening,
      "FairShareDampeningFactor has no effect: there are no shares", NULL, 0 },
};

static const struct setting_row *row_of(uint32_t setting)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].setting == setting)
            return &rows[i];
    }
    return NULL;
}

static int set_of_nodes(struct request *request, const struct setting_row *row,
                        const struct setting_change *change, char **ret_remark, struct err *err)
{
    AUTO_FREE char *absent = NULL;
    int rc = row->check ? row->check(change->value, err)
                        : err_set(err, E_NOT_SUPPORTED, "%s", err_string(E_NOT_SUPPORTED));

    if (rc == 0)
        rc = control_nodes_set(&request->act, change->nodes, row->act, change->value, &absent, err);
    if (rc < 0)
        return rc;
    if (absent)
        *ret_remark = xasprintf("not connected, and as before: %s", absent);
    else if (row->remark)
        *ret_remark = xstrdup(row->remark);
    return 0;
}

/* Changes a setting. A user who may not is refused here, with another number than by the table of
 * handlers: scripts match it. */
static int on_setting_change(struct request *request, void *msg, struct err *err)
{
    const struct setting_change *change = msg;
    const struct setting_row *row = row_of(change->setting);
    AUTO_FREE char *remark = NULL;
    int rc;

    if (!caller_has_level(request->act.caller, LEVEL_ADMINISTRATOR))
        return err_set(err, EACCES, "%s", err_string(EACCES));
    if (!row)
        return err_set(err, E_NOT_SUPPORTED, "%s", err_string(E_NOT_SUPPORTED));
    if (change->nodes)
        rc = set_of_nodes(request, row, change, &remark, err);
    else
        rc = row->set(request->ctld, change->value, err);
    if (rc < 0)
        return rc;
    if (!change->nodes && row->remark)
        remark = xstrdup(row->remark);
    log_info(request->ctld->log, "%s%s%s: set to %s by uid %u", row->name,
             change->nodes ? " of nodes " : "", change->nodes ? change->nodes : "", change->value,
             request->act.caller->uid);
    request->at_once = !change->nodes;
    request_reply(request, MSG_OK, &(struct msg_ok){ .text = remark });
    return 0;
}

const struct handler setting_handlers[] = {
    { MSG_SETTING_CHANGE, ROLE_USER, HANDLER_ACTS, on_setting_change },
};
const size_t setting_handlers_n = ARRAY_N(setting_handlers);
