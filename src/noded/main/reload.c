#include <errno.h>
#include <string.h>

#include "common/conf/debug_flags.h"
#include "noded/main/daemon.h"

static bool same_place(const struct settings *a, const struct settings *b)
{
    return strcmp(a->spool_dir, b->spool_dir) == 0 && strcmp(a->node->name, b->node->name) == 0 &&
           strcmp(a->conf->cluster_name, b->conf->cluster_name) == 0;
}

static int read_settings(struct daemon *daemon, struct settings *ret, struct err *err)
{
    int rc;

    daemon->conf_read_ms = clock_mono_ms();
    rc = settings_load(daemon, ret, err);
    if (rc == 0 && !same_place(&daemon->settings, ret)) {
        settings_clear(ret);
        rc = err_set(err, EINVAL,
                     "ClusterName, NodeName or SlurmdSpoolDir changed: that takes a restart");
    }
    if (rc < 0)
        log_error(daemon->log, "the old configuration stays in force: %s", err->text);
    return rc;
}

/* Begins anew with `next`, which is taken over, or with what there is when it is NULL. */
static void begin_anew(struct daemon *daemon, const struct settings *next)
{
    struct err err = { 0 };

    agent_process_stop(daemon);
    daemon->monitor = monitor_free(daemon->monitor);
    if (next) {
        settings_clear(&daemon->settings);
        daemon->settings = *next;
    }
    if (service_start_monitor(daemon, &err) < 0) {
        log_at(daemon->log, LOG_FATAL, "%s", err.text);
        event_base_loopbreak(daemon->base);
        return;
    }
    service_move_log(daemon);
    daemon->restart_s = 0;
    agent_process_start(daemon);
}

void reload_now(struct daemon *daemon)
{
    struct settings next;
    struct err err = { 0 };

    if (service_open_log(daemon, &err) < 0)
        log_error(daemon->log, "%s", err.text);
    log_info(daemon->log, "reading %s again", daemon->options.conf_path);
    net_manager_reloading(daemon->manager);
    begin_anew(daemon, read_settings(daemon, &next, &err) == 0 ? &next : NULL);
    net_manager_ready(daemon->manager);
}

void reload_if_changed(struct daemon *daemon)
{
    struct settings next;
    struct err err = { 0 };

    log_info(daemon->log, "reading %s again, as the controller says", daemon->options.conf_path);
    if (read_settings(daemon, &next, &err) < 0)
        return;
    if (!settings_are_same(&daemon->settings, &next)) {
        begin_anew(daemon, &next);
        return;
    }
    log_info(daemon->log, "it says what it said before");
    settings_clear(&next);
}

/* ---- orders ---- */

/* Sets the log level. Nothing of it is kept: the next reload is the file's word again. */
static void set_level(struct daemon *daemon, const char *value)
{
    enum log_level level;

    if (!value || log_level_parse(value, &level) < 0) {
        log_error(daemon->log, "the controller orders an invalid debug level: %s",
                  value ? value : "none");
        return;
    }
    daemon->settings.log_level = level;
    log_set_level(daemon->log, level);
    monitor_set_log_level(daemon->monitor, level);
    log_info(daemon->log, "SlurmdDebug: set to %s by the controller", log_level_name(level));
}

static void set_flags(struct daemon *daemon, const char *value)
{
    struct slurm_conf *conf = daemon->settings.conf;
    struct err err = { 0 };

    if (conf_debug_flags_change(&conf->debug_flags, value ? value : "", &err) < 0)
        log_error(daemon->log, "the controller orders DebugFlags: %s", err.text);
    else
        log_info(daemon->log, "DebugFlags: set to '%s' by the controller",
                 conf->debug_flags ? conf->debug_flags : "");
}

void reload_on_order(void *ctx, const struct node_cred *order)
{
    struct daemon *daemon = ctx;

    if (order->act == NODE_ACT_DEBUG_LEVEL)
        set_level(daemon, order->value);
    else if (order->act == NODE_ACT_DEBUG_FLAGS)
        set_flags(daemon, order->value);
    else /* not now: the monitor that asks ends with it */
        event_active(daemon->reload, EV_TIMEOUT, 1);
}
