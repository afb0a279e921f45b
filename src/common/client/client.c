#include "common/client/client.h"

#include <assert.h>
#include <event2/event.h>
#include <uthash.h>

#include "common/client/connect.h"
#include "common/msg/types.h"

enum { ANSWER_MS = 10000 };

struct client_watch {
    uint32_t request;
    struct client *client;
    client_record_fn *on_record;
    client_end_fn *on_end;
    void *ctx;
    UT_hash_handle hh;
};

struct client {
    struct client_options options;
    struct event_base *base;
    struct rpc_session *session; /* NULL while not connected */
    struct connect_call *connect;
    client_end_fn *on_connected;
    void *on_connected_ctx;
    struct client_watch *watches; /* by request */
    uint32_t last_request;
    struct err refused_blob; /* why the first was, until it is told */
    struct err broken;       /* why there is no session */
    client_end_fn *on_broken;
    void *on_broken_ctx;
};

struct event_base *client_base(struct client *client)
{
    return client->base;
}

struct rpc_session *client_session(struct client *client)
{
    return client->session;
}

void client_on_broken(struct client *client, client_end_fn *fn, void *ctx)
{
    client->on_broken = fn;
    client->on_broken_ctx = ctx;
}

/* ---- watches ---- */

struct client_watch *client_watch_cancel(struct client_watch *watch)
{
    if (!watch)
        return NULL;
    HASH_DEL(watch->client->watches, watch);
    free(watch);
    return NULL;
}

static void end_watch(struct client_watch *watch, const struct err *why)
{
    client_end_fn *on_end = watch->on_end;
    void *ctx = watch->ctx;

    client_watch_cancel(watch);
    if (on_end)
        on_end(why, ctx);
}

/* A refused blob explains why the message that names it is refused. */
static void explain(struct client *client, struct err *why)
{
    if (client->refused_blob.code)
        *why = client->refused_blob;
    client->refused_blob = (struct err){ 0 };
}

static void on_frame(struct rpc_session *session, const struct rpc_frame *frame, void *ctx)
{
    struct client *client = ctx;
    struct client_watch *watch;
    struct err why = { 0 };
    bool is_error = frame->type == MSG_ERROR;

    (void)session;
    HASH_FIND(hh, client->watches, &frame->request, sizeof(frame->request), watch);
    if (is_error)
        rpc_decode_error(frame, &why);
    if (is_error && frame->request == CLIENT_BLOB_REQUEST && !client->refused_blob.code)
        client->refused_blob = why;
    if (!watch)
        return;
    if (!is_error && frame->type != MSG_STREAM_END) {
        if (watch->on_record(frame->type, frame, watch->ctx) < 0) {
            client_watch_cancel(watch);
            return;
        }
        if (frame->flags & RPC_MORE)
            return;
        /* The record may have cancelled its watch. */
        HASH_FIND(hh, client->watches, &frame->request, sizeof(frame->request), watch);
    }
    if (!watch)
        return;
    if (is_error)
        explain(client, &why);
    end_watch(watch, is_error ? &why : NULL);
}

struct client_watch *client_watch(struct client *client, uint32_t type, const void *msg,
                                  client_record_fn *on_record, client_end_fn *on_end, void *ctx)
{
    struct client_watch *watch;

    if (!client->session || rpc_send(client->session, type, ++client->last_request, 0, msg) < 0)
        return NULL;
    watch = xcalloc(1, sizeof(*watch));
    *watch = (struct client_watch){ .request = client->last_request,
                                    .client = client,
                                    .on_record = on_record,
                                    .on_end = on_end,
                                    .ctx = ctx };
    HASH_ADD(hh, client->watches, request, sizeof(watch->request), watch);
    return watch;
}

/* ---- connecting ---- */

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct client *client = ctx;
    struct err told = *why;

    if (told.code != E_PROTO) /* silence, or a network that is gone: one may connect anew */
        told.code = E_CLOSED;
    client->session = rpc_session_free(session);
    client->broken = told;
    while (client->watches)
        end_watch(client->watches, &told);
    if (client->on_broken)
        client->on_broken(&told, client->on_broken_ctx);
}

static void on_connected(void *arg, struct rpc_session *session, const struct err *err)
{
    static const struct rpc_callbacks callbacks = { .on_frame = on_frame, .on_closed = on_closed };
    struct client *client = arg;
    client_end_fn *fn = client->on_connected;

    client->connect = NULL;
    client->on_connected = NULL;
    client->session = session;
    client->options.returns |= session != NULL;
    client->refused_blob = (struct err){ 0 };
    if (session)
        rpc_session_set_callbacks(session, &callbacks, client);
    else
        client->broken = *err;
    if (fn)
        fn(err, client->on_connected_ctx);
}

void client_reconnect_async(struct client *client, int patience_ms, client_end_fn *fn, void *ctx)
{
    assert(!client->connect && !client->session);
    client->on_connected = fn;
    client->on_connected_ctx = ctx;
    client->connect =
        connect_start(client->base, &client->options, patience_ms, on_connected, client);
}

void client_reconnect_cancel(struct client *client)
{
    connect_cancel(client->connect);
    client->connect = NULL;
    client->on_connected = NULL;
}

int client_reconnect(struct client *client, int patience_ms, struct err *err)
{
    if (!client->session && !client->connect)
        client_reconnect_async(client, patience_ms, NULL, NULL);
    return client_await(client, err);
}

int client_await(struct client *client, struct err *err)
{
    while (client->connect)
        event_base_loop(client->base, EVLOOP_ONCE);
    if (client->session)
        return 0;
    if (err)
        *err = client->broken;
    return -client->broken.code;
}

