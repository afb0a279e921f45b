/*
 * archive.h - what `sacctmgr archive` asks of who keeps the history: to let leave it what is old,
 * into files, and to bring a file back.
 */
#pragma once

#include "common/schema/schema.h"

/* Ages are written as in slurmdbd.conf, which holds where one is absent; "0" keeps all. */
#define ARCHIVE_DUMP(FIELD, LIST, PART)                                                            \
    FIELD(1, STR, directory, 0, "where files are written")                                         \
    FIELD(2, STR, script, 0, "program that is run instead of writing files")                       \
    FIELD(3, BOOL, events, 0, "are written to files, as the next ones")                            \
    FIELD(4, BOOL, jobs, 0, "")                                                                    \
    FIELD(5, BOOL, steps, 0, "")                                                                   \
    FIELD(6, BOOL, transactions, 0, "")                                                            \
    FIELD(7, BOOL, usage, 0, "")                                                                   \
    FIELD(8, STR, events_after, 0, "age at which events leave")                                    \
    FIELD(9, STR, jobs_after, 0, "")                                                               \
    FIELD(10, STR, steps_after, 0, "")                                                             \
    FIELD(11, STR, transactions_after, 0, "")                                                      \
    FIELD(12, STR, usage_after, 0, "")
SCHEMA_DECLARE(archive_dump, ARCHIVE_DUMP);

#define ARCHIVE_DUMPED(FIELD, LIST, PART)                                                          \
    FIELD(1, STR, cluster, FIELD_REQUIRED, "whose history it is")                                  \
    FIELD(2, STR, left, 0, "what has left it, in words; absent: nothing")
SCHEMA_DECLARE(archive_dumped, ARCHIVE_DUMPED);

#define ARCHIVE_LOAD(FIELD, LIST, PART)                                                            \
    FIELD(1, STR, file, FIELD_REQUIRED, "full path, where the history is kept")                    \
    FIELD(2, BOOL, is_trial, FIELD_CRITICAL, "only look whether it can be loaded")
SCHEMA_DECLARE(archive_load, ARCHIVE_LOAD);

#define ARCHIVE_LOADED(FIELD, LIST, PART)                                                          \
    FIELD(1, STR, cluster, FIELD_REQUIRED, "whose history it is")                                  \
    FIELD(2, STR, kind, FIELD_REQUIRED, "of the records: job, step, event, log, txn, usage")       \
    FIELD(3, U64, records, 0, "that the file has")                                                 \
    FIELD(4, U64, came, 0, "that were not there")                                                  \
    FIELD(5, U64, were_there, 0, "")                                                               \
    FIELD(6, U64, other, 0, "left out: another job has the number, or a step has no job")
SCHEMA_DECLARE(archive_loaded, ARCHIVE_LOADED);
