/* What a service manager hears: this test is one, with a socket of its own. */
#include "common/net/manager.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "unit/check_main.h"

static int listener;
static struct event_base *base;
static const char *how = "well";

/* An abstract name, so that nothing is left behind; the kernel chooses it. */
static void listen_for_it(void)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    socklen_t n = sizeof(addr);
    char name[16];

    listener = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&addr, sizeof(sa_family_t)), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&addr, &n), 0);
    snprintf(name, sizeof(name), "@%.5s", addr.sun_path + 1);
    setenv("NOTIFY_SOCKET", name, 1);
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
    base = event_base_new();
}

static void stop_listening(void)
{
    event_base_free(base);
    close(listener);
}

static void hears(const char *text)
{
    char buf[256] = "";
    ssize_t n = recv(listener, buf, sizeof(buf) - 1, 0);

    ck_assert_str_eq(n < 0 ? "(nothing)" : buf, text);
}

static void describe(void *ctx, struct strbuf *out)
{
    ck_assert_ptr_eq(ctx, &how);
    strbuf_adds(out, how);
}

START_TEST(it_hears_that_we_serve_how_we_are_and_that_we_stop)
{
    struct net_manager *manager;

    manager = net_manager_new(base, describe, &how);
    hears("READY=1");
    hears("STATUS=well");
    net_manager_ready(manager);
    hears("READY=1");
    hears("(nothing)"); /* the same is not said twice */
    how = "better";
    net_manager_ready(manager);
    hears("READY=1");
    hears("STATUS=better");
    ck_assert_ptr_null(net_manager_free(manager));
    hears("STOPPING=1");
}
END_TEST

START_TEST(a_reload_has_its_moment)
{
    struct net_manager *manager = net_manager_new(base, describe, &how);
    char buf[256] = "";
    unsigned long long moment = 0;

    hears("READY=1");
    hears("STATUS=well");
    net_manager_reloading(manager);
    ck_assert_int_gt(recv(listener, buf, sizeof(buf) - 1, 0), 0);
    ck_assert_int_eq(sscanf(buf, "RELOADING=1\nMONOTONIC_USEC=%llu", &moment), 1);
    ck_assert_uint_gt(moment, 0);
    net_manager_free(manager);
}
END_TEST

START_TEST(a_watchdog_is_fed_twice_a_period)
{
    struct net_manager *manager;

    setenv("WATCHDOG_USEC", "20000", 1);
    manager = net_manager_new(base, describe, &how);
    hears("READY=1");
    hears("STATUS=well");
    event_base_loop(base, EVLOOP_ONCE);
    hears("WATCHDOG=1");
    event_base_loop(base, EVLOOP_ONCE);
    hears("WATCHDOG=1");
    hears("(nothing)");
    net_manager_free(manager);
}
END_TEST

START_TEST(anothers_watchdog_is_not_fed)
{
    struct net_manager *manager;

    setenv("WATCHDOG_USEC", "1000", 1);
    setenv("WATCHDOG_PID", "1", 1);
    manager = net_manager_new(base, describe, &how);
    hears("READY=1");
    hears("STATUS=well");
    event_base_loop(base, EVLOOP_NONBLOCK);
    hears("(nothing)");
    net_manager_free(manager);
}
END_TEST

START_TEST(it_hears_in_a_line_why_we_do_not_start)
{
    net_manager_failed("there is no file\nREADY=1");
    hears("STATUS=there is no file");
    hears("(nothing)");
}
END_TEST

START_TEST(without_a_manager_nothing_happens)
{
    unsetenv("NOTIFY_SOCKET");
    net_manager_failed("nobody listens");
    ck_assert_ptr_null(net_manager_new(base, describe, &how));
    setenv("NOTIFY_SOCKET", "/nowhere/at/all", 1);
    ck_assert_ptr_null(net_manager_new(base, describe, &how));
    net_manager_reloading(NULL);
    net_manager_ready(NULL);
    ck_assert_ptr_null(net_manager_free(NULL));
}
END_TEST

CHECK_MAIN_WITH(net_manager, listen_for_it, stop_listening,
                CASE(it_hears_that_we_serve_how_we_are_and_that_we_stop),
                CASE(a_reload_has_its_moment), CASE(a_watchdog_is_fed_twice_a_period),
                CASE(anothers_watchdog_is_not_fed), CASE(it_hears_in_a_line_why_we_do_not_start),
                CASE(without_a_manager_nothing_happens))
