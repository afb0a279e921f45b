/*
 * hook.h - programs of the administrator that run as root on a node when a job comes and goes.
 *
 * Which programs they are is the node's own slurm.conf's business; the controller says for which
 * job they run, and tells them about it in their environment.
 */
#pragma once

#include "common/schema/schema.h"

/* The hooks that a node has, told when it registers. */
enum node_hooks {
    NODE_HAS_PROLOG = 1,
    NODE_HAS_EPILOG = 2,
    NODE_HAS_HEALTH = 4, /* HealthCheckProgram */
    NODE_HAS_REBOOT = 8, /* RebootProgram */
};

/* What an ORDER_NODE makes a node do. */
enum node_act {
    NODE_ACT_HEALTH, /* its own slurm.conf names the program, here and in the next */
    NODE_ACT_REBOOT,
    NODE_ACT_RECONFIGURE, /* reads its configuration again */
    NODE_ACT_DEBUG_LEVEL, /* SlurmdDebug, until it does so */
    NODE_ACT_DEBUG_FLAGS, /* DebugFlags, likewise */
    NODE_ACTS_N,
};
#define NODE_ACT_PROGRAMS_N NODE_ACT_RECONFIGURE /* those that run a program come first */

#define NODE_CRED_LABEL "sluice node 1"

/*
 * The credential of an ORDER_NODE, as root on a node believes it: the controller signs its bytes.
 */
#define NODE_CRED(FIELD, LIST, PART)                                                               \
    FIELD(1, STR, label, FIELD_REQUIRED | FIELD_CRITICAL, "NODE_CRED_LABEL")                       \
    FIELD(2, STR, cluster, FIELD_REQUIRED | FIELD_CRITICAL, "ClusterName")                         \
    FIELD(3, U64, incarnation, FIELD_REQUIRED | FIELD_CRITICAL, "of the controller's state")       \
    FIELD(4, STR, node, FIELD_REQUIRED | FIELD_CRITICAL, "only this node may obey")                \
    FIELD(5, STR, boot_id, FIELD_REQUIRED | FIELD_CRITICAL, "only in this boot of it")             \
    FIELD(6, ENUM, act, FIELD_CRITICAL, "enum node_act")                                           \
    FIELD(7, STR, value, FIELD_CRITICAL, "of a setting: a level, or +NAME,... or -NAME,...")
SCHEMA_DECLARE(node_cred, NODE_CRED);

enum hook_kind {
    HOOK_PROLOG,
    HOOK_EPILOG,
    HOOK_UNKILLABLE, /* a step has processes that do not die: `text` says which step */
};

#define HOOK_CRED_LABEL "sluice hook 2"

/*
 * The credential of a hook, as root on a node believes it: the controller signs its bytes. Root
 * runs each kind once for a launch number, and never one credential as another kind, because the
 * process that asks root may have been taken over.
 */
#define HOOK_CRED(FIELD, LIST, PART)                                                               \
    FIELD(1, STR, label, FIELD_REQUIRED | FIELD_CRITICAL, "HOOK_CRED_LABEL")                       \
    FIELD(2, STR, cluster, FIELD_REQUIRED | FIELD_CRITICAL, "ClusterName")                         \
    FIELD(3, U64, incarnation, FIELD_REQUIRED | FIELD_CRITICAL, "of the controller's state")       \
    FIELD(4, STR, node, FIELD_REQUIRED | FIELD_CRITICAL, "only this node may obey")                \
    FIELD(5, STR, boot_id, FIELD_REQUIRED | FIELD_CRITICAL, "only in this boot of it")             \
    FIELD(6, U32, job_id, FIELD_REQUIRED | FIELD_CRITICAL, "job")                                  \
    FIELD(7, U32, launch_number, FIELD_REQUIRED | FIELD_CRITICAL, "each runs once for it")         \
    FIELD(8, STRS, environment, FIELD_CRITICAL, "NAME=value about the job")                        \
    FIELD(9, ENUM, kind, FIELD_CRITICAL, "HOOK_PROLOG or HOOK_EPILOG")
SCHEMA_DECLARE(hook_cred, HOOK_CRED);

/*
 * Runs a hook on a node. ORDER_PROLOG comes before the job's first step there, ORDER_EPILOG when
 * nothing of the job is left. ORDER_NODE is obeyed at once, and has a node_cred in place of the
 * hook_cred.
 */
#define ORDER_HOOK(FIELD, LIST, PART)                                                              \
    FIELD(1, BLOB, cred, FIELD_REQUIRED, "encoded hook_cred")                                      \
    FIELD(2, BLOB, signature, FIELD_REQUIRED, "Ed25519 over its bytes")
SCHEMA_DECLARE(order_hook, ORDER_HOOK);

/* The end of a Prolog or Epilog. The node tells it again when the hook is ordered again. */
#define HOOK_REPORT(FIELD, LIST, PART)                                                             \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, U32, launch_number, 0, "of the order")                                                \
    FIELD(3, ENUM, kind, 0, "enum hook_kind")                                                      \
    FIELD(4, I32, code, 0, "0: it went well; else an errno or E_ number")                          \
    FIELD(5, STR, text, 0, "what went wrong, for people: the program and its status")              \
    FIELD(6, STR, said, 0, "the end of its stderr as one line; absent: nothing")
SCHEMA_DECLARE(hook_report, HOOK_REPORT);
