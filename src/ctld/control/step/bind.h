/*
 * bind.h - how the tasks of a step are bound to cpus: as srun says, else CpuBind of the job's nodes
 * if it is that of all, else that of the partition, else TaskPluginParam. Pure.
 */
#pragma once

#include "ctld/model/model.h"

/* What --cpu-bind would say of how the step is bound: "verbose,cores". To be freed. */
char *bind_decide(const struct model *model, const struct step *step);
