/*
 * reservation.h - nodes, cores and licenses that are kept for some jobs for some time.
 *
 * Keys, flags and their words are those of scontrol(1), "CREATE RESERVATION". Times are those of
 * the wall clock: what comes every day comes at the same hour of the day.
 */
#pragma once

#include "common/schema/schema.h"

/* Bits of a reservation's `flags`. Numbers are kept. */
enum reservation_flag {
    RESV_MAINT = 1 << 0,       /* for maintenance: over any other, and told by nodes' states */
    RESV_FLEX = 1 << 1,        /* its jobs may use other nodes, and run before and after it */
    RESV_OVERLAP = 1 << 2,     /* may have what others have */
    RESV_IGNORE_JOBS = 1 << 3, /* jobs that run are no obstacle */
    RESV_HOURLY = 1 << 4,      /* comes again: */
    RESV_DAILY = 1 << 5,
    RESV_WEEKDAY = 1 << 6, /* from Monday to Friday */
    RESV_WEEKEND = 1 << 7,
    RESV_WEEKLY = 1 << 8,
    RESV_SPEC_NODES = 1 << 9,    /* its nodes were named */
    RESV_ALL_NODES = 1 << 10,    /* by Nodes=ALL */
    RESV_ANY_NODES = 1 << 11,    /* its licenses are for jobs on any nodes */
    RESV_STATIC_ALLOC = 1 << 12, /* its nodes stay the same, even if they are down */
    RESV_PART_NODES = 1 << 13,   /* its nodes are those of its partition, whatever these are */
    RESV_FIRST_CORES = 1 << 14,  /* of each node the cores with the lowest numbers */
    RESV_TIME_FLOAT = 1 << 15,   /* its start stays as far away as it was when it was made */
    RESV_REPLACE = 1 << 16,      /* nodes that are down, or have jobs, are replaced */
    RESV_REPLACE_DOWN = 1 << 17,
    RESV_PURGE_COMP = 1 << 18,   /* goes when nothing of it is used for purge_comp_s */
    RESV_NO_HOLD_JOBS = 1 << 19, /* NO_HOLD_JOBS_AFTER_END: jobs that wait run without it then */
    RESV_MAGNETIC = 1 << 20,     /* draws jobs that may use it and named none */
    RESV_USER_DELETE = 1 << 21,  /* its users may delete it */
    RESV_LICENSE_ONLY = 1 << 22, /* asked for, always with ANY_NODES, as which it is shown */
    RESV_FORCE_START = 1 << 23,  /* one that comes again may begin in the past */
};
#define RESV_COMES_AGAIN (RESV_HOURLY | RESV_DAILY | RESV_WEEKDAY | RESV_WEEKEND | RESV_WEEKLY)

/* What a reservation has of a node that it does not have whole. */
#define RESERVATION_PART(FIELD, LIST, PART)                                                        \
    FIELD(1, STR, node, FIELD_REQUIRED, "NodeName")                                                \
    FIELD(2, U32S, cpus, 0, "numbers of its cpus, whole cores")                                    \
    FIELD(3, STR, gres, 0, "generic resources with their numbers: gpu:2(IDX:0-1)")
SCHEMA_DECLARE(reservation_part, RESERVATION_PART);

/* A reservation. What was asked for stays beside what was given, to replace nodes by it. */
#define RESERVATION_RECORD(FIELD, LIST, PART)                                                      \
    FIELD(1, STR, name, FIELD_REQUIRED, "ReservationName")                                         \
    FIELD(2, U32, id, 0, "the controller gives it")                                                \
    FIELD(3, TIME, start, 0, "of the present or next time; of TIME_FLOAT when it was made")        \
    FIELD(4, TIME, end, 0, "of the same")                                                          \
    FIELD(5, U64, flags, 0, "bits of enum reservation_flag")                                       \
    FIELD(6, U32, purge_comp_s, 0, "of PURGE_COMP")                                                \
    FIELD(7, HOSTS, nodes, 0, "it has, wholly or in part; absent: none")                           \
    LIST(8, reservation_part, parts, 0, "of nodes that it does not have whole; none: of none")     \
    FIELD(9, U32, core_cnt, 0, "cores that it has")                                                \
    FIELD(10, U32S, nodes_asked, 0, "NodeCnt=, or TRES=node=; none: not said")                     \
    FIELD(11, U32S, cores_asked, 0, "CoreCnt=, or TRES=cpu=; none: whole nodes")                   \
    FIELD(12, STR, features, 0, "Features=")                                                       \
    FIELD(13, STR, partition, 0, "PartitionName=")                                                 \
    FIELD(14, STR, gres_asked, 0, "generic resources in TRES=, of all nodes: gpu:4")               \
    FIELD(15, STR, gres_per_node, 0, "TRESPerNode=")                                               \
    FIELD(16, STR, licenses, 0, "Licenses=: matlab:2,lab@server:1")                                \
    FIELD(17, STR, users, 0, "Users=: a,b may use it, or with -a,-b all but these")                \
    FIELD(18, STR, groups, 0, "Groups=, in the same way")                                          \
    FIELD(19, STR, accounts, 0, "Accounts=, in the same way")                                      \
    FIELD(20, STR, qos, 0, "QOS=, in the same way")                                                \
    FIELD(21, STR, partitions, 0, "AllowedPartitions=, in the same way")                           \
    FIELD(22, U32, max_start_delay_s, 0, "shorter jobs of others may run; 0: none")                \
    FIELD(23, STR, comment, FIELD_LINES, "Comment=")                                               \
    FIELD(24, STR, creator, 0, "who made it")                                                      \
    FIELD(25, TIME, made, 0, "when")                                                               \
    FIELD(26, TIME, first_start, 0, "of the first time, of one that comes again")                  \
    FIELD(27, TIME, idle_since, 0, "no job of it runs since then, it being open; 0: one does")     \
    FIELD(28, BOOL, is_open, 0, "its time has come and is not over: ResvProlog was begun")
