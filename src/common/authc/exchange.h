/*
 * exchange.h - one request and its reply on the daemon's socket, as steps that never block.
 *
 * Owns its connection and buffers. Inside common/authc only: authc.c drives it with poll(),
 * authc_async.c with a libevent loop.
 */
#pragma once

#include "common/authc/authc.h"
#include "common/authc/wire.h"

enum exchange_next {
    EXCHANGE_DONE,
    EXCHANGE_READ,  /* step again when `fd` is readable */
    EXCHANGE_WRITE, /* step again when `fd` is writable */
    EXCHANGE_RETRY, /* its queue is full, or it restarts: step again in EXCHANGE_RETRY_MS */
};

enum { EXCHANGE_RETRY_MS = 10 };

struct exchange {
    char *path;
    int fd;
    int64_t deadline_ms; /* on clock_mono_ms */
    int timeout_ms;
    int64_t absent_until_ms; /* before that a daemon that is not there is waited for; 0: not */
    struct strbuf request;   /* a whole message; put there by the caller after exchange_init */
    struct strbuf reply;
    struct wire_header header; /* of the reply, valid when header_read */
    bool header_read;
};

void exchange_init(struct exchange *exchange, const struct authc_options *options);
void exchange_clear(struct exchange *exchange);
void exchange_auto_(struct exchange *exchange);

/* Goes on as far as it can without waiting. Returns an exchange_next, or less than 0. */
int exchange_step(struct exchange *exchange, struct err *err);

/* Returns how long poll() may wait now, in milliseconds; 0 when the deadline is over. */
int exchange_left_ms(const struct exchange *exchange);
int exchange_timed_out(const struct exchange *exchange, struct err *err);

/* Returns the body of the reply of a finished exchange. */
const uint8_t *exchange_body(const struct exchange *exchange);
