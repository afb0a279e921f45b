#include "noded/agent/orders.h"

#include <stdio.h>
#include <string.h>

#include "common/base/log.h"
#include "common/msg/hook.h"
#include "common/msg/types.h"
#include "noded/agent/launches.h"

struct orders {
    struct root *root;
    struct log *log;
    struct launches *launches;
};

struct orders *orders_new(struct root *root, struct log *log, orders_report_fn *report, void *ctx)
{
    struct orders *orders = xcalloc(1, sizeof(*orders));

    orders->root = root;
    orders->log = log;
    orders->launches = launches_new(root, log, report, ctx);
    return orders;
}

static int on_launch(struct orders *orders, struct rpc_session *session, void *msg, struct err *err)
{
    return launches_order(orders->launches, session, msg, err);
}

static int on_signal(struct orders *orders, struct rpc_session *session, void *msg, struct err *err)
{
    const struct order_signal *order = msg;
    struct priv_signal verb = { order->job_id, order->step_id, order->signal, order->flags };
    AUTO(strbuf) struct strbuf bytes = { 0 };

    (void)session;
    (void)err;
    priv_signal_encode(&verb, &bytes);
    root_ask(orders->root, PRIV_SIGNAL, &bytes, NULL, 0, NULL, NULL);
    return 0;
}

static int on_end(struct orders *orders, struct rpc_session *session, void *msg, struct err *err)
{
    const struct order_end *order = msg;
    struct priv_end verb = { .job_id = order->job_id,
                             .step_id = order->step_id,
                             .launch_number = order->launch_number,
                             .kill_wait_s = order->kill_wait_s };
    AUTO(strbuf) struct strbuf bytes = { 0 };

    (void)session;
    (void)err;
    if (order->reason)
        strncpy(verb.reason, order->reason, PRIV_REASON_MAX);
    launches_drop(orders->launches, &verb);
    priv_end_encode(&verb, &bytes);
    root_ask(orders->root, PRIV_END, &bytes, NULL, 0, NULL, NULL);
    return 0;
}

static int on_say(struct orders *orders, struct rpc_session *session, void *msg, struct err *err)
{
    const struct order_say *order = msg;
    struct priv_say verb = { order->job_id, STEP_BATCH, "" };
    AUTO(strbuf) struct strbuf bytes = { 0 };

    (void)session;
    (void)err;
    snprintf(verb.text, sizeof(verb.text), "%s", order->text);
    priv_say_encode(&verb, &bytes);
    root_ask(orders->root, PRIV_SAY, &bytes, NULL, 0, NULL, NULL);
    return 0;
}

static void on_hook_taken(void *ctx, int code, const char *text)
{
    const struct orders *orders = ctx;

    if (code)
        log_error(orders->log, "an order of the controller is refused: %s", text);
}

static void ask_forget(struct orders *orders, enum priv_verb asked,
                       const struct order_forget *order)
{
    struct priv_forget verb = { order->job_id, order->step_id, order->launch_number };
    AUTO(strbuf) struct strbuf bytes = { 0 };

    priv_forget_encode(&verb, &bytes);
    root_ask(orders->root, asked, &bytes, NULL, 0, NULL, NULL);
}

static int on_forget(struct orders *orders, struct rpc_session *session, void *msg, struct err *err)
{
    (void)session;
    (void)err;
    ask_forget(orders, PRIV_FORGET, msg);
    return 0;
}

static int on_hook_forget(struct orders *orders, struct rpc_session *session, void *msg,
                          struct err *err)
{
    (void)session;
    (void)err;
    ask_forget(orders, PRIV_HOOK_FORGET, msg);
    return 0;
}

static int ask_hook(struct orders *orders, enum priv_verb verb, const struct order_hook *order,
                    struct err *err)
{
    AUTO(strbuf) struct strbuf bytes = { 0 };

    if (order->signature.n != PRIV_SIGNATURE_N || order->cred.n == 0 ||
        order->cred.n > PRIV_HOOK_MAX - PRIV_SIGNATURE_N)
        return err_set(err, E_PROTO, "credential of %u bytes with a signature of %u", order->cred.n,
                       order->signature.n);
    strbuf_add(&bytes, order->signature.data, order->signature.n);
    strbuf_add(&bytes, order->cred.data, order->cred.n);
    root_ask(orders->root, verb, &bytes, NULL, 0, on_hook_taken, orders);
    return 0;
}

static int on_prolog(struct orders *orders, struct rpc_session *session, void *msg, struct err *err)
{
    (void)session;
    return ask_hook(orders, PRIV_PROLOG, msg, err);
}

static int on_epilog(struct orders *orders, struct rpc_session *session, void *msg, struct err *err)
{
    (void)session;
    return ask_hook(orders, PRIV_EPILOG, msg, err);
}

static int on_node(struct orders *orders, struct rpc_session *session, void *msg, struct err *err)
{
    (void)session;
    return ask_hook(orders, PRIV_NODE_ACT, msg, err);
}

static int on_chunk(struct orders *orders, struct rpc_session *session, void *msg, struct err *err)
{
    return launches_chunk(orders->launches, session, msg, err);
}

typedef int order_fn(struct orders *orders, struct rpc_session *session, void *msg,
                     struct err *err);

static const struct {
    uint32_t type;
    order_fn *obey;
} handlers[] = {
    { MSG_ORDER_LAUNCH, on_launch },     { MSG_ORDER_SIGNAL, on_signal },
    { MSG_ORDER_SAY, on_say },           { MSG_ORDER_END, on_end },
    { MSG_ORDER_FORGET, on_forget },     { MSG_BLOB_CHUNK, on_chunk },
    { MSG_ORDER_PROLOG, on_prolog },     { MSG_ORDER_EPILOG, on_epilog },
    { MSG_HOOK_FORGET, on_hook_forget }, { MSG_ORDER_NODE, on_node },
};

bool orders_take(struct orders *orders, struct rpc_session *session, const struct rpc_frame *frame)
{
    for (size_t i = 0; i < ARRAY_N(handlers); i++) {
        const struct schema *schema = msg_schema(handlers[i].type);
        struct err err = { 0 };
        int rc;

        if (handlers[i].type != frame->type)
            continue;
        log_at(orders->log, LOG_DEBUG2, "%s from slurmctld", msg_name(frame->type));
        AUTO_FREE void *msg = xcalloc(1, schema->size);
        rc = rpc_decode(frame, schema, msg, &err);
        if (rc == 0)
            rc = handlers[i].obey(orders, session, msg, &err);
        schema_clear(schema, msg);
        if (rc < 0)
            log_error(orders->log, "%s from slurmctld: %s", msg_name(frame->type), err.text);
        return true;
    }
    return launches_take_end(orders->launches, frame);
}

bool orders_is_launching(const struct orders *orders, const struct step_report *step)
{
    return launches_is_ordered(orders->launches, step);
}

void orders_session_lost(struct orders *orders)
{
    launches_session_lost(orders->launches);
}

struct orders *orders_free(struct orders *orders)
{
    if (!orders)
        return NULL;
    launches_free(orders->launches);
    free(orders);
    return NULL;
}
