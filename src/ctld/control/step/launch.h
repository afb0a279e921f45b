/* launch.h - the order that starts a step on a node. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Orders every node of the step to launch its part, or one of them once more; notes the step. */
void launch_orders(struct act *act, struct step *step);
void launch_again(struct act *act, struct step *step, uint32_t position);
