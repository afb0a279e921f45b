/*
 * sight.h - looking at steps and nodes where they are: what the nodes themselves tell.
 */
#pragma once

#include "cli/lib/command.h"
#include "common/client/visit.h"
#include "common/msg/visit.h"

#define SIGHTS_AT_ONCE 64u /* connections */

/* One question and its answer. Owns all but what the comment says. */
struct sight {
    const char *node; /* NodeName, borrowed, as is the next */
    const char *host; /* where it listens */
    uint16_t port;
    struct rpc_preface preface;
    uint32_t uid; /* the step's user */

    struct err why;         /* code 0: the answer came */
    struct step_sight step; /* of RPC_TARGET_STEP */
    struct node_sight info; /* of RPC_TARGET_NODE */
    struct visit *visit;
    struct rpc_session *session;
};

/* Asks all, at most SIGHTS_AT_ONCE at a time, and waits. `command` has its conf. */
void sights_load(const struct command *command, struct sight *sights, uint32_t n);
void sights_clear(struct sight *sights, uint32_t n);
