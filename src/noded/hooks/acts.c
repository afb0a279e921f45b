#include "noded/hooks/acts.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/base/safe_path.h"
#include "noded/hooks/runner.h"

#define DIR_NAME "acts"
#define RESULT   "result"
#define LOOK_MS  100 /* between looks at what runs, which is nobody's child of ours */
#define HEALTH_S 60  /* as in Slurm */

struct acts {
    int spool_fd;
    struct acts_options options;
    struct event *look;
    bool runs[NODE_ACT_PROGRAMS_N];
};

static const struct {
    const char *key, *record;
    uint32_t timeout_s; /* 0: none */
} kinds[NODE_ACT_PROGRAMS_N] = {
    [NODE_ACT_HEALTH] = { "HealthCheckProgram", "health", HEALTH_S },
    [NODE_ACT_REBOOT] = { "RebootProgram", "reboot", 0 },
};

static int open_record(const struct acts *acts, enum node_act act)
{
    const char *name = kinds[act].record;
    AUTO_CLOSE int dir = safe_own_dir(acts->spool_fd, DIR_NAME, 0700, DIR_NAME, NULL);

    return dir < 0 ? steal_fd(&dir) : safe_own_dir(dir, name, 0700, name, NULL);
}

static void look_again(struct acts *acts)
{
    const struct timeval wait = { 0, LOOK_MS * 1000 };

    if (!evtimer_pending(acts->look, NULL))
        evtimer_add(acts->look, &wait);
}

static void look_at(struct acts *acts, enum node_act act)
{
    AUTO_CLOSE int fd = open_record(acts, act);
    AUTO(hook_report) struct hook_report report;

    hook_report_init(&report);
    if (fd >= 0 && hook_runner_lives(fd)) {
        look_again(acts);
        return;
    }
    acts->runs[act] = false;
    if (fd >= 0 && hook_runner_read(fd, RESULT, &report, NULL) > 0 && report.code)
        log_error(acts->options.log, "%s failed: %s%s%s", kinds[act].key,
                  report.text ? report.text : "", report.said ? ": " : "",
                  report.said ? report.said : "");
}

static void on_look(evutil_socket_t fd, short what, void *arg)
{
    struct acts *acts = arg;

    (void)fd;
    (void)what;
    for (enum node_act act = 0; act < NODE_ACT_PROGRAMS_N; act++) {
        if (acts->runs[act])
            look_at(acts, act);
    }
}

static int begin(struct acts *acts, enum node_act act, const char *program, struct err *err)
{
    AUTO_FREE char *node = xasprintf("SLURMD_NODENAME=%s", acts->options.node);
    AUTO_FREE char *conf = xasprintf("SLURM_CONF=%s", acts->options.conf_path);
    char *environment[] = { node, conf, NULL };
    AUTO_CLOSE int fd = open_record(acts, act);
    const struct hook_run run = {
        .setting = program,
        .environment = environment,
        .timeout_s = kinds[act].timeout_s,
        .record_fd = fd,
        .result = RESULT,
    };

    if (fd < 0)
        return err_set(err, -fd, "cannot make %s/%s: %s", DIR_NAME, kinds[act].record,
                       strerror(-fd));
    if (hook_runner_lives(fd))
        return 0;
    (void)unlinkat(fd, RESULT, 0);
    return hook_runner_start(&run, err);
}

void acts_run(struct acts *acts, enum node_act act)
{
    const char *program = act == NODE_ACT_HEALTH ? acts->options.health : acts->options.reboot;
    struct err err = { 0 };

    if (!program)
        return; /* the file was changed since the controller heard of it */
    if (act == NODE_ACT_REBOOT)
        log_info(acts->options.log, "this machine is rebooted by %s", program);
    if (begin(acts, act, program, &err) < 0) {
        log_error(acts->options.log, "%s is not run: %s", kinds[act].key, err.text);
        return;
    }
    acts->runs[act] = true;
    look_again(acts);
}

struct acts *acts_new(struct event_base *base, int spool_fd, const struct acts_options *options)
{
    struct acts *acts = xcalloc(1, sizeof(*acts));

    acts->spool_fd = spool_fd;
    acts->options = *options;
    acts->look = evtimer_new(base, on_look, acts);
    return acts;
}

struct acts *acts_free(struct acts *acts)
{
    if (!acts)
        return NULL;
    event_free(acts->look);
    free(acts);
    return NULL;
}
