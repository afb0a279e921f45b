/* Listening, dialling and resolving, together. */
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/net/dial.h"
#include "common/net/listen.h"
#include "common/net/resolve.h"
#include "unit/check_main.h"

struct result {
    int calls, fd;
    struct net_addrs addrs;
    struct err err;
};

static void on_dialed(void *arg, int fd, const struct net_addr *addr, const struct err *err)
{
    struct result *result = arg;

    ck_assert((fd >= 0) == (addr != NULL));
    result->calls++;
    result->fd = fd;
    result->err = *err;
}

static void on_resolved(void *arg, int rc, const struct net_addrs *addrs, const struct err *err)
{
    struct result *result = arg;

    ck_assert((rc == 0) == (addrs != NULL));
    result->calls++;
    result->err = *err;
    if (addrs)
        *ARRAY_PUSH(result->addrs.addrs, result->addrs.addrs_n) = addrs->addrs[0];
}

static void add(struct net_addrs *list, const char *host, uint16_t port)
{
    struct net_addr addr;

    ck_assert_int_eq(net_addr_parse(host, port, &addr, NULL), 0);
    *ARRAY_PUSH(list->addrs, list->addrs_n) = addr;
}

/* A port that nobody listens on, kept from others by being bound. */
static uint16_t closed_port(int *ret_fd)
{
    struct net_addr addr;

    ck_assert_int_eq(net_addr_parse("127.0.0.1", 0, &addr, NULL), 0);
    *ret_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(*ret_fd, (struct sockaddr *)&addr.storage, addr.n), 0);
    addr.n = sizeof(addr.storage);
    ck_assert_int_eq(getsockname(*ret_fd, (struct sockaddr *)&addr.storage, &addr.n), 0);
    return net_addr_port(&addr);
}

/* ---- dialling ---- */

START_TEST(the_first_address_that_answers_is_taken)
{
    struct event_base *base = event_base_new();
    AUTO(net_addrs) struct net_addrs addrs = { 0 };
    AUTO_CLOSE int listener = -1, held = -1;
    struct result result = { .fd = -1 };
    uint16_t port;

    ck_assert_int_eq(net_listen_tcp("127.0.0.1", 0, &listener, &port, NULL), 0);
    add(&addrs, "127.0.0.1", closed_port(&held));
    add(&addrs, "127.0.0.1", port);
    net_dial_async(base, &addrs, 10000, on_dialed, &result);
    ck_assert_int_eq(result.calls, 0);
    event_base_dispatch(base);

    ck_assert_int_eq(result.calls, 1);
    ck_assert_int_ge(result.fd, 0);
    ck_assert(fcntl(result.fd, F_GETFD) & FD_CLOEXEC);
    close(result.fd);
    event_base_free(base);
}
END_TEST

START_TEST(every_address_that_failed_is_named)
{
    struct event_base *base = event_base_new();
    AUTO(net_addrs) struct net_addrs addrs = { 0 };
    AUTO_CLOSE int held = -1;
    struct result result = { .fd = -1 };
    uint16_t port = closed_port(&held);
    AUTO_FREE char *four = xasprintf("127.0.0.1:%u: Connection refused; ", port);

    add(&addrs, "127.0.0.1", port);
    add(&addrs, "::1", 1);
    net_dial_async(base, &addrs, 10000, on_dialed, &result);
    event_base_dispatch(base);

    ck_assert_int_eq(result.fd, -1);
    ck_assert_msg(strstr(result.err.text, four), "%s", result.err.text);
    ck_assert_msg(strstr(result.err.text, "[::1]:1: "), "%s", result.err.text);
    event_base_free(base);
}
END_TEST

/* A queue of no length that is full: the kernel answers nothing to whoever comes then. */
START_TEST(an_address_that_does_not_answer_times_out)
{
    struct event_base *base = event_base_new();
    AUTO(net_addrs) struct net_addrs addrs = { 0 };
    AUTO_CLOSE int listener = -1;
    struct result result = { .fd = -1 };
    int fillers[4];
    uint16_t port;

    ck_assert_int_eq(net_listen_tcp("127.0.0.1", 0, &listener, &port, NULL), 0);
    ck_assert_int_eq(listen(listener, 0), 0);
    add(&addrs, "127.0.0.1", port);
    for (unsigned i = 0; i < ARRAY_N(fillers); i++) {
        fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        connect(fillers[i], (struct sockaddr *)&addrs.addrs[0].storage, addrs.addrs[0].n);
    }
    net_dial_async(base, &addrs, 50, on_dialed, &result);
    event_base_dispatch(base);

    ck_assert_int_eq(result.err.code, ETIMEDOUT);
    ck_assert_ptr_nonnull(strstr(result.err.text, "no answer (timeout)"));
    for (unsigned i = 0; i < ARRAY_N(fillers); i++)
        close(fillers[i]);
    event_base_free(base);
}
END_TEST

