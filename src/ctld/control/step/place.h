/* place.h - gives a step the part of its job that fits. */
#pragma once

#include "ctld/control/step/use.h"
#include "ctld/control/step/want.h"

/* Writes the layout that step_fits found into the step's record. */
void step_place(const struct control *control, struct step *step, struct step_want *want,
                const struct step_use *uses, const uint32_t *tasks);
