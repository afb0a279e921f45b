/* conf.h - the cluster of a simulation, from slurm.conf as the controller reads it. */
#pragma once

#include "common/base/log.h"
#include "common/base/strbuf.h"
#include "ctld/model/model.h"
#include "ctld/sim/scenario.h"

/*
 * Reads the file; notes about keys go to the log. `ret` goes to a function that takes a
 * model_config over.
 */
int conf_from_file(const char *path, struct log *log, struct model_config *ret, struct err *err);

/* Reads the configuration that stands in a scenario; Include reads from the disk. */
int conf_from_scenario(const struct scenario *scenario, struct log *log, struct model_config *ret,
                       struct err *err);
