/*
 * distribution.h - how tasks are dealt to nodes, sockets and cores: the words of --distribution.
 */
#pragma once

#include <stdint.h>

/* The numbers are kept in the database. */
enum distribution {
    DIST_DEFAULT,
    DIST_BLOCK,
    DIST_CYCLIC,
    DIST_PLANE,     /* only of nodes */
    DIST_ARBITRARY, /* only of nodes: a task for each name in a list of them, in its order */
    DIST_FCYCLIC,   /* only of sockets and cores: the cpus of one task are dealt cyclically, too */
};

/*
 * Returns "Block" and such, as sacct and scontrol show it; "Unknown" for DIST_DEFAULT and for a
 * number that is no distribution.
 */
const char *distribution_name(uint32_t distribution);
