/*
 * pmix_facts.h - what a step's tasks are told about themselves by PMIx. Private to this folder.
 */
#pragma once

#ifdef SLUICE_PMIX

#include "common/msg/step.h"
#include "noded/mpi/pmix_lib.h"

struct pmix_facts_of {
    const struct pmix_lib *lib;
    const struct launch_body *body;
    uint32_t node_index;
    const char *nspace;
    const char *dir; /* for files of the step */
};

/* Tells the library about the step and all its tasks, and which of them are here. */
int pmix_facts_register(const struct pmix_facts_of *of, struct err *err);

#endif
