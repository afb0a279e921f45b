/*
 * pmix_lib.h - libpmix, loaded at run time. Private to this folder; only where SLUICE_PMIX is
 * defined. Not by common/base/library.h, because a node may well do without it.
 */
#pragma once

#ifdef SLUICE_PMIX

#include <pmix.h>
#include <pmix_server.h>

#include "common/base/err.h"

/* name, as in the library. */
#define PMIX_LIB_FUNCTIONS(X)                                                                      \
    X(PMIx_server_init)                                                                            \
    X(PMIx_server_finalize)                                                                        \
    X(PMIx_server_register_nspace)                                                                 \
    X(PMIx_server_register_client)                                                                 \
    X(PMIx_server_setup_fork)                                                                      \
    X(PMIx_generate_regex)                                                                         \
    X(PMIx_generate_ppn)                                                                           \
    X(PMIx_Error_string)

struct pmix_lib {
#define PMIX_LIB_MEMBER(name) __typeof__(name) *name;
    PMIX_LIB_FUNCTIONS(PMIX_LIB_MEMBER)
#undef PMIX_LIB_MEMBER
};

/* Loads the library, which stays until the process ends. Fails with ENOTSUP when it is not there or
 * too old. */
int pmix_lib_load(struct pmix_lib *ret, struct err *err);

#endif
