/*
 * turn_stream.h - committed changes, in order, to whoever reads them beside the database: JobComp,
 * the log, clients that follow events.
 *
 * A reader names the kinds it takes, and is told of each change once, after its turn is on disk. It
 * may say "not now" and is then asked again: what it has not taken waits, and holds up nobody else.
 * One that falls too far behind is lost: it is told so and has to look at the database.
 */
#pragma once

#include "common/msg/change.h"

struct turn_stream;

#define TURN_STREAM_MAX 65536 /* changes that wait for the slowest reader */
#define TURN_KIND(kind) (1u << (kind))

struct turn_reader {
    uint32_t kinds;                             /* TURN_KIND of enum change_kind, together */
    bool (*wants)(const struct change *change); /* which of these; NULL: all */
    /* Takes the change, which is borrowed; false: not now. Must not add or remove readers. */
    bool (*take)(const struct change *change, uint64_t turn, void *ctx);
    /* Called when it is no reader any more. NULL: it takes always, so that cannot be. */
    void (*on_lost)(void *ctx);
    void *ctx;

    uint64_t next; /* private: number of the change it takes next */
    struct turn_reader *link;
};

struct turn_stream *turn_stream_new(void);
struct turn_stream *turn_stream_free(struct turn_stream *stream); /* NULL is fine */

/* Adds a reader, borrowed until it is removed. It is told of turns offered from now on. */
void turn_stream_add(struct turn_stream *stream, struct turn_reader *reader);
void turn_stream_remove(struct turn_stream *stream, struct turn_reader *reader);

/* Copies what readers want of a turn that is about to be committed. */
void turn_stream_offer(struct turn_stream *stream, const struct turn_changes *changes);

/* Tells readers of turns up to this one, which are on disk. It is also to be called when a reader
 * that said "not now" may be asked again. */
void turn_stream_release(struct turn_stream *stream, uint64_t committed);
