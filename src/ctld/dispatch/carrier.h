/*
 * carrier.h - reads the transactions of this daemon's store, a page at a time, for another place
 * (control/acct/carry.h).
 */
#pragma once

#include "common/msg/dbd.h"

struct ctld;
struct carrier;

/* Called with each page, which is borrowed, until one is the last; or with an error. */
typedef void carrier_page_fn(const struct dbd_carried *page, bool is_last, const struct err *err,
                             void *ctx);

struct carrier *carrier_new(struct ctld *ctld, carrier_page_fn *on_page, void *ctx);
struct carrier *carrier_free(struct carrier *carrier); /* NULL is fine */

/* Begins behind a place; `own` is the number of this one, `other` of who is told. */
void carrier_begin(struct carrier *carrier, uint64_t own, uint64_t other, uint64_t after);

/* There is nobody to be told any more. */
void carrier_stop(struct carrier *carrier);
