#include "unit/check_main.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/join/ask.h"
#include "cli/join/desk.h"
#include "cli/join/door.h"
#include "cli/join/exchange.h"
#include "common/base/clock.h"
#include "common/msg/types.h"
#include "common/net/listen.h"

static struct invitation invitation;
static int listen_fd, desk_fds[2];
static char head[32];
static pid_t door;

/* A door in a process of its own, this test is its desk. */
static void open_for(int64_t life_ms)
{
    struct door_options options = { .invitations = &invitation, .invitations_n = 1 };
    uint16_t port;

    invitation =
        (struct invitation){ .host = (char *)(uintptr_t) "w-1", .token = { "0123456789abcde" } };
    ck_assert_int_eq(net_listen_tcp("127.0.0.1", 0, &listen_fd, &port, NULL), 0);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, desk_fds), 0);
    snprintf(head, sizeof(head), "127.0.0.1:%u", port);
    door = fork();
    if (door == 0) {
        close(desk_fds[0]);
        options.listen_fd = listen_fd;
        options.desk_fd = desk_fds[1];
        options.until_ms = clock_mono_ms() + life_ms;
        door_run(&options);
        _exit(0);
    }
    close(desk_fds[1]);
    close(listen_fd);
}

static int ask(const struct token *token, struct err *err)
{
    struct node_hardware hardware = {
        .cpus = 1, .boards = 1, .sockets = 1, .cores_per_socket = 1, .threads_per_core = 1
    };
    struct join_request request = { .host = (char *)(uintptr_t) "w-1", .hardware = &hardware };
    AUTO(join_answer) struct join_answer answer;
    int rc = join_ask(head, token, &request, &answer, err);

    ck_assert(rc < 0 || answer.key.n == 32);
    return rc;
}

/* The desk's part of one joining, in a process of its own. */
static pid_t answer_once(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        uint8_t key[32] = { 0 };
        struct join_file file = { .name = (char *)(uintptr_t) "slurm.conf" };
        struct join_answer answer = { .key = { key, 32 }, .files = &file, .files_n = 1 };
        AUTO(strbuf) struct strbuf body = { 0 };
        struct desk_report report;
        struct desk_answer size = { 0 };

        if (recv(desk_fds[0], &report, sizeof(report), MSG_WAITALL) != sizeof(report))
            _exit(1);
        schema_encode(join_answer_schema(), &answer, &body);
        size.n = (uint32_t)body.len;
        if (write(desk_fds[0], &size, sizeof(size)) != sizeof(size) ||
            write(desk_fds[0], body.data, body.len) != (ssize_t)body.len)
            _exit(1);
        strbuf_clear(&body);
        _exit(0);
    }
    return pid;
}

static bool ends_well(pid_t pid)
{
    int status;

    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

START_TEST(it_closes_when_every_token_was_used)
{
    pid_t desk;

    open_for(30000);
    desk = answer_once();

    ck_assert_int_eq(ask(&invitation.token, NULL), 0);

    ck_assert(ends_well(desk));
    ck_assert(ends_well(door));
}
END_TEST

START_TEST(it_closes_when_the_time_is_over_and_no_token_is_good_then)
{
    struct err err = { 0 };

    open_for(0);

    ck_assert(ends_well(door));
    ck_assert_int_eq(ask(&invitation.token, &err), -E_CONTACT);
    ck_assert_ptr_nonnull(strstr(err.text, "sluice token"));
}
END_TEST

START_TEST(an_unknown_token_does_not_reach_the_desk)
{
    const struct token unknown = { "not a good token" };
    struct pollfd desk;
    struct err err = { 0 };

    open_for(30000);

    ck_assert_int_eq(ask(&unknown, &err), -E_AUTH);
    ck_assert_ptr_nonnull(strstr(err.text, "no such token"));
    desk = (struct pollfd){ .fd = desk_fds[0], .events = POLLIN };
    ck_assert_int_eq(poll(&desk, 1, 0), 0);
    close(desk_fds[0]);
    ck_assert(ends_well(door));
}
END_TEST

static int knock(void)
{
    struct net_addr addr;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    ck_assert_int_eq(
        net_addr_parse("127.0.0.1", (uint16_t)atoi(strchr(head, ':') + 1), &addr, NULL), 0);
    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&addr.storage, addr.n), 0);
    return fd;
}

START_TEST(many_who_say_nothing_do_not_keep_out_who_has_a_token)
{
    int idle[60];
    int64_t begin;
    pid_t desk;

    open_for(60000);
    desk = answer_once();
    for (size_t i = 0; i < ARRAY_N(idle); i++)
        idle[i] = knock();
    begin = clock_mono_ms();

    ck_assert_int_eq(ask(&invitation.token, NULL), 0);

    ck_assert_int_lt(clock_mono_ms() - begin, DOOR_PATIENCE_S * 1000 / 2);
    ck_assert(ends_well(desk));
    for (size_t i = 0; i < ARRAY_N(idle); i++)
        close(idle[i]);
    ck_assert(ends_well(door));
}
END_TEST

/* Bytes of a hello, each in time. */
START_TEST(who_says_a_little_again_and_again_is_sent_away)
{
    static const char header[RPC_FRAME_HEADER] = { 0, 0, 0, 100, 0, MSG_JOIN_HELLO };
    struct pollfd end;
    int64_t begin;

    open_for(60000);
    AUTO_CLOSE int fd = knock();
    end = (struct pollfd){ .fd = fd, .events = POLLIN };
    ck_assert_int_eq(send(fd, header, sizeof(header), MSG_NOSIGNAL), sizeof(header));
    begin = clock_mono_ms();
    while (poll(&end, 1, 500) == 0 && clock_mono_ms() - begin < 3 * DOOR_PATIENCE_S * 1000)
        (void)!send(fd, "\0", 1, MSG_NOSIGNAL);

    ck_assert_int_ge(clock_mono_ms() - begin, DOOR_PATIENCE_S * 1000 - 100);
    ck_assert_int_lt(clock_mono_ms() - begin, 2 * DOOR_PATIENCE_S * 1000);
    close(desk_fds[0]);
    ck_assert(ends_well(door));
}
END_TEST

CHECK_MAIN(cli_join_door, CASE(it_closes_when_every_token_was_used),
           CASE(it_closes_when_the_time_is_over_and_no_token_is_good_then),
           CASE(an_unknown_token_does_not_reach_the_desk),
           CASE(many_who_say_nothing_do_not_keep_out_who_has_a_token),
           CASE(who_says_a_little_again_and_again_is_sent_away))
