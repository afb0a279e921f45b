/*
 * gate.h - connections between accept and the moment their peer is known, shared out fairly.
 *
 * A guest is such a connection. There are so many places for guests, half of them at most for one
 * peer: an address (of IPv6 its network of 64 bits), or the uid behind a Unix socket. Where places
 * lack, a guest we wait for gives way: of the peer who comes, when that one has its half, else of
 * the peer with the most; first who has said nothing, then who said something, the oldest first.
 * So who says nothing keeps nobody out, whoever he is: not another host, and not another process of
 * his own host, such as a node's daemon. Between peers who have one guest each nobody gives way
 * within GATE_GRACE_MS, so that many hosts that come at once do not chase one another away.
 *
 * Where no guest gives way, because we work for all of them, further connections wait unheard: some
 * accepted, the others in the kernel's queue.
 *
 * Owns its guests, not what they are part of: that ends when it is told to, or by itself. Callbacks
 * run from the loop, and from net_gate_enter.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

#define GATE_GUESTS_MAX                                                                            \
    128u /* unless told otherwise, and where there are 16 descriptors for each */
#define GATE_GRACE_MS  1000
#define GATE_REST_MS   500  /* after accepting failed, for want of descriptors as a rule */
#define GATE_REMARK_MS 1000 /* so often at most it is told who gave way */

struct event_base;
struct net_gate;
struct net_guest;

/*
 * What a guest is silent about: we work for it, it has spoken, or it has said nothing. A guest we
 * work for does not give way.
 */
enum net_silence { GATE_WORKS, GATE_HAS_SPOKEN, GATE_SAID_NOTHING };

struct net_gate_callbacks {
    /* Hands over a guest with its `fd`. The receiver must call net_guest_own at once. */
    void (*on_guest)(struct net_guest *guest, int fd, void *ctx);

    /*
     * Tells the log that accepting failed, or that a guest gave way (and how many since the last
     * remark).
     */
    void (*on_remark)(const struct err *what, void *ctx);
};

/*
 * The kind of object that a guest is part of, until net_guest_leave, which comes before its `fd` is
 * closed.
 */
struct net_owner {
    enum net_silence (*silence_of)(const void *owner);

    /*
     * Makes the owner give way: it closes its connection, and calls net_guest_leave before
     * returning.
     */
    void (*on_evicted)(void *owner);
};

/*
 * Makes a gate. guests_max 0 stands for GATE_GUESTS_MAX, or for a sixteenth of the descriptors of
 * this process when that is less.
 */
struct net_gate *net_gate_new(struct event_base *base, uint32_t guests_max,
                              const struct net_gate_callbacks *callbacks, void *ctx);

/* Frees a gate that all guests have left. NULL is fine. Returns NULL. */
struct net_gate *net_gate_free(struct net_gate *gate);

/* Accepts on a listening socket, which stays the caller's. Each gate has at most one. */
void net_gate_listen(struct net_gate *gate, int fd);

/*
 * Admits a connection that was accepted elsewhere. Returns false when there is no place; `fd` is
 * then still the caller's.
 */
bool net_gate_enter(struct net_gate *gate, int fd);

/* Makes the guest part of `owner`. `kind` must outlive the guest. */
void net_guest_own(struct net_guest *guest, const struct net_owner *kind, void *owner);

/* Frees the guest's place, because its peer is known or gone. NULL is fine. Returns NULL. */
struct net_guest *net_guest_leave(struct net_guest *guest);
