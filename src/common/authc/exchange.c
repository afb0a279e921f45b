#include "common/authc/exchange.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/base/clock.h"

const char *authc_socket_path(const struct authc_options *options)
{
    const char *path = options ? options->socket_path : NULL;

    if (!path || !*path)
        path = secure_getenv("MUNGE_SOCKET");
    return path && *path ? path : AUTHC_SOCKET_DEFAULT;
}

void exchange_init(struct exchange *exchange, const struct authc_options *options)
{
    *exchange = (struct exchange){ .path = xstrdup(authc_socket_path(options)), .fd = -1 };
    exchange->timeout_ms = options ? options->timeout_ms : 0;
    if (exchange->timeout_ms <= 0)
        exchange->timeout_ms = AUTHC_TIMEOUT_MS;
    exchange->deadline_ms = clock_mono_ms() + exchange->timeout_ms;
}

void exchange_clear(struct exchange *exchange)
{
    if (exchange->fd >= 0)
        close(exchange->fd);
    free(exchange->path);
    if (exchange->request.data)
        wipe(exchange->request.data, exchange->request.cap);
    if (exchange->reply.data)
        wipe(exchange->reply.data, exchange->reply.cap);
    strbuf_clear(&exchange->request);
    strbuf_clear(&exchange->reply);
    *exchange = (struct exchange){ .fd = -1 };
}

void exchange_auto_(struct exchange *exchange)
{
    exchange_clear(exchange);
}

int exchange_left_ms(const struct exchange *exchange)
{
    int64_t left = exchange->deadline_ms - clock_mono_ms();

    return left > 0 ? (int)left : 0;
}

int exchange_timed_out(const struct exchange *exchange, struct err *err)
{
    return err_set(err, ETIMEDOUT, "the authentication daemon at %s has not answered in %d ms",
                   exchange->path, exchange->timeout_ms);
}

const uint8_t *exchange_body(const struct exchange *exchange)
{
    return (const uint8_t *)exchange->reply.data + WIRE_HEADER_SIZE;
}

static bool is_absent(int code)
{
    return code == ENOENT || code == ECONNREFUSED;
}

static int step_connect(struct exchange *exchange, struct err *err)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    size_t n = strlen(exchange->path);

    if (n >= sizeof(addr.sun_path))
        return err_set(err, ENAMETOOLONG, "socket path '%s': %zu bytes, the limit is %zu",
                       exchange->path, n, sizeof(addr.sun_path) - 1);
    memcpy(addr.sun_path, exchange->path, n);

    AUTO_CLOSE int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return err_set(err, errno, "cannot make a socket: %s", strerror(errno));
    if (connect(fd, (const struct sockaddr *)&addr, sizeof(addr)) < 0) {
        if (errno == EAGAIN || (is_absent(errno) && clock_mono_ms() < exchange->absent_until_ms))
            return EXCHANGE_RETRY;
        return err_set(err, errno, "no authentication daemon at %s: %s (is munged running?)",
                       exchange->path, strerror(errno));
    }
    exchange->fd = steal_fd(&fd);
    return EXCHANGE_DONE;
}

/*
 * Sends some of the request. A daemon that refuses it may hang up before it has read it all; its
 * reply still counts.
 */
static int step_send(struct exchange *exchange, struct err *err)
{
    struct strbuf *out = &exchange->request;

    while (out->len) {
        ssize_t n = send(exchange->fd, out->data, out->len, MSG_NOSIGNAL);

        if (n >= 0)
            strbuf_consume(out, (size_t)n);
        else if (errno == EAGAIN)
            return EXCHANGE_WRITE;
        else if (errno == EPIPE)
            strbuf_truncate(out, 0);
        else if (errno != EINTR)
            return err_set(err, errno, "cannot write to the authentication daemon at %s: %s",
                           exchange->path, strerror(errno));
    }
    return EXCHANGE_DONE;
}

static int closed(const struct exchange *exchange, struct err *err)
{
    return err_set(err, E_CLOSED,
                   "the authentication daemon at %s closed the connection without an answer",
                   exchange->path);
}

static size_t reply_missing(const struct exchange *exchange)
{
    size_t whole = WIRE_HEADER_SIZE + (exchange->header_read ? exchange->header.body_n : 0);

    return whole - exchange->reply.len;
}

static int step_receive(struct exchange *exchange, struct err *err)
{
    struct strbuf *in = &exchange->reply;
    size_t missing;

    while ((missing = reply_missing(exchange)) > 0) {
        ssize_t n = recv(exchange->fd, strbuf_reserve(in, missing), missing, 0);

        if (n > 0)
            strbuf_grown(in, (size_t)n);
        else if (n == 0 || errno == ECONNRESET)
            return closed(exchange, err);
        else if (errno == EAGAIN)
            return EXCHANGE_READ;
        else if (errno != EINTR)
            return err_set(err, errno, "cannot read from the authentication daemon at %s: %s",
                           exchange->path, strerror(errno));
        if (in->len == WIRE_HEADER_SIZE && !exchange->header_read) {
            int rc = wire_parse_header((const uint8_t *)in->data, &exchange->header, err);

            if (rc < 0)
                return err_prefix(err, "%s", exchange->path);
            exchange->header_read = true;
        }
    }
    return EXCHANGE_DONE;
}

int exchange_step(struct exchange *exchange, struct err *err)
{
    int next = EXCHANGE_DONE;

    if (exchange->fd < 0)
        next = step_connect(exchange, err);
    if (next == EXCHANGE_DONE && exchange->request.len)
        next = step_send(exchange, err);
    if (next == EXCHANGE_DONE)
        next = step_receive(exchange, err);
    return next;
}
