/* init_script.h - InitScript of job_container.conf: runs as root before a job has its directories.
 */
#pragma once

#include "common/conf/container_conf.h"
#include "common/msg/step.h"

/*
 * Waits for the script, ten seconds at most as Slurm does. `job_dir` is where the job's directories
 * will be. Without a script there is nothing to do. Fails when the script does not end with 0.
 */
int as_root_init_script_run(const struct conf_container *container, const struct launch_cred *cred,
                            const char *job_dir, struct err *err);
