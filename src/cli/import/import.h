/* import.h - sluice import: what another workload manager has kept, taken over. */
#pragma once

#include "common/base/log.h"

int sluice_import(int argc, char **argv, struct log *log);
