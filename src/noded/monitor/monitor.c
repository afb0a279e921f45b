#include "noded/monitor/monitor_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/safe_path.h"
#include "common/crypt/crypt.h"
#include "common/proc/daemon.h"

/* ---- speaking to the agent ---- */

static void detach(struct monitor *monitor)
{
    if (monitor->readable)
        event_free(monitor->readable);
    if (monitor->writable)
        event_free(monitor->writable);
    monitor->readable = monitor->writable = NULL;
    monitor->agent = priv_channel_free(monitor->agent);
}

static void send_packet(struct monitor *monitor, const struct priv_msg *msg)
{
    struct err err = { 0 };

    if (!monitor->agent)
        return; /* the next one asks for a list */
    if (priv_send(monitor->agent, msg, &err) < 0) {
        log_error(monitor->options.log, "agent: %s", err.text);
        detach(monitor);
        return;
    }
    if (priv_channel_wants_write(monitor->agent))
        event_add(monitor->writable, NULL);
}

static void send_agent(struct monitor *monitor, enum priv_verb verb, uint32_t request,
                       const void *bytes, size_t n)
{
    send_packet(monitor,
                &(struct priv_msg){
                    .verb = verb, .request = request, .bytes = bytes, .bytes_n = (uint32_t)n });
}

void monitor_pass_log(struct monitor *monitor, int fd)
{
    send_packet(monitor, &(struct priv_msg){ .verb = PRIV_LOG, .fds_n = 1, .fds = { fd } });
    (void)held_log(monitor->held, fd);
}

void monitor_answer(struct monitor *monitor, uint32_t request, int rc, const char *text)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };
    size_t n = text ? strlen(text) : 0;
    struct priv_answer it = { rc < 0 ? -rc : 0, text,
                              (uint32_t)(n < PRIV_ANSWER_MAX ? n : PRIV_ANSWER_MAX) };

    priv_answer_encode(&it, &bytes);
    send_agent(monitor, PRIV_ANSWER, request, bytes.data, bytes.len);
}

static void on_report(void *ctx, const struct step_report *report)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    schema_encode(step_report_schema(), report, &bytes);
    if (bytes.len <= PRIV_BYTES_MAX)
        send_agent(ctx, PRIV_STEP_REPORT, 0, bytes.data, bytes.len);
}

static void on_job_empty(void *ctx, uint32_t job_id)
{
    struct monitor *monitor = ctx;

    gate_job_empty(monitor->gate, job_id);
}

static void send_hook_report(struct monitor *monitor, const struct hook_report *report)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    schema_encode(hook_report_schema(), report, &bytes);
    send_agent(monitor, PRIV_HOOK_REPORT, 0, bytes.data, bytes.len);
}

static void on_hook_report(void *ctx, const struct hook_report *report)
{
    struct monitor *monitor = ctx;

    if (report->code)
        log_error(monitor->options.log, "job %u: %s failed: %s%s%s", report->job_id,
                  report->kind == HOOK_PROLOG ? "Prolog" : "Epilog", report->text,
                  report->said ? ": " : "", report->said ? report->said : "");
    else
        log_debug(monitor->options.log, "job %u: %s ended", report->job_id,
                  report->kind == HOOK_PROLOG ? "Prolog" : "Epilog");
    send_hook_report(monitor, report);
}

static void on_unkillable(void *ctx, uint32_t job_id, uint32_t step_id)
{
    char title[SPOOL_NAME_MAX];
    struct hook_report report;

    step_title(job_id, step_id, title);
    AUTO_FREE char *text = xasprintf("step %s has processes that do not die", title);
    hook_report_init(&report);
    report.job_id = job_id;
    report.kind = HOOK_UNKILLABLE;
    report.code = ETIME;
    report.text = text;
    send_hook_report(ctx, &report);
}

static void on_launch_dropped(void *ctx, uint32_t request, const struct err *why)
{
    monitor_answer(ctx, request, -why->code, why->text);
}

static void on_job_clean(void *ctx, uint32_t job_id)
{
    const struct monitor *monitor = ctx;
    AUTO(strbuf) struct strbuf bytes = { 0 };

    as_root_container_remove(monitor->options.container, job_id);
    log_debug(monitor->options.log, "job %u: nothing of it is left here", job_id);
    bytes_put_u32(&bytes, job_id);
    send_agent(ctx, PRIV_JOB_CLEAN, 0, bytes.data, bytes.len);
}

