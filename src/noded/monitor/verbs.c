/* Obeys what the agent may ask for: fixed verbs, and bytes that are signed. */
#include <errno.h>

#include "noded/monitor/monitor_inside.h"
#include "noded/stepd/script.h"

static int on_credential(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    int rc = verify_claim(&monitor->node, msg->bytes, msg->bytes_n, err);

    return rc < 0 ? rc : calls_encode(monitor, msg, err);
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
    gate_end(monitor->gate, &end);
    (void)held_end(monitor->held, &end);
    unkillable_watch(monitor->unkillable, end.job_id, end.step_id, end.kill_wait_s);
    if (end.step_id == COUNT_UNSET)
        held_watch_job(monitor->held, end.job_id);
    return 0;
}

static int on_say(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    struct priv_say say;
    int rc = priv_say_decode(msg, &say, err);

    if (rc == 0)
        (void)held_say(monitor->held, &say);
    return rc;
}

static int on_forget(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    struct priv_forget forget = priv_forget_decode(msg);
    struct spool_name name = { forget.job_id, forget.step_id, forget.launch_number };
    int rc = held_forget(monitor->held, &name, err);

    /* A step daemon that did not live to put its script away has left it, if no later launch has
     * it. */
    if (rc == 0 && name.step_id == STEP_BATCH && held_check(monitor->held, &name, NULL) == 0)
        as_root_script_remove(monitor->spool_fd, name.job_id);
    if (rc == 0)
        rc = fence_forget(monitor->fence, name.job_id, name.step_id, name.launch_number, err);
    return rc == -ENOENT ? 0 : rc;
}

static const char *const hook_names[] = { "Prolog", "Epilog" };

/* Checks what is asked by a signed credential: the same bytes may come again, and under the other
 * verb. */
static int check_hook(const struct monitor *monitor, const struct hook_cred *cred, uint32_t kind,
                      struct err *err)
{
    if (cred->kind != kind)
        return err_set(err, E_AUTH, "job %u: the order is for its %s, not its %s", cred->job_id,
                       cred->kind < ARRAY_N(hook_names) ? hook_names[cred->kind] : "?",
                       hook_names[kind]);
    if (fence_forgotten(monitor->fence, cred->job_id, FENCE_HOOK(kind)) >= cred->launch_number)
        return err_set(err, E_STALE, "job %u: the %s of launch %u was run and forgotten",
                       cred->job_id, hook_names[kind], cred->launch_number);
    return 0;
}

/* Checks the signature first, then what it is over, and takes the hook. */
static int take_hook(struct monitor *monitor, const struct priv_msg *msg, uint32_t kind,
                     struct hook_cred *ret, struct err *err)
{
    int rc = verify_hook(&monitor->node, msg->bytes + PRIV_SIGNATURE_N,
                         msg->bytes_n - PRIV_SIGNATURE_N, msg->bytes, ret, err);

    if (rc == 0)
        rc = fence_raise(monitor->fence, ret->incarnation, err);
    monitor->node.incarnation = fence_incarnation(monitor->fence);
    return rc < 0 ? rc : check_hook(monitor, ret, kind, err);
}

static int on_prolog(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    AUTO(hook_cred) struct hook_cred cred;
    int rc;

    hook_cred_init(&cred);
    rc = take_hook(monitor, msg, HOOK_PROLOG, &cred, err);
    if (rc == 0)
        gate_prolog(monitor->gate, &cred);
    return rc;
}

static int on_epilog(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    AUTO(hook_cred) struct hook_cred cred;
    int rc;

    hook_cred_init(&cred);
    rc = take_hook(monitor, msg, HOOK_EPILOG, &cred, err);
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
    if (rc == 0 && cred.act < NODE_ACT_PROGRAMS_N)
        acts_run(monitor->acts, cred.act);
    else if (rc == 0)
        monitor->options.on_order(monitor->options.ctx, &cred);
    return rc;
}

static int on_hook_forget(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    const struct priv_forget forget = priv_forget_decode(msg);
    int rc = 0;

    for (uint32_t kind = 0; kind < ARRAY_N(hook_names) && rc == 0; kind++) {
        if (gate_has_run(monitor->gate, forget.job_id, forget.launch_number, kind))
            rc = fence_forget(monitor->fence, forget.job_id, FENCE_HOOK(kind), forget.launch_number,
                              err);
    }
    if (rc == 0)
        gate_forget(monitor->gate, forget.job_id, forget.launch_number);
    return rc;
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
    { PRIV_KEY, calls_take_key },
    { PRIV_LAUNCH, on_launch },
    { PRIV_SIGNAL, on_signal },
    { PRIV_END, on_end },
    { PRIV_SAY, on_say },
    { PRIV_FORGET, on_forget },
    { PRIV_LIST, on_list },
    { PRIV_CONNECT, on_connect },
    { PRIV_PROLOG, on_prolog },
    { PRIV_EPILOG, on_epilog },
    { PRIV_HOOK_FORGET, on_hook_forget },
    { PRIV_NODE_ACT, on_act },
};

void monitor_obey(struct monitor *monitor, const struct priv_msg *msg)
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
        monitor_answer(monitor, msg->request, rc, err.text);
}
