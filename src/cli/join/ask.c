#include "cli/join/ask.h"

#include <errno.h>
#include <event2/event.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/join/door.h"
#include "cli/join/exchange.h"
#include "common/base/clock.h"
#include "common/net/dial.h"
#include "common/net/resolve.h"

#define DIAL_MS   10000
#define ANSWER_MS 60000 /* its controller reads slurm.conf again meanwhile */
#define TEXT_MAX  200

/* ---- connecting ---- */

struct dialled {
    int fd;
    struct err err;
};

static void on_dialled(void *arg, int fd, const struct net_addr *addr, const struct err *err)
{
    struct dialled *dialled = arg;

    (void)addr;
    dialled->fd = fd;
    if (err)
        dialled->err = *err;
}

static int dial(const char *head, int *ret_fd, struct err *err)
{
    AUTO(net_addrs) struct net_addrs addrs = { 0 };
    AUTO_FREE char *host = NULL;
    struct dialled dialled = { .fd = -1 };
    struct event_base *base;
    uint16_t port;
    int rc = net_host_port_parse(head, DOOR_PORT, &host, &port, err);

    if (rc == 0)
        rc = net_resolve(host, port, DIAL_MS, &addrs, err);
    if (rc < 0)
        return rc;
    base = event_base_new();
    net_dial_async(base, &addrs, DIAL_MS, on_dialled, &dialled);
    event_base_dispatch(base);
    event_base_free(base);
    if (dialled.fd < 0)
        return err_set(err, E_CONTACT,
                       "%s; do tokens still wait there? `sluice token HOST` on %s makes a new one",
                       dialled.err.text, host);
    *ret_fd = dialled.fd;
    return 0;
}

/* ---- bytes ---- */

static int await(int fd, short events, int64_t until_ms, struct err *err)
{
    int64_t left_ms = until_ms - clock_mono_ms();
    struct pollfd wait = { .fd = fd, .events = events };
    int ready = left_ms > 0 ? poll(&wait, 1, (int)left_ms) : 0;

    if (ready == 0)
        return err_set(err, ETIMEDOUT, "the head gives no answer");
    return ready < 0 && errno != EINTR ? err_set(err, errno, "poll: %s", strerror(errno)) : 0;
}

static int send_all(int fd, const struct strbuf *bytes, struct err *err)
{
    int64_t until_ms = clock_mono_ms() + DIAL_MS;

    for (size_t sent = 0; sent < bytes->len;) {
        int rc = await(fd, POLLOUT, until_ms, err);
        ssize_t n = rc < 0 ? -1 : send(fd, bytes->data + sent, bytes->len - sent, MSG_NOSIGNAL);

        if (rc < 0)
            return rc;
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return err_set(err, errno, "the head has closed the connection");
        sent += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static int receive_more(int fd, int64_t until_ms, struct strbuf *in, struct err *err)
{
    int rc = await(fd, POLLIN, until_ms, err);
    ssize_t n = rc < 0 ? -1 : recv(fd, strbuf_reserve(in, 65536), 65536, 0);

    if (rc < 0)
        return rc;
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (n <= 0)
        return err_set(err, E_CLOSED, "the head has closed the connection");
    strbuf_grown(in, (size_t)n);
    return 0;
}

/*
 * Makes an error of the text: its sender has proved nothing, so it is cut, without what a terminal
 * obeys.
 */
static int complain(const struct rpc_frame *frame, struct err *err)
{
    AUTO(msg_error) struct msg_error error;
    char text[TEXT_MAX + 1] = "";
    struct err why = { 0 };

    msg_error_init(&error);
    if (rpc_decode(frame, msg_error_schema(), &error, &why) < 0)
        return err_set(err, E_PROTO, "the head refuses, and does not say why");
    for (size_t i = 0; error.text && i < TEXT_MAX && error.text[i]; i++)
        text[i] = error.text[i] >= ' ' && error.text[i] < 127 ? error.text[i] : '?';
    return err_set(err, E_AUTH, "the head refuses: %s", text);
}

/* ---- the exchange ---- */

static int get_hello(int fd, struct join_exchange *exchange, const struct token *token,
                     struct strbuf *in, struct err *err)
{
    AUTO(join_hello) struct join_hello hello;
    int64_t until_ms = clock_mono_ms() + DIAL_MS;
    struct rpc_frame frame;
    int rc = 0, used;

    join_hello_init(&hello);
    while ((used = rpc_frame_decode(in->data, in->len, TEXT_MAX * 4, &frame, err)) == 0) {
        rc = receive_more(fd, until_ms, in, err);
        if (rc < 0)
            return rc;
    }
    if (used < 0)
        return used;
    if (frame.type == MSG_ERROR)
        return complain(&frame, err);
    rc = join_read_hello(&frame, &hello, err);
    if (rc == 0)
        rc = join_meet(exchange, &frame, &hello, token, err);
    strbuf_consume(in, (size_t)used);
    return rc;
}

/* True for a refusal, which comes in the clear where a sealed answer is expected. */
static bool is_refusal(const struct strbuf *in, struct rpc_frame *ret_frame)
{
    return rpc_frame_decode(in->data, in->len, TEXT_MAX * 4, ret_frame, NULL) > 0 &&
           ret_frame->type == MSG_ERROR;
}

static int get_answer(int fd, struct join_exchange *exchange, struct strbuf *in,
                      struct join_answer *ret_answer, struct err *err)
{
    int64_t until_ms = clock_mono_ms() + ANSWER_MS;
    struct rpc_frame frame;
    int rc = 0;

    while (rc == 0) {
        if (is_refusal(in, &frame))
            return complain(&frame, err);
        rc =
            record_open(exchange->open, (uint8_t *)in->data, in->len, JOIN_ANSWER_MAX, &frame, err);
        if (rc > 0)
            return join_read_answer(&frame, ret_answer, err);
        if (rc == 0)
            rc = receive_more(fd, until_ms, in, err);
    }
    return rc;
}

static int talk(int fd, struct join_exchange *exchange, const struct token *token,
                const struct join_request *request, struct strbuf *in,
                struct join_answer *ret_answer, struct err *err)
{
    AUTO(strbuf) struct strbuf hello = { 0 }, body = { 0 }, sealed = { 0 };
    int rc;

    join_say_hello(exchange, token, &hello);
    rc = send_all(fd, &hello, err);
    if (rc == 0)
        rc = get_hello(fd, exchange, token, in, err);
    if (rc < 0)
        return rc;
    schema_encode(join_request_schema(), request, &body);
    join_seal(exchange, MSG_JOIN_REQUEST, body.data, (uint32_t)body.len, &sealed);
    rc = send_all(fd, &sealed, err);
    return rc < 0 ? rc : get_answer(fd, exchange, in, ret_answer, err);
}

int join_ask(const char *head, const struct token *token, const struct join_request *request,
             struct join_answer *ret_answer, struct err *err)
{
    AUTO(strbuf) struct strbuf in = { 0 };
    AUTO_CLOSE int fd = -1;
    struct join_exchange exchange;
    int rc = dial(head, &fd, err);

    join_answer_init(ret_answer);
    if (rc < 0)
        return rc;
    join_exchange_init(&exchange, true);
    rc = talk(fd, &exchange, token, request, &in, ret_answer, err);
    join_exchange_clear(&exchange);
    if (in.len)
        wipe(in.data, in.cap);
    return rc < 0 ? err_prefix(err, "%s", head) : 0;
}
