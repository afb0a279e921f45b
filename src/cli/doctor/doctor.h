/*
 * doctor.h - `sluice doctor`: what is usually wrong with a controller or a node, on the very host.
 */
#pragma once

#include "common/base/log.h"

/* Runs the verb that argv[0] names. Returns 0 when all is well, 1 when something was found. */
int sluice_doctor(int argc, char **argv, struct log *log);
