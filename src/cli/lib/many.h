/*
 * many.h - requests of one kind in number, asked beside one another so that they share the
 * controller's commits.
 */
#pragma once

#include "common/client/client.h"

struct many {
    uint32_t type; /* of the requests */
    /* Message number i, borrowed until the next call. Asked for in their order. */
    const void *(*make)(void *ctx, uint32_t i);
    /* Once for each; NULL: done. E_CLOSED or E_CONTACT: nobody knows whether it was. */
    void (*on_answer)(void *ctx, uint32_t i, const struct err *why);
    void *ctx;
};

/* Asks for 0 to n - 1 and waits for all answers, which come in any order. */
void many_ask(struct client *client, const struct many *many, uint32_t n);
