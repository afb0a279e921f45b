/*
 * give.h - gives a controller what this slurmdbd has of its cluster: transactions, then a copy of
 * the history, one piece under way at a time.
 */
#pragma once

#include <stdint.h>

struct dbd;
struct give;
struct store;

/* Called when the controller has all of it on its disk. */
typedef void give_done_fn(void *ctx);

struct give *give_new(struct dbd *dbd, give_done_fn *on_done, void *ctx);
struct give *give_free(struct give *give); /* NULL is fine */

/* Begins for a connection, whose controller has the database of that number and transactions up to
 * `carried`. */
void give_begin(struct give *give, uint64_t conn_id, struct store *store, uint64_t number,
                uint64_t carried);

/* The connection is gone, or another one speaks. */
void give_stop(struct give *give);

/* The piece that was sent last is on the controller's disk. */
void give_applied(struct give *give, uint64_t turn);
