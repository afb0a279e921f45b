/* The agent's door; the test is root, and those who knock. */
#include "unit/check_main.h"

#include <event2/event.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/net/listen.h"
#include "common/rpc/preface.h"
#include "noded/agent/door.h"
#include "noded/priv/channel.h"

struct lab {
    struct event_base *base;
    struct agent_options options;
    struct root *root;
    struct priv_channel *monitor; /* the test's end */
    struct door *door;
    int node_fd; /* who came for the node itself */
};

static void on_node(void *ctx, int fd, struct net_guest *place)
{
    ((struct lab *)ctx)->node_fd = fd;
    net_guest_leave(place);
}

static void on_report(void *ctx, const struct step_report *report)
{
    (void)ctx;
    (void)report;
}

static void on_clean(void *ctx, uint32_t job_id)
{
    (void)ctx;
    (void)job_id;
}

static void on_gone(void *ctx, const struct err *why)
{
    (void)ctx;
    (void)why;
}

/* A port that was free a moment ago. */
static uint16_t free_port(void)
{
    uint16_t port;
    int fd;

    ck_assert_int_eq(net_listen_tcp(NULL, 0, &fd, &port, NULL), 0);
    close(fd);
    return port;
}

static void open_lab(struct lab *lab)
{
    static const struct root_callbacks callbacks = { .on_report = on_report,
                                                     .on_job_clean = on_clean,
                                                     .on_gone = on_gone };
    int ends[2];

    *lab = (struct lab){ .base = event_base_new(), .node_fd = -1 };
    ck_assert_int_eq(priv_socketpair(ends, NULL), 0);
    lab->monitor = priv_channel_new(ends[1]);
    lab->root = root_new(lab->base, ends[0], &callbacks, lab);
    lab->options.port = free_port();
    lab->options.log = log_new_daemon("door", LOG_QUIET);
    lab->door = door_new(lab->base, &lab->options, lab->root, on_node, lab);
}

static void close_lab(struct lab *lab)
{
    root_free(lab->root);
    door_free(lab->door);
    priv_channel_free(lab->monitor);
    if (lab->node_fd >= 0)
        close(lab->node_fd);
    event_base_free(lab->base);
    log_free(lab->options.log);
}

static int knock(const struct lab *lab, const void *bytes, size_t n)
{
    const struct sockaddr_in addr = { .sin_family = AF_INET,
                                      .sin_port = htons(lab->options.port),
                                      .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&addr, sizeof(addr)), 0);
    ck_assert_int_eq(send(fd, bytes, n, MSG_NOSIGNAL), (ssize_t)n);
    return fd;
}

