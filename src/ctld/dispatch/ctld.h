/*
 * ctld.h - the controller's context, and the turn: what happens between two waits of the loop.
 *
 * Whatever comes in (a request, a report, a timer) ends with ctld_end_turn: the changes it noted go
 * to the store, and every frame it queued, orders and replies alike, waits in the outbox until the
 * store has committed that turn. So nobody is told what is not on disk. Who only looks is answered
 * all the same while the disk takes nothing (lag.h).
 */
#pragma once

#include "common/base/log.h"
#include "common/conf/cgroup_conf.h"
#include "common/conf/slurm_conf.h"
#include "common/crypt/crypt.h"
#include "common/names/names.h"
#include "common/rpc/server.h"
#include "ctld/control/act/act.h"
#include "ctld/control/act/turn.h"
#include "ctld/dispatch/aging.h"
#include "ctld/dispatch/cluster_clock.h"
#include "ctld/dispatch/completion.h"
#include "ctld/dispatch/event_log.h"
#include "ctld/dispatch/meter.h"
#include "ctld/dispatch/outbox.h"
#include "ctld/dispatch/quota.h"
#include "ctld/dispatch/programs.h"
#include "ctld/dispatch/turn_stream.h"
#include "ctld/store/store.h"

struct conn;
struct watch;
struct lag;
struct journal;
struct asked_request;
struct dbd_link;
struct handler;
struct event;
struct net_manager;
struct model_config;

struct ctld {
    struct event_base *base;
    struct log *log;
    struct slurm_conf *conf;
    struct conf_cgroup cgroup; /* only to be shown: nodes act on their own */
    uid_t slurm_uid;
    struct cluster_clock clock;
    struct store *store;
    struct control *control;
    struct names *names;
    struct programs *mails;    /* beside others, which must not wait for a slow mail system */
    struct crypt_sign_key key; /* signs launch credentials */
    int64_t started;           /* wall seconds */

    struct act act;       /* see ctld_act */
    struct turn turn;     /* being built */
    uint64_t turn_number; /* of the last one handed to the store; rises over restarts */
    int64_t looked_ms;    /* cluster time at which the timer last ran */
    struct outbox *outbox;
    struct meter meter;
    struct programs *programs;
    struct completion *completion;
    struct turn_stream *stream; /* of committed changes */
    struct event_log *event_log;
    struct journal *journal;
    struct aging *agings;      /* of all histories that there are, the first of a list */
    struct aging *aging;       /* of the store */
    struct dbd_link *dbd_link; /* NULL: it is a slurmdbd itself */

    struct conn *conns; /* uthash by id */
    uint64_t next_conn_id;
    struct quota *quota; /* of users among them */
    struct lag *lag;
    struct watch *watches;
    struct asked_request *asked;
    struct rpc_server *server;
    struct net_manager *manager; /* of services, NULL: none started us */

    const struct handler *(*find_handler)(uint32_t type);   /* the api's table */
    int (*reconfigure)(struct ctld *ctld, struct err *err); /* reads slurm.conf again */
    int (*obey_conf)(struct ctld *ctld, struct err *err);   /* `conf` was changed in memory */
    void (*fill_config)(const struct ctld *ctld, struct model_config *ret); /* what `conf` says */
    /* Returns the store of what a cluster has told, NULL: none; of a slurmdbd. */
    struct store *(*find_history)(struct ctld *ctld, const char *cluster);
    struct event *timer, *store_event, *more_event, *lag_event;
    bool in_trouble; /* the disk is full, or a database away: nothing is changed until it is not */
    bool lacks_room; /* that was the trouble */
    bool failed;     /* the store is lost: the loop ends, exit status 1 */
};

/* Makes outbox, timers and the store's event. main fills in the fields above `turn` before. */
void ctld_init(struct ctld *ctld);
void ctld_clear(struct ctld *ctld);

struct moment ctld_now(const struct ctld *ctld);

/* Returns the act of this moment without a caller: for a timer, or the end of a turn. The next call
 * overwrites it. */
struct act *ctld_act(struct ctld *ctld);

/* Returns the turn after whose commit what this one says may be told and done. */
uint64_t ctld_turn(const struct ctld *ctld);

/* Plans for a while, hands the turn's changes to the store and its effects to the outbox. */
void ctld_end_turn(struct ctld *ctld);

/* Commits changes of which nobody but the store is told as a turn of their own, and returns its
 * number. What they own is taken over; without any the turn before them counts. */
uint64_t ctld_commit_apart(struct ctld *ctld, struct turn_changes *changes);

/* Sends what was said about committed turns. ctld_end_turn does so; it is needed after a stream was
 * continued outside of a turn. */
void ctld_flush(struct ctld *ctld);

/* Sends a frame when the turn is on disk: ctld_turn, or OUTBOX_AT_ONCE where it tells of nothing
 * that is not. */
void ctld_send(struct conn *conn, uint64_t turn, uint32_t type, uint32_t request, uint32_t flags,
               const void *msg);

/* Sends, as ctld_send does, a message that is encoded already; takes the bytes. */
void ctld_send_body(struct conn *conn, uint64_t turn, uint32_t type, uint32_t request,
                    uint32_t flags, struct strbuf *body);
