#include "common/net/gate.h"

#include <event2/event.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utlist.h>

#include "common/base/clock.h"
#include "common/net/addr.h"

#define ACCEPTS_A_TURN  16
#define DESCRIPTORS_FOR 16 /* each place: most are for what comes after */
#define PLACES_MIN      4u

/* For whom a place is counted: an address without the part that a host can choose, or a uid. */
struct peer {
    sa_family_t family;
    uint8_t bytes[8];
};

struct net_guest {
    struct net_gate *gate;
    int fd; /* borrowed while it has a place */
    struct peer peer;
    int64_t since_ms;
    const struct net_owner *kind;
    void *owner;
    struct net_guest *prev, *next;
};

struct net_gate {
    struct event_base *base;
    uint32_t guests_max;
    struct net_gate_callbacks callbacks;
    void *ctx;
    struct net_guest *guests, *waiting; /* the oldest first */
    uint32_t guests_n, waiting_n;
    struct event *listener;
    struct event *again; /* ends a rest; looks at who waits */
    bool rests;          /* accepting failed */
    int64_t remarked_ms;
    uint32_t evicted_n; /* since it was told */
};

/* ---- who it is ---- */

static bool peer_equal(const struct peer *a, const struct peer *b)
{
    return a->family == b->family && memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static void know_uid(int fd, struct peer *ret)
{
    struct ucred cred;
    socklen_t n = sizeof(cred);

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &n) == 0)
        memcpy(ret->bytes, &cred.uid, sizeof(cred.uid));
    else
        ret->family = AF_UNSPEC;
}

/* Finds out who the peer is. Peers whose address can no longer be told share their places. */
static struct peer know(int fd)
{
    struct net_addr addr = { .n = sizeof(addr.storage) };
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)&addr.storage;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&addr.storage;
    struct peer peer = { .family = AF_UNSPEC };

    if (getpeername(fd, (struct sockaddr *)&addr.storage, &addr.n) < 0)
        return peer;
    peer.family = addr.storage.ss_family;
    if (peer.family == AF_UNIX) {
        know_uid(fd, &peer);
    } else if (peer.family == AF_INET) {
        memcpy(peer.bytes, &v4->sin_addr, sizeof(v4->sin_addr));
    } else if (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) {
        peer.family = AF_INET;
        memcpy(peer.bytes, v6->sin6_addr.s6_addr + 12, 4);
    } else {
        memcpy(peer.bytes, v6->sin6_addr.s6_addr, sizeof(peer.bytes));
    }
    return peer;
}

/* Returns how many places one peer may have. */
static uint32_t share(const struct net_gate *gate)
{
    return (gate->guests_max + 1) / 2;
}

static uint32_t count(const struct net_gate *gate, const struct peer *peer)
{
    const struct net_guest *it;
    uint32_t n = 0;

    DL_FOREACH (gate->guests, it)
        n += peer_equal(&it->peer, peer);
    return n;
}

/* ---- giving way ---- */

/* Returns what a guest is silent about. What lies in its socket counts as said. */
static enum net_silence silence_of(const struct net_guest *guest)
{
    enum net_silence silence = guest->kind->silence_of(guest->owner);
    char byte;

    if (silence != GATE_WORKS && recv(guest->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0)
        return GATE_WORKS;
    return silence;
}

/* Returns the guest that gives way first, of `peer` or (NULL) of all; NULL when none does. */
static struct net_guest *find_victim(const struct net_gate *gate, const struct peer *peer)
{
    struct net_guest *it, *victim = NULL;

    DL_FOREACH (gate->guests, it) {
        enum net_silence silence =
            !peer || peer_equal(&it->peer, peer) ? silence_of(it) : GATE_WORKS;

        if (silence == GATE_SAID_NOTHING)
            return it;
        if (silence == GATE_HAS_SPOKEN && !victim)
            victim = it;
    }
    return victim;
}

static const struct peer *find_largest(const struct net_gate *gate, uint32_t *ret_n)
{
    const struct peer *largest = NULL;
    const struct net_guest *it;

    *ret_n = 0;
    DL_FOREACH (gate->guests, it) {
        uint32_t n = count(gate, &it->peer);

        if (n > *ret_n) {
            largest = &it->peer;
            *ret_n = n;
        }
    }
    return largest;
}

/* Returns the guest that gives way to one more of `peer`, which has n guests. */
static struct net_guest *choose(const struct net_gate *gate, const struct peer *peer, uint32_t n)
{
    const struct peer *largest;
    struct net_guest *victim;
    uint32_t largest_n;

    if (n >= share(gate))
        return find_victim(gate, peer);
    largest = find_largest(gate, &largest_n);
    if (largest_n > n + 1)
        return find_victim(gate, largest);
    victim = find_victim(gate, NULL);
    return victim && clock_mono_ms() - victim->since_ms >= GATE_GRACE_MS ? victim : NULL;
}

static void remark_evictions(struct net_gate *gate)
{
    const int64_t now_ms = clock_mono_ms();
    struct err what = { 0 };

    gate->evicted_n++;
    if (gate->remarked_ms && now_ms - gate->remarked_ms < GATE_REMARK_MS)
        return;
    err_set(&what, EBUSY,
            "%u connections that said nothing, or not enough, gave way to others: %u are let in at "
            "a time, half of them of one address or user",
            gate->evicted_n, gate->guests_max);
    gate->remarked_ms = now_ms;
    gate->evicted_n = 0;
    if (gate->callbacks.on_remark)
        gate->callbacks.on_remark(&what, gate->ctx);
}

static bool make_room(struct net_gate *gate, const struct peer *peer)
{
    const uint32_t n = count(gate, peer);
    struct net_guest *victim;

    if (gate->guests_n < gate->guests_max && n < share(gate))
        return true;
    victim = choose(gate, peer, n);
    if (!victim)
        return false;
    victim->kind->on_evicted(victim->owner);
    remark_evictions(gate);
    return true;
}

/* ---- letting in ---- */

static struct net_guest *guest_new(struct net_gate *gate, int fd)
{
    struct net_guest *guest = xcalloc(1, sizeof(*guest));