static bool is_closed(struct lab *lab, int fd)
{
    char byte;

    for (int i = 0; i < 1000; i++) {
        ssize_t n = recv(fd, &byte, 1, MSG_DONTWAIT);

        if (n == 0 || (n < 0 && errno == ECONNRESET))
            return true;
        event_base_loop(lab->base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
        usleep(1000);
    }
    return false;
}

START_TEST(a_connection_for_a_step_goes_to_root_with_what_follows_the_preface)
{
    const struct rpc_preface preface = { RPC_TARGET_STEP, 12, 3 };
    struct lab lab;
    struct priv_msg msg;
    uint8_t bytes[RPC_PREFACE_N + 5];
    char rest[6] = "";
    int rc = 0;

    open_lab(&lab);
    rpc_preface_encode(&preface, bytes);
    memcpy(bytes + RPC_PREFACE_N, "hello", 5);
    AUTO_CLOSE int fd = knock(&lab, bytes, sizeof(bytes));
    ck_assert_int_ge(fd, 0);
    while (rc == 0) {
        event_base_loop(lab.base, EVLOOP_ONCE);
        rc = priv_receive(lab.monitor, PRIV_MONITOR, &msg, NULL);
    }

    ck_assert_uint_eq(msg.verb, PRIV_CONNECT);
    ck_assert_uint_eq(priv_connect_decode(&msg).job_id, 12);
    ck_assert_uint_eq(priv_connect_decode(&msg).step_id, 3);
    ck_assert_int_eq(recv(msg.fds[0], rest, 5, MSG_WAITALL), 5);
    ck_assert_str_eq(rest, "hello");
    priv_msg_close(&msg);
    close_lab(&lab);
}
END_TEST

START_TEST(a_connection_that_root_refuses_is_told_why)
{
    const struct rpc_preface preface = { RPC_TARGET_STEP, 12, 3 };
    const struct priv_answer no = { E_ALREADY_DONE, "", 0 };
    AUTO(strbuf) struct strbuf text = { 0 };
    struct lab lab;
    struct priv_msg msg;
    uint8_t bytes[RPC_PREFACE_N], answer[RPC_PREFACE_ANSWER_N];
    int rc = 0;

    open_lab(&lab);
    rpc_preface_encode(&preface, bytes);
    AUTO_CLOSE int fd = knock(&lab, bytes, sizeof(bytes));
    ck_assert_int_ge(fd, 0);
    while (rc == 0) {
        event_base_loop(lab.base, EVLOOP_ONCE);
        rc = priv_receive(lab.monitor, PRIV_MONITOR, &msg, NULL);
    }
    priv_answer_encode(&no, &text);
    struct priv_msg reply = { .verb = PRIV_ANSWER,
                              .request = msg.request,
                              .bytes = (const uint8_t *)text.data,
                              .bytes_n = (uint32_t)text.len };
    priv_msg_close(&msg);
    ck_assert_int_eq(priv_send(lab.monitor, &reply, NULL), 0);
    event_base_loop(lab.base, EVLOOP_ONCE);

    ck_assert_int_eq(recv(fd, answer, sizeof(answer), MSG_WAITALL), sizeof(answer));
    ck_assert_int_eq(rpc_preface_answer_decode(answer), E_ALREADY_DONE);
    ck_assert(is_closed(&lab, fd));
    close_lab(&lab);
}
END_TEST

START_TEST(who_comes_for_the_node_is_the_agents)
{
    const struct rpc_preface preface = { RPC_TARGET_NODE, 0, 0 };
    struct lab lab;
    uint8_t bytes[RPC_PREFACE_N];

    open_lab(&lab);
    rpc_preface_encode(&preface, bytes);
    AUTO_CLOSE int fd = knock(&lab, bytes, sizeof(bytes));
    ck_assert_int_ge(fd, 0);
    while (lab.node_fd < 0)
        event_base_loop(lab.base, EVLOOP_ONCE);
    close_lab(&lab);
}
END_TEST

START_TEST(garbage_is_cut)
{
    struct lab lab;

    open_lab(&lab);
    AUTO_CLOSE int fd = knock(&lab, "GET / HTTP/1.1\r\n", RPC_PREFACE_N);
    ck_assert(is_closed(&lab, fd));
    close_lab(&lab);
}
END_TEST

START_TEST(many_who_say_nothing_or_too_little_do_not_keep_others_out)
{
    const struct rpc_preface preface = { RPC_TARGET_NODE, 0, 0 };
    struct lab lab;
    uint8_t bytes[RPC_PREFACE_N];
    int idle[300];
    int64_t begin;

    open_lab(&lab);
    for (size_t i = 0; i < ARRAY_N(idle); i++)
        idle[i] = knock(&lab, "s", i % 2);
    begin = clock_mono_ms();
    rpc_preface_encode(&preface, bytes);
    AUTO_CLOSE int fd = knock(&lab, bytes, sizeof(bytes));
    ck_assert_int_ge(fd, 0);
    while (lab.node_fd < 0)
        event_base_loop(lab.base, EVLOOP_ONCE);

    ck_assert_int_lt(clock_mono_ms() - begin, DOOR_PREFACE_MS);
    for (size_t i = 0; i < ARRAY_N(idle); i++)
        close(idle[i]);
    close_lab(&lab);
}
END_TEST

CHECK_MAIN(door, CASE(a_connection_for_a_step_goes_to_root_with_what_follows_the_preface),
           CASE(a_connection_that_root_refuses_is_told_why),
           CASE(who_comes_for_the_node_is_the_agents), CASE(garbage_is_cut),
           CASE(many_who_say_nothing_or_too_little_do_not_keep_others_out))
