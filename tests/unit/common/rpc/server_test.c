#include "common/base/clock.h"
#include "common/net/dial.h"
#include "common/net/listen.h"
#include "common/rpc/server.h"
#include "unit/common/rpc/pair.h"

struct house {
    struct event_base *base;
    char dir[32];
    char *path;
    struct net_unix_listener *listener;
    struct rpc_server *server;
    struct rpc_session *session; /* the last one handed over */
    int sessions, refused;
    struct err why;
    struct side guest; /* a client's end */
};

static void on_session(struct rpc_session *session, void *ctx)
{
    struct house *house = ctx;

    rpc_session_free(house->session);
    house->session = session;
    house->sessions++;
}

static void on_refused(const struct err *why, void *ctx)
{
    struct house *house = ctx;

    house->refused++;
    house->why = *why;
}

static void house_open(struct house *house, uint32_t handshakes_max)
{
    static const struct rpc_server_callbacks callbacks = { on_session, on_refused };
    struct rpc_options options = { .role = RPC_ROLE_CONTROLLER,
                                   .cluster = "lab",
                                   .accept_peer = side_accepts_all };

    *house = (struct house){ .base = event_base_new(), .dir = "/tmp/server_test.XXXXXX" };
    ck_assert_ptr_nonnull(mkdtemp(house->dir));
    house->path = xasprintf("%s/socket", house->dir);
    ck_assert_int_eq(net_listen_unix(house->path, 0600, &house->listener, NULL), 0);
    house->server = rpc_server_new(house->base, &options, handshakes_max, &callbacks, house);
    rpc_server_listen(house->server, net_unix_listener_fd(house->listener));
    side_init(&house->guest, RPC_ROLE_CLIENT);
}

static void house_close(struct house *house)
{
    rpc_session_free(house->session);
    rpc_session_free(house->guest.session);
    strbuf_clear(&house->guest.bodies);
    rpc_server_free(house->server);
    net_unix_listener_free(house->listener);
    ck_assert_int_eq(rmdir(house->dir), 0);
    free(house->path);
    event_base_free(house->base);
}

static int connect_raw(struct house *house)
{
    int fd;

    ck_assert_int_eq(net_dial_unix(house->path, &fd, NULL), 0);
    return fd;
}

static void connect_guest(struct house *house)
{
    house->guest.session =
        rpc_session_new(house->base, connect_raw(house), true, &house->guest.options,
                        &house->guest.callbacks, &house->guest);
}

START_TEST(a_ready_session_is_handed_over)
{
    struct house house;

    house_open(&house, 0);
    connect_guest(&house);
    while (!house.guest.ready || !house.sessions)
        event_base_loop(house.base, EVLOOP_ONCE);

    ck_assert(rpc_session_is_ready(house.session));
    ck_assert_uint_eq(rpc_session_peer(house.session)->role, RPC_ROLE_CLIENT);
    ck_assert_int_eq(house.refused, 0);
    house_close(&house);
}
END_TEST

START_TEST(a_handed_over_session_outlives_the_server)
{
    struct house house;

    house_open(&house, 0);
    connect_guest(&house);
    while (!house.guest.ready || !house.sessions)
        event_base_loop(house.base, EVLOOP_ONCE);
    house.server = rpc_server_free(house.server);
    rpc_send(house.session, MSG_PING, 1, 0, NULL);
    while (!house.guest.frames)
        event_base_loop(house.base, EVLOOP_ONCE);

    house_close(&house);
}
END_TEST

START_TEST(a_failed_handshake_is_told_and_forgotten)
{
    struct house house;

    house_open(&house, 0);
    house.guest.options.cluster = "prod";
    connect_guest(&house);
    while (!house.guest.closed || !house.refused)
        event_base_loop(house.base, EVLOOP_ONCE);

    ck_assert_ptr_nonnull(strstr(house.why.text, "ClusterName differs"));
    ck_assert_int_eq(house.sessions, 0);
    house_close(&house);
}
END_TEST

START_TEST(who_says_nothing_does_not_keep_others_out)
{
    struct house house;
    int fds[100];

    house_open(&house, 4);
    for (size_t i = 0; i < ARRAY_N(fds); i++)
        fds[i] = connect_raw(&house);
    connect_guest(&house);
    while (!house.guest.ready || !house.sessions)
        event_base_loop(house.base, EVLOOP_ONCE);

    for (size_t i = 0; i < ARRAY_N(fds); i++)
        close(fds[i]);
    house_close(&house);
}
END_TEST

START_TEST(ready_sessions_do_not_count_against_the_cap)
{
    struct house house;
    struct side others[4];

    house_open(&house, 1);
    for (int i = 0; i < 4; i++) {
        side_init(&others[i], RPC_ROLE_CLIENT);
        others[i].session = rpc_session_new(house.base, connect_raw(&house), true,
                                            &others[i].options, &others[i].callbacks, &others[i]);
    }
    while (house.sessions < 4)
        event_base_loop(house.base, EVLOOP_ONCE);

    for (int i = 0; i < 4; i++)
        rpc_session_free(others[i].session);
    house_close(&house);
}
END_TEST

/* A log is not filled by whoever can reach the port. The clock is not waited for: more than one
 * second may go by on a machine that is busy. */
START_TEST(of_many_that_are_refused_some_are_told)
{
    struct house house;
    const int64_t begin = clock_mono_ms();
    int64_t seconds;

    house_open(&house, 0);
    house.guest.options.cluster = "prod";
    for (int i = 0; i < 100; i++) {
        connect_guest(&house);
        while (!house.guest.closed)
            event_base_loop(house.base, EVLOOP_ONCE);
        house.guest.closed = 0;
        house.guest.session = rpc_session_free(house.guest.session);
    }
    seconds = (clock_mono_ms() - begin) / 1000 + 1;
    ck_assert_int_ge(house.refused, 5);
    ck_assert_int_le(house.refused, 6 * (seconds + 1)); /* and one line for those that are not */
    house_close(&house);
}
END_TEST

CHECK_MAIN(server, CASE(a_ready_session_is_handed_over),
           CASE(a_handed_over_session_outlives_the_server),
           CASE(a_failed_handshake_is_told_and_forgotten),
           CASE(who_says_nothing_does_not_keep_others_out),
           CASE(ready_sessions_do_not_count_against_the_cap),
           CASE(of_many_that_are_refused_some_are_told))
