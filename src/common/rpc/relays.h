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

/*
 * Sends a copy of `relay` and gives it its number. With `session` NULL it is sent by relays_repeat.
 */
void relays_send(struct relays *relays, struct rpc_session *session, const struct io_relay *relay);

/* Sends all relays that may have been lost again, on a new connection. */
void relays_repeat(const struct relays *relays, struct rpc_session *session);

/* Returns true if the relay is new, and acknowledges from time to time. */
bool relays_take(struct relays *relays, struct rpc_session *session, const struct io_relay *relay);
void relays_acknowledged(struct relays *relays, uint64_t number);
void relays_clear(struct relays *relays);
