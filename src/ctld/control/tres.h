/*
 * tres.h - how much of a trackable resource there is, and how much of it a job asks for.
 *
 * Names are Slurm's, in any case: cpu, mem (MB), node, billing, license/NAME, gres/NAME[:TYPE].
 * What has another name counts 0. Pure.
 */
#pragma once

#include "ctld/model/model.h"

double tres_of_partition(const struct model *model, const struct partition *part, const char *tres);

/* Billing is by the weights of the partition. */
double tres_of_job(const struct model *model, const struct partition *part,
                   const struct job_record *rec, const char *tres);
