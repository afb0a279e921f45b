/*
 * blobs.h - scripts and environments pulled from the controller, as memory files that can be handed
 * to root; kept for a while, so that each is pulled once however many steps need it.
 */
#pragma once

#include "common/msg/common.h"

#define BLOBS_KEEP_BYTES (64u << 20)
#define BLOBS_KEEP_N     64u

struct blobs;

struct blobs *blobs_new(void);
struct blobs *blobs_free(struct blobs *blobs); /* NULL is fine */

/* Returns the file of a whole blob, borrowed until the next call, or -1. */
int blobs_find(struct blobs *blobs, const uint8_t sha256[SHA256_BYTES]);

/* Returns true if the blob is on its way: somebody called blobs_begin. */
bool blobs_is_coming(const struct blobs *blobs, const uint8_t sha256[SHA256_BYTES]);
void blobs_begin(struct blobs *blobs, const uint8_t sha256[SHA256_BYTES]);

/* Takes a blob that came without being asked for, in one chunk. One that is wrong is dropped
 * without an error. */
void blobs_take(struct blobs *blobs, const struct blob_chunk *whole);

/* Drops what is on its way: the connection broke, or there is no such blob. */
void blobs_abort(struct blobs *blobs, const uint8_t sha256[SHA256_BYTES]);
void blobs_abort_all(struct blobs *blobs);

/* Takes a chunk. Returns 1 when that was the last one and the blob is whole; fails on any
 * disorder. */
int blobs_chunk(struct blobs *blobs, const struct blob_chunk *chunk, struct err *err);
