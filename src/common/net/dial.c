#include "common/net/dial.h"

#include <errno.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/base/strbuf.h"

struct net_dial_call {
    struct event_base *base; /* borrowed */
    struct net_addrs addrs;
    uint32_t at; /* being tried */
    int fd;
    struct event *event;
    int64_t deadline_ms;
    struct strbuf failures; /* "ADDRESS: why; ..." */
    int code;               /* of the last failure */
    net_dialed_fn *fn;
    void *arg;
};

struct net_dial_call *net_dial_cancel(struct net_dial_call *call)
{
    if (!call)
        return NULL;
    if (call->event)
        event_free(call->event);
    if (call->fd >= 0)
        close(call->fd);
    net_addrs_clear(&call->addrs);
    strbuf_clear(&call->failures);
    free(call);
    return NULL;
}

static void finish(struct net_dial_call *call)
{
    struct net_addr addr = { 0 };
    struct err err = { 0 };
    net_dialed_fn *fn = call->fn;
    void *arg = call->arg;
    int fd = steal_fd(&call->fd);

    if (fd >= 0)
        addr = call->addrs.addrs[call->at];
    else if (call->addrs.addrs_n == 0)
        err_set(&err, ENOENT, "no address to connect to");
    else
        err_set(&err, call->code, "%.500s", strbuf_text(&call->failures));
    net_dial_cancel(call);
    fn(arg, fd, fd >= 0 ? &addr : NULL, &err);
}

static void note_failure(struct net_dial_call *call, int code)
{
    AUTO_FREE char *where = net_addr_text(&call->addrs.addrs[call->at]);

    if (call->fd >= 0)
        close(call->fd);
    call->fd = -1;
    call->code = code;
    strbuf_addf(&call->failures, "%s%s: %s", call->failures.len ? "; " : "", where,
                code == ETIMEDOUT ? "no answer (timeout)" : strerror(code));
}

/*
 * Returns whether a socket is connected to itself. That happens when a port of this host on which
 * nobody listens is dialled from that very port.
 */
static bool is_own_end(int fd)
{
    struct net_addr own = { .n = sizeof(own.storage) }, peer = { .n = sizeof(peer.storage) };

    return getsockname(fd, (struct sockaddr *)&own.storage, &own.n) == 0 &&
           getpeername(fd, (struct sockaddr *)&peer.storage, &peer.n) == 0 &&
           net_addr_equal(&own, &peer);
}

static int start_connect(struct net_dial_call *call)
{
    const struct net_addr *addr = &call->addrs.addrs[call->at];

    call->fd = socket(addr->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (call->fd < 0)
        return -errno;
    setsockopt(call->fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
    if (connect(call->fd, (const struct sockaddr *)&addr->storage, addr->n) < 0)
        return -errno;
    return 0;
}

static void on_event(evutil_socket_t fd, short what, void *arg);

static void wait_for_connect(struct net_dial_call *call)
{
    int64_t left = call->deadline_ms - clock_mono_ms();
    int64_t share = left > 0 ? left / (call->addrs.addrs_n - call->at) : 0;
    struct timeval wait = { share / 1000, share % 1000 * 1000 };

    call->event = event_new(call->base, call->fd, EV_WRITE, on_event, call);
    event_add(call->event, &wait);
}

/* Tries addresses from call->at on, until one is under way or connected, or none is left. */
static void try_next(struct net_dial_call *call)
{
    for (; call->at < call->addrs.addrs_n; call->at++) {
        int rc = start_connect(call);

        if (rc == -EINPROGRESS) {
            wait_for_connect(call);
            return;
        }
        if (rc == 0 && !is_own_end(call->fd))
            break;
        note_failure(call, rc == 0 ? ECONNREFUSED : -rc);
    }
    finish(call);
}

static int connect_result(struct net_dial_call *call, short what)
{
    int code = 0;
    socklen_t n = sizeof(code);

    if (!(what & EV_WRITE))
        return ETIMEDOUT;
    if (getsockopt(call->fd, SOL_SOCKET, SO_ERROR, &code, &n) < 0)
        return errno;
    return code == 0 && is_own_end(call->fd) ? ECONNREFUSED : code;
}

static void on_event(evutil_socket_t fd, short what, void *arg)
{
    struct net_dial_call *call = arg;
    int code = call->fd >= 0 ? connect_result(call, what) : 0;

    event_free(call->event);
    call->event = NULL;
    if (fd < 0) { /* the first turn */
        try_next(call);
    } else if (code == 0) {
        finish(call);
    } else {
        note_failure(call, code);
        call->at++;
        try_next(call);
    }
}

struct net_dial_call *net_dial_async(struct event_base *base, const struct net_addrs *addrs,
                                     int timeout_ms, net_dialed_fn *fn, void *arg)
{
    struct net_dial_call *call = xcalloc(1, sizeof(*call));

    call->base = base;
    call->fd = -1;
    call->addrs.addrs_n = addrs->addrs_n;
    call->addrs.addrs = xmemdup(addrs->addrs, addrs->addrs_n * sizeof(*addrs->addrs));
    call->deadline_ms = clock_mono_ms() + timeout_ms;
    call->fn = fn;
    call->arg = arg;
    call->event = event_new(base, -1, 0, on_event, call);
    event_active(call->event, EV_TIMEOUT, 0);
    return call;
}

int net_dial_unix(const char *path, int *ret_fd, struct err *err)
{
    struct sockaddr_un addr = { .sun_family = AF_UNIX };
    AUTO_CLOSE int fd = -1;

    if (strlen(path) >= sizeof(addr.sun_path))
        return err_set(err, ENAMETOOLONG, "socket path '%.200s' is longer than %zu bytes", path,
                       sizeof(addr.sun_path) - 1);
    memcpy(addr.sun_path, path, strlen(path));
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&addr, sizeof(addr)) < 0)
        return err_set(err, errno, "socket %s: %s", path, strerror(errno));
    *ret_fd = steal_fd(&fd);
    return 0;
}

int net_dial_abstract(const char *name, int *ret_fd, struct err *err)
{
    struct net_addr addr;
    struct ucred peer = { .uid = (uid_t)-1 };
    socklen_t n = sizeof(peer);
    AUTO_CLOSE int fd = -1;
    int rc = net_addr_abstract(name, &addr, err);

    if (rc < 0)
        return rc;
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&addr.storage, addr.n) < 0 ||
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) < 0)
        return err_set(err, errno, "socket @%s: %s", name, strerror(errno));
    if (peer.uid != geteuid())
        return err_set(err, EACCES, "socket @%s is of uid %u, not of uid %u", name,
                       (unsigned)peer.uid, (unsigned)geteuid());
    *ret_fd = steal_fd(&fd);
    return 0;
}
