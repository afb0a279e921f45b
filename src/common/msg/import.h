/*
 * import.h - the history of another controller, which a controller takes over (sluice import), or a
 * slurmdbd in the place of a cluster that has no controller.
 *
 * IMPORT_BEGIN lets numbers of jobs go on above those that will come. Then come pages, each of
 * which is one turn: all of it is kept, or nothing. What has a place in the history already is not
 * sent; the one who sends it has looked after he began, and no other import may go on meanwhile.
 */
#pragma once

#include "common/msg/cluster_event.h"
#include "common/msg/job.h"
#include "common/msg/sums.h"

#define IMPORT_BEGIN(FIELD, LIST, PART)                                                            \
    FIELD(1, U32, highest_job, 0, "number of a job that will come, none is higher; 0: none comes") \
    FIELD(2, STR, cluster, FIELD_CRITICAL, "whose history it is, of a slurmdbd; absent: its own")
SCHEMA_DECLARE(import_begin, IMPORT_BEGIN);

#define IMPORT_BEGUN(FIELD, LIST, PART)                                                            \
    FIELD(1, U64, number, FIELD_REQUIRED, "of this import, for its pages")                         \
    FIELD(2, U32, next_job, 0, "number of the next job that is submitted")                         \
    FIELD(3, U32, last_job, 0, "the highest one that jobs get; 0: that is not known")
SCHEMA_DECLARE(import_begun, IMPORT_BEGUN);

/* A script or an environment that jobs of the page name by its SHA-256. */
#define IMPORT_BLOB(FIELD, LIST, PART) FIELD(1, BLOB, data, FIELD_REQUIRED, "whole")
SCHEMA_DECLARE(import_blob, IMPORT_BLOB);

#define IMPORT_PAGE(FIELD, LIST, PART)                                                             \
    FIELD(1, U64, number, FIELD_REQUIRED, "of the import")                                         \
    LIST(2, import_blob, blobs, 0, "those that jobs name")                                         \
    LIST(3, history_job, jobs, 0, "over; earlier runs of a job before it, in the same page")       \
    LIST(4, cluster_event, events, 0, "that are over")                                             \
    FIELD(5, STR, cluster, FIELD_CRITICAL, "as when the import began")                             \
    LIST(6, sums_whole, sums, 0, "of the time before its jobs")
SCHEMA_DECLARE(import_page, IMPORT_PAGE);

#define IMPORT_TAKEN(FIELD, LIST, PART)                                                            \
    FIELD(1, U32S, refused, 0, "numbers that jobs in memory have: these are not taken")
SCHEMA_DECLARE(import_taken, IMPORT_TAKEN);
