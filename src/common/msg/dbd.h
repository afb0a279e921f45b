/*
 * dbd.h - what a controller and its slurmdbd tell each other (docs/adr/0015-slurmdbd.md).
 *
 * The controller registers; where it has not followed this slurmdbd before, it sends the records
 * that it owns, in pieces. The slurmdbd sends all of its own then, and those that change as they
 * do.
 */
#pragma once

#include "common/msg/change.h"

#define DBD_REGISTER(FIELD, LIST, PART)                                                            \
    FIELD(1, STR, host, FIELD_REQUIRED, "where the controller is reached")                         \
    FIELD(2, U32, port, 0, "and by which port")                                                    \
    FIELD(3, U64, follows, 0, "number of the slurmdbd that owns its accounts; 0: it does itself")  \
    FIELD(4, STRS, tres, 0, "names that are counted there")
SCHEMA_DECLARE(dbd_register, DBD_REGISTER);

#define DBD_REGISTERED(FIELD, LIST, PART)                                                          \
    FIELD(1, U64, number, FIELD_REQUIRED, "of this slurmdbd, for ever")                            \
    FIELD(2, BOOL, asks_own, 0, "the controller is to send the records that it owns")              \
    FIELD(3, U64, applied, 0, "the last turn of this cluster that it has; 0: none yet")
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
    FIELD(4, BOOL, begins, 0, "of a copy: what was told before is to be forgotten")                \
    LIST(5, change, changes, 0, "in the order they happened")
SCHEMA_DECLARE(dbd_turn, DBD_TURN);

#define DBD_APPLIED(FIELD, LIST, PART) FIELD(1, U64, turn, 0, "of the dbd_turn that is on disk")
SCHEMA_DECLARE(dbd_applied, DBD_APPLIED);

/* A piece of a list of records. */
#define DBD_RECORDS_A_PIECE 500
#define DBD_RECORDS(FIELD, LIST, PART)                                                             \
    FIELD(1, BOOL, is_all, 0, "the list, with all its pieces, is everything that there is")        \
    FIELD(2, BOOL, is_last, 0, "it ends with this piece")                                          \
    LIST(3, dbd_record, records, 0, "")
SCHEMA_DECLARE(dbd_records, DBD_RECORDS);
