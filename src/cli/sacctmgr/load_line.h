/*
 * load_line.h - a line of a file of sacctmgr dump: what it is about, a name, and values.
 *
 * "User - 'alice':DefaultAccount='physics':MaxJobs=3". What is in quotes may have colons.
 */
#pragma once

#include "cli/sacctmgr/words.h"

enum load_kind { LOAD_NOTHING, LOAD_CLUSTER, LOAD_PARENT, LOAD_ACCOUNT, LOAD_USER, LOAD_UNKNOWN };

struct load_line {
    uint32_t number; /* in the file, from 1 */
    char *text;
    enum load_kind kind;     /* LOAD_NOTHING: it is blank, or a comment */
    char *name;              /* in small letters */
    struct acct_line values; /* in `set` */
};

/* Reads the line, whose number is set already. Fails with EINVAL, in Slurm's words where it has
 * some. */
int load_line_read(struct load_line *line, const char *text, struct err *err);
void load_line_clear(struct load_line *line);
