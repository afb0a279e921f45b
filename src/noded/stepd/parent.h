/*
 * parent.h - the root half of a step: it is all that must not fail. Its whole world is the
 * credential, frames of one size from its child, and verbs of a fixed layout from the monitor.
 */
#pragma once

#include "noded/stepd/stepd.h"

/* Runs in the forked process until nothing of the step is left; returns its exit status. */
int as_root_parent_main(const struct stepd_launch *launch, struct log *log);
