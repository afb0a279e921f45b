/* Who has a place before it is known who he is, and who gives way. */
#include "unit/check_main.h"

#include <arpa/inet.h>
#include <event2/event.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/net/gate.h"
#include "common/net/listen.h"

#define GUESTS_MAX 8

struct visitor {
    struct house *house;
    struct net_guest *guest;
    int fd;
    bool works;
};

struct house {
    struct event_base *base;
    struct net_gate *gate;
    int listen_fd;
    uint16_t port;
    struct visitor visitors[64]; /* in the order they came */
    int came_n, evicted_n, remarks_n;
};

static void leave(struct visitor *visitor)
{
    visitor->guest = net_guest_leave(visitor->guest);
    close(visitor->fd);
}

static enum net_silence silence_of(const void *owner)
{
    return ((const struct visitor *)owner)->works ? GATE_WORKS : GATE_SAID_NOTHING;
}

static void on_evicted(void *owner)
{
    struct visitor *visitor = owner;

    visitor->house->evicted_n++;
    leave(visitor);
}

static void on_guest(struct net_guest *guest, int fd, void *ctx)
{
    static const struct net_owner kind = { silence_of, on_evicted };
    struct house *house = ctx;
    struct visitor *visitor = &house->visitors[house->came_n++];

    *visitor = (struct visitor){ house, guest, fd, false };
    net_guest_own(guest, &kind, visitor);
}

static void on_remark(const struct err *what, void *ctx)
{
    ck_assert_int_eq(what->code, EBUSY);
    ((struct house *)ctx)->remarks_n++;
}

static void open_house(struct house *house)
{
    static const struct net_gate_callbacks callbacks = { on_guest, on_remark };

    *house = (struct house){ .base = event_base_new() };
    house->gate = net_gate_new(house->base, GUESTS_MAX, &callbacks, house);
    ck_assert_int_eq(net_listen_tcp("0.0.0.0", 0, &house->listen_fd, &house->port, NULL), 0);
    net_gate_listen(house->gate, house->listen_fd);
}

static void close_house(struct house *house)
{
    for (int i = 0; i < house->came_n; i++) {
        if (house->visitors[i].guest)
            leave(&house->visitors[i]);
    }
    net_gate_free(house->gate);
    close(house->listen_fd);
    event_base_free(house->base);
}

/* From 127.0.0.HOST. */
static int knock(const struct house *house, uint32_t host)
{
    const struct sockaddr_in from = { .sin_family = AF_INET,
                                      .sin_addr.s_addr = htonl(0x7f000000u + host) };
    const struct sockaddr_in to = { .sin_family = AF_INET,
                                    .sin_port = htons(house->port),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&from, sizeof(from)), 0);
    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&to, sizeof(to)), 0);
    return fd;
}

static void knock_often(struct house *house, uint32_t host, int *fds, int n)
{
    for (int i = 0; i < n; i++)
        fds[i] = knock(house, host);
}

static void close_all(const int *fds, int n)
{
    for (int i = 0; i < n; i++)
        close(fds[i]);
}

/* All that is to be done without waiting. */
static void settle(struct house *house)
{
    for (int i = 0; i < 20; i++)
        event_base_loop(house->base, EVLOOP_NONBLOCK);
}

/* Whether who came as number `i` still has its place. */
static bool is_in(const struct house *house, int i)
{
    return i < house->came_n && house->visitors[i].guest;
}

START_TEST(one_peer_has_half_of_the_places_and_its_oldest_gives_way)
{
    struct house house;
    int fds[10];

    open_house(&house);
    knock_often(&house, 1, fds, 10);
    settle(&house);

    ck_assert_int_eq(house.came_n, 10);
    ck_assert_int_eq(house.evicted_n, 6);
    ck_assert(!is_in(&house, 5));
    ck_assert(is_in(&house, 6));
    ck_assert_int_eq(house.remarks_n, 1);
    close_all(fds, 10);
    close_house(&house);
}
END_TEST

