/*
 * mpi.h - what the nodes of a step tell one another for their MPI tasks, through srun.
 */
#pragma once

#include "common/schema/schema.h"

/* A piece of what a node gives to a gathering, or of its result (noded/mpi/gather.h). */
#define MPI_PIECE(FIELD, LIST, PART)                                                               \
    FIELD(1, STR, name, FIELD_REQUIRED, "of the gathering")                                        \
    FIELD(2, U32S, members, 0, "positions of its nodes, rising; the first one collects")           \
    FIELD(3, BOOL, is_result, 0, "from the first to the others: what all gave")                    \
    FIELD(4, BOOL, last, 0, "no more follow")                                                      \
    FIELD(5, BLOB, data, 0, "the piece")
SCHEMA_DECLARE(mpi_piece, MPI_PIECE);
