/*
 * step_tres.h - what a step asks of generic resources, in the words of squeue and scontrol.
 *
 * Each appends to `out`, and nothing when the step does not ask, as a batch step never does.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/step.h"
#include "common/report/column.h"

/* NAME: step_add_NAME is the function. */
#define STEP_TRES(WHAT)                                                                            \
    WHAT(cpus_per_gpu)                                                                             \
    WHAT(mem_per_gpu)                                                                              \
    WHAT(gpu_bind)                                                                                 \
    WHAT(gpu_freq)                                                                                 \
    WHAT(tres_per_step)                                                                            \
    WHAT(tres_per_node)                                                                            \
    WHAT(tres_per_socket)                                                                          \
    WHAT(tres_per_task)

#define STEP_TRES_DECLARE(what)                                                                    \
    void step_add_##what(const struct step_record *step, struct strbuf *out);
STEP_TRES(STEP_TRES_DECLARE)
#undef STEP_TRES_DECLARE

/* For a table of columns whose rows step_of() leads to the step: make_NAME for each of them. */
#define STEP_TRES_MAKE(what)                                                                       \
    static void make_##what(const struct report_context *ctx, const void *row, struct strbuf *out) \
    {                                                                                              \
        (void)ctx;                                                                                 \
        step_add_##what(step_of(row), out);                                                        \
    }
