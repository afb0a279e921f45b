/*
 * ask_values.h - how the values of a reservation's keys are read. Private to this folder.
 */
#pragma once

#include "common/msg/reservation.h"

/* The request as it was read so far. */
struct asking {
    struct reservation_ask *ask;
    int64_t now;
    bool is_new;
    const char *pair;         /* the one that is read */
    const char *value;        /* what stands behind '=' */
    enum reservation_how how; /* "=", "+=" or "-=" */
};

/* Reads the value into the request; `member` is the place in it. Fails with the text that Slurm
 * prints. */
typedef int ask_read_fn(struct asking *asking, size_t member, struct err *err);

ask_read_fn ask_read_text, ask_read_time, ask_read_duration, ask_read_delay, ask_read_flags,
    ask_read_nodes, ask_read_words, ask_read_node_counts, ask_read_core_counts, ask_read_tres,
    ask_read_per_node, ask_read_purge, ask_read_burst_buffer, ask_read_watts;

/* Fails with EINVAL: the text, and that nothing was done. */
int ask_refuse(const struct asking *asking, struct err *err, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
