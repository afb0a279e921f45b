/*
 * completion.h - JobCompType: tells others that a job has ended, beside the history.
 *
 * jobcomp/filetxt appends a line to JobCompLoc, jobcomp/script runs it. A run that ends in a
 * requeue is told too, as in Slurm. What fails is logged and stops nothing.
 */
#pragma once

#include "common/base/log.h"
#include "common/conf/slurm_conf.h"
#include "common/msg/change.h"

struct completion;
struct programs;

/* `programs` and `log` are borrowed. */
struct completion *completion_new(const struct slurm_conf *conf, struct programs *programs,
                                  struct log *log);
struct completion *completion_free(struct completion *completion);

/* Tells of the jobs that these changes say have ended. */
void completion_note(struct completion *completion, const struct turn_changes *changes);
