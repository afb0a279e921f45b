/*
 * names.h - what Slurm calls requests like ours: dashboards know these names and numbers. Pure.
 */
#pragma once

#include <stdint.h>

struct rpc_name {
    const char *text;
    uint32_t number;
};

/* Returns Slurm's name and number of a request; ours, where Slurm has no such request. */
struct rpc_name rpc_name_of(uint32_t type);
