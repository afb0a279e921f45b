/*
 * visit.h - what is asked of a node directly, at its SlurmdPort, and what it answers.
 *
 * A step's user side answers for the step: what it uses now (STEP_LOOK), and its streams
 * (STEP_ATTACH, after which IO_DATA flows both ways). The agent answers for the node (NODE_LOOK).
 */
#pragma once

#include "common/msg/io.h"
#include "common/msg/node.h"

#define STEP_PROCESS(FIELD, LIST, PART)                                                            \
    FIELD(1, U32, pid, FIELD_REQUIRED, "on its node")                                              \
    FIELD(2, COUNT, task, 0, "number in the step of the task that it is; absent: none")            \
    FIELD(3, COUNT, local, 0, "which of the node's tasks")
SCHEMA_DECLARE(step_process, STEP_PROCESS);

/* One node's part of a step as it is now. */
#define STEP_SIGHT(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, U32, step_id, 0, "step")                                                              \
    FIELD(3, STR, node, 0, "NodeName")                                                             \
    LIST(4, task_usage, usage, 0, "of each of its tasks, also those that have ended")              \
    LIST(5, step_process, processes, 0, "that run")
SCHEMA_DECLARE(step_sight, STEP_SIGHT);

/* A step that a node holds. */
#define NODE_STEP(FIELD, LIST, PART)                                                               \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, U32, step_id, 0, "step")                                                              \
    FIELD(3, ENUM, state, 0, "enum held_state")
SCHEMA_DECLARE(node_step, NODE_STEP);

/*
 * A user as the controller's host knows it. The answer adds what the node's name service makes of
 * each part. Members 1 to 3 are the question, and are repeated in the answer.
 */
#define USER_MAP(FIELD, LIST, PART)                                                                \
    FIELD(1, U32, uid, 0, "number")                                                                \
    FIELD(2, U32, gid, 0, "number of a group of theirs")                                           \
    FIELD(3, STR, name, FIELD_REQUIRED, "name")                                                    \
    FIELD(4, STR, uid_name, 0, "whose `uid` is there; absent: nobody's")                           \
    FIELD(5, STR, gid_name, 0, "which group `gid` is there; absent: none")                         \
    FIELD(6, COUNT, name_uid, 0, "of `name` there; absent: no such user")                          \
    FIELD(7, COUNT, name_gid, 0, "first group of `name` there")                                    \
    FIELD(8, STR, trouble, 0, "why the name service said nothing; absent: it did")
SCHEMA_DECLARE(user_map, USER_MAP);

#define USER_MAPS_MAX 256 /* in one question */

/* Asks a node for its state. An older node answers without reading any of it. */
#define NODE_LOOK(FIELD, LIST, PART)                                                               \
    LIST(2, user_map, users, 0, "to be looked up; answered to root and SlurmUser only")
SCHEMA_DECLARE(node_look, NODE_LOOK);

/* What scontrol show slurmd and sluice doctor show. Members from 11 on are absent in old nodes. */
#define NODE_SIGHT(FIELD, LIST, PART)                                                              \
    FIELD(1, STR, name, FIELD_REQUIRED, "NodeName")                                                \
    FIELD(2, STR, host, 0, "host name")                                                            \
    FIELD(3, STR, version, 0, "of the daemon")                                                     \
    FIELD(4, TIME, started, 0, "when it began to serve")                                           \
    FIELD(5, U32, pid, 0, "of the daemon")                                                         \
    FIELD(6, U32, debug, 0, "SlurmdDebug as a number")                                             \
    FIELD(7, STR, log_file, 0, "absent: none")                                                     \
    FIELD(8, TIME, last_heard, 0, "when the controller last said something")                       \
    PART(9, node_hardware, hardware, 0, "what the machine has")                                    \
    LIST(10, node_step, steps, 0, "it holds")                                                      \
    FIELD(11, TIME, now, 0, "its clock as it answers; 0: it does not tell")                        \
    FIELD(12, U64, conf_digest, 0, "of the slurm.conf that it runs by, see slurm_conf; 0: unsaid") \
    FIELD(13, STR, controller, 0, "that it is registered with; absent: none")                      \
    FIELD(14, STR, trouble, 0, "why it is with no controller")                                     \
    LIST(15, user_map, users, 0, "that were asked for")
SCHEMA_DECLARE(node_sight, NODE_SIGHT);
