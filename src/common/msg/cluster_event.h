/*
 * cluster_event.h - times in which a node could not be used, and what the cluster consisted of.
 *
 * What `sacctmgr list event` shows. An event of a node begins when it becomes unusable and ends
 * when it is usable again; when its state or its reason changes meanwhile, one ends and another
 * begins. An event of the cluster begins when its nodes change, and the one before ends.
 */
#pragma once

#include "common/msg/amount.h"

#define CLUSTER_EVENT(FIELD, LIST, PART)                                                           \
    FIELD(1, STR, node, 0, "absent: the cluster")                                                  \
    FIELD(2, TIME, since, FIELD_REQUIRED, "when it began")                                         \
    FIELD(3, TIME, until, 0, "when it ended; absent: it goes on")                                  \
    FIELD(4, ENUM, state, 0, "of the node: enum node_base")                                        \
    FIELD(5, U32, flags, 0, "of the node: enum node_flags")                                        \
    FIELD(6, STR, reason, FIELD_LINES, "Reason of the node, or why the event began")               \
    FIELD(7, COUNT, reason_uid, 0, "who gave the reason")                                          \
    FIELD(8, STR, reason_user, 0, "")                                                              \
    FIELD(9, HOSTS, nodes, 0, "of the cluster: all of them")                                       \
    LIST(10, acct_amount, tres, 0, "of the node, or the cluster")                                  \
    FIELD(11, BOOL, is_purged, 0, "only its time is kept, for sums; it is told to nobody")
SCHEMA_DECLARE(cluster_event, CLUSTER_EVENT);

/* Which events are told. Lists that are empty do not filter. */
#define CLUSTER_EVENT_LIST(FIELD, LIST, PART)                                                      \
    FIELD(1, TIME, from, 0, "that went on at or after this moment")                                \
    FIELD(2, TIME, until, 0, "that went on before this moment; absent: until ever")                \
    FIELD(3, STRS, nodes, FIELD_CRITICAL, "only of these nodes; an empty text: of the cluster")    \
    FIELD(4, BOOL, open, FIELD_CRITICAL, "only those that go on")                                  \
    FIELD(5, STR, cluster, FIELD_CRITICAL, "of this cluster; absent: of who asks")
SCHEMA_DECLARE(cluster_event_list, CLUSTER_EVENT_LIST);
