/*
 * user.h - the half of a step that runs as the user: reads the launch body, opens streams, starts
 * the tasks, and tells its root parent in frames what becomes of them.
 */
#pragma once

#include "noded/stepd/stepd.h"

/*
 * Runs in the forked child and returns its exit status. `pair_fd` leads to the parent. Root rights
 * are given up before anything that the user wrote is looked at.
 */
int user_main(const struct stepd_launch *launch, const struct cgroup *cgroup, int pair_fd);