    *guest = (struct net_guest){ .gate = gate, .fd = fd, .peer = know(fd) };
    return guest;
}

static void let_in(struct net_guest *guest)
{
    struct net_gate *gate = guest->gate;

    guest->since_ms = clock_mono_ms();
    DL_APPEND(gate->guests, guest);
    gate->guests_n++;
    gate->callbacks.on_guest(guest, guest->fd, gate->ctx);
}

bool net_gate_enter(struct net_gate *gate, int fd)
{
    struct net_guest *guest = guest_new(gate, fd);

    if (!make_room(gate, &guest->peer)) {
        free(guest);
        return false;
    }
    let_in(guest);
    return true;
}

static void look_again_in(struct net_gate *gate, int64_t ms)
{
    event_add(gate->again,
              &(struct timeval){ (time_t)(ms / 1000), (suseconds_t)(ms % 1000 * 1000) });
}

static bool has_room_to_wait(const struct net_gate *gate)
{
    return gate->waiting_n < share(gate);
}

static void let_wait(struct net_guest *guest)
{
    struct net_gate *gate = guest->gate;

    DL_APPEND(gate->waiting, guest);
    gate->waiting_n++;
    if (!event_pending(gate->again, EV_TIMEOUT, NULL))
        look_again_in(gate, GATE_GRACE_MS);
    if (!has_room_to_wait(gate))
        event_del(gate->listener);
}

static void rest(struct net_gate *gate, int code)
{
    struct err why = { 0 };

    gate->rests = true;
    event_del(gate->listener);
    look_again_in(gate, GATE_REST_MS);
    err_set(&why, code, "cannot accept a connection: %s; will retry", strerror(code));
    if (gate->callbacks.on_remark)
        gate->callbacks.on_remark(&why, gate->ctx);
}

static void take(struct net_gate *gate, int fd)
{
    struct net_guest *guest = guest_new(gate, fd);

    if (make_room(gate, &guest->peer))
        let_in(guest);
    else
        let_wait(guest);
}

static void on_connection(evutil_socket_t listen_fd, short what, void *arg)
{
    struct net_gate *gate = arg;

    (void)what;
    for (int i = 0; i < ACCEPTS_A_TURN && has_room_to_wait(gate); i++) {
        int fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

        if (fd >= 0)
            take(gate, fd);
        else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            rest(gate, errno);
        if (fd < 0)
            return;
    }
}

/*
 * Admits who waits. The loop calls it because a guest may have left, or been silent for long
 * enough.
 */
static void on_again(evutil_socket_t fd, short what, void *arg)
{
    struct net_gate *gate = arg;
    struct net_guest *guest, *next;

    (void)fd;
    gate->rests &= !(what & EV_TIMEOUT);
    DL_FOREACH_SAFE (gate->waiting, guest, next) {
        if (!make_room(gate, &guest->peer))
            continue;
        DL_DELETE(gate->waiting, guest);
        gate->waiting_n--;
        let_in(guest);
    }
    if (gate->waiting && !event_pending(gate->again, EV_TIMEOUT, NULL))
        look_again_in(gate, GATE_GRACE_MS);
    if (gate->listener && has_room_to_wait(gate) && !gate->rests)
        event_add(gate->listener, NULL);
}

void net_guest_own(struct net_guest *guest, const struct net_owner *kind, void *owner)
{
    guest->kind = kind;
    guest->owner = owner;
}

struct net_guest *net_guest_leave(struct net_guest *guest)
{
    struct net_gate *gate = guest ? guest->gate : NULL;

    if (!guest)
        return NULL;
    DL_DELETE(gate->guests, guest);
    gate->guests_n--;
    free(guest);
    if (gate->waiting)
        event_active(gate->again, EV_READ, 0);
    return NULL;
}

/* ---- the gate ---- */

static uint32_t places(void)
{
    struct rlimit limit;
    rlim_t n = GATE_GUESTS_MAX;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / DESCRIPTORS_FOR < n)
        n = limit.rlim_cur / DESCRIPTORS_FOR;
    return n < PLACES_MIN ? PLACES_MIN : (uint32_t)n;
}

struct net_gate *net_gate_new(struct event_base *base, uint32_t guests_max,
                              const struct net_gate_callbacks *callbacks, void *ctx)
{
    struct net_gate *gate = xcalloc(1, sizeof(*gate));

    gate->base = base;
    gate->guests_max = guests_max ? guests_max : places();
    gate->callbacks = *callbacks;
    gate->ctx = ctx;
    gate->again = event_new(base, -1, 0, on_again, gate);
    return gate;
}

void net_gate_listen(struct net_gate *gate, int fd)
{
    gate->listener = event_new(gate->base, fd, EV_READ | EV_PERSIST, on_connection, gate);
    event_add(gate->listener, NULL);
}

struct net_gate *net_gate_free(struct net_gate *gate)
{
    struct net_guest *guest, *next;

    if (!gate)
        return NULL;
    DL_FOREACH_SAFE (gate->waiting, guest, next) {
        close(guest->fd);
        free(guest);
    }
    if (gate->listener)
        event_free(gate->listener);
    event_free(gate->again);
    free(gate);
    return NULL;
}
