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

/* By TRESBillingWeights; COUNT_UNSET where there are none, and a cpu is one unit. */
uint32_t tres_billing_of_partition(const struct model *model, const struct partition *part);

/* The most that one of its partitions makes of it. */
uint32_t tres_billing_of_node(const struct model *model, const struct node *node);

/* Notes what the weights of the partition make of what the job asks for, or of what it holds. */
void tres_bill_asked(const struct model *model, const struct partition *part,
                     struct job_record *rec);
void tres_bill_held(const struct model *model, const struct partition *part,
                    struct job_record *rec);
