/*
 * orders.h - what the controller orders, made into verbs for root.
 *
 * A launch waits here until its blobs have come. It answers for itself: a launch that root refuses,
 * or that is ended before it began, is reported as HELD_REFUSED.
 */
#pragma once

#include "common/base/log.h"
#include "common/rpc/session.h"
#include "noded/agent/root.h"

struct orders;

/* Reports a step that root does not know of. */
typedef void orders_report_fn(void *ctx, const struct step_report *report);

struct orders *orders_new(struct root *root, struct log *log, orders_report_fn *report, void *ctx);
struct orders *orders_free(struct orders *orders); /* NULL is fine */

/* Returns whether the frame was an order, or an answer that one waited for. */
bool orders_take(struct orders *orders, struct rpc_session *session, const struct rpc_frame *frame);

/* Returns whether the controller that is heard now ordered the launch of this step, which root is
 * about. */
bool orders_is_launching(const struct orders *orders, const struct step_report *step);

/* Drops launches that wait for blobs, since the session is gone: the controller orders them
 * again. */
void orders_session_lost(struct orders *orders);
