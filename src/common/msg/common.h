/* common.h - messages that any connection may carry: errors, ends of lists, blobs. */
#pragma once

#include "common/schema/schema.h"

#define SHA256_BYTES   32
#define BLOB_CHUNK_MAX (256u << 10) /* bytes of data in one chunk */
#define BLOB_MAX       (16u << 20)  /* bytes of one blob: a script or an environment */

#define MSG_ERROR_FIELDS(FIELD, LIST, PART)                                                        \
    FIELD(1, U32, code, FIELD_REQUIRED, "an errno or E_ number")                                   \
    FIELD(2, STR, text, 0, "for people: input, value, limit, way out")
SCHEMA_DECLARE(msg_error, MSG_ERROR_FIELDS);

#define MSG_OK_FIELDS(FIELD, LIST, PART) FIELD(1, STR, text, 0, "a remark for the user")
SCHEMA_DECLARE(msg_ok, MSG_OK_FIELDS);

/*
 * A blob goes before the message that names it, in chunks of rising offset on the same connection;
 * only an error is answered. Environments are "NAME=value" strings, each ended by a zero byte.
 */
#define BLOB_CHUNK_FIELDS(FIELD, LIST, PART)                                                       \
    FIELD(1, BLOB, sha256, FIELD_REQUIRED, "of the whole blob")                                    \
    FIELD(2, U32, total, 0, "bytes of the whole blob")                                             \
    FIELD(3, U32, offset, 0, "where this chunk begins")                                            \
    FIELD(4, BLOB, data, 0, "at most BLOB_CHUNK_MAX bytes")
SCHEMA_DECLARE(blob_chunk, BLOB_CHUNK_FIELDS);

#define BLOB_GET_FIELDS(FIELD, LIST, PART)                                                         \
    FIELD(1, BLOB, sha256, FIELD_REQUIRED, "of the wanted blob; answered by BLOB_CHUNKs")
SCHEMA_DECLARE(blob_get, BLOB_GET_FIELDS);

#define PONG_FIELDS(FIELD, LIST, PART)                                                             \
    FIELD(1, STR, host, 0, "name of the controller's host")                                        \
    FIELD(2, STR, version, 0, "of the controller")                                                 \
    FIELD(3, TIME, started, 0, "when it began to serve")                                           \
    FIELD(4, U64, incarnation, 0, "how often this state directory was opened")                     \
    FIELD(5, STR, dbd, 0, "host:port of the slurmdbd that keeps its accounts, if one does")
SCHEMA_DECLARE(pong, PONG_FIELDS);

#define CONFIG_ENTRY_FIELDS(FIELD, LIST, PART)                                                     \
    FIELD(1, STR, key, 0, "as scontrol show config prints it")                                     \
    FIELD(2, STR, value, 0, "in effect")
SCHEMA_DECLARE(config_entry, CONFIG_ENTRY_FIELDS);

/* The settings that scontrol changes while the controller runs. */
enum controller_setting {
    SETTING_DEBUG_LEVEL = 1, /* value: a name or number of a log level */
    SETTING_DEBUG_FLAGS,     /* "+NAME,..." or "-NAME,..." */
    SETTING_SCHED_LOG,       /* 0, 1, disable, enable */
    SETTING_DAMPENING,       /* a number */
};

#define SETTING_CHANGE(FIELD, LIST, PART)                                                          \
    FIELD(1, ENUM, setting, FIELD_REQUIRED, "enum controller_setting")                             \
    FIELD(2, STR, value, FIELD_REQUIRED, "as scontrol was given it")                               \
    FIELD(3, HOSTS, nodes, FIELD_CRITICAL, "these nodes' setting; absent: the controller's own")
SCHEMA_DECLARE(setting_change, SETTING_CHANGE);

#define RPC_COUNT_FIELDS(FIELD, LIST, PART)                                                        \
    FIELD(1, U32, type, 0, "message type, or uid in the list by user")                             \
    FIELD(2, U64, count, 0, "requests")                                                            \
    FIELD(3, U64, total_us, 0, "time spent on them, microseconds")
