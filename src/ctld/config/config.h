/*
 * config.h - from slurm.conf to what the model and control need of it. Pure.
 */
#pragma once

#include "common/conf/slurm_conf.h"
#include "ctld/model/model.h"

/* Returns what PrivateData of a file keeps from users: its bits as the model has them. */
uint32_t config_private(uint32_t conf_private);

/* Makes the configuration of slurm.conf; `host` is the controller's name in it. The result goes to
 * control_new, or to model_config_clear. */
void config_of_conf(const struct slurm_conf *conf, const char *host, struct model_config *ret);
