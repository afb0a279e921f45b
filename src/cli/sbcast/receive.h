/*
 * receive.h - the far end of sbcast: what a node runs, as the user, to make the file.
 *
 * Started as a task of a step of its own (enum step_service), with the stream of bcast.h as its
 * standard input. The file appears whole and checked, or not at all.
 */
#pragma once

#include "common/msg/bcast.h"
#include "common/msg/step.h"

/* Reads the head's length from the first bytes, or the head. For receiver and fuzzer. Pure. */
int receive_parse_start(const uint8_t bytes[8], uint32_t *ret_head_n, struct err *err);
int receive_parse_head(const void *bytes, uint32_t n, struct bcast_head *ret, struct err *err);

/* Reads the two numbers before a block. n is 0 at the end; packed_n is then the sum's length. */
int receive_parse_block(const uint8_t bytes[8], uint32_t *ret_n, uint32_t *ret_packed_n,
                        struct err *err);

/* Reads the stream from `fd` to its end. Returns 0 or -errno. */
int receive_file(int fd, struct err *err);

int receive_main(int argc, char **argv);
