/*
 * relays.h - one end of the relays between a node of a step and srun (common/msg/io.h).
 *
 * Both ends have one for each other, which outlives connections. Owns what is not acknowledged.
 */
#pragma once

#include "common/msg/io.h"
#include "common/rpc/session.h"

struct relays {
    struct io_relay *kept; /* sent, in order, not acknowledged yet */
    uint32_t kept_n;
    uint64_t sent;     /* number of the last one */
    uint64_t received; /* of the last that came */
};

/* `relay`'s number is filled in, its members are copied. With `session` NULL it goes out later. */
void relays_send(struct relays *relays, struct rpc_session *session, const struct io_relay *relay);

/* Sends again, on a new connection, all that may have been lost. */
void relays_repeat(const struct relays *relays, struct rpc_session *session);

/* True if the relay is new; acknowledges now and then. */
bool relays_take(struct relays *relays, struct rpc_session *session, const struct io_relay *relay);
void relays_acknowledged(struct relays *relays, uint64_t number);
void relays_clear(struct relays *relays);
