/*
 * load_say.h - what sacctmgr load says: changes of what is there, and tables of what is new.
 */
#pragma once

#include "cli/sacctmgr/load_plan.h"

/* Says " Changed MaxJobs for Account optics 4 -> 44"; `kind` is "Account". Texts may be NULL. */
void load_say_change(const char *what, const char *kind, const char *name, const char *was,
                     const char *now);

/* Says all that differs in an association. */
void load_say_assoc(const struct book *book, const char *kind, const char *name,
                    const struct assoc_record *was, const struct assoc_record *now);

/* Prints tables of the accounts, users and associations that are new. */
void load_say_new(const struct load_plan *plan);
