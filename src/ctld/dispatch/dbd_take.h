/*
 * dbd_take.h - takes from slurmdbd what it has of the cluster's history and this controller lacks:
 * transactions first, then a copy of the rest, a piece a turn. What is here stays as it is.
 */
#pragma once

#include <stdbool.h>

#include "common/msg/move.h"

struct ctld;
struct rpc_frame;
struct rpc_session;
struct dbd_take;

/* Called when all that slurmdbd had is on disk here. */
typedef void dbd_taken_fn(void *ctx);

struct dbd_take *dbd_take_new(struct ctld *ctld, dbd_taken_fn *on_taken, void *ctx);
struct dbd_take *dbd_take_free(struct dbd_take *take); /* NULL is fine */

/* Asks for all of it on a session with the slurmdbd of that number. */
void dbd_take_begin(struct dbd_take *take, struct rpc_session *session, uint64_t number);

/* The session is gone, with what has not come. */
void dbd_take_stop(struct dbd_take *take);
bool dbd_take_goes_on(const struct dbd_take *take);

/* Take messages of the session: dbd_carried, dbd_turn. */
int dbd_take_carried(struct dbd_take *take, const struct rpc_frame *frame, struct err *err);
int dbd_take_turn(struct dbd_take *take, const struct rpc_frame *frame, struct err *err);

/* To be called when more may be committed. */
void dbd_take_go_on(struct dbd_take *take, uint64_t committed);

/* Fills in how far it is. */
void dbd_take_look(const struct dbd_take *take, struct move_status *ret);