static struct client *client_new(const struct client_options *options)
{
    struct client *client = xcalloc(1, sizeof(*client));

    client->options = *options;
    client->base = event_base_new();
    if (!client->base)
        abort();
    client_reconnect_async(client, options->patience_ms, NULL, NULL);
    return client;
}

struct client *client_start(const struct client_options *options)
{
    struct client *client = client_new(options);

    event_base_loop(client->base, EVLOOP_NONBLOCK); /* dials, and says who it is */
    return client;
}

int client_open(const struct client_options *options, struct client **ret_client, struct err *err)
{
    struct client *client = client_new(options);
    int rc = client_await(client, err);

    if (rc < 0)
        client_free(client);
    else
        *ret_client = client;
    return rc;
}

struct client *client_free(struct client *client)
{
    if (!client)
        return NULL;
    while (client->watches)
        client_watch_cancel(client->watches);
    connect_cancel(client->connect);
    rpc_session_free(client->session);
    event_base_free(client->base);
    free(client);
    return NULL;
}

/* ---- ask and wait ---- */

struct wait {
    struct client *client;
    struct client_watch *watch; /* NULL once it ended */
    struct event *timer;
    client_record_fn *on_record;
    void *ctx;
    bool came; /* a record, since the time to wait began */
    int rc;
    struct err err;
};

static void on_late(evutil_socket_t fd, short what, void *arg)
{
    struct wait *wait = arg;

    (void)fd;
    (void)what;
    wait->rc = err_set(&wait->err, E_TIMEOUT, "%s", err_string(E_TIMEOUT));
    wait->watch = client_watch_cancel(wait->watch);
}

static void wait_anew(const struct wait *wait)
{
    int ms = wait->client->options.timeout_ms > 0 ? wait->client->options.timeout_ms : ANSWER_MS;
    struct timeval left = { ms / 1000, ms % 1000 * 1000 };

    event_add(wait->timer, &left);
}

static int on_wait_record(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    struct wait *wait = ctx;

    wait->rc = wait->on_record(type, frame, wait->ctx);
    if (wait->rc < 0)
        wait->watch = NULL; /* gone when we return */
    wait->came = true;
    return wait->rc;
}

static void on_wait_end(const struct err *why, void *ctx)
{
    struct wait *wait = ctx;

    wait->watch = NULL;
    if (!why)
        return;
    wait->err = *why;
    wait->rc = -wait->err.code;
}

int client_stream(struct client *client, uint32_t type, const void *msg,
                  client_record_fn *on_record, void *ctx, struct err *err)
{
    struct wait wait = { .client = client, .on_record = on_record, .ctx = ctx };

    wait.watch = client_watch(client, type, msg, on_wait_record, on_wait_end, &wait);
    if (!wait.watch && !client->session)
        return err_set(err, E_CLOSED, "not connected: %.400s", client->broken.text);
    if (!wait.watch)
        return err_set(err, E_TOO_BIG, "message %s: more than %u bytes", msg_name(type),
                       RPC_BODY_MAX);
    wait.timer = event_new(client->base, -1, 0, on_late, &wait);
    wait_anew(&wait);
    while (wait.watch) {
        event_base_loop(client->base, EVLOOP_ONCE);
        if (wait.came)
            wait_anew(&wait); /* once for all that came together */
        wait.came = false;
    }
    event_free(wait.timer);
    client->refused_blob = (struct err){ 0 };
    if (wait.err.code && err)
        *err = wait.err;
    return wait.rc < 0 ? wait.rc : 0;
}

/* ---- what may be asked again ---- */

#define ASK_TIMES 5

struct asking {
    client_record_fn *on_record;
    void *ctx;
    bool came;
};

static int on_asked(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    struct asking *asking = ctx;

    asking->came = true;
    return asking->on_record(type, frame, asking->ctx);
}

int client_ask(struct client *client, uint32_t type, const void *msg, void (*begin)(void *ctx),
               client_record_fn *on_record, void *ctx, struct err *err)
{
    const int patience_ms = client->options.timeout_ms > 0 ? client->options.timeout_ms : ANSWER_MS;
    struct asking asking = { .on_record = on_record, .ctx = ctx };
    int rc = -E_CLOSED;

    for (int i = 0; rc == -E_CLOSED && i < ASK_TIMES; i++) {
        if (i > 0 && asking.came && !begin)
            break;
        rc = client_reconnect(client, patience_ms, err);
        if (rc < 0)
            break;
        if (begin)
            begin(ctx);
        rc = client_stream(client, type, msg, on_asked, &asking, err);
    }
    return rc;
}

struct expected {
    uint32_t type;
    void *ret_reply;
    bool came;
    struct err err;
};

static int on_reply(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    struct expected *expected = ctx;

    if (type != expected->type || expected->came)
        return err_set(&expected->err, E_PROTO, "the answer is %s, should be %s", msg_name(type),
                       msg_name(expected->type));
    expected->came = true;
    if (!expected->ret_reply)
        return 0;
    return rpc_decode(frame, msg_schema(type), expected->ret_reply, &expected->err);
}

int client_call(struct client *client, uint32_t type, const void *msg, uint32_t reply_type,
                void *ret_reply, struct err *err)
{
    struct expected expected = { .type = reply_type, .ret_reply = ret_reply };
    int rc;

    if (ret_reply)
        schema_init(msg_schema(reply_type), ret_reply);
    rc = client_stream(client, type, msg, on_reply, &expected, err);
    if (rc == 0 && !expected.came)
        rc = err_set(&expected.err, E_PROTO, "no %s came", msg_name(reply_type));
    if (expected.err.code && err)
        *err = expected.err;
    return rc;
}
