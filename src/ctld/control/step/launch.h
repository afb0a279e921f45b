/* launch.h - the order that starts a step on a node. */
#pragma once

#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

/* Order every node of the step, or one once more, to launch its part; the first notes the step. */
void launch_orders(struct act *act, struct step *step);
void launch_again(struct act *act, struct step *step, uint32_t position);
