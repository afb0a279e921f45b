/* tables.h - the tables behind the programs, as parts of a manual page. Appends to `out`. */
#pragma once

#include "common/base/strbuf.h"

/* The environment variables that stand for options of sbatch, srun or salloc. */
int tables_variables(const char *command, struct strbuf *out, struct err *err);

/* The options that the command knows but does not act on: with a warning, as it is so anyway, or
 * refused. */
int tables_noted(const char *command, struct strbuf *out, struct err *err);
int tables_silent(const char *command, struct strbuf *out, struct err *err);
int tables_refused(const char *command, struct strbuf *out, struct err *err);

/* The letters and names of columns: of squeue, "steps" of squeue, sinfo or sacct. */
int tables_letters(const char *table, struct strbuf *out, struct err *err);
int tables_names(const char *table, struct strbuf *out, struct err *err);

/*
 * Keys of slurm.conf that have an effect: "global", "node", "partition", "nodeset", "down"; "gres"
 * of gres.conf, "switch" of topology.conf. `notes` says what each means: "[TABLE]" lines, then
 * "KEY: text". Fails when one is not there, or names a key that is not in the table.
 */
int tables_keys(const char *table, const char *notes, struct strbuf *out, struct err *err);

/* Keys that are read and shown, without effect; those that are obeyed under a newer name; those
 * that Slurm no longer has. */
int tables_keys_idle(const char *table, struct strbuf *out, struct err *err);
int tables_keys_replaced(const char *table, struct strbuf *out, struct err *err);
int tables_keys_removed(const char *table, struct strbuf *out, struct err *err);
