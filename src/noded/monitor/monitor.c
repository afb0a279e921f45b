#include "noded/monitor/monitor.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/proc/daemon.h"
#include "noded/monitor/launch.h"
#include "noded/priv/channel.h"

#define CALLS_MAX 16u /* questions to authd under way */

/* A request that waits for authd. */
struct call {
    struct monitor *monitor;
    struct call *next;
    struct authc_call *authc;
    uint32_t request;
    uint32_t agent; /* which of the agents asked: an answer to a dead one is dropped */
};

struct monitor {
    struct event_base *base;
    struct monitor_options options;
    struct verify_node node;
    struct fence *fence;
    struct held_table *held;
    struct gate *gate;
    struct unkillable *unkillable;
    struct acts *acts;
    int spool_fd, steps_fd;
    struct priv_channel *agent;
    uint32_t agent_number;
    struct event *readable, *writable;
    struct call *calls;
    uint32_t calls_n;
};

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

static void send_agent(struct monitor *monitor, enum priv_verb verb, uint32_t request,
                       const void *bytes, size_t n)
{
    struct priv_msg msg = {
        .verb = verb, .request = request, .bytes = bytes, .bytes_n = (uint32_t)n
    };
    struct err err = { 0 };

    if (!monitor->agent)
        return; /* the next one asks for a list */
    if (priv_send(monitor->agent, &msg, &err) < 0) {
        log_error(monitor->options.log, "agent: %s", err.text);
        detach(monitor);
        return;
    }
    if (priv_channel_wants_write(monitor->agent))
        event_add(monitor->writable, NULL);
}

static void answer(struct monitor *monitor, uint32_t request, int rc, const char *text)
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
        log_error(monitor->options.log, "job %u: %s failed: %s", report->job_id,
                  report->kind == HOOK_PROLOG ? "Prolog" : "Epilog", report->text);
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
    answer(ctx, request, -why->code, why->text);
}

static void on_job_clean(void *ctx, uint32_t job_id)
{
    const struct monitor *monitor = ctx;
    AUTO(strbuf) struct strbuf bytes = { 0 };

    as_root_container_remove(monitor->options.container, job_id);
    bytes_put_u32(&bytes, job_id);
    send_agent(ctx, PRIV_JOB_CLEAN, 0, bytes.data, bytes.len);
}

/* ---- questions to authd ---- */

static struct call *call_new(struct monitor *monitor, uint32_t request)
{
    struct call *call = xcalloc(1, sizeof(*call));

    *call = (struct call){ .monitor = monitor,
                           .next = monitor->calls,
                           .request = request,
                           .agent = monitor->agent_number };
    monitor->calls = call;
    monitor->calls_n++;
    return call;
}

static void call_end(struct call *call)
{
    struct call **at = &call->monitor->calls;

    while (*at != call)
        at = &(*at)->next;
    *at = call->next;
    call->monitor->calls_n--;
    authc_cancel(call->authc);
    free(call);
}

/* Answers the request that waited, unless its agent is gone. */
static void call_answer(struct call *call, int rc, const char *text)
{
    if (call->agent == call->monitor->agent_number)
        answer(call->monitor, call->request, rc, text);
    call_end(call);
}

static void on_encoded(void *arg, int rc, const char *cred, const struct err *err)
{
    struct call *call = arg;

    call->authc = NULL;
    call_answer(call, rc, rc < 0 ? err->text : cred);
}

static int take_key(struct monitor *monitor, const struct authc_identity *identity, struct err *err)
{
    const uint32_t allowed[] = { monitor->options.slurm_uid, 0 };
    struct controller_key key;
    int rc = verify_key(&monitor->node, allowed, ARRAY_N(allowed), identity->uid, identity->payload,
                        identity->payload_n, &key, err);

    if (rc < 0)
        return rc;
    rc = fence_take_key(monitor->fence, key.key.data, key.incarnation, err);
    if (rc >= 0) {
        log_info(monitor->options.log, "controller key taken%s, incarnation %llu",
                 rc > 0 ? ", a new one" : "", (unsigned long long)key.incarnation);
        memcpy(monitor->node.key, key.key.data, CRYPT_PUBLIC_N);
        monitor->node.has_key = true;
        monitor->node.incarnation = fence_incarnation(monitor->fence);
    }
    controller_key_clear(&key);
    return rc;
}

