/*
 * gather.h - bytes of several nodes of a step become known to all of them.
 *
 * Each of the member nodes enters with bytes of its own; when all have, each gets the bytes of all,
 * in the members' order. The first member collects and spreads them, in pieces that fit a frame. A
 * gathering has a name; a member enters one of a name and members again only after the last is
 * done. Pure: pieces leave through `send` and come in by gather_receive.
 */
#pragma once

#include "common/base/err.h"
#include "common/base/strbuf.h"

#define GATHER_BYTES_MAX (256u << 20) /* of one gathering */
#define GATHER_OPEN_MAX  1024u        /* gatherings at one time */

struct gather;

/* Sends `bytes`, an encoded mpi_piece, to the nodes at these positions; never to this node
 * itself. */
typedef void gather_send_fn(void *ctx, const uint32_t *nodes, uint32_t nodes_n,
                            const struct strbuf *bytes);

/* Called with what all nodes gave; NULL bytes: it failed. */
typedef void gather_done_fn(void *arg, const void *bytes, size_t n);

struct gather *gather_new(uint32_t self, uint32_t nodes_n, gather_send_fn *send, void *ctx);
struct gather *gather_free(struct gather *gather);

/* Enters a gathering. `members` are positions, rising, this node among them. `done` may run before
 * this returns. */
int gather_enter(struct gather *gather, const char *name, const uint32_t *members,
                 uint32_t members_n, const void *bytes, size_t n, gather_done_fn *done, void *arg,
                 struct err *err);

/* Takes a piece from another node. Fails with E_PROTO for what no node of ours sends. */
int gather_receive(struct gather *gather, uint32_t from, const void *bytes, size_t n,
                   struct err *err);
