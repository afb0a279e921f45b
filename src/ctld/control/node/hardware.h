/* hardware.h - what a node says it has, against what slurm.conf says of it. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Lets a machine with less than configured take no work until it has enough. True: its gpus are
 * others than were known, and all is to be planned anew. */
bool node_check_hardware(struct model *model, struct node *node, struct moment now);
