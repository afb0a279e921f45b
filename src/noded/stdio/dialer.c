#include "noded/stdio/dialer.h"

#include <errno.h>
#include <event2/event.h>
#include <string.h>

#include "common/msg/step.h"
#include "common/net/dial.h"
#include "common/net/resolve.h"
#include "common/text/words.h"

#define CONTROLLER_TOKEN "@controller"
#define RESOLVE_MS       5000
#define DIAL_MS          5000
#define PAUSE_FIRST_MS   100
#define PAUSE_MOST_MS    2000

struct dialer {
    struct event_base *base;
    char **addresses;
    uint32_t addresses_n, resolved_n;
    char *local; /* name of its Unix socket; NULL: none, or tried */
    char *controller;
    struct net_addrs addrs;
    struct net_resolve_call *resolving;
    struct net_dial_call *dialing;
    struct event *pause;
    int pause_ms; /* 0: the next try is the first */
    struct err why;
    dialer_connected_fn *connected;
    dialer_failed_fn *failed;
    void *ctx;
};

static void try_now(struct dialer *dialer);

static void on_pause(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    try_now(arg);
}

static void add_address(struct dialer *dialer, const char *text)
{
    const char *name;

    if (word_starts(text, STEP_IO_LOCAL, &name))
        xstrset(&dialer->local, name);
    else
        *ARRAY_PUSH(dialer->addresses, dialer->addresses_n) = xstrdup(text);
}

struct dialer *dialer_new(struct event_base *base, char *const *addresses, uint32_t addresses_n,
                          const char *controller, dialer_connected_fn *connected,
                          dialer_failed_fn *failed, void *ctx)
{
    struct dialer *dialer = xcalloc(1, sizeof(*dialer));

    dialer->base = base;
    for (uint32_t i = 0; i < addresses_n; i++)
        add_address(dialer, addresses[i]);
    dialer->controller = xstrdup(controller);
    dialer->pause = evtimer_new(base, on_pause, dialer);
    dialer->connected = connected;
    dialer->failed = failed;
    dialer->ctx = ctx;
    return dialer;
}

struct dialer *dialer_free(struct dialer *dialer)
{
    if (!dialer)
        return NULL;
    net_resolve_cancel(dialer->resolving);
    net_dial_cancel(dialer->dialing);
    event_free(dialer->pause);
    net_addrs_clear(&dialer->addrs);
    for (uint32_t i = 0; i < dialer->addresses_n; i++)
        free(dialer->addresses[i]);
    free(dialer->addresses);
    free(dialer->local);
    free(dialer->controller);
    free(dialer);
    return NULL;
}

const struct err *dialer_why(const struct dialer *dialer)
{
    return &dialer->why;
}

static void has_reached(struct dialer *dialer, int fd, const struct net_addr *addr)
{
    dialer->pause_ms = PAUSE_FIRST_MS / 2; /* before the next connection, should this one break */
    dialer->why = (struct err){ 0 };
    dialer->connected(dialer->ctx, fd, addr);
}

/* Tries the local socket. On another host there is no such socket, or one of somebody else's. */
static bool try_local(struct dialer *dialer)
{
    AUTO_FREE char *name = STEAL(dialer->local);
    int fd;

    if (!name || net_dial_abstract(name, &fd, NULL) < 0)
        return false;
    has_reached(dialer, fd, &dialer->addrs.addrs[0]);
    return true;
}

static void pause_then_try(struct dialer *dialer)
{
    struct timeval wait;

    dialer->pause_ms = dialer->pause_ms ? dialer->pause_ms * 2 : PAUSE_FIRST_MS;
    if (dialer->pause_ms > PAUSE_MOST_MS)
        dialer->pause_ms = PAUSE_MOST_MS;
    wait = (struct timeval){ dialer->pause_ms / 1000, dialer->pause_ms % 1000 * 1000 };
    event_add(dialer->pause, &wait);
}

static void on_dialed(void *arg, int fd, const struct net_addr *addr, const struct err *err)
{
    struct dialer *dialer = arg;

    dialer->dialing = NULL;
    if (fd < 0) {
        dialer->why = *err;
        pause_then_try(dialer);
        dialer->failed(dialer->ctx);
        return;
    }
    has_reached(dialer, fd, addr);
}

static void on_resolved(void *arg, int rc, const struct net_addrs *addrs, const struct err *err)
{
    struct dialer *dialer = arg;

    dialer->resolving = NULL;
    if (rc < 0)
        dialer->why = *err;
    for (uint32_t i = 0; rc >= 0 && i < addrs->addrs_n; i++)
        *ARRAY_PUSH(dialer->addrs.addrs, dialer->addrs.addrs_n) = addrs->addrs[i];
    dialer->resolved_n++;
    try_now(dialer);
}

/* Puts an address in the place of the token; returns false when there is none to put there. */
static bool take_token(const struct dialer *dialer, char **host)
{
    if (strcmp(*host, CONTROLLER_TOKEN) != 0)
        return true;
    xstrset(host, dialer->controller);
    return **host;
}

static void resolve_next(struct dialer *dialer)
{
    AUTO_FREE char *host = NULL;
    uint16_t port;

    while (dialer->resolved_n < dialer->addresses_n) {
        const char *text = dialer->addresses[dialer->resolved_n];

        free(STEAL(host));
        if (net_host_port_parse(text, 0, &host, &port, &dialer->why) == 0 &&
            take_token(dialer, &host)) {
            dialer->resolving =
                net_resolve_async(dialer->base, host, port, RESOLVE_MS, on_resolved, dialer);
            return;
        }
        dialer->resolved_n++;
    }
}

static void try_now(struct dialer *dialer)
{
    resolve_next(dialer);
    if (dialer->resolving)
        return;
    if (dialer->addrs.addrs_n) {
        if (try_local(dialer))
            return;
        dialer->dialing = net_dial_async(dialer->base, &dialer->addrs, DIAL_MS, on_dialed, dialer);
        return;
    }
    if (!dialer->why.code)
        (void)err_set(&dialer->why, EDESTADDRREQ, "no address of srun is known");
    dialer->resolved_n = 0; /* a name may be found later */
    pause_then_try(dialer);
}

void dialer_start(struct dialer *dialer)
{
    if (dialer->pause_ms)
        pause_then_try(dialer);
    else
        try_now(dialer);
    if (!dialer->pause_ms)
        dialer->pause_ms = PAUSE_FIRST_MS;
}
