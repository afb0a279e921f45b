/*
 * pmix.h - serves PMIx to the tasks of a step on this node, with libpmix.
 *
 * The library is looked for when a step asks for it, so that nobody else needs it. What it wants
 * from us comes on a thread of its own; a pipe brings it to the user child's loop, where all is
 * done. A build without the library's headers knows the class, too, and says what is missing.
 */
#pragma once

#include "noded/mpi/mpi_server.h"

extern const struct mpi_server_class pmix_class;
