/*
 * server.h - connections on the daemon's socket: a request comes, a reply goes, that is all.
 *
 * Each connection has one deadline for its whole life and a bounded buffer that grows with what
 * really arrives, so that half a message held open costs nobody else anything. When there are too
 * many, the oldest one of the same user goes first. Runs in the loop's thread; never blocks.
 */
#pragma once

#include "auth/proto/authority.h"
#include "common/base/clock.h"
#include "common/base/log.h"

struct event_base;
struct server;

enum {
    SERVER_DEADLINE_MS = 5000,
    SERVER_CONNECTIONS_MAX = 256,
};

struct server_options {
    struct event_base *base; /* borrowed, as all below */
    struct authority *authority;
    struct log *log;
    const struct clock *clock;
    int fd; /* listening; stays the caller's */
    int deadline_ms;
    /* Runs before each request, so that the caller may look after the key. May be NULL. */
    void (*before_request)(void *arg);
    void *arg;
};

struct server *server_new(const struct server_options *options);

/* Drops all connections and frees the server. */
struct server *server_free(struct server *server);
