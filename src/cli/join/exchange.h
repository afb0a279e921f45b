/*
 * exchange.h - what both sides of a joining say and compute (docs/PROTOCOL.md, "Joining").
 *
 * Pure but for random keys: frames in, frames out; who sends them when is ask.c's and door.c's
 * business. The machine speaks first. A frame's bytes are appended to `out`.
 */
#pragma once

#include "cli/join/token.h"
#include "common/msg/join.h"
#include "common/msg/types.h"
#include "common/rpc/handshake.h"
#include "common/rpc/record.h"
#include "common/rpc/session.h"

#define JOIN_PROTOCOL    1u
#define JOIN_HELLO_MAX   256u         /* bytes of a hello's body */
#define JOIN_REQUEST_MAX 4096u        /* of a request's */
#define JOIN_ANSWER_MAX  RPC_BODY_MAX /* of an answer's */
#define JOIN_HOST_MAX    255

struct join_exchange {
    struct handshake handshake;
    struct record_key *seal, *open; /* once both hellos are there */
};

void join_exchange_init(struct join_exchange *exchange, bool is_machine);
void join_exchange_clear(struct join_exchange *exchange); /* wipes */

/* Appends this side's hello; `token` is the machine's, NULL for the head. */
void join_say_hello(struct join_exchange *exchange, const struct token *token, struct strbuf *out);

/* Reads a frame that must be a hello of this protocol. *ret_hello is to be cleared, also after a
 * failure. */
int join_read_hello(const struct rpc_frame *frame, struct join_hello *ret_hello, struct err *err);

/* Takes the other side's hello after one's own was said: from now on all is sealed. */
int join_meet(struct join_exchange *exchange, const struct rpc_frame *frame,
              const struct join_hello *other, const struct token *token, struct err *err);

/* Appends a sealed frame with this body. */
void join_seal(struct join_exchange *exchange, uint32_t type, const void *body, uint32_t body_n,
               struct strbuf *out);

/* Reads a request; refuses a host name or numbers that cannot stand in slurm.conf. */
int join_read_request(const struct rpc_frame *frame, struct join_request *ret_request,
                      struct err *err);

/*
 * Reads an answer; refuses file names that lead elsewhere than beside slurm.conf, which is the
 * first.
 */
int join_read_answer(const struct rpc_frame *frame, struct join_answer *ret_answer,
                     struct err *err);

/*
 * True if `name` has only letters, digits, '-', '_' and '.', with no '.' in front: what a host or a
 * file may be called here.
 */
bool join_name_is_plain(const char *name, size_t longest);