SCHEMA_DECLARE(reservation_record, RESERVATION_RECORD);

enum reservation_how { RESV_SET, RESV_MORE, RESV_LESS }; /* Users= += -= */

/* A list that a request names. */
#define RESERVATION_WORDS(FIELD, LIST, PART)                                                       \
    FIELD(1, ENUM, how, 0, "enum reservation_how")                                                 \
    FIELD(2, STR, words, 0, "as typed; absent: empty")
SCHEMA_DECLARE(reservation_words, RESERVATION_WORDS);

/* What is asked of a new reservation, or to be changed of one. What is absent is not said. */
#define RESERVATION_ASK(FIELD, LIST, PART)                                                         \
    FIELD(1, STR, name, 0, "ReservationName=; absent: the controller finds one")                   \
    FIELD(2, TIME, start, 0, "StartTime=")                                                         \
    FIELD(3, TIME, end, 0, "EndTime=")                                                             \
    FIELD(4, LIMIT, duration, 0, "Duration=")                                                      \
    FIELD(5, ENUM, duration_how, 0, "Duration= += -=")                                             \
    FIELD(6, U64, flags, 0, "Flags= and +=")                                                       \
    FIELD(7, U64, flags_less, 0, "Flags-=")                                                        \
    FIELD(8, COUNT, purge_comp_s, 0, "of PURGE_COMP; absent: 300, if that flag is set")            \
    PART(9, reservation_words, nodes, 0, "Nodes=: a host list, or ALL")                            \
    FIELD(10, U32S, node_cnt, 0, "NodeCnt=, or TRES=node=")                                        \
    FIELD(11, U32S, core_cnt, 0, "CoreCnt=, or TRES=cpu=")                                         \
    FIELD(12, STR, features, 0, "Features=")                                                       \
    FIELD(13, STR, partition, 0, "PartitionName=")                                                 \
    FIELD(14, STR, gres, 0, "generic resources in TRES=")                                          \
    FIELD(15, STR, gres_per_node, 0, "TRESPerNode=")                                               \
    FIELD(16, STR, licenses, 0, "Licenses=, and those in TRES=")                                   \
    PART(17, reservation_words, users, 0, "Users=")                                                \
    PART(18, reservation_words, groups, 0, "Groups=")                                              \
    PART(19, reservation_words, accounts, 0, "Accounts=")                                          \
    PART(20, reservation_words, qos, 0, "QOS=")                                                    \
    PART(21, reservation_words, partitions, 0, "AllowedPartitions=")                               \
    FIELD(22, COUNT, max_start_delay_s, 0, "MaxStartDelay=; 0: no more")                           \
    FIELD(23, STR, comment, FIELD_LINES, "Comment=")                                               \
    FIELD(24, BOOL, skip, 0, "Skip: leave out the present time, or the next one")
SCHEMA_DECLARE(reservation_ask, RESERVATION_ASK);

enum reservation_verb { RESV_CREATE, RESV_UPDATE, RESV_DELETE };

/* To the controller; answered by RESERVATION_CHANGED. */
#define RESERVATION_CHANGE(FIELD, LIST, PART)                                                      \
    FIELD(1, ENUM, verb, FIELD_CRITICAL, "enum reservation_verb")                                  \
    PART(2, reservation_ask, ask, FIELD_REQUIRED, "of RESV_DELETE the name alone")
SCHEMA_DECLARE(reservation_change, RESERVATION_CHANGE);

#define RESERVATION_CHANGED(FIELD, LIST, PART)                                                     \
    FIELD(1, STR, name, FIELD_REQUIRED, "ReservationName")
SCHEMA_DECLARE(reservation_changed, RESERVATION_CHANGED);

/* Returns the word that is shown for a bit, "DAILY", or NULL for one that has none. */
const char *reservation_flag_word(uint64_t flag);

/*
 * Reads one word of Flags=, without sign, in any case and as short as Slurm takes it. Returns its
 * bits: LICENSE_ONLY has those of ANY_NODES, too. 0: it is none that may be asked for.
 */
uint64_t reservation_flag_read(const char *word, size_t n);

/* Calls `take` with the word of each flag, in Slurm's order. */
void reservation_flags_each(uint64_t flags, void (*take)(void *ctx, const char *word), void *ctx);

/* Appends these words with commas, PURGE_COMP with its time. */
void reservation_flags_format(uint64_t flags, uint32_t purge_comp_s, struct strbuf *out);