START_TEST(of_another_peer_nobody_gives_way)
{
    struct house house;
    int other, fds[20];

    open_house(&house);
    other = knock(&house, 2);
    settle(&house);
    knock_often(&house, 1, fds, 20);
    settle(&house);

    ck_assert(is_in(&house, 0));
    ck_assert_int_eq(house.evicted_n, 16);
    close(other);
    close_all(fds, 20);
    close_house(&house);
}
END_TEST

START_TEST(where_all_is_taken_who_has_most_makes_room)
{
    struct house house;
    int third, fds[8];

    open_house(&house);
    knock_often(&house, 1, fds, 4);
    knock_often(&house, 2, fds + 4, 4);
    settle(&house);
    third = knock(&house, 3);
    settle(&house);

    ck_assert_int_eq(house.evicted_n, 1);
    ck_assert(is_in(&house, 8));
    close(third);
    close_all(fds, 8);
    close_house(&house);
}
END_TEST

START_TEST(who_is_worked_for_does_not_give_way_and_others_wait_until_it_leaves)
{
    struct house house;
    int other, fds[5];

    open_house(&house);
    knock_often(&house, 1, fds, 4);
    settle(&house);
    for (int i = 0; i < 4; i++)
        house.visitors[i].works = true;
    fds[4] = knock(&house, 1);
    settle(&house);
    ck_assert_int_eq(house.came_n, 4);

    other = knock(&house, 2); /* not kept out by the one that waits */
    settle(&house);
    ck_assert_int_eq(house.came_n, 5);
    leave(&house.visitors[2]);
    settle(&house);

    ck_assert_int_eq(house.came_n, 6);
    ck_assert_int_eq(house.evicted_n, 0);
    close(other);
    close_all(fds, 5);
    close_house(&house);
}
END_TEST

START_TEST(who_has_said_something_that_was_not_heard_yet_does_not_give_way)
{
    struct house house;
    int fds[5];

    open_house(&house);
    knock_often(&house, 1, fds, 4);
    settle(&house);
    ck_assert_int_eq(send(fds[0], "x", 1, MSG_NOSIGNAL), 1);
    fds[4] = knock(&house, 1);
    settle(&house);

    ck_assert(is_in(&house, 0));
    ck_assert(!is_in(&house, 1));
    close_all(fds, 5);
    close_house(&house);
}
END_TEST

START_TEST(of_many_peers_with_one_each_nobody_gives_way_at_once)
{
    struct house house;
    int fds[9];

    open_house(&house);
    for (int i = 0; i < 9; i++)
        fds[i] = knock(&house, (uint32_t)i + 1);
    settle(&house);
    ck_assert_int_eq(house.came_n, 8);
    ck_assert_int_eq(house.evicted_n, 0);

    while (house.came_n < 9) /* but in the end */
        event_base_loop(house.base, EVLOOP_ONCE);
    ck_assert_int_eq(house.evicted_n, 1);
    close_all(fds, 9);
    close_house(&house);
}
END_TEST

START_TEST(one_that_was_accepted_elsewhere_is_counted_too)
{
    struct house house;
    int ends[2];

    open_house(&house);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        ck_assert(net_gate_enter(house.gate, ends[0]));
        house.visitors[i].works = true;
        close(ends[1]);
    }
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);

    ck_assert(!net_gate_enter(house.gate, ends[0]));

    close(ends[0]);
    close(ends[1]);
    close_house(&house);
}
END_TEST

CHECK_MAIN(gate, CASE(one_peer_has_half_of_the_places_and_its_oldest_gives_way),
           CASE(of_another_peer_nobody_gives_way), CASE(where_all_is_taken_who_has_most_makes_room),
           CASE(who_is_worked_for_does_not_give_way_and_others_wait_until_it_leaves),
           CASE(who_has_said_something_that_was_not_heard_yet_does_not_give_way),
           CASE(of_many_peers_with_one_each_nobody_gives_way_at_once),
           CASE(one_that_was_accepted_elsewhere_is_counted_too))