SCHEMA_DECLARE(rpc_count, RPC_COUNT_FIELDS);

#define DIAG_FIELDS(FIELD, LIST, PART)                                                             \
    FIELD(1, TIME, since, 0, "when the counters were last zero")                                   \
    FIELD(2, U64, jobs_submitted, 0, "since then")                                                 \
    FIELD(3, U64, jobs_started, 0, "since then")                                                   \
    FIELD(4, U64, jobs_completed, 0, "since then")                                                 \
    FIELD(5, U64, jobs_canceled, 0, "since then")                                                  \
    FIELD(6, U64, jobs_failed, 0, "since then")                                                    \
    FIELD(7, U32, jobs_pending, 0, "now")                                                          \
    FIELD(8, U32, jobs_running, 0, "now")                                                          \
    FIELD(9, U64, cycles, 0, "scheduling passes since then")                                       \
    FIELD(10, U64, cycle_last_us, 0, "the last pass")                                              \
    FIELD(11, U64, cycle_max_us, 0, "the longest pass")                                            \
    FIELD(12, U64, cycle_total_us, 0, "all passes")                                                \
    FIELD(13, U64, cycle_depth_total, 0, "jobs looked at in all passes")                           \
    FIELD(14, U32, queue_length, 0, "pending jobs at the last pass")                               \
    FIELD(15, U64, backfilled_jobs, 0, "started ahead of their turn, since then")                  \
    FIELD(16, U64, turns, 0, "turns committed")                                                    \
    FIELD(17, U64, commits, 0, "database transactions")                                            \
    FIELD(18, U64, commit_max_us, 0, "the longest of them")                                        \
    FIELD(19, U32, sessions, 0, "open connections")                                                \
    LIST(20, rpc_count, by_type, 0, "requests by message type")                                    \
    LIST(21, rpc_count, by_user, 0, "requests by user")                                            \
    FIELD(22, TIME, cycle_last_at, 0, "when the last pass was")                                    \
    FIELD(23, U64, depth_last, 0, "jobs started or planned by the last pass")                      \
    FIELD(24, U64, depth_try_last, 0, "jobs started by it")                                        \
    FIELD(25, U64, depth_try_total, 0, "jobs started by all passes")                               \
    FIELD(26, U64, queue_total, 0, "pending jobs at all passes")                                   \
    FIELD(27, U32, table_size, 0, "jobs with a place in the plan after the last pass")             \
    FIELD(28, U64, table_total, 0, "the same after all passes")                                    \
    FIELD(29, U64, backfilled_ever, 0, "started ahead of their turn since the controller started") \
    FIELD(30, U64, clock_us, 0, "1000 looks at the clock, microseconds")                           \
    LIST(31, rpc_count, pending, 0, "answers and orders that wait for the disk, by message type")  \
    FIELD(32, U64, ended_at_queue, 0, "passes that looked at every job")                           \
    FIELD(33, U64, ended_at_tests, 0, "passes that bf_max_job_test ended")                         \
    FIELD(34, U64, ended_at_starts, 0, "passes that bf_max_job_start kept from starting more")     \
    FIELD(36, U64, dbd_behind, 0, "turns that slurmdbd does not have yet")                         \
    FIELD(37, BOOL, dbd_copies, 0, "slurmdbd is being told of what was before:")                   \
    FIELD(38, U32, dbd_jobs, 0, "so many jobs so far,")                                            \
    FIELD(39, U32, dbd_at_id, 0, "up to this one")                                                 \
    FIELD(40, U32, dbd_last_id, 0, "of those that there were")                                     \
    FIELD(41, U64, dbd_ms, 0, "for so long")                                                       \
    FIELD(42, STR, dbd_why, 0, "why slurmdbd is told of nothing; absent: it is, or there is none")
SCHEMA_DECLARE(diag, DIAG_FIELDS);