START_TEST(a_cancelled_call_never_answers)
{
    struct event_base *base = event_base_new();
    AUTO(net_addrs) struct net_addrs addrs = { 0 };
    struct result result = { .fd = -1 };

    add(&addrs, "127.0.0.1", 1);
    net_dial_cancel(net_dial_async(base, &addrs, 10000, on_dialed, &result));
    net_resolve_cancel(net_resolve_async(base, "localhost", 1, 10000, on_resolved, &result));
    net_resolve_cancel(net_resolve_async(base, "127.0.0.1", 1, 10000, on_resolved, &result));
    event_base_dispatch(base);

    ck_assert_int_eq(result.calls, 0);
    event_base_free(base);
}
END_TEST

/* ---- resolving ---- */

START_TEST(names_and_numbers_resolve)
{
    static const char *const hosts[] = { "localhost", "127.0.0.1", "::1" };
    struct event_base *base = event_base_new();
    AUTO(net_addrs) struct net_addrs blocking = { 0 };
    struct result result = { 0 };
    struct err err = { 0 };

    ck_assert_msg(net_resolve(hosts[_i], 6817, 10000, &blocking, &err) == 0, "%s", err.text);
    net_resolve_async(base, hosts[_i], 6817, 10000, on_resolved, &result);
    event_base_dispatch(base);

    ck_assert_int_eq(result.calls, 1);
    ck_assert_uint_eq(result.addrs.addrs_n, 1);
    ck_assert(net_addr_equal(&result.addrs.addrs[0], &blocking.addrs[0]));
    ck_assert_uint_eq(net_addr_port(&blocking.addrs[0]), 6817);
    net_addrs_clear(&result.addrs);
    event_base_free(base);
}
END_TEST

START_TEST(a_hopeless_name_fails_by_name)
{
    struct event_base *base = event_base_new();
    char name[NET_HOST_MAX + 2];
    struct net_addrs addrs = { 0 };
    struct result result = { 0 };
    struct err err = { 0 };

    memset(name, 'a', sizeof(name));
    name[NET_HOST_MAX + 1] = '\0';
    ck_assert_int_eq(net_resolve(name, 1, 10000, &addrs, &err), -ENOENT);
    net_resolve_async(base, name, 1, 10000, on_resolved, &result);
    ck_assert_int_eq(result.calls, 0);
    event_base_dispatch(base);

    ck_assert_int_eq(result.err.code, ENOENT);
    ck_assert_ptr_nonnull(strstr(result.err.text, "aaaa"));
    event_base_free(base);
}
END_TEST

/* ---- Unix sockets ---- */

struct place {
    char dir[32];
    char *path;
};

