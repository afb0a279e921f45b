/*
 * step_row.h - a step as a row, and the columns that several commands show of it. Pure.
 *
 * A row borrows all that it points to. The functions are those of report_column.
 */
#pragma once

#include "cli/lib/step_facts.h"
#include "common/report/column.h"

struct step_row {
    const struct step_record *step;
    const char *user; /* name of its uid, or NULL */
    const char *cluster;
};

static inline const struct step_record *step_row_step(const void *row)
{
    return ((const struct step_row *)row)->step;
}

/* Appends the step's name as "12.0" or "10_2.batch". */
report_make_fn step_row_id;

/*
 * What a step asks of generic resources: X(function, scontrol's key, squeue's name, its title).
 * Nothing is written where the step does not ask, as a batch step never does.
 */
#define STEP_TRES(X)                                                                               \
    X(step_row_cpus_per_gpu, "CpusPerTres", "cpus-per-tres", "CPUS_PER_TRES")                      \
    X(step_row_mem_per_gpu, "MemPerTres", "mem-per-tres", "MEM_PER_TRES")                          \
    X(step_row_gpu_bind, "TresBind", "tres-bind", "TRES_BIND")                                     \
    X(step_row_gpu_freq, "TresFreq", "tres-freq", "TRES_FREQ")                                     \
    X(step_row_tres_per_step, "TresPerStep", "tres-per-step", "TRES_PER_STEP")                     \
    X(step_row_tres_per_node, "TresPerNode", "tres-per-node", "TRES_PER_NODE")                     \
    X(step_row_tres_per_socket, "TresPerSocket", "tres-per-socket", "TRES_PER_SOCKET")             \
    X(step_row_tres_per_task, "TresPerTask", "tres-per-task", "TRES_PER_TASK")

#define STEP_TRES_DECLARE(function, key, name, title) report_make_fn function;
STEP_TRES(STEP_TRES_DECLARE)
#undef STEP_TRES_DECLARE
