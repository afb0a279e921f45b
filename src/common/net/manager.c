#include "common/net/manager.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/base/alloc.h"
#include "common/base/clock.h"

#define DESCRIBE_MS 10000

struct net_manager {
    int fd;
    struct event *timer;
    bool has_watchdog;
    net_describe_fn *describe;
    void *ctx;
    struct strbuf told; /* the description that was sent last */
};

/* Connects to the manager's socket. A name that begins with @ is abstract. */
static int connect_to(const char *path)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    const size_t len = strlen(path);
    int fd;

    if (len < 2 || len >= sizeof(addr.sun_path))
        return -ENAMETOOLONG;
    memcpy(addr.sun_path, path, len);
    if (path[0] == '@')
        addr.sun_path[0] = '\0';
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&addr,
                           (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)) < 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/*
 * Returns the milliseconds between signs of life, which come twice as often as asked; 0 when none
 * are awaited.
 */
static int64_t watchdog_ms(void)
{
    const char *period = getenv("WATCHDOG_USEC");
    const char *pid = getenv("WATCHDOG_PID");

    if (!period || (pid && strtoll(pid, NULL, 10) != getpid()))
        return 0;
    return strtoll(period, NULL, 10) / 2000;
}

static void say(int fd, const char *text)
{
    (void)!send(fd, text, strlen(text), MSG_NOSIGNAL);
}

/* Tells the manager something. A text that is lost is not reported: the next one says the same. */
static void tell(struct net_manager *manager, const char *text)
{
    say(manager->fd, text);
}

static void tell_how_we_are(struct net_manager *manager)
{
    AUTO(strbuf) struct strbuf text = { 0 };

    strbuf_adds(&text, "STATUS=");
    manager->describe(manager->ctx, &text);
    if (strcmp(strbuf_text(&text), strbuf_text(&manager->told)) == 0)
        return;
    tell(manager, text.data);
    strbuf_truncate(&manager->told, 0);
    strbuf_adds(&manager->told, text.data);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct net_manager *manager = arg;

    (void)fd;
    (void)what;
    if (manager->has_watchdog)
        tell(manager, "WATCHDOG=1");
    tell_how_we_are(manager);
}

static int call(void)
{
    const char *path = getenv("NOTIFY_SOCKET");

    return path ? connect_to(path) : -1;
}

struct net_manager *net_manager_new(struct event_base *base, net_describe_fn *describe, void *ctx)
{
    int fd = call();
    int64_t period_ms = watchdog_ms();
    struct net_manager *manager;

    if (fd < 0)
        return NULL;
    manager = xcalloc(1, sizeof(*manager));
    manager->fd = fd;
    manager->has_watchdog = period_ms > 0;
    manager->describe = describe;
    manager->ctx = ctx;
    if (!period_ms || period_ms > DESCRIBE_MS)
        period_ms = DESCRIBE_MS;
    manager->timer = event_new(base, -1, EV_PERSIST, on_timer, manager);
    event_add(manager->timer, &(struct timeval){ period_ms / 1000, period_ms % 1000 * 1000 });
    net_manager_ready(manager);
    return manager;
}

void net_manager_failed(const char *why)
{
    int fd = call();
    AUTO_FREE char *text = xasprintf("STATUS=%.*s", (int)strcspn(why, "\n"), why);

    if (fd < 0)
        return;
    say(fd, text);
    close(fd);
}

void net_manager_reloading(struct net_manager *manager)
{
    AUTO_FREE char *text = NULL;

    if (!manager)
        return;
    text = xasprintf("RELOADING=1\nMONOTONIC_USEC=%llu", (unsigned long long)clock_mono_us());
    tell(manager, text);
}

void net_manager_ready(struct net_manager *manager)
{
    if (!manager)
        return;
    tell(manager, "READY=1");
    tell_how_we_are(manager);
}

struct net_manager *net_manager_free(struct net_manager *manager)
{
    if (!manager)
        return NULL;
    tell(manager, "STOPPING=1");
    event_free(manager->timer);
    close(manager->fd);
    strbuf_clear(&manager->told);
    free(manager);
    return NULL;
}
