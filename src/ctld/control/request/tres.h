/*
 * tres.h - how much of a trackable resource there is, and how much of it a job asks for.
 *
 * Names are Slurm's, in any case: cpu, mem (MB), node, billing, license/NAME, gres/NAME[:TYPE].
 * What has another name counts 0. Pure.
 */
#pragma once

#include "ctld/model/model.h"

double tres_of_partition(const struct model *model, const struct partition *part, const char *tres);
double tres_of_cluster(const struct model *model, const char *tres);

/* A job, there or not yet, and the partition that it is weighed for; all borrowed. */
struct tres_job {
    const struct job_record *rec;
    const struct job_request *request;
    const struct partition *part;
};

/* How much the job asks for; billing is by the weights of the partition. */
double tres_of_job(const struct model *model, const struct tres_job *job, const char *tres);

/* What TRESBillingWeights make of all that the partition has; COUNT_UNSET where there are none, and
 * a cpu is one unit. */
uint32_t tres_billing_of_partition(const struct model *model, const struct partition *part);

/* The most that the weights of one of its partitions make of the node. */
uint32_t tres_billing_of_node(const struct model *model, const struct node *node);

/* What the weights of the partition make of what the job asks for. */
uint32_t tres_billing_asked(const struct model *model, const struct tres_job *job);

/* Note in the record what the weights make of what the job asks for, or of what it holds. Its
 * partition is known. */
void job_bill_asked(const struct model *model, struct job *job);
void job_bill_held(const struct model *model, struct job *job);
