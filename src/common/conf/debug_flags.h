/*
 * debug_flags.h - DebugFlags= as `scontrol setdebugflags` changes it. Pure.
 */
#pragma once

#include "common/base/err.h"

/*
 * `change` is "+NAME,..." or "-NAME,...": these names, in any case, come to or leave *flags, the
 * value of DebugFlags (NULL: none), which is then in the order of the names' own list. Fails with
 * EINVAL, naming the word, and leaves *flags alone.
 */
int conf_debug_flags_change(char **flags, const char *change, struct err *err);
