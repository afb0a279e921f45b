/*
 * io.h - what a step's user side and srun tell one another.
 *
 * The step dials srun, one connection for each node. Data flows in IO_DATA; the sender of a stream
 * stops when it has IO_WINDOW_BYTES unacknowledged bytes out, and IO_CREDIT gives room back.
 */
#pragma once

#include "common/msg/step.h"

#define IO_DATA_MAX     (64u << 10)
#define IO_WINDOW_BYTES (1u << 20)

enum io_stream { IO_STDIN, IO_STDOUT, IO_STDERR };

#define IO_HELLO(FIELD, LIST, PART)                                                                \
    FIELD(1, U32, job_id, FIELD_REQUIRED, "job")                                                   \
    FIELD(2, U32, step_id, 0, "step")                                                              \
    FIELD(3, BLOB, token, FIELD_REQUIRED | FIELD_SECRET, "io_token of the step's spec")            \
    FIELD(4, STR, node, 0, "NodeName")                                                             \
    FIELD(5, U32, node_index, 0, "in the step's layout")
SCHEMA_DECLARE(io_hello, IO_HELLO);

/* Bytes of a stream; an empty `data` is its end. Stdin for all tasks of a node has `task` unset. */
#define IO_DATA(FIELD, LIST, PART)                                                                 \
    FIELD(1, COUNT, task, 0, "number in the step")                                                 \
    FIELD(2, ENUM, stream, 0, "enum io_stream")                                                    \
    FIELD(3, BLOB, data, 0, "at most IO_DATA_MAX bytes; empty: end")
SCHEMA_DECLARE(io_data, IO_DATA);

#define IO_TASK_START(FIELD, LIST, PART)                                                           \
    FIELD(1, U32S, tasks, 0, "started")                                                            \
    FIELD(2, U32S, pids, 0, "their pids")                                                          \
    FIELD(3, I32, code, 0, "errno when they could not be")                                         \
    FIELD(4, STR, error, 0, "and why")
SCHEMA_DECLARE(io_task_start, IO_TASK_START);

#define IO_TASK_EXIT(FIELD, LIST, PART)                                                            \
    FIELD(1, U32, task, 0, "number in the step")                                                   \
    FIELD(2, I32, status, 0, "wait status")                                                        \
    FIELD(3, BOOL, in_mpi, 0, "between MPI_Init and MPI_Finalize: others may wait for it for ever")
SCHEMA_DECLARE(io_task_exit, IO_TASK_EXIT);

#define IO_SIGNAL(FIELD, LIST, PART)                                                               \
    FIELD(1, U32, signal, FIELD_REQUIRED, "for every task of the node")
SCHEMA_DECLARE(io_signal, IO_SIGNAL);

#define IO_WINDOW(FIELD, LIST, PART)                                                               \
    FIELD(1, U32, rows, 0, "of srun's terminal")                                                   \
    FIELD(2, U32, columns, 0, "of srun's terminal")
SCHEMA_DECLARE(io_window, IO_WINDOW);

/*
 * Gives room back to the sender of streams. `total` lets them go on after a redial: each side's
 * first message on a new connection (srun's after it took the IO_HELLO) is an IO_CREDIT with how
 * much has come so far, including what still waits to be consumed. The other side goes on from
 * there and sends nothing twice. Both members count all streams together.
 */
#define IO_CREDIT(FIELD, LIST, PART)                                                               \
    FIELD(1, U32, bytes, 0, "of IO_DATA consumed since the last credit")                           \
    FIELD(2, U64, total, 0, "of IO_DATA consumed since the step began")
SCHEMA_DECLARE(io_credit, IO_CREDIT);

/*
 * A message between nodes of a step, sent through srun, which reads only where it goes. Each side
 * keeps what it sent until it is acknowledged, and sends it again after a redial; the receiver
 * drops repeats.
 */
#define IO_RELAY(FIELD, LIST, PART)                                                                \
    FIELD(1, U64, number, 0, "of the sender's relays on this connection's two ends, from 1")       \
    FIELD(2, U32S, nodes, 0, "positions of the nodes it is for; empty on the way from srun")       \
    FIELD(3, U32, from, 0, "position of the node that sent it; srun fills it in")                  \
    FIELD(4, BLOB, data, 0, "any bytes")
SCHEMA_DECLARE(io_relay, IO_RELAY);

#define IO_RELAYED(FIELD, LIST, PART)                                                              \
    FIELD(1, U64, number, 0, "of the last relay that came; it and those before need no repeating")
SCHEMA_DECLARE(io_relayed, IO_RELAYED);

/* Sent when a task wants the whole step ended. */
#define IO_ABORT(FIELD, LIST, PART) FIELD(1, STR, text, 0, "why, for the user")
SCHEMA_DECLARE(io_abort, IO_ABORT);
