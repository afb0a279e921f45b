/*
 * err.h - one way to say what went wrong: a number for programs, a text for people.
 *
 * A function returns 0 or more when all is well and -code when not; code is an errno or one of the
 * E_ numbers below. A function that can explain takes `struct err *err` last: it is untouched on
 * success, and NULL is fine for a caller that does not care.
 */
#pragma once

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt_at, args_at) __attribute__((format(printf, fmt_at, args_at)))
#define MUST_CHECK                   __attribute__((warn_unused_result))
#define NO_RETURN                    __attribute__((noreturn))
#define MAYBE_UNUSED                 __attribute__((unused))
#endif

/*
 * Numbers and texts of the errors that Slurm's clients print and `scontrol errnumstr` knows
 * (Slurm's public slurm_errno.h; the wording is what scripts match). Numbers above 9000 are ours.
 * X(name, number, text)
 */
#define ERR_CODES(X)                                                                               \
    X(E_PARTITION_NAME, 2000, "Invalid partition name specified")                                  \
    X(E_NO_PARTITION, 2001, "No partition specified or system default partition")                  \
    X(E_ACCESS, 2002, "Access/permission denied")                                                  \
    X(E_PARTITION_GROUP, 2003, "User's group not permitted to use this partition")                 \
    X(E_NODES_NOT_IN_PARTITION, 2004, "Requested nodes not in this partition")                     \
    X(E_TOO_MANY_CPUS, 2005, "More processors requested than permitted")                           \
    X(E_NODE_COUNT, 2006, "Node count specification invalid")                                      \
    X(E_NO_SCRIPT, 2009, "Job script not specified")                                               \
    X(E_USER_ID, 2010, "Invalid user id")                                                          \
    X(E_NODE_CONFIG, 2014, "Requested node configuration is not available")                        \
    X(E_PARTITION_CONFIG, 2015, "Requested partition configuration not available now")             \
    X(E_NODES_BUSY, 2016, "Requested nodes are busy")                                              \
    X(E_JOB_ID, 2017, "Invalid job id specified")                                                  \
    X(E_NODE_NAME, 2018, "Invalid node name specified")                                            \
    X(E_TRANSITION, 2020, "Job can not be altered now, try again later")                           \
    X(E_ALREADY_DONE, 2021, "Job/step already completing or completed")                            \
    X(E_JOB_PENDING, 2024, "Job is pending execution")                                             \
    X(E_TASK_COUNT, 2025, "Task count specification invalid")                                      \
    X(E_NOT_SUPPORTED, 2036, "Requested operation not supported on this system")                   \
    X(E_DISABLED, 2037, "Requested operation is presently disabled")                               \
    X(E_BATCH_ONLY, 2039, "Only batch jobs are accepted or processed")                             \
    X(E_JOB_HELD, 2042, "Job is in held state, pending scheduler release")                         \
    X(E_NOT_PENDING, 2073, "Job is no longer pending execution")                                   \
    X(E_JOB_SUSPENDED, 2077, "Job is current suspended, requested operation disabled")             \
    X(E_JOB_FINISHED, 2084, "Job has already finished")                                            \
    X(E_NOT_RUNNING, 2085, "Job is not running")                                                   \
    X(E_NOT_SUSPENDED, 2087, "Job is not suspended")                                               \
    X(E_GROUP_ID, 2113, "Invalid group id")                                                        \
    X(E_NODE_STATE, 2028, "Invalid node state specified")                                          \
    X(E_FEATURE, 2029, "Invalid feature specification")                                            \
    X(E_PREFER, 2133, "Invalid preferred feature specification")                                   \
    X(E_ACTIVE_FEATURES, 2031, "Active features not subset of available features")                 \
    X(E_PARTITION_IN_USE, 2075, "Partition is in use")                                             \
    X(E_TIME_LIMIT, 2051, "Requested time limit is invalid (missing or exceeds some limit)")       \
    X(E_MEMORY, 2044, "Memory required by task is not available")                                  \
    X(E_DEPENDENCY, 2038, "Job dependency problem")                                                \
    X(E_ACCOUNT, 2045, "Invalid account or account/partition combination specified")               \
    X(E_LICENSES, 2048, "Invalid license specification")                                           \
    X(E_RESERVATION_ACCESS, 2052, "Access denied to requested reservation")                        \
    X(E_RESERVATION, 2053, "Requested reservation is invalid")                                     \
    X(E_RESERVATION_IN_USE, 2055, "Requested reservation is in use")                               \
    X(E_RESERVATION_OVERLAP, 2058, "Requested reservation overlaps with another reservation")      \
    X(E_RESERVATION_EMPTY, 2080, "Reservation request lacks users, groups or accounts")            \
    X(E_RESERVATION_NAME, 2082, "Duplicate reservation name")                                      \
    X(E_RESERVATION_STARTED, 2104, "Reservation already started")                                  \
    X(E_RESERVATION_PARTS, 2109, "Core-based reservation can not be updated")                      \
    X(E_RESERVATION_CORES, 2111, "Core count for reservation node list is not consistent!")        \
    X(E_RESERVATION_NO_SKIP, 2128, "Reservation given is not skipable, try deleting instead")      \
    X(E_RESERVATION_BOTH, 2129,                                                                    \
      "Reservations can't have users and groups specified, only one or the other")                 \
    X(E_ACCT_POLICY, 2050,                                                                         \
      "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)")     \
    X(E_WCKEY, 2057, "Invalid wckey specification")                                                \
    X(E_QUERY_TOO_WIDE, 7007, "Too wide of a date range in query")                                 \
    X(E_QOS, 2066, "Invalid qos specification")                                                    \
    X(E_USAGE_THRESHOLD, 2074, "Requested account has breached requested QOS usage threshold")     \
    X(E_PARTITION_ASSOC, 2130,                                                                     \
      "Multiple partition job request not supported when a partition is set in the association")   \
    X(E_PARTITION_UNAVAILABLE, 2070, "Required partition not available (inactive or drain)")       \
    X(E_CIRCULAR, 2071, "Circular job dependency")                                                 \
    X(E_GRES, 2072, "Invalid generic resource (gres) specification")                               \
    X(E_ARRAY, 2081, "Invalid job array specification")                                            \
    X(E_DISTRIBUTION, 2023, "Task distribution specification invalid")                             \
    X(E_TIME_VALUE, 2054, "Invalid time specified")                                                \
    X(E_TIME_MIN, 2124, "Invalid time-min specification (exceeds job's time or other limits)")     \
    X(E_TRIGGER_DUPLICATE, 2089, "Duplicate event trigger")                                        \
    X(E_THREADS, 2132, "Cannot request more threads per core than the job allocation")             \
    X(E_ACCT_FREQUENCY, 4003, "Invalid accounting frequency requested")                            \
    X(E_SPOOL, 4010, "Slurmd could not create a batch directory or file")                          \
    X(E_CONTACT, 1800, "Unable to contact slurm controller (connect failure)")                     \
    X(E_TIMEOUT, 5004, "Socket timed out on send/recv operation")                                  \
    X(E_AUTH, 1007, "Protocol authentication error")                                               \
    X(E_PROTO, 9001, "Malformed message")                                                          \
    X(E_TOO_BIG, 9002, "Message or field is larger than its limit")                                \
    X(E_UNKNOWN_MESSAGE, 9003, "Unknown message type")                                             \
    X(E_SYNTAX, 9004, "Syntax error")                                                              \
    X(E_KEY_MISMATCH, 9005, "The two hosts have different keys")                                   \
    X(E_CLOCK_SKEW, 9006, "The clocks of the two hosts differ by more than allowed")               \
    X(E_STALE, 9007, "Order is older than one already obeyed")                                     \
    X(E_STORE, 9008, "The state database cannot be used")                                          \
    X(E_CLOSED, 9009, "Connection closed")                                                         \
    X(E_PROLOG, 4022, "Job prolog failed")                                                         \
    X(E_CPU_BIND, 4032, "Unable to satisfy cpu bind request")                                      \
    X(E_STEP_ID, 9010, "Invalid step id specified")                                                \
    X(E_REPLAYED, 9011, "Credential was used before")                                              \
    X(E_SESSIONS, 9012, "Too many sessions with the controller")                                   \
    X(E_STANDBY, 9013, "It stands by while another one serves")                                    \
    X(E_USURPED, 9014, "Another one has written to the state database")

#define ERR_CODE_ENUM(name, number, text) name = number,
enum { ERR_CODES(ERR_CODE_ENUM) };
#undef ERR_CODE_ENUM

#define ERR_TEXT_MAX 512

struct err {
    int code; /* positive: errno or E_ */
    char text[ERR_TEXT_MAX];
};

/*
 * Fills `err` (when it is not NULL) and returns -code, so that callers can `return err_set(...)`.
 */
#define err_set(...) err_negative(err_fill(__VA_ARGS__))

/* Puts "what: " in front of an error that came from below, and returns -err->code. */
#define err_prefix(...) err_negative(err_fill_prefix(__VA_ARGS__))

int err_fill(struct err *err, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
int err_fill_prefix(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Returns rc, which is below 0. Compilers see here that an error is never taken for success. */
static inline int err_negative(int rc)
{
    return rc < 0 ? rc : -EINVAL;
}

/* Returns the error of a number that came from outside, E_PROTO when no error has that number. */
int err_code_from(uint32_t code);

/*
 * Returns the text for a code (positive or negative): ours, Slurm's, or strerror's. It is never
 * NULL.
 */
const char *err_string(int code);
