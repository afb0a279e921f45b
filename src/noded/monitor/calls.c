/* Asks authd: for credentials for the agent, and for the controller's key, which comes in one. */
#include <errno.h>
#include <string.h>

#include "noded/monitor/monitor_inside.h"

static int call_new(struct monitor *monitor, uint32_t request, struct call **ret, struct err *err)
{
    struct call *call;

    if (monitor->calls_n >= CALLS_MAX)
        return err_set(err, EBUSY, "%u questions to authd are open already", monitor->calls_n);
    call = xcalloc(1, sizeof(*call));
    *call = (struct call){ .monitor = monitor,
                           .next = monitor->calls,
                           .request = request,
                           .agent = monitor->agent_number };
    monitor->calls = call;
    monitor->calls_n++;
    *ret = call;
    return 0;
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
        monitor_answer(call->monitor, call->request, rc, text);
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

int calls_encode(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    struct authc_what what = AUTHC_WHAT;
    struct call *call;
    int rc = call_new(monitor, msg->request, &call, err);

    if (rc < 0)
        return rc;
    what.payload = msg->bytes;
    what.payload_n = msg->bytes_n;
    call->authc =
        authc_encode_async(monitor->base, &monitor->options.authc, &what, on_encoded, call);
    return 1;
}

int calls_take_key(struct monitor *monitor, const struct priv_msg *msg, struct err *err)
{
    AUTO_FREE char *cred = xstrndup((const char *)msg->bytes, msg->bytes_n);
    struct call *call;
    int rc = call_new(monitor, msg->request, &call, err);

    if (rc < 0)
        return rc;
    call->authc =
        authc_decode_async(monitor->base, &monitor->options.authc, cred, on_decoded, call);
    return 1;
}

void calls_drop(struct monitor *monitor)
{
    while (monitor->calls)
        call_end(monitor->calls);
}
