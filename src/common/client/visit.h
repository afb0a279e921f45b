/*
 * visit.h - opens a session straight to a node, or to a step's part there: it dials SlurmdPort,
 * sends the preface, and does the handshake.
 */
#pragma once

#include "common/rpc/preface.h"
#include "common/rpc/session.h"

struct event_base;
struct visit;

#define VISIT_MS 10000 /* until the session stands, when nothing else is said */

/* Where and whom to visit. visit_start copies it, strings included. */
struct visit_target {
    const char *node; /* NodeName; a node must prove to be this one */
    const char *host; /* where it listens */
    uint16_t port;
    struct rpc_preface preface;
    const char *cluster;
    uid_t uid; /* whom the step runs as, (uid_t)-1: anybody; a node may answer as root, too */
    struct authc_options authc;
    struct clock clock;
    int timeout_ms;        /* 0: VISIT_MS */
    uint32_t heartbeat_ms; /* see rpc_options */
    size_t backlog_max;
};

/*
 * Takes the result of a visit. It runs once, from the loop and never from inside the call. It gets
 * a session that is ready and now its own, or NULL and an error that names the node. The handle is
 * gone when it runs; cancelling before that makes it never run.
 */
typedef void visited_fn(void *arg, struct rpc_session *session, const struct err *err);
struct visit *visit_start(struct event_base *base, const struct visit_target *target,
                          visited_fn *fn, void *arg);
struct visit *visit_cancel(struct visit *visit); /* NULL is fine */