static void on_held_launch(void *ctx, const struct priv_msg *msg)
{
    monitor_obey(ctx, msg);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct monitor *monitor = arg;
    struct priv_msg msg;
    struct err err = { 0 };
    int rc = 0;

    (void)fd;
    (void)what;
    while (monitor->agent && (rc = priv_receive(monitor->agent, PRIV_MONITOR, &msg, &err)) > 0) {
        monitor_obey(monitor, &msg);
        priv_msg_close(&msg);
    }
    if (rc < 0) {
        log_at(monitor->options.log, rc == -E_CLOSED ? LOG_VERBOSE : LOG_ERROR, "agent: %s",
               err.text);
        detach(monitor);
    }
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
    struct monitor *monitor = arg;

    (void)fd;
    (void)what;
    if (priv_channel_flush(monitor->agent, NULL) < 0)
        detach(monitor);
    else if (priv_channel_wants_write(monitor->agent))
        event_add(monitor->writable, NULL);
}

void monitor_attach(struct monitor *monitor, int fd)
{
    detach(monitor);
    monitor->agent_number++;
    monitor->agent = priv_channel_new(fd);
    monitor->readable = event_new(monitor->base, fd, EV_READ | EV_PERSIST, on_readable, monitor);
    monitor->writable = event_new(monitor->base, fd, EV_WRITE, on_writable, monitor);
    event_add(monitor->readable, NULL);
}

/* ---- beginning and end ---- */

static int open_spool(struct monitor *monitor, struct err *err)
{
    const char *dir = monitor->options.spool_dir;
    AUTO_FREE char *steps = xasprintf("%s/steps", dir);
    int rc = proc_make_dir(dir, 0755, (uid_t)-1, (gid_t)-1, err);

    if (rc == 0)
        rc = monitor->spool_fd = proc_open_own_dir(dir, monitor->options.slurm_uid, err);
    if (rc >= 0)
        rc = monitor->steps_fd = safe_own_dir(monitor->spool_fd, "steps", 0700, steps, err);
    return rc < 0 ? err_prefix(err, "SlurmdSpoolDir") : 0;
}

int monitor_new(struct event_base *base, const struct monitor_options *options,
                struct monitor **ret, struct err *err)
{
    static const struct held_callbacks callbacks = { on_report, on_job_empty };
    static const struct gate_callbacks gate_callbacks = { on_held_launch, on_launch_dropped,
                                                          on_hook_report, on_job_clean };
    struct monitor *monitor = xcalloc(1, sizeof(*monitor));
    struct hooks_options hooks = options->hooks;
    struct unkillable_options unkillable = options->unkillable;
    struct acts_options acts = options->acts;
    int rc;

    crypt_warm_up(); /* for the user sides of steps, each of which opens a session */
    hooks.node = options->node;
    hooks.boot_id = options->boot_id;
    hooks.log = options->log;
    unkillable.node = acts.node = options->node;
    unkillable.log = acts.log = options->log;
    monitor->base = base;
    monitor->options = *options;
    monitor->spool_fd = monitor->steps_fd = -1;
    monitor->node = (struct verify_node){ .cluster = options->cluster,
                                          .node = options->node,
                                          .boot_id = options->boot_id,
                                          .is_root = geteuid() == 0,
                                          .own_uid = geteuid() };
    rc = open_spool(monitor, err);
    if (rc == 0)
        rc = fence_open(monitor->spool_fd, options->boot_id, &monitor->fence, err);
    if (rc == 0)
        rc = gate_new(base, monitor->spool_fd, &hooks, &gate_callbacks, monitor, &monitor->gate,
                      err);
    if (rc < 0) {
        monitor_free(monitor);
        return rc;
    }
    monitor->node.incarnation = fence_incarnation(monitor->fence);
    monitor->held = held_table_new(base, monitor->steps_fd, options->cgroups, options->log,
                                   &callbacks, monitor);
    as_root_container_sweep(options->container);
    monitor->unkillable =
        unkillable_new(base, monitor->spool_fd, monitor->held, &unkillable, on_unkillable, monitor);
    monitor->acts = acts_new(base, monitor->spool_fd, &acts);
    *ret = monitor;
    return 0;
}

struct monitor *monitor_free(struct monitor *monitor)
{
    if (!monitor)
        return NULL;
    detach(monitor);
    calls_drop(monitor);
    held_table_free(monitor->held);
    gate_free(monitor->gate);
    acts_free(monitor->acts);
    unkillable_free(monitor->unkillable);
    fence_free(monitor->fence);
    if (monitor->spool_fd >= 0)
        close(monitor->spool_fd);
    if (monitor->steps_fd >= 0)
        close(monitor->steps_fd);
    free(monitor);
    return NULL;
}

void monitor_set_log_level(struct monitor *monitor, enum log_level level)
{
    monitor->options.log_level = level;
}

uint32_t monitor_steps_n(const struct monitor *monitor)
{
    return held_count(monitor->held);
}
