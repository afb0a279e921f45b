/*
 * dbd.h - what a controller and its slurmdbd tell each other (docs/adr/0015-slurmdbd.md).
 *
 * The controller registers; where it has not followed this slurmdbd before, it sends the records
 * that it owns, in pieces. The slurmdbd sends all of its own then, and those that change as they
 * do.
 */
#pragma once

#include "common/schema/schema.h"

#define DBD_REGISTER(FIELD, LIST, PART)                                                            \
    FIELD(1, STR, host, FIELD_REQUIRED, "where the controller is reached")                         \
    FIELD(2, U32, port, 0, "and by which port")                                                    \
    FIELD(3, U64, follows, 0, "number of the slurmdbd that owns its accounts; 0: it does itself")  \
    FIELD(4, STRS, tres, 0, "names that are counted there")
SCHEMA_DECLARE(dbd_register, DBD_REGISTER);

#define DBD_REGISTERED(FIELD, LIST, PART)                                                          \
    FIELD(1, U64, number, FIELD_REQUIRED, "of this slurmdbd, for ever")                            \
    FIELD(2, BOOL, asks_own, 0, "the controller is to send the records that it owns")
SCHEMA_DECLARE(dbd_registered, DBD_REGISTERED);

#define DBD_RECORD(FIELD, LIST, PART)                                                              \
    FIELD(1, ENUM, kind, FIELD_REQUIRED, "enum kept_number")                                       \
    FIELD(2, BLOB, record, FIELD_REQUIRED, "encoded, as it is now")
SCHEMA_DECLARE(dbd_record, DBD_RECORD);

/* A piece of a list of records. */
#define DBD_RECORDS_A_PIECE 500
#define DBD_RECORDS(FIELD, LIST, PART)                                                             \
    FIELD(1, BOOL, is_all, 0, "the list, with all its pieces, is everything that there is")        \
    FIELD(2, BOOL, is_last, 0, "it ends with this piece")                                          \
    LIST(3, dbd_record, records, 0, "")
SCHEMA_DECLARE(dbd_records, DBD_RECORDS);
