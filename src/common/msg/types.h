/*
 * types.h - the number and the schema of every message that crosses a connection.
 *
 * Numbers are for ever. A reply has the type of what it carries; MSG_ERROR can answer anything.
 * X(NAME, number, schema)
 */
#pragma once

#include "common/schema/schema.h"

#define MSG_TYPES(X)                                                                               \
    /* any connection */                                                                           \
    X(ERROR, 1, msg_error)                                                                         \
    X(OK, 2, msg_ok)                                                                               \
    X(HEARTBEAT, 3, msg_ok)                                                                        \
    X(STREAM_END, 4, msg_ok)                                                                       \
    X(BLOB_PUT, 5, blob_chunk)                                                                     \
    X(BLOB_GET, 6, blob_get)                                                                       \
    X(BLOB_CHUNK, 7, blob_chunk)                                                                   \
    X(SESSION_HELLO, 8, session_hello)                                                             \
    X(SESSION_PROOF, 9, session_proof)                                                             \
    X(SESSION_CLAIM, 10, session_claim)                                                            \
    X(SESSION_VERDICT, 11, session_verdict)                                                        \
    /* clients to the controller, and what answers them */                                         \
    X(PING, 20, msg_ok)                                                                            \
    X(PONG, 21, pong)                                                                              \
    X(JOB_SUBMIT, 22, job_submit)                                                                  \
    X(JOB_SUBMITTED, 23, job_submitted)                                                            \
    X(JOB_ALLOCATE, 24, job_allocate)                                                              \
    X(JOB_EVENT, 25, job_event)                                                                    \
    X(JOB_ATTACH, 26, job_attach)                                                                  \
    X(JOB_SIGNAL, 27, job_signal)                                                                  \
    X(JOB_RELEASE, 28, job_release)                                                                \
    X(JOB_SCRIPT, 29, job_script)                                                                  \
    X(STEP_RUN, 30, step_run)                                                                      \
    X(STEP_EVENT, 31, step_event)                                                                  \
    X(JOB_LIST, 32, job_list)                                                                      \
    X(JOB_INFO, 33, job_info)                                                                      \
    X(STEP_LIST, 34, job_list)                                                                     \
    X(STEP_INFO, 35, step_record)                                                                  \
    X(NODE_LIST, 36, node_list)                                                                    \
    X(NODE_INFO, 37, node_info)                                                                    \
    X(PARTITION_LIST, 38, partition_list)                                                          \
    X(PARTITION_INFO, 39, partition_info)                                                          \
    X(CONFIG_LIST, 40, msg_ok)                                                                     \
    X(CONFIG_ENTRY, 41, config_entry)                                                              \
    X(NODE_UPDATE, 42, node_update)                                                                \
    X(DIAG_GET, 43, msg_ok)                                                                        \
    X(DIAG, 44, diag)                                                                              \
    X(HISTORY_LIST, 45, history_list)                                                              \
    X(HISTORY_JOB, 46, history_job)                                                                \
    X(RECONFIGURE, 47, msg_ok)                                                                     \
    X(SHUTDOWN, 48, msg_ok)                                                                        \
    X(JOB_UPDATE, 49, job_update)                                                                  \
    X(JOB_ALTERED, 50, job_altered)                                                                \
    X(JOB_REQUEUE, 51, job_rerun)                                                                  \
    X(JOB_SUSPEND, 52, job_suspend)                                                                \
    X(JOB_TOP, 53, job_top)                                                                        \
    X(JOB_NOTIFY, 54, job_notify)                                                                  \
    X(NODE_REBOOT, 58, node_reboot)                                                                \
    X(PARTITION_CHANGE, 59, partition_change)                                                      \
    /* node daemon and controller */                                                               \
    X(NODE_REGISTER, 60, node_register)                                                            \
    X(NODE_WELCOME, 61, node_welcome)                                                              \
    X(ORDER_LAUNCH, 62, order_launch)                                                              \
    X(ORDER_SIGNAL, 63, order_signal)                                                              \
    X(ORDER_END, 64, order_end)                                                                    \
    X(ORDER_FORGET, 65, order_forget)                                                              \
    X(STEP_REPORT, 66, step_report)                                                                \
    X(NODE_REPORT, 67, node_report)                                                                \
    X(ORDER_PROLOG, 74, order_hook)                                                                \
    X(ORDER_EPILOG, 75, order_hook)                                                                \
    X(HOOK_FORGET, 76, order_forget)                                                               \
    X(HOOK_REPORT, 77, hook_report)                                                                \
    X(ORDER_NODE, 78, order_hook)                                                                  \
    X(ORDER_SAY, 79, order_say)                                                                    \
    /* step daemon and srun */                                                                     \
    X(IO_HELLO, 80, io_hello)                                                                      \
    X(IO_DATA, 81, io_data)                                                                        \
    X(IO_TASK_START, 82, io_task_start)                                                            \
    X(IO_TASK_EXIT, 83, io_task_exit)                                                              \
    X(IO_SIGNAL, 84, io_signal)                                                                    \
    X(IO_WINDOW, 85, io_window)                                                                    \
    X(IO_CREDIT, 86, io_credit)                                                                    \
    X(IO_RELAY, 94, io_relay)                                                                      \
    X(IO_RELAYED, 95, io_relayed)                                                                  \
    X(IO_ABORT, 96, io_abort)                                                                      \
    /* straight to a node */                                                                       \
    X(STEP_LOOK, 100, msg_ok)                                                                      \
    X(STEP_SIGHT, 101, step_sight)                                                                 \
    X(STEP_ATTACH, 102, msg_ok)                                                                    \
    X(NODE_LOOK, 103, node_look)                                                                   \
    X(NODE_SIGHT, 104, node_sight)                                                                 \
    /* a machine that is to become a node, and the head */                                         \
    X(JOIN_HELLO, 110, join_hello)                                                                 \
    X(JOIN_REQUEST, 111, join_request)                                                             \
    X(JOIN_ANSWER, 112, join_answer)                                                               \
    X(DIAG_RESET, 120, msg_ok)                                                                     \
    X(PRIORITY_LIST, 121, job_list)                                                                \
    X(PRIORITY_INFO, 122, priority_info)                                                           \
    X(SHARE_LIST, 146, share_list)                                                                 \
    X(SHARE_INFO, 147, share_info)                                                                 \
    X(SUMS_LIST, 150, sums_list)                                                                   \
    X(SUM_INFO, 151, sum_info)                                                                     \
    X(UTILIZATION_LIST, 152, utilization_list)                                                     \
    X(UTILIZATION_INFO, 153, utilization_info)                                                     \
    X(CLUSTER_EVENT_LIST, 154, cluster_event_list)                                                 \
    X(CLUSTER_EVENT, 155, cluster_event)                                                           \
    X(ACCT_USE_LIST, 156, msg_ok)                                                                  \
    X(ACCT_USE, 157, acct_use)                                                                     \
    X(LICENSE_LIST, 158, msg_ok)                                                                   \
    X(LICENSE_INFO, 159, license_info)                                                             \
    /* records that are kept: what they are is in kept.h; 123 to 126 were those of triggers alone  \
     */                                                                                            \
    X(KEPT_CHANGE, 140, kept_change)                                                               \
    X(KEPT_CHANGED, 141, kept_changed)                                                             \
    X(KEPT_LIST, 142, kept_list)                                                                   \
    X(EVENT_LIST, 144, event_list)                                                                 \
    X(EVENT_INFO, 145, event_record)                                                               \
    X(KEPT_INFO, 143, kept_info)                                                                   \
    /* a controller and its slurmdbd */                                                            \
    X(DBD_REGISTER, 160, dbd_register)                                                             \
    X(DBD_REGISTERED, 161, dbd_registered)                                                         \
    X(DBD_RECORDS, 162, dbd_records)                                                               \
    X(DBD_TURN, 163, dbd_turn)                                                                     \
    X(DBD_APPLIED, 164, dbd_applied)                                                               \
    X(DBD_YIELD, 165, msg_ok) /* the first one to its backup */                                    \
    X(DBD_REFUSED, 166, dbd_refused)                                                               \
    X(DBD_CARRIED, 167, dbd_carried)                                                               \
    X(DBD_GIVE, 168, dbd_give)                                                                     \
    /* the history of another controller, which is taken over */                                   \
    X(IMPORT_BEGIN, 170, import_begin)                                                             \
    X(IMPORT_BEGUN, 171, import_begun)                                                             \
    X(IMPORT_PAGE, 172, import_page)                                                               \
    X(IMPORT_TAKEN, 173, import_taken)                                                             \
    /* sacctmgr archive */                                                                         \
    X(ARCHIVE_DUMP, 174, archive_dump)                                                             \
    X(ARCHIVE_DUMPED, 175, archive_dumped)                                                         \
    X(ARCHIVE_LOAD, 176, archive_load)                                                             \
    X(ARCHIVE_LOADED, 177, archive_loaded)                                                         \
    X(HISTORY_AMEND, 178, history_amend)                                                           \
    /* sluice move accounting */                                                                   \
    X(MOVE_ACCOUNTING, 180, move_accounting)                                                       \
    X(MOVE_LOOK, 181, msg_ok)                                                                      \
    X(MOVE_STATUS, 182, move_status)                                                               \
    X(HISTORY_COUNT_LIST, 183, history_count_list)                                                 \
    X(HISTORY_COUNTS, 184, history_counts)                                                         \
    X(RESERVATION_CHANGE, 185, reservation_change)                                                 \
    X(RESERVATION_CHANGED, 186, reservation_changed)                                               \
    X(SETTING_CHANGE, 127, setting_change)                                                         \
    X(STEP_UPDATE, 130, step_update)

#define MSG_TYPE_ENUM(name, number, schema) MSG_##name = number,
enum msg_type { MSG_TYPES(MSG_TYPE_ENUM) };
#undef MSG_TYPE_ENUM

/* Returns the schema of a message type, or NULL for a number that is not in the list. */
const struct schema *msg_schema(uint32_t type);

/* Returns "JOB_SUBMIT" and such, or words for a number that is not in the list. */
const char *msg_name(uint32_t type);

/* Returns the i-th type of the list, or 0 after the last. For tests that go through all types. */
uint32_t msg_type_at(size_t i);
