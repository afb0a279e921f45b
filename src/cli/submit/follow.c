#include "cli/submit/follow.h"

#include <limits.h>

#include <event2/event.h>

#include "common/msg/types.h"

#define PATIENCE_MS INT_MAX /* what runs goes on without the controller, so do we */

struct follow {
    struct client *client;
    struct follow_request request;
    struct follow_callbacks callbacks;
    void *ctx;
    struct client_watch *watch;
    struct event *restart; /* begins from the loop, so that no callback runs inside follow_new */
    bool heard;            /* something came: the controller knows the request */
    bool in_record;        /* a callback runs */
    bool dropped;          /* freed inside it: the memory goes when it returns */
    bool connecting;       /* the client will call back */
};

static void on_end(const struct err *why, void *ctx);

static void job_came(struct follow *follow, const struct rpc_frame *frame)
{
    AUTO(job_event) struct job_event event;

    job_event_init(&event);
    if (rpc_decode(frame, job_event_schema(), &event, NULL) < 0)
        return;
    if (event.job)
        follow->request.job_id = event.job->id;
    if (follow->callbacks.on_job)
        follow->callbacks.on_job(&event, follow->ctx);
}

static void step_came(struct follow *follow, const struct rpc_frame *frame)
{
    AUTO(step_event) struct step_event event;

    step_event_init(&event);
    if (rpc_decode(frame, step_event_schema(), &event, NULL) < 0)
        return;
    if (event.step && follow->request.type == MSG_STEP_RUN)
        follow->request.step_id = event.step->step_id;
    if (follow->callbacks.on_step)
        follow->callbacks.on_step(&event, follow->ctx);
}

static int on_record(uint32_t type, const struct rpc_frame *frame, void *ctx)
{
    struct follow *follow = ctx;

    follow->heard = true;
    follow->in_record = true;
    if (type == MSG_JOB_EVENT)
        job_came(follow, frame);
    else if (type == MSG_STEP_EVENT)
        step_came(follow, frame);
    follow->in_record = false;
    if (follow->dropped)
        free(follow);
    return 0; /* client.h: a refused record would be cancelled a second time */
}

static int attach(struct follow *follow)
{
    const struct job_attach msg = { .job_id = follow->request.job_id,
                                    .step_id = follow->request.step_id,
                                    .token = (char *)(uintptr_t)follow->request.token };

    follow->watch = client_watch(follow->client, MSG_JOB_ATTACH, &msg, on_record, on_end, follow);
    return follow->watch ? 0 : -E_CLOSED;
}

static int send_all(struct follow *follow)
{
    const struct strbuf *blob = follow->request.blob;

    if (blob) {
        int rc = client_put_hashed_blob(follow->client, blob->data, blob->len,
                                        follow->request.sha256, NULL);

        if (rc < 0)
            return rc;
    }
    follow->watch = client_watch(follow->client, follow->request.type, follow->request.msg,
                                 on_record, on_end, follow);
    return follow->watch ? 0 : -E_CLOSED;
}

static void reconnect(struct follow *follow);

static void start(struct follow *follow)
{
    int rc = follow->heard && follow->request.job_id ? attach(follow) : send_all(follow);

    if (rc < 0)
        reconnect(follow);
}

static void on_connected(const struct err *why, void *ctx)
{
    struct follow *follow = ctx;

    follow->connecting = false;
    if (why) {
        follow->callbacks.on_over(why, follow->ctx);
        return;
    }
    start(follow);
    if (follow->callbacks.on_back)
        follow->callbacks.on_back(follow->ctx);
}

static void reconnect(struct follow *follow)
{
    follow->connecting = true;
    client_reconnect_async(follow->client, PATIENCE_MS, on_connected, follow);
}

static void on_end(const struct err *why, void *ctx)
{
    struct follow *follow = ctx;

    follow->watch = NULL;
    if (!why || (why->code != E_CLOSED && why->code != E_CONTACT)) {
        follow->callbacks.on_over(why, follow->ctx);
        return;
    }
    if (follow->callbacks.on_lost)
        follow->callbacks.on_lost(why, follow->ctx);
    event_active(follow->restart, EV_TIMEOUT, 0);
}

static void on_restart(evutil_socket_t fd, short what, void *ctx)
{
    struct follow *follow = ctx;

    (void)fd;
    (void)what;
    if (client_session(follow->client))
        start(follow);
    else
        reconnect(follow);
}

struct follow *follow_new(struct client *client, const struct follow_request *request,
                          const struct follow_callbacks *callbacks, void *ctx)
{
    struct follow *follow = xcalloc(1, sizeof(*follow));

    follow->client = client;
    follow->request = *request;
    follow->callbacks = *callbacks;
    follow->ctx = ctx;
    follow->restart = evtimer_new(client_base(client), on_restart, follow);
    event_active(follow->restart, EV_TIMEOUT, 0);
    return follow;
}

struct follow *follow_free(struct follow *follow)
{
    if (!follow)
        return NULL;
    client_watch_cancel(follow->watch);
    event_free(follow->restart);
    if (follow->connecting)
        client_reconnect_cancel(follow->client);
    follow->dropped = follow->in_record;
    if (!follow->dropped)
        free(follow);
    return NULL;
}

bool follow_is_up(const struct follow *follow)
{
    return follow->watch != NULL;
}
