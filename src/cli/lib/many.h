/*
 * many.h - requests of one kind in number, asked beside one another so that they share the
 * controller's commits.
 */
#pragma once

#include "common/client/client.h"

struct many {
    uint32_t type; /* of the requests */
    /* Returns message number i, borrowed until the next call. Called in order of the numbers. */
    const void *(*make)(void *ctx, uint32_t i);
    /*
     * Runs once for each message; `why` is NULL when it was done. For E_CLOSED and E_CONTACT nobody
     * knows whether it was.
     */
    void (*on_answer)(void *ctx, uint32_t i, const struct err *why);
    void *ctx;
};

/* Sends messages 0 to n - 1 and waits for all answers, which come in any order. */
void many_ask(struct client *client, const struct many *many, uint32_t n);
