/*
 * select_flags.h - what jobs are allocated: select/cons_tres and select/linear with their
 * SelectTypeParameters.
 */
#pragma once

/* The numbers are sent to clients. */
enum select_flags {
    SELECT_LINEAR = 1, /* whole nodes; of SelectType, the others of SelectTypeParameters */
    SELECT_CPU = 2,
    SELECT_CORE = 4,
    SELECT_SOCKET = 8,
    SELECT_MEMORY = 16,
    SELECT_ONE_TASK_PER_CORE = 32,
    SELECT_PACK_NODES = 64,
    SELECT_LLN = 128,
    SELECT_CORE_DIST_BLOCK = 256, /* CR_CORE_DEFAULT_DIST_BLOCK */
};
