/*
 * sight.h - looking at steps and nodes where they are: what the nodes themselves tell.
 */
#pragma once

#include "common/client/visit.h"
#include "common/conf/slurm_conf.h"
#include "common/msg/visit.h"

#define SIGHTS_AT_ONCE 64u /* connections */

/* A question to a node and its answer. Owns all but what the comment says. */
struct sight {
    const char *node; /* NodeName, borrowed, as is the next */
    const char *host; /* where it listens */
    uint16_t port;
    struct rpc_preface preface;
    uint32_t uid;                 /* the step's user */
    const struct node_look *look; /* what is asked of RPC_TARGET_NODE; NULL: only how it is */
    int patience_ms; /* until the answer; 0: VISIT_MS to get there, and then any time */

    struct err why;           /* code 0: the answer came */
    struct step_sight step;   /* of RPC_TARGET_STEP */
    struct node_sight info;   /* of RPC_TARGET_NODE */
    char *release;            /* of the Sluice that answered; NULL: unsaid */
    int64_t asked_s, heard_s; /* this host's clock when the question went and the answer came */
    struct visit *visit;
    struct rpc_session *session;
};

/* Asks all, at most SIGHTS_AT_ONCE at a time, and waits. */
void sights_load(const struct slurm_conf *conf, struct sight *sights, uint32_t n);
void sights_clear(struct sight *sights, uint32_t n);
