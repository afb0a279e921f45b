/*
 * resize.h - what a script that has given back nodes of its job reads to know the rest. Pure.
 */
#pragma once

#include "common/base/strbuf.h"
#include "common/msg/job.h"

enum resize_shell { RESIZE_SH, RESIZE_CSH };

/* Appends assignments of the variables that name the job's nodes, in the words of Slurm 22.05. */
void resize_format(const struct job_record *job, enum resize_shell shell, struct strbuf *out);
