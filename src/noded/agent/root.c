#include "noded/agent/root.h"

#include <event2/event.h>

#include "noded/priv/channel.h"

struct asked {
    struct asked *next;
    uint32_t request;
    root_answer_fn *fn;
    void *ctx;
};

struct root {
    struct priv_channel *channel;
    struct event *readable, *writable;
    struct asked *asked;
    uint32_t last_request;
    struct root_callbacks callbacks;
    void *ctx;
};

static void gone(struct root *root, const struct err *why)
{
    event_del(root->readable);
    root->callbacks.on_gone(root->ctx, why);
}

static void on_answer(struct root *root, const struct priv_msg *msg)
{
    struct priv_answer answer = priv_answer_decode(msg);
    AUTO_FREE char *text = answer.text_n ? xstrndup(answer.text, answer.text_n) : xstrdup("");

    for (struct asked **at = &root->asked; *at; at = &(*at)->next) {
        struct asked *it = *at;

        if (it->request != msg->request)
            continue;
        *at = it->next;
        if (it->fn)
            it->fn(it->ctx, answer.code, text);
        free(it);
        return;
    }
}

static void on_report(struct root *root, const struct priv_msg *msg)
{
    AUTO(step_report) struct step_report report;

    if (schema_decode(step_report_schema(), msg->bytes, msg->bytes_n, &report, NULL) == 0)
        root->callbacks.on_report(root->ctx, &report);
}

static void on_hook_report(struct root *root, const struct priv_msg *msg)
{
    AUTO(hook_report) struct hook_report report;

    hook_report_init(&report);
    if (schema_decode(hook_report_schema(), msg->bytes, msg->bytes_n, &report, NULL) == 0)
        root->callbacks.on_hook_report(root->ctx, &report);
}

static void on_msg(struct root *root, const struct priv_msg *msg)
{
    struct bytes in = bytes_of(msg->bytes, msg->bytes_n);

    if (msg->verb == PRIV_ANSWER)
        on_answer(root, msg);
    if (msg->verb == PRIV_STEP_REPORT)
        on_report(root, msg);
    if (msg->verb == PRIV_HOOK_REPORT)
        on_hook_report(root, msg);
    if (msg->verb == PRIV_JOB_CLEAN)
        root->callbacks.on_job_clean(root->ctx, bytes_u32(&in));
    if (msg->verb == PRIV_LOG)
        root->callbacks.on_log(root->ctx, msg->fds[0]);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct root *root = arg;
    struct priv_msg msg;
    struct err err = { 0 };
    int rc;

    (void)fd;
    (void)what;
    while ((rc = priv_receive(root->channel, PRIV_AGENT, &msg, &err)) > 0) {
        on_msg(root, &msg);
        priv_msg_close(&msg);
    }
    if (rc < 0)
        gone(root, &err);
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
    struct root *root = arg;
    struct err err = { 0 };

    (void)fd;
    (void)what;
    if (priv_channel_flush(root->channel, &err) < 0)
        gone(root, &err);
    else if (priv_channel_wants_write(root->channel))
        event_add(root->writable, NULL);
}

struct root *root_new(struct event_base *base, int fd, const struct root_callbacks *callbacks,
                      void *ctx)
{
    struct root *root = xcalloc(1, sizeof(*root));

    root->channel = priv_channel_new(fd);
    root->readable = event_new(base, fd, EV_READ | EV_PERSIST, on_readable, root);
    root->writable = event_new(base, fd, EV_WRITE, on_writable, root);
    root->callbacks = *callbacks;
    root->ctx = ctx;
    event_add(root->readable, NULL);
    return root;
}

struct root *root_free(struct root *root)
{
    if (!root)
        return NULL;
    while (root->asked) {
        struct asked *it = root->asked;

        root->asked = it->next;
        free(it);
    }
    event_free(root->readable);
    event_free(root->writable);
    priv_channel_free(root->channel);
    free(root);
    return NULL;
}

void root_ask(struct root *root, enum priv_verb verb, const struct strbuf *bytes, const int *fds,
              uint32_t fds_n, root_answer_fn *fn, void *ctx)
{
    struct asked *it = xcalloc(1, sizeof(*it));
    struct priv_msg msg = { .verb = verb,
                            .request = ++root->last_request,
                            .bytes = bytes ? (const uint8_t *)bytes->data : NULL,
                            .bytes_n = bytes ? (uint32_t)bytes->len : 0,
                            .fds_n = fds_n };

    *it = (struct asked){ .next = root->asked, .request = msg.request, .fn = fn, .ctx = ctx };
    root->asked = it;
    for (uint32_t i = 0; i < fds_n; i++)
        msg.fds[i] = fds[i];
    (void)priv_send(root->channel, &msg, NULL); /* reading finds out when it is gone */
    if (priv_channel_wants_write(root->channel))
        event_add(root->writable, NULL);
}
