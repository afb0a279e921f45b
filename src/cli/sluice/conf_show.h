/*
 * conf_show.h - what a slurm.conf comes to, line by line, with the place each comes from. Pure.
 */
#pragma once

#include "common/conf/slurm_conf.h"

/* Keys in the order of `scontrol show config`, then nodes and partitions as the file has them. */
void conf_show_all(const struct slurm_conf *conf, struct strbuf *out);
