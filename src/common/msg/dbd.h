/*
 * dbd.h - what a controller and its slurmdbd tell each other (docs/adr/0015-slurmdbd.md).
 *
 * The controller registers; where it has not followed this slurmdbd before, it sends the records
 * that it owns, in pieces. The slurmdbd sends all of its own then, and those that change as they
 * do.
 */
#pragma once

#include "common/msg/change.h"
#include "common/msg/event.h"

#define DBD_REGISTER(FIELD, LIST, PART)                                                            \
    FIELD(1, STR, host, FIELD_REQUIRED, "where the controller is reached")                         \
    FIELD(2, U32, port, 0, "and by which port")                                                    \
    FIELD(3, U64, follows, 0, "number of the slurmdbd that owns its accounts; 0: it does itself")  \
    FIELD(4, STRS, tres, 0, "names that are counted there")                                        \
    FIELD(5, U64, store, 0, "number of its database, drawn when that was made")
SCHEMA_DECLARE(dbd_register, DBD_REGISTER);

#define DBD_REGISTERED(FIELD, LIST, PART)                                                          \
    FIELD(1, U64, number, FIELD_REQUIRED, "of this slurmdbd, for ever")                            \
    FIELD(2, BOOL, asks_own, 0, "the controller is to send the records that it owns")              \
    FIELD(3, U64, applied, 0, "the last turn of this cluster that it has; 0: none yet")            \
    FIELD(4, BOOL, is_other, 0, "its history of the cluster is of another database than `store`")  \
    FIELD(5, U64, carried, 0, "it has transactions of that database up to here (carry_place)")
SCHEMA_DECLARE(dbd_registered, DBD_REGISTERED);

#define DBD_RECORD(FIELD, LIST, PART)                                                              \
    FIELD(1, ENUM, kind, FIELD_REQUIRED, "enum kept_number")                                       \
    FIELD(2, BLOB, record, FIELD_REQUIRED, "encoded, as it is now")
SCHEMA_DECLARE(dbd_record, DBD_RECORD);

/*
 * What a slurmdbd may see of a turn, or a part of that; or a piece of a copy of all that was before
 * the log began. One that ends a turn is answered with dbd_applied when it is on disk.
 */
#define DBD_TURN(FIELD, LIST, PART)                                                                \
    FIELD(1, U64, turn, 0, "its number; of a copy: 0, with its last piece the turn it is as of")   \
    FIELD(2, BOOL, is_end, 0, "the turn, or piece, ends with it")                                  \
    FIELD(3, BOOL, is_copy, 0, "")                                                                 \
    FIELD(4, BOOL, begins, 0, "of a copy: its first piece")                                        \
    LIST(5, change, changes, 0, "in the order they happened")
SCHEMA_DECLARE(dbd_turn, DBD_TURN);

#define DBD_APPLIED(FIELD, LIST, PART) FIELD(1, U64, turn, 0, "of the dbd_turn that is on disk")
SCHEMA_DECLARE(dbd_applied, DBD_APPLIED);

/* A piece of a list of records: so many, or as many as have so many bytes, and one more. */
#define DBD_RECORDS_A_PIECE 500
#define DBD_BYTES_A_PIECE   (512 * 1024)
#define DBD_RECORDS(FIELD, LIST, PART)                                                             \
    FIELD(1, BOOL, is_all, 0, "the list, with all its pieces, is everything that there is")        \
    FIELD(2, BOOL, is_last, 0, "it ends with this piece")                                          \
    LIST(3, dbd_record, records, 0, "")                                                            \
    FIELD(4, ENUM, keep, 0, "enum acct_keep: what holds where records differ")
SCHEMA_DECLARE(dbd_records, DBD_RECORDS);

/* What a cluster's records and those of slurmdbd say differently. */
#define ACCT_CONFLICT_TOLD(FIELD, LIST, PART)                                                      \
    FIELD(1, ENUM, kind, FIELD_REQUIRED, "enum kept_number")                                       \
    FIELD(2, STR, key, FIELD_REQUIRED, "of both")                                                  \
    FIELD(3, STR, how, 0, "for people: in what they differ")
SCHEMA_DECLARE(acct_conflict, ACCT_CONFLICT_TOLD);

/* The cluster's records are not taken, and it owns them still. */
#define DBD_REFUSED(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, conflicts, 0, "so many there are")                                               \
    LIST(2, acct_conflict, first, 0, "some of them")
SCHEMA_DECLARE(dbd_refused, DBD_REFUSED);

/* Transactions of one place on their way to another: of a cluster that comes, before its records,
 * or of slurmdbd, for who takes its history back. */
#define DBD_CARRIED(FIELD, LIST, PART)                                                             \
    FIELD(1, U64, place, FIELD_REQUIRED, "number of the place where they happened")                \
    FIELD(2, U64, until, 0, "and are all of its events up to here (carry_place)")                  \
    LIST(3, event_record, events, 0, "in order")
SCHEMA_DECLARE(dbd_carried, DBD_CARRIED);

/* Asks for all that slurmdbd has of the cluster: dbd_carried, then dbd_turn that are pieces of a
 * copy, each answered with dbd_applied when it is on disk. */
#define DBD_GIVE(FIELD, LIST, PART)                                                                \
    FIELD(1, U64, carried, 0, "its transactions up to here (carry_place) are there")
SCHEMA_DECLARE(dbd_give, DBD_GIVE);
