/* script.h - a batch script: where it comes from, what is refused, what its #SBATCH lines say. */
#pragma once

#include "cli/submit/options.h"

/* Appends the script that --wrap stands for. */
void script_wrap(const char *command, struct strbuf *out);

/*
 * Reads `name`, looked for in the working directory and, when it has no slash, in PATH; NULL reads
 * standard input. *ret_path is where it was found (to be freed), NULL for standard input. Reads at
 * most BLOB_MAX bytes.
 */
int script_read(const char *name, struct strbuf *out, char **ret_path, struct err *err);

/*
 * Checks that Slurm would take the script: not empty, begins with #!, no zero bytes or DOS line
 * ends.
 */
int script_check(const char *script, size_t n, struct err *err);

/* Puts `text` behind the first line, which names the interpreter; the script has no zero byte. */
void script_insert(struct strbuf *script, const char *text);

/*
 * Applies the #SBATCH lines, then those of other systems unless --ignore-pbs was said. `name` is
 * for errors.
 */
int script_apply_directives(const char *name, const char *script, size_t n,
                            struct submit_options *options, struct err *err);
