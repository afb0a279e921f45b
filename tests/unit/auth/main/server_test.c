#include "auth/main/server.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "unit/check_main.h"

struct fixture {
    struct event_base *base;
    struct authority *authority;
    struct clock clock;
    struct server *server;
    struct sockaddr_un addr;
    socklen_t addr_n;
    int fd;
};

/* An abstract address: no file, and none to remove. */
static void fixture_init(struct fixture *fixture, int deadline_ms)
{
    struct key key = { .fingerprint = "0011223344556677" };

    *fixture = (struct fixture){ .base = event_base_new() };
    fixture->authority = authority_new(
        &(struct authority_options){ .max_ttl = TTL_MAX_S, .replay_slots_max = REPLAY_SLOTS_MIN });
    cred_keys_derive("the key of this test, long enough", 33, &key.subkeys);
    authority_use_key(fixture->authority, &key);

    fixture->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    fixture->addr.sun_family = AF_UNIX;
    ck_assert_int_eq(
        bind(fixture->fd, (const struct sockaddr *)&fixture->addr, sizeof(sa_family_t)), 0);
    fixture->addr_n = sizeof(fixture->addr);
    getsockname(fixture->fd, (struct sockaddr *)&fixture->addr, &fixture->addr_n);
    ck_assert_int_eq(listen(fixture->fd, 1024), 0);
    fixture->server = server_new(&(struct server_options){ .base = fixture->base,
                                                           .authority = fixture->authority,
                                                           .clock = &fixture->clock,
                                                           .fd = fixture->fd,
                                                           .deadline_ms = deadline_ms });
}

static void fixture_clear(struct fixture *fixture)
{
    server_free(fixture->server);
    authority_free(fixture->authority);
    event_base_free(fixture->base);
    close(fixture->fd);
}

static int client(const struct fixture *fixture)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&fixture->addr, fixture->addr_n), 0);
    return fd;
}

static void say(int fd, const void *bytes, size_t n)
{
    ck_assert_int_eq((int)send(fd, bytes, n, MSG_NOSIGNAL), (int)n);
}

/* One turn of the loop, waiting for something to do at most until a timer of ours. */
static void turn(struct fixture *fixture)
{
    event_base_loopexit(fixture->base, &(struct timeval){ .tv_usec = 5000 });
    event_base_dispatch(fixture->base);
}

enum { STILL_OPEN = -1 };

/* Turns the loop until the daemon hangs up; returns how many bytes came before. */
static int heard_until_end(struct fixture *fixture, int fd, char *into, size_t room)
{
    int64_t give_up = clock_mono_ms() + 20000;
    size_t n = 0;

    while (clock_mono_ms() < give_up) {
        ssize_t got = recv(fd, into + n, room - n, 0);

        if (got == 0 || (got < 0 && errno == ECONNRESET))
            return (int)n;
        if (got > 0)
            n += (size_t)got;
        else
            turn(fixture);
    }
    return STILL_OPEN;
}

static bool is_open(int fd)
{
    char byte;

    return recv(fd, &byte, 1, MSG_PEEK) < 0 && errno == EAGAIN;
}

static struct strbuf request(size_t payload_n)
{
    struct strbuf out = { 0 };
    AUTO_FREE uint8_t *payload = xcalloc(1, payload_n + 1);

    wire_put_encode(&out, &(struct wire_encode){ .cipher = 1,
                                                 .mac = 1,
                                                 .zip = 1,
                                                 .only_uid = WIRE_ANY,
                                                 .only_gid = WIRE_ANY,
                                                 .payload = payload,
                                                 .payload_n = (uint32_t)payload_n });
    return out;
}

static void check_served(struct fixture *fixture, int fd)
{
    AUTO(strbuf) struct strbuf message = request(5);
    char reply[1024];

    say(fd, message.data, message.len);
    int n = heard_until_end(fixture, fd, reply, sizeof(reply));

    ck_assert_int_gt(n, WIRE_HEADER_SIZE + 6);
    ck_assert_mem_eq(reply + WIRE_HEADER_SIZE + 6, "MUNGE:", 6);
    close(fd);
}

