/* queue.h - sluice import queue: waiting jobs of a real Slurm. */
#pragma once

#include "common/base/log.h"

/* argv[1] is "queue". Returns what the process exits with. */
int sluice_import_queue(int argc, char **argv, struct log *log);
