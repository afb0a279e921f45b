/* Who comes to a step by a descriptor that others passed on. */
#include "unit/check_main.h"

#include <event2/event.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/net/listen.h"
#include "common/rpc/preface.h"
#include "noded/stdio/visitors.h"
#include "unit/common/net/tcp_pair.h"

struct step {
    struct event_base *base;
    struct visitors *visitors;
};

static void on_look(void *ctx, struct step_sight *ret)
{
    (void)ctx;
    (void)ret;
}

static int on_input(void *ctx, uint32_t task, const void *data, uint32_t n, struct err *err)
{
    (void)ctx;
    (void)task;
    (void)data;
    (void)n;
    (void)err;
    return 0;
}

static void open_step(struct step *step)
{
    static const struct visitors_options options = { .cluster = "lab" };
    static const struct visitors_callbacks callbacks = { on_look, on_input };

    step->base = event_base_new();
    step->visitors = visitors_new(step->base, &options, &callbacks, step);
}

static void close_step(struct step *step)
{
    visitors_free(step->visitors);
    event_base_free(step->base);
}

/* What the other end reads of the answer to its preface; -1: the connection was closed. */
static int answer_to(int fd)
{
    uint8_t bytes[RPC_PREFACE_ANSWER_N];

    return recv(fd, bytes, sizeof(bytes), MSG_WAITALL) == sizeof(bytes)
               ? rpc_preface_answer_decode(bytes)
               : -1;
}

START_TEST(one_who_comes_over_tcp_is_taken)
{
    struct step step;
    int ends[2];

    open_step(&step);
    tcp_pair(ends);
    visitors_take(step.visitors, ends[1]);

    ck_assert_int_eq(answer_to(ends[0]), 0);
    close(ends[0]);
    close_step(&step);
}
END_TEST

/* The kernel would say of it that the peer is whoever listened, or made the pair. */
START_TEST(a_unix_socket_is_not_taken)
{
    struct step step;
    int ends[2];

    open_step(&step);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    visitors_take(step.visitors, ends[1]);

    ck_assert_int_eq(answer_to(ends[0]), -1);
    close(ends[0]);
    close_step(&step);
}
END_TEST

START_TEST(what_is_no_connection_is_not_taken)
{
    struct step step;
    int file = open("/dev/null", O_RDWR | O_CLOEXEC), listener;
    int udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    open_step(&step);
    ck_assert_int_eq(net_listen_tcp("127.0.0.1", 0, &listener, NULL, NULL), 0);
    visitors_take(step.visitors, file);
    visitors_take(step.visitors, udp);
    visitors_take(step.visitors, listener);

    ck_assert_int_lt(fcntl(file, F_GETFD), 0);
    ck_assert_int_lt(fcntl(udp, F_GETFD), 0);
    ck_assert_int_lt(fcntl(listener, F_GETFD), 0);
    close_step(&step);
}
END_TEST

START_TEST(many_who_say_nothing_do_not_keep_others_out)
{
    struct step step;
    int idle[2 * VISITORS_MAX], ends[2];

    open_step(&step);
    for (size_t i = 0; i < ARRAY_N(idle); i++) {
        tcp_pair(ends);
        idle[i] = ends[0];
        visitors_take(step.visitors, ends[1]);
    }
    tcp_pair(ends);
    visitors_take(step.visitors, ends[1]);

    ck_assert_int_eq(answer_to(ends[0]), 0);
    close(ends[0]);
    for (size_t i = 0; i < ARRAY_N(idle); i++)
        close(idle[i]);
    close_step(&step);
}
END_TEST

CHECK_MAIN(visitors, CASE(one_who_comes_over_tcp_is_taken), CASE(a_unix_socket_is_not_taken),
           CASE(what_is_no_connection_is_not_taken),
           CASE(many_who_say_nothing_do_not_keep_others_out))
