/* become.h - from root to the user of a step, for good. */
#pragma once

#include "common/msg/step.h"

/*
 * Takes the credential's groups, gid and uid, and checks that there is no way back. A process
 * that is not root can only be that user already. After this the process cannot be traced by the
 * user's other processes.
 */
int as_root_become(const struct launch_cred *cred, struct err *err);
