/*
 * bcast.h - what sbcast sends to the receivers that it has on the nodes of a job, as the standard
 * input of their step.
 *
 *     u32 magic, u32 length, an encoded bcast_head
 *     any number of blocks: u32 bytes, u32 packed bytes, then these; both at most BCAST_BLOCK_MAX
 *     u32 0, u32 32, the SHA-256 of the content
 *
 * A block whose two numbers are equal is not packed. A receiver exits with 0, or with an errno.
 */
#pragma once

#include "common/schema/schema.h"

#define BCAST_MAGIC     UINT32_C(0x736c6231)
#define BCAST_HEAD_MAX  (16u << 10)
#define BCAST_BLOCK_MAX (8u << 20)
#define BCAST_BLOCK_MIN 512u

enum bcast_packing { BCAST_PLAIN, BCAST_LZ4, BCAST_ZLIB };

#define BCAST_HEAD(FIELD, LIST, PART)                                                              \
    FIELD(1, STR, path, FIELD_REQUIRED, "of the file to make, absolute")                           \
    FIELD(2, U32, mode, FIELD_CRITICAL, "its permissions")                                         \
    FIELD(3, BOOL, force, FIELD_CRITICAL, "one that is there may be replaced")                     \
    FIELD(4, BOOL, keep_times, 0, "the two below are to be the file's")                            \
    FIELD(5, I64, access_ns, 0, "since 1970")                                                      \
    FIELD(6, I64, modify_ns, 0, "since 1970")                                                      \
    FIELD(7, U64, size, 0, "bytes of the whole content")                                           \
    FIELD(8, ENUM, packing, FIELD_CRITICAL, "enum bcast_packing")                                  \
    FIELD(9, BOOL, by_node, FIELD_CRITICAL, "path goes on with '_' and the node's name")
SCHEMA_DECLARE(bcast_head, BCAST_HEAD);
