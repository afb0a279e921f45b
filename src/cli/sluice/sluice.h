/* sluice.h - the project's own verbs: `sluice up`, `sluice down`, ... */
#pragma once

#include "common/base/log.h"

int sluice_main(int argc, char **argv);

/* Run the verb that argv[0] names. Return the exit status. */
int sluice_up(int argc, char **argv, struct log *log);
int sluice_env(int argc, char **argv, struct log *log);
int sluice_status(int argc, char **argv, struct log *log);
int sluice_down(int argc, char **argv, struct log *log);
int sluice_conf(int argc, char **argv, struct log *log);
int sluice_events(int argc, char **argv, struct log *log);
int sluice_explain(int argc, char **argv, struct log *log);
