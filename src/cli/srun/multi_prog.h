/*
 * multi_prog.h - the file of srun --multi-prog: which tasks run which program.
 *
 * A line names tasks (numbers, ranges, lists of them, or "*" on the last line: all others), the
 * program and its arguments, with blanks between. "%t" is the task's number, "%o" its place among
 * those of the line; single quotes keep blanks, and what is in them stays as it is. A backslash at
 * the end of a line joins it with the next; "#" begins a comment line. Pure.
 */
#pragma once

#include "common/msg/step.h"

struct multi_prog {
    const char *name;   /* of the file, for errors */
    uint32_t ntasks;    /* COUNT_UNSET: as many as the file names */
    char *const *extra; /* arguments that every program gets at its end */
    uint32_t extra_n;
};

/*
 * Appends to step->programs; sets `file->ntasks` when it was not set. Fails with E_SYNTAX, naming
 * the line, when a task has no program or two.
 */
int multi_prog_parse(struct multi_prog *file, const char *text, struct step_spec *step,
                     struct err *err);

/* Reads the file, then parses it as multi_prog_parse does. */
int multi_prog_read(struct multi_prog *file, struct step_spec *step, struct err *err);
