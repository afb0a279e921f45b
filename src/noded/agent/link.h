/*
 * link.h - the session with slurmctld: found, opened, opened again.
 *
 * Hosts are tried in order; between rounds there is a pause that grows and is never the same on two
 * nodes. While it waits, one line says what it waits for. root makes the session's credential.
 */
#pragma once

#include "common/rpc/session.h"
#include "noded/agent/agent.h"
#include "noded/agent/root.h"

struct link;

struct link_callbacks {
    /* Called when a session stands: register now. */
    void (*on_open)(void *ctx, struct rpc_session *session);
    void (*on_frame)(void *ctx, struct rpc_session *session, const struct rpc_frame *frame);
    /* Called when nothing more can be sent on the session; the next one is on its way. */
    void (*on_lost)(void *ctx);
};

/* Makes the link to the controller, which starts at once; arguments are borrowed. */
struct link *link_new(struct event_base *base, const struct agent_options *options,
                      struct root *root, const struct link_callbacks *callbacks, void *ctx);
struct link *link_free(struct link *link); /* NULL is fine */

/* Returns the session while it stands, or NULL. */
struct rpc_session *link_session(const struct link *link);

/* Returns why the last try came to nothing; code 0: none has failed. */
const struct err *link_trouble(const struct link *link);

/* Tells that the controller has taken us: pauses begin small again. */
void link_is_good(struct link *link);