static void on_decoded(void *arg, int rc, const struct authc_identity *identity,
                       const struct err *why)
{
    struct call *call = arg;
    struct err err = { 0 };

    call->authc = NULL;
    if (rc < 0)
        err = *why;
    else
        rc = take_key(call->monitor, identity, &err);
    if (rc < 0)
        log_error(call->monitor->options.log, "controller key refused: %s", err.text);
    call_answer(call, rc, err.text);
}

/* ---- verbs ---- */

static int on_credential(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    struct authc_what what = AUTHC_WHAT;
    int rc = verify_claim(&monitor->node, msg->bytes, msg->bytes_n, err);

    if (rc == 0 && monitor->calls_n >= CALLS_MAX)
        rc = err_set(err, EBUSY, "%u questions to authd are open already", monitor->calls_n);
    if (rc < 0)
        return rc;
    what.payload = msg->bytes;
    what.payload_n = msg->bytes_n;
    struct call *call = call_new(monitor, msg->request);
    call->authc =
        authc_encode_async(monitor->base, &monitor->options.authc, &what, on_encoded, call);
    return 1;
}

static int on_key(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    AUTO_FREE char *cred = xstrndup((const char *)msg->bytes, msg->bytes_n);

    if (monitor->calls_n >= CALLS_MAX)
        return err_set(err, EBUSY, "%u questions to authd are open already", monitor->calls_n);
    struct call *call = call_new(monitor, msg->request);
    call->authc =
        authc_decode_async(monitor->base, &monitor->options.authc, cred, on_decoded, call);
    return 1;
}

static int on_launch(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    struct launch_context context = { &monitor->options, &monitor->node, monitor->fence,
                                      monitor->held,     monitor->gate,  monitor->spool_fd,
                                      monitor->steps_fd };
    struct spool_name name = { 0 };
    int rc = launch_obey(&context, msg, &name, err);

    monitor->node.incarnation = fence_incarnation(monitor->fence);
    if (rc == -EINPROGRESS)
        return 1;
    if (rc == -EEXIST)
        held_report_one(monitor->held, &name);
    else if (rc < 0)
        log_error(monitor->options.log, "launch of job %u refused: %s", name.job_id, err->text);
    return rc;
}

static int on_signal(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    struct priv_signal signal = priv_signal_decode(msg);

    (void)err;
    (void)held_signal(monitor->held, &signal); /* none left is no failure */
    return 0;
}

static int on_end(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    struct priv_end end;
    int rc = priv_end_decode(msg, &end, err);

    if (rc < 0)
        return rc;
    gate_end(monitor->gate, end.job_id, end.step_id);
    (void)held_end(monitor->held, &end);
    unkillable_watch(monitor->unkillable, end.job_id, end.step_id, end.kill_wait_s);
    if (end.step_id == COUNT_UNSET)
        held_watch_job(monitor->held, end.job_id);
    return 0;
}

static int on_forget(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    struct priv_forget forget = priv_forget_decode(msg);
    struct spool_name name = { forget.job_id, forget.step_id, forget.launch_number };
    int rc = held_forget(monitor->held, &name, err);

    if (rc == 0)
        rc = fence_forget(monitor->fence, name.job_id, name.step_id, name.launch_number, err);
    return rc == -ENOENT ? 0 : rc;
}

/* The signature first, then what it is over. */
static int take_hook(struct monitor *monitor, const struct priv_msg *msg, struct hook_cred *ret,
                     struct err *err)
{
    int rc = verify_hook(&monitor->node, msg->bytes + PRIV_SIGNATURE_N,
                         msg->bytes_n - PRIV_SIGNATURE_N, msg->bytes, ret, err);

    if (rc == 0)
        rc = fence_raise(monitor->fence, ret->incarnation, err);
    monitor->node.incarnation = fence_incarnation(monitor->fence);
    return rc;
}

