/* machine.h - what this machine has of all that slurm.conf says of it. */
#pragma once

#include "noded/agent/agent.h"

/* Reads the machine into *ret, which is initialised. Release with node_hardware_clear. */
void machine_read(const struct agent_options *options, struct node_hardware *ret);

/* Returns true if the controller has to know of the difference: moments do not count. */
bool machine_differs(const struct node_hardware *a, const struct node_hardware *b);
