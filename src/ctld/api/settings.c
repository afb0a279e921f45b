/* settings.c - what scontrol changes while the controller runs; slurm.conf is the law again when it
 * is next read. */
#include "ctld/api/api.h"

#include "common/conf/debug_flags.h"
#include "common/msg/types.h"

static int set_debug_level(struct ctld *ctld, const char *value, struct err *err)
{
    enum log_level level;

    if (log_level_parse(value, &level) < 0)
        return err_set(err, EINVAL, "invalid debug level: %s", value);
    ctld->conf->slurmctld_debug = level;
    log_set_level(ctld->log, level);
    return 0;
}

static int set_debug_flags(struct ctld *ctld, const char *value, struct err *err)
{
    return conf_debug_flags_change(&ctld->conf->debug_flags, value, err);
}

/* Slurm's answer where there is no SlurmSchedLogFile, and here there never is. */
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
} rows[] = {
    { SETTING_DEBUG_LEVEL, "SlurmctldDebug", set_debug_level, NULL },
    { SETTING_DEBUG_FLAGS, "DebugFlags", set_debug_flags,
      "DebugFlags are shown by show config and have no effect: see setdebug" },
    { SETTING_SCHED_LOG, "SlurmSchedLogLevel", set_sched_log, NULL },
    { SETTING_DAMPENING, "FairShareDampeningFactor", set_dampening,
      "FairShareDampeningFactor has no effect: there are no shares" },
};

static const struct setting_row *row_of(uint32_t setting)
{
    for (size_t i = 0; i < ARRAY_N(rows); i++) {
        if (rows[i].setting == setting)
            return &rows[i];
    }
    return NULL;
}

/* Who may not is told so with another number than by the table of handlers: scripts match it. */
static int on_setting_change(struct request *request, void *msg, struct err *err)
{
    const struct setting_change *change = msg;
    const struct setting_row *row = row_of(change->setting);
    struct msg_ok reply;
    int rc;

    if (!request->caller->is_admin)
        return err_set(err, EACCES, "%s", err_string(EACCES));
    if (!row)
        return err_set(err, E_NOT_SUPPORTED, "%s", err_string(E_NOT_SUPPORTED));
    rc = row->set(request->ctld, change->value, err);
    if (rc < 0)
        return rc;
    log_info(request->ctld->log, "%s: set to %s by uid %u", row->name, change->value,
             request->caller->uid);
    reply = (struct msg_ok){ .text = (char *)(uintptr_t)row->remark };
    request_reply(request, MSG_OK, &reply);
    return 0;
}

const struct handler setting_handlers[] = {
    { MSG_SETTING_CHANGE, ROLE_USER, false, on_setting_change },
};
const size_t setting_handlers_n = ARRAY_N(setting_handlers);
