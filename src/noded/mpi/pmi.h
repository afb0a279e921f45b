/*
 * pmi.h - serves PMI 1 and 2 to the tasks of a step on this node.
 *
 * Each task has a socket to this process, by PMI_FD in its environment, and speaks the one or the
 * other version there. What tasks put becomes known to all at their next barrier or fence, over a
 * gathering of all nodes. Runs on the user child's loop, as the user; the tasks are not trusted
 * with more than their own step.
 */
#pragma once

#include "noded/mpi/mpi_server.h"

extern const struct mpi_server_class pmi_class;
