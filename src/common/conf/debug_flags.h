/*
 * debug_flags.h - DebugFlags= as `scontrol setdebugflags` changes it. Pure.
 */
#pragma once

#include "common/base/err.h"

/*
 * Changes *flags, the value of DebugFlags (NULL: none). `change` is "+NAME,..." or "-NAME,...":
 * these names, in any case, are added or removed. The result is in the order of the table of names.
 * Fails with EINVAL, naming the word, and leaves *flags alone.
 */
int conf_debug_flags_change(char **flags, const char *change, struct err *err);
