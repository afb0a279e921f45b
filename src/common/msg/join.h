/* join.h - how a new machine gets key and configuration by a token (docs/PROTOCOL.md, "Joining").
 */
#pragma once

#include "common/msg/node.h"

/* The first frame of each side, sent in the clear. */
#define JOIN_HELLO(FIELD, LIST, PART)                                                              \
    FIELD(1, U32, protocol, FIELD_REQUIRED | FIELD_CRITICAL, "version of this exchange: 1")        \
    FIELD(2, BLOB, ephemeral_key, FIELD_REQUIRED, "X25519 public key, 32 bytes, used once")        \
    FIELD(3, BLOB, token_name, 0, "of the machine: which token it has; tells nothing about it")
SCHEMA_DECLARE(join_hello, JOIN_HELLO);

/* The request of the machine, sealed under a key that only a holder of the token can make. */
#define JOIN_REQUEST(FIELD, LIST, PART)                                                            \
    FIELD(1, STR, host, FIELD_REQUIRED, "host name, without a domain")                             \
    PART(2, node_hardware, hardware, FIELD_REQUIRED, "what the machine has")                       \
    FIELD(3, STR, version, 0, "of the program")
SCHEMA_DECLARE(join_request, JOIN_REQUEST);

/* A file of the configuration: slurm.conf, or one beside it. */
#define JOIN_FILE(FIELD, LIST, PART)                                                               \
    FIELD(1, STR, name, FIELD_REQUIRED, "without a directory")                                     \
    FIELD(2, BLOB, content, 0, "the whole of it")
SCHEMA_DECLARE(join_file, JOIN_FILE);

/* The answer to a JOIN_REQUEST, sealed. */
#define JOIN_ANSWER(FIELD, LIST, PART)                                                             \
    FIELD(1, BLOB, key, FIELD_REQUIRED | FIELD_SECRET, "munge.key")                                \
    LIST(2, join_file, files, FIELD_REQUIRED, "slurm.conf first, then those beside it")            \
    FIELD(3, STR, note, 0, "what an administrator should do about slurm.conf on the head")         \
    FIELD(4, TIME, clock, 0, "of the head")
SCHEMA_DECLARE(join_answer, JOIN_ANSWER);