static void place_init(struct place *place)
{
    strcpy(place->dir, "/tmp/connect_test.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(place->dir));
    place->path = xasprintf("%s/socket", place->dir);
}

static void place_clear(struct place *place)
{
    ck_assert_int_eq(rmdir(place->dir), 0); /* nothing is left behind */
    free(place->path);
}

START_TEST(a_unix_socket_has_its_mode_and_is_removed)
{
    struct place place;
    struct net_unix_listener *listener;
    struct stat stat_socket;
    AUTO_CLOSE int fd = -1;

    place_init(&place);
    ck_assert_int_eq(net_listen_unix(place.path, 0666, &listener, NULL), 0);
    ck_assert_int_eq(stat(place.path, &stat_socket), 0);
    ck_assert_uint_eq(stat_socket.st_mode & 0777, 0666);
    ck_assert_int_eq(net_dial_unix(place.path, &fd, NULL), 0);
    net_unix_listener_free(listener);
    ck_assert_int_eq(access(place.path, F_OK), -1);
    place_clear(&place);
}
END_TEST

START_TEST(a_socket_in_use_is_left_alone)
{
    struct place place;
    struct net_unix_listener *listener, *second;
    struct err err = { 0 };

    place_init(&place);
    ck_assert_int_eq(net_listen_unix(place.path, 0600, &listener, NULL), 0);
    ck_assert_int_eq(net_listen_unix(place.path, 0600, &second, &err), -EADDRINUSE);
    ck_assert_ptr_nonnull(strstr(err.text, place.path));
    net_unix_listener_free(listener);
    place_clear(&place);
}
END_TEST

START_TEST(a_socket_left_by_the_dead_is_replaced)
{
    struct place place;
    struct net_unix_listener *listener;
    AUTO_CLOSE int fd = -1;

    place_init(&place);
    ck_assert_int_eq(net_listen_unix(place.path, 0600, &listener, NULL), 0);
    net_unix_listener_drop(listener);
    ck_assert_int_eq(net_dial_unix(place.path, &fd, NULL), -ECONNREFUSED);
    ck_assert_int_eq(net_listen_unix(place.path, 0600, &listener, NULL), 0);
    net_unix_listener_free(listener);
    place_clear(&place);
}
END_TEST

START_TEST(a_file_in_the_way_is_not_removed)
{
    struct place place;
    struct net_unix_listener *listener;
    struct err err = { 0 };

    place_init(&place);
    close(open(place.path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    ck_assert_int_eq(net_listen_unix(place.path, 0600, &listener, &err), -EEXIST);
    ck_assert_int_eq(unlink(place.path), 0);
    place_clear(&place);
}
END_TEST

START_TEST(a_socket_in_another_users_directory_is_as_any_other)
{
    struct place place;
    struct net_unix_listener *listener;
    struct stat stat_socket;
    AUTO_CLOSE int fd = -1;

    place_init(&place);
    if (geteuid() == 0)
        ck_assert_int_eq(chown(place.dir, 65534, (gid_t)-1), 0);
    ck_assert_int_eq(net_listen_unix(place.path, 0660, &listener, NULL), 0);
    ck_assert_int_eq(stat(place.path, &stat_socket), 0);
    ck_assert_uint_eq(stat_socket.st_mode & 0777, 0660);
    ck_assert_int_eq(net_dial_unix(place.path, &fd, NULL), 0);
    net_unix_listener_free(listener);
    place_clear(&place);
}
END_TEST

START_TEST(a_name_without_a_file_leads_to_whoever_has_it)
{
    AUTO_FREE char *name = xasprintf("sluice-connect-test-%d", (int)getpid());
    AUTO_CLOSE int listener = -1, dialled = -1, accepted = -1;
    struct err err = { 0 };
    int none;

    ck_assert_int_eq(net_dial_abstract(name, &none, &err), -ECONNREFUSED);
    ck_assert_int_eq(net_listen_abstract(name, &listener, &err), 0);
    ck_assert_int_eq(net_listen_abstract(name, &none, &err), -EADDRINUSE);
    ck_assert_int_eq(net_dial_abstract(name, &dialled, &err), 0);
    accepted = accept(listener, NULL, NULL);
    ck_assert_int_ge(accepted, 0);
}
END_TEST

START_TEST(a_name_that_another_uid_has_is_not_dialled)
{
    AUTO_FREE char *name = xasprintf("sluice-connect-test-%d", (int)getpid());
    AUTO_CLOSE int listener = -1;
    int fd;

    if (geteuid() != 0)
        return; /* one uid is all there is */
    ck_assert_int_eq(net_listen_abstract(name, &listener, NULL), 0);
    ck_assert_int_eq(seteuid(65534), 0);
    int rc = net_dial_abstract(name, &fd, NULL);
    ck_assert_int_eq(seteuid(0), 0);

    ck_assert_int_eq(rc, -EACCES);
}
END_TEST

START_TEST(a_path_too_long_is_said)
{
    char path[200];
    struct net_unix_listener *listener;
    int fd;

    memset(path, 'p', sizeof(path));
    path[sizeof(path) - 1] = '\0';
    ck_assert_int_eq(net_listen_unix(path, 0600, &listener, NULL), -ENAMETOOLONG);
    ck_assert_int_eq(net_dial_unix(path, &fd, NULL), -ENAMETOOLONG);
    ck_assert_int_eq(net_listen_abstract(path, &fd, NULL), -ENAMETOOLONG);
    ck_assert_int_eq(net_dial_abstract(path, &fd, NULL), -ENAMETOOLONG);
}
END_TEST

CHECK_MAIN(connect, CASE(the_first_address_that_answers_is_taken),
           CASE(every_address_that_failed_is_named),
           CASE(an_address_that_does_not_answer_times_out), CASE(a_cancelled_call_never_answers),
           LOOP_CASE(names_and_numbers_resolve, 3), CASE(a_hopeless_name_fails_by_name),
           CASE(a_unix_socket_has_its_mode_and_is_removed),
           CASE(a_socket_in_another_users_directory_is_as_any_other),
           CASE(a_socket_in_use_is_left_alone), CASE(a_socket_left_by_the_dead_is_replaced),
           CASE(a_file_in_the_way_is_not_removed),
           CASE(a_name_without_a_file_leads_to_whoever_has_it),
           CASE(a_name_that_another_uid_has_is_not_dialled), CASE(a_path_too_long_is_said))