START_TEST(half_a_message_held_open_ends_at_its_deadline_and_hurts_nobody)
{
    struct fixture fixture;
    char reply[64];

    fixture_init(&fixture, 1000);
    int64_t began = clock_mono_ms();
    int held = client(&fixture);
    say(held, "\x00\x60\x6d\x4b\x04", 5);

    check_served(&fixture, client(&fixture));
    ck_assert_int_eq(heard_until_end(&fixture, held, reply, sizeof(reply)), 0);
    ck_assert_int_ge(clock_mono_ms() - began, 950);
    close(held);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(a_byte_now_and_then_does_not_move_the_deadline)
{
    AUTO(strbuf) struct strbuf message = request(4000);
    struct fixture fixture;
    size_t sent = 0;
    char byte;

    fixture_init(&fixture, 100);
    int fd = client(&fixture);
    while (recv(fd, &byte, 1, 0) < 0 && errno == EAGAIN && sent < message.len) {
        if (send(fd, message.data + sent, 1, MSG_NOSIGNAL) == 1)
            sent++;
        turn(&fixture);
    }

    ck_assert_uint_lt(sent, message.len / 2);
    close(fd);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(garbage_is_hung_up_on_at_once)
{
    struct fixture fixture;
    char reply[64];

    fixture_init(&fixture, 60000);
    int fd = client(&fixture);
    say(fd, "GET / HTTP/1.1\r\n\r\n", 18);

    ck_assert_int_eq(heard_until_end(&fixture, fd, reply, sizeof(reply)), 0);
    check_served(&fixture, client(&fixture));
    close(fd);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(a_request_in_single_bytes_is_answered)
{
    AUTO(strbuf) struct strbuf message = request(20);
    struct fixture fixture;
    char reply[1024];

    fixture_init(&fixture, 60000);
    int fd = client(&fixture);
    for (size_t i = 0; i < message.len; i++) {
        say(fd, message.data + i, 1);
        event_base_loop(fixture.base, EVLOOP_NONBLOCK);
    }

    ck_assert_int_gt(heard_until_end(&fixture, fd, reply, sizeof(reply)), 100);
    close(fd);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(a_client_that_does_not_take_its_reply_is_left_at_the_deadline)
{
    AUTO(strbuf) struct strbuf message = request(700000);
    AUTO_FREE char *reply = xmalloc(2000000);
    struct fixture fixture;
    size_t sent = 0;

    fixture_init(&fixture, 3000); /* enough for a slow machine to send all */
    int fd = client(&fixture);
    while (sent < message.len) {
        ssize_t n = send(fd, message.data + sent, message.len - sent, MSG_NOSIGNAL);

        if (n > 0)
            sent += (size_t)n;
        event_base_loop(fixture.base, EVLOOP_NONBLOCK);
    }
    check_served(&fixture, client(&fixture));
    int64_t deadline = clock_mono_ms() + 3100;
    while (clock_mono_ms() < deadline)
        turn(&fixture);

    /* What the socket held is there, the rest is not. */
    int n = heard_until_end(&fixture, fd, reply, 2000000);
    ck_assert_int_ge(n, 0);
    ck_assert_int_lt(n, 900000);
    close(fd);
    fixture_clear(&fixture);
}
END_TEST

START_TEST(with_too_many_connections_the_oldest_goes_and_the_newest_is_served)
{
    struct fixture fixture;
    int held[SERVER_CONNECTIONS_MAX];

    fixture_init(&fixture, 60000);
    for (int i = 0; i < SERVER_CONNECTIONS_MAX; i++)
        held[i] = client(&fixture);
    for (int i = 0; i < 2 * SERVER_CONNECTIONS_MAX / 64; i++)
        event_base_loop(fixture.base, EVLOOP_NONBLOCK);
    ck_assert(is_open(held[0]));

    check_served(&fixture, client(&fixture));
    ck_assert(!is_open(held[0]));
    ck_assert(is_open(held[1]));
    check_served(&fixture, held[SERVER_CONNECTIONS_MAX - 1]);
    for (int i = 0; i < SERVER_CONNECTIONS_MAX - 1; i++)
        close(held[i]);
    fixture_clear(&fixture);
}
END_TEST

CHECK_MAIN(server, CASE(half_a_message_held_open_ends_at_its_deadline_and_hurts_nobody),
           CASE(a_byte_now_and_then_does_not_move_the_deadline),
           CASE(garbage_is_hung_up_on_at_once), CASE(a_request_in_single_bytes_is_answered),
           CASE(a_client_that_does_not_take_its_reply_is_left_at_the_deadline),
           CASE(with_too_many_connections_the_oldest_goes_and_the_newest_is_served))
