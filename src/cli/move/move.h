/* move.h - sluice move accounting: between a controller and its slurmdbd. */
#pragma once

#include "common/base/log.h"

int sluice_move(int argc, char **argv, struct log *log);
