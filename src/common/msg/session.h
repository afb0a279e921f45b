/* session.h - what the two ends of a new connection say before anything else (docs/PROTOCOL.md). */
#pragma once

#include "common/schema/schema.h"

enum rpc_role {
    RPC_ROLE_NONE,
    RPC_ROLE_CLIENT,     /* a command */
    RPC_ROLE_NODE,       /* a node daemon */
    RPC_ROLE_CONTROLLER, /* slurmctld */
    RPC_ROLE_STEP,       /* the user side of a step */
    RPC_ROLE_SRUN,       /* srun, serving its steps' streams */
    RPC_ROLE_DBD,        /* slurmdbd */
};

/* The first frame of each side, sent in the clear. */
#define SESSION_HELLO(FIELD, LIST, PART)                                                           \
    FIELD(1, U32, protocol, FIELD_REQUIRED, "version of this exchange: 1")                         \
    FIELD(2, BLOB, ephemeral_key, 0, "X25519 public key, 32 bytes, used once; not when local")     \
    FIELD(3, U64, features, 0, "bits of optional abilities")                                       \
    FIELD(4, STR, version, 0, "of the program")                                                    \
    FIELD(5, TIME, clock, 0, "the sender's clock, for error messages")
SCHEMA_DECLARE(session_hello, SESSION_HELLO);

/* The second frame of each side over TCP. The credential's payload is an encoded session_claim. */
#define SESSION_PROOF(FIELD, LIST, PART)                                                           \
    FIELD(1, STR, credential, FIELD_REQUIRED, "MUNGE credential over the claim")
SCHEMA_DECLARE(session_proof, SESSION_PROOF);

#define SESSION_CLAIM_LABEL  "sluice session 1"
#define SESSION_ALL_CLUSTERS "*" /* the cluster that a slurmdbd claims */

/* The second frame of each side on a Unix socket, where the kernel proves the uid. */
#define SESSION_CLAIM(FIELD, LIST, PART)                                                           \
    FIELD(1, STR, label, FIELD_REQUIRED | FIELD_CRITICAL, "SESSION_CLAIM_LABEL")                   \
    FIELD(2, ENUM, role, FIELD_REQUIRED | FIELD_CRITICAL, "enum rpc_role of the sender")           \
    FIELD(3, BOOL, initiator, FIELD_CRITICAL, "the sender opened the connection")                  \
    FIELD(4, STR, cluster, FIELD_CRITICAL, "ClusterName")                                          \
    FIELD(5, BLOB, transcript, FIELD_CRITICAL, "SHA-256 of both hellos; not when local")           \
    FIELD(6, STR, node, FIELD_CRITICAL, "NodeName, of a node")
SCHEMA_DECLARE(session_claim, SESSION_CLAIM);

/* The last frame of each side's handshake, which says whether it accepts the other. */
#define SESSION_VERDICT(FIELD, LIST, PART)                                                         \
    FIELD(1, U32, code, 0, "0 accepted, else an errno or E_ number")                               \
    FIELD(2, STR, text, 0, "why not")                                                              \
    FIELD(3, STR, key_fingerprint, 0, "of the sender's authentication key, when keys differ")
SCHEMA_DECLARE(session_verdict, SESSION_VERDICT);