static int on_prolog(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    AUTO(hook_cred) struct hook_cred cred;
    int rc;

    hook_cred_init(&cred);
    rc = take_hook(monitor, msg, &cred, err);
    if (rc == 0)
        gate_prolog(monitor->gate, &cred);
    return rc;
}

static int on_epilog(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    AUTO(hook_cred) struct hook_cred cred;
    int rc;

    hook_cred_init(&cred);
    rc = take_hook(monitor, msg, &cred, err);
    if (rc == 0)
        gate_epilog(monitor->gate, &cred);
    return rc;
}

static int on_act(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    AUTO(node_cred) struct node_cred cred;
    int rc;

    node_cred_init(&cred);
    rc = verify_act(&monitor->node, msg->bytes + PRIV_SIGNATURE_N, msg->bytes_n - PRIV_SIGNATURE_N,
                    msg->bytes, &cred, err);
    if (rc == 0)
        rc = fence_raise(monitor->fence, cred.incarnation, err);
    monitor->node.incarnation = fence_incarnation(monitor->fence);
    if (rc == 0)
        acts_run(monitor->acts, cred.act);
    return rc;
}

static int on_hook_forget(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    const struct priv_forget forget = priv_forget_decode(msg);

    (void)err;
    gate_forget(monitor->gate, forget.job_id, forget.launch_number);
    return 0;
}

static int on_list(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    (void)msg;
    (void)err;
    held_report_all(monitor->held);
    return 0;
}

static int on_connect(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    struct priv_connect connect = priv_connect_decode(msg);

    return held_connect(monitor->held, &connect, msg->fds[0], err);
}

/* Returns 0 or an error, both to be answered, or 1: answered later. */
typedef int verb_fn(struct monitor *monitor, const struct priv_msg *msg, struct err *err);

static const struct {
    uint32_t verb;
    verb_fn *obey;
} handlers[] = {
    { PRIV_CREDENTIAL, on_credential },
    { PRIV_KEY, on_key },
    { PRIV_LAUNCH, on_launch },
    { PRIV_SIGNAL, on_signal },
    { PRIV_END, on_end },
    { PRIV_FORGET, on_forget },
    { PRIV_LIST, on_list },
    { PRIV_CONNECT, on_connect },
    { PRIV_PROLOG, on_prolog },
    { PRIV_EPILOG, on_epilog },
    { PRIV_HOOK_FORGET, on_hook_forget },
    { PRIV_NODE_ACT, on_act },
};

static void obey(struct monitor *monitor, const struct priv_msg *msg)
{
    struct err err = { 0 };
    int rc = err_set(&err, E_PROTO, "verb %s is not for the monitor", priv_verb_name(msg->verb));

    for (size_t i = 0; i < ARRAY_N(handlers); i++) {
        if (handlers[i].verb != msg->verb)
            continue;
        err.text[0] = '\0';
        rc = handlers[i].obey(monitor, msg, &err);
    }
    if (rc <= 0)
        answer(monitor, msg->request, rc, err.text);
}

static void on_held_launch(void *ctx, const struct priv_msg *msg)
{
    obey(ctx, msg);
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
        obey(monitor, &msg);
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
    int rc = proc_make_dir(dir, 0755, (uid_t)-1, (gid_t)-1, err);

    if (rc < 0)
        return rc;
    monitor->spool_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (monitor->spool_fd < 0)
        return err_set(err, errno, "cannot open SlurmdSpoolDir %s: %s", dir, strerror(errno));
    if (mkdirat(monitor->spool_fd, "steps", 0700) < 0 && errno != EEXIST)
        return err_set(err, errno, "cannot make %s/steps: %s", dir, strerror(errno));
    monitor->steps_fd =
        openat(monitor->spool_fd, "steps", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (monitor->steps_fd < 0)
        return err_set(err, errno, "cannot open %s/steps: %s", dir, strerror(errno));
    return 0;
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
    while (monitor->calls)
        call_end(monitor->calls);
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

uint32_t monitor_steps_n(const struct monitor *monitor)
{
    return held_count(monitor->held);
}
