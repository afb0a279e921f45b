#include "unit/check_main.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/rpc/session.h"

/* A connected TCP socket whose other end has been reset, as when its process is killed. */
static int reset_socket(void)
{
    struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t n = sizeof(addr);
    AUTO_CLOSE int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), other;

    ck_assert_int_eq(bind(listener, (const struct sockaddr *)&addr, n), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&addr, &n), 0);
    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&addr, n), 0);
    other = accept(listener, NULL, NULL);
    ck_assert_int_eq(
        setsockopt(other, SOL_SOCKET, SO_LINGER, &(struct linger){ 1, 0 }, sizeof(struct linger)),
        0);
    close(other);
    evutil_make_socket_nonblocking(fd);
    return fd;
}

struct ended {
    struct event_base *base;
    int code;
};

static void on_closed(struct rpc_session *session, const struct err *why, void *ctx)
{
    struct ended *ended = ctx;

    (void)session;
    ended->code = why->code;
    event_base_loopbreak(ended->base);
}

START_TEST(a_connection_that_was_reset_at_once_is_closed_and_nothing_worse)
{
    const struct rpc_callbacks callbacks = { .on_closed = on_closed };
    const struct rpc_options options = { .role = RPC_ROLE_CLIENT, .cluster = "c" };
    struct ended ended = { .base = event_base_new() };
    struct rpc_session *session;

    session = rpc_session_new(ended.base, reset_socket(), true, &options, &callbacks, &ended);
    event_base_dispatch(ended.base);

    ck_assert_int_eq(ended.code, E_CLOSED); /* which those who dial take for a restart */
    rpc_session_free(session);
    event_base_free(ended.base);
}
END_TEST

CHECK_MAIN(reset, CASE(a_connection_that_was_reset_at_once_is_closed_and_nothing_worse))
