#include "noded/monitor/gate.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <utlist.h>

#include "common/base/alloc.h"
#include "noded/priv/channel.h"

/* A launch that waits for its job's Prolog. */
struct waiting {
    struct waiting *next;
    struct priv_msg msg; /* its bytes and descriptors are owned */
    uint32_t job_id, step_id, launch_number;
};

/* A job that is to be clean here. */
struct leaving {
    struct leaving *next;
    uint32_t job_id;
    bool has_epilog;
    struct hook_cred epilog;
    bool is_empty; /* no process of it is left */
};

struct gate {
    struct hooks *hooks;
    struct gate_callbacks callbacks;
    void *ctx;
    struct waiting *waiting;
    struct leaving *leaving;
};

/* ---- launches ---- */

static void free_waiting(struct waiting *it)
{
    priv_msg_close(&it->msg);
    free((uint8_t *)(uintptr_t)it->msg.bytes);
    free(it);
}

int gate_check(const struct gate *gate, const struct launch_cred *cred, struct err *err)
{
    const int state =
        cred->needs_prolog ? hooks_prolog(gate->hooks, cred->job_id, cred->launch_number) : 0;

    if (state == ENOENT)
        return err_set(err, EAGAIN, "job %u: its Prolog was not ordered here", cred->job_id);
    if (state == EIO)
        return err_set(err, E_PROLOG, "%s", err_string(E_PROLOG));
    return -state;
}

static void drop(struct gate *gate, struct waiting *it, int code, const char *why)
{
    struct err err = { 0 };

    err_set(&err, code, "%s", why);
    LL_DELETE(gate->waiting, it);
    gate->callbacks.on_dropped(gate->ctx, it->msg.request, &err);
    free_waiting(it);
}

void gate_hold(struct gate *gate, const struct priv_msg *msg, const struct launch_cred *cred)
{
    struct waiting *it, *next;

    LL_FOREACH_SAFE(gate->waiting, it, next)
    { /* ordered again: the newer one is answered */
        if (it->job_id == cred->job_id && it->step_id == cred->step_id)
            drop(gate, it, EEXIST, "ordered again");
    }
    it = xcalloc(1, sizeof(*it));
    it->msg = *msg;
    it->msg.bytes = xmemdup(msg->bytes, msg->bytes_n);
    for (uint32_t i = 0; i < msg->fds_n; i++)
        it->msg.fds[i] = fcntl(msg->fds[i], F_DUPFD_CLOEXEC, 3);
    it->job_id = cred->job_id;
    it->step_id = cred->step_id;
    it->launch_number = cred->launch_number;
    LL_APPEND(gate->waiting, it);
}

void gate_end(struct gate *gate, const struct priv_end *end)
{
    struct waiting *it, *next;

    LL_FOREACH_SAFE(gate->waiting, it, next)
    {
        if (priv_end_means(end, it->job_id, it->step_id, it->launch_number))
            drop(gate, it, ECANCELED, "ended before it began");
    }
}

static void let_go(struct gate *gate, const struct hook_report *report)
{
    struct waiting *it, *next;

    LL_FOREACH_SAFE(gate->waiting, it, next)
    {
        if (it->job_id != report->job_id || it->launch_number != report->launch_number)
            continue;
        LL_DELETE(gate->waiting, it);
        gate->callbacks.on_launch(gate->ctx, &it->msg);
        free_waiting(it);
    }
}

/* ---- jobs that leave ---- */

static struct leaving *find_leaving(struct gate *gate, uint32_t job_id)
{
    struct leaving *it;

    LL_FOREACH (gate->leaving, it) {
        if (it->job_id == job_id)
            return it;
    }
    return NULL;
}

static struct leaving *get_leaving(struct gate *gate, uint32_t job_id)
{
    struct leaving *it = find_leaving(gate, job_id);

    if (it)
        return it;
    it = xcalloc(1, sizeof(*it));
    it->job_id = job_id;
    LL_PREPEND(gate->leaving, it);
    return it;
}

static void free_leaving(struct leaving *it)
{
    if (it->has_epilog)
        hook_cred_clear(&it->epilog);
    free(it);
}

static void has_left(struct gate *gate, struct leaving *it)
{
    LL_DELETE(gate->leaving, it);
    gate->callbacks.on_clean(gate->ctx, it->job_id);
    free_leaving(it);
}

/* Runs the Epilog once the job has left. It undoes what the Prolog does, so it begins when that is
 * over. */
static void go_on(struct gate *gate, struct leaving *it)
{
    if (!it->is_empty || hooks_prolog_runs(gate->hooks, it->job_id))
        return;
    if (it->has_epilog)
        hooks_run(gate->hooks, HOOK_EPILOG, &it->epilog); /* its report calls has_left */
    else
        has_left(gate, it);
}

void gate_epilog(struct gate *gate, const struct hook_cred *cred)
{
    struct leaving *it = get_leaving(gate, cred->job_id);

    if (it->has_epilog)
        hook_cred_clear(&it->epilog);
    schema_copy(hook_cred_schema(), &it->epilog, cred);
    it->has_epilog = true;
}

void gate_job_empty(struct gate *gate, uint32_t job_id)
{
    struct leaving *it = get_leaving(gate, job_id);

    it->is_empty = true;
    go_on(gate, it);
}

/* ---- both ---- */

static void on_report(void *ctx, const struct hook_report *report)
{
    struct gate *gate = ctx;
    struct leaving *it = find_leaving(gate, report->job_id);

    gate->callbacks.on_report(gate->ctx, report);
    if (report->kind == HOOK_PROLOG)
        let_go(gate, report);
    if (it && report->kind == HOOK_PROLOG)
        go_on(gate, it);
    else if (it && it->is_empty)
        has_left(gate, it);
}

void gate_prolog(struct gate *gate, const struct hook_cred *cred)
{
    hooks_run(gate->hooks, HOOK_PROLOG, cred);
}

bool gate_has_run(const struct gate *gate, uint32_t job_id, uint32_t launch_number, uint32_t kind)
{
    return hooks_has_run(gate->hooks, job_id, launch_number, kind);
}

void gate_forget(struct gate *gate, uint32_t job_id, uint32_t launch_number)
{
    struct leaving *it = find_leaving(gate, job_id);

    if (it && it->has_epilog && it->epilog.launch_number == launch_number) {
        hook_cred_clear(&it->epilog); /* ordered again, and it has run */
        it->has_epilog = false;
    }
    hooks_forget(gate->hooks, job_id, launch_number);
}

int gate_new(struct event_base *base, int spool_fd, const struct hooks_options *options,
             const struct gate_callbacks *callbacks, void *ctx, struct gate **ret, struct err *err)
{
    struct gate *gate = xcalloc(1, sizeof(*gate));
    int rc = hooks_new(base, spool_fd, options, on_report, gate, &gate->hooks, err);

    gate->callbacks = *callbacks;
    gate->ctx = ctx;
    if (rc < 0)
        gate_free(gate);
    else
        *ret = gate;
    return rc;
}

struct gate *gate_free(struct gate *gate)
{
    if (!gate)
        return NULL;
    while (gate->waiting) {
        struct waiting *it = gate->waiting;

        gate->waiting = it->next;
        free_waiting(it);
    }
    while (gate->leaving) {
        struct leaving *it = gate->leaving;

        gate->leaving = it->next;
        free_leaving(it);
    }
    hooks_free(gate->hooks);
    free(gate);
    return NULL;
}
