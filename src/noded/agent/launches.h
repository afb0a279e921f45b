/*
 * launches.h - launches on their way from the controller to root.
 *
 * A launch waits here until its blobs have come. It answers for itself: a launch that root refuses,
 * or that is ended before it began, is reported as HELD_REFUSED.
 */
#pragma once

#include "common/base/log.h"
#include "common/rpc/session.h"
#include "noded/agent/root.h"

/* Requests of launches have this number or higher ones; the agent's own are below. */
#define LAUNCHES_REQUEST_MIN 1000u

struct launches;

/* Reports a step that root does not know of. */
typedef void launches_report_fn(void *ctx, const struct step_report *report);

struct launches *launches_new(struct root *root, struct log *log, launches_report_fn *report,
                              void *ctx);
struct launches *launches_free(struct launches *launches); /* NULL is fine */

/* Takes an order that the controller sends on this session. */
int launches_order(struct launches *launches, struct rpc_session *session,
                   const struct order_launch *order, struct err *err);

/* Returns whether the controller ordered this launch in the session that there is, and root is not
 * done with it. */
bool launches_is_ordered(const struct launches *launches, const struct step_report *step);

/* Refuses launches that have not begun and are to end. */
void launches_drop(struct launches *launches, const struct priv_end *end);

int launches_chunk(struct launches *launches, struct rpc_session *session,
                   const struct blob_chunk *chunk, struct err *err);

/* Takes the end of a stream of chunks, or the reason why there is none; returns false when the
 * frame is neither. */
bool launches_take_end(struct launches *launches, const struct rpc_frame *frame);

/* Drops launches that wait for blobs, since the session is gone: the controller orders them
 * again. */
void launches_session_lost(struct launches *launches);
