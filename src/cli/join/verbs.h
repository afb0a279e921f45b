/*
 * verbs.h - `sluice init`, `token` and `join`: from hosts with the package to a cluster that runs.
 */
#pragma once

#include "common/base/log.h"

int sluice_init(int argc, char **argv, struct log *log);
int sluice_token(int argc, char **argv, struct log *log);
int sluice_join(int argc, char **argv, struct log *log);
