/*
 * foreign.h - what the #PBS and #BSUB lines of a script ask for, in words of sbatch.
 *
 * Scripts that were written for other systems run as they are, as far as there is a like option;
 * what has none says nothing. What is no option of the other system is an error. Pure.
 */
#pragma once

#include "cli/submit/directive.h"
#include "common/text/words.h"

struct foreign_system {
    const char *magic; /* how its lines begin */
    int (*translate)(const struct directive *directive, struct words *ret_words,
                     struct err *err); /* adds "--NAME=VALUE" for each option; E_SYNTAX, EINVAL */
};

extern const struct foreign_system foreign_systems[];
extern const uint32_t foreign_systems_n;
