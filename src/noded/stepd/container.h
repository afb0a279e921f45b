/*
 * container.h - directories like /tmp that each job has to itself: job_container/tmpfs.
 *
 *     BasePath/JOB/         root's
 *         .JOB              the job's /tmp, on the disk of BasePath
 *         .JOB_var_tmp      of further Dirs=
 *         .shm              a tmpfs, the job's /dev/shm; mounted as long as the job is here
 *
 * Steps of a job share them. All of it is done as root, by descriptors from "/" on: BasePath and
 * what is above it must be root's and writable by nobody else, or sticky like /tmp, and JOB is
 * root's alone. What is inside of .JOB is the user's, and is not believed.
 */
#pragma once

#include "common/conf/container_conf.h"
#include "common/msg/step.h"

/* Fails when somebody else could exchange BasePath, naming who and the way out. */
int as_root_container_check(const struct conf_container *container, struct err *err);

/* Makes what is not there yet. NULL is fine: there is none. */
int as_root_container_make(const struct conf_container *container, const struct launch_cred *cred,
                           struct err *err);

/* Lets this process, and all that it starts, see the job's directories from now on. */
int as_root_container_enter(const struct conf_container *container, const struct launch_cred *cred,
                            struct err *err);

/* Removes, in a process of its own, what a job left that is gone from this node. */
void as_root_container_remove(const struct conf_container *container, uint32_t job_id);

/* Removes, at start, the private directories of jobs of an earlier boot. */
void as_root_container_sweep(const struct conf_container *container);
