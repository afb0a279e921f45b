/*
 * spec.h - the parts of spec_complete, each about one side of a request. Private to this folder.
 *
 * Every part checks, and fills in what follows; errors have Slurm's code and begin with its words.
 */
#pragma once

#include "common/msg/job.h"
#include "common/msg/node.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

#define SPEC_NODES_MAX 65536
#define SPEC_TASKS_MAX (1u << 20)
#define SPEC_CPUS_MAX  65536u

static inline bool count_is_set(uint32_t count)
{
    return count != COUNT_UNSET;
}

static inline uint32_t divide_up(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}

/* True if so many seconds may be added to a limit. */
static inline bool seconds_are_few(int64_t seconds)
{
    return seconds >= -SCHEMA_SECONDS_MAX && seconds <= SCHEMA_SECONDS_MAX;
}

/* Reads resources and licenses by name. The lists of the spec are written anew in the form of
 * common/text/gres.h; what they say about the number of nodes and tasks goes into the spec. */
int spec_fill_gres(const struct model *model, struct job_spec *spec, struct err *err);
int spec_check_licenses(const struct model *model, const struct job_spec *spec, struct err *err);

/* Reads one list, NULL being empty; fails for what cannot be read, and for what the configuration
 * does not have, which `ret` has then all the same. */
int spec_read_gres(const struct model *model, const char *text, struct gres_list *ret,
                   struct err *err);

/* True if a comma list has the name, in any case. A list that says ALL, or is NULL, allows it. */
bool spec_list_has(const char *list, const char *name);
bool spec_list_allows(const char *list, const char *name);

/* True if the partition has fewer cpus than that in all; the second appends how many, in words. */
bool spec_cpus_exceed(uint64_t cpus, const struct partition_info *part);
void spec_tell_cpus(uint64_t cpus, const struct partition_info *part, struct strbuf *text);

/* Checks features that are asked for: their form, and that some node has each. Fails with `code`,
 * which is that of the option; NULL asks for none. */
int spec_check_constraint(const struct model *model, const char *text, int code, struct err *err);

/* A reason of spec_waits_for as an error: `code`, or with 0 what Slurm gives for this reason when
 * EnforcePartLimits is set. */
int spec_err_wait(uint32_t reason, int code, const struct job_spec *spec,
                  const struct partition *part, struct err *err);

/*
 * The first of the candidates where the job need not wait for the partition itself, or else the
 * first. Candidates that the caller may not use are left out of spec->partition.
 */
int spec_choose_partition(const struct model *model, const struct caller *caller,
                          struct job_spec *spec, const struct partition **ret, struct err *err);

/* Returns the time limit in seconds of a job that names none, or LIMIT_INFINITE. */
int64_t spec_default_time(const struct partition_info *part);

/* Fills what the partition says where the request is silent, and checks the limits that a job
 * cannot wait for. */
int spec_fill_from_partition(const struct model *model, struct job_spec *spec,
                             const struct partition *part, struct err *err);

/* Takes back that memory for one cpu was spread over several (MaxMemPerCPU). */
void spec_gather_memory(struct job_spec *spec);

/* Takes back all that spec_fill_from_partition filled, so that another partition may fill it; but a
 * DefaultTime and MinNodes stay, as in Slurm. */
void spec_give_back(struct job_spec *spec);

/* True if none of the partition's nodes has something that is asked of every node; `text` says
 * which. */
bool spec_misfit(const struct model *model, const struct job_spec *spec,
                 const struct partition *part, struct strbuf *text);

/* True with Hidden=YES, or AllowGroups without a group of the caller's; operators see all. */
bool control_hides_partition(const struct partition_info *part, const struct caller *caller);

/*
 * Checks `spec` and fills what it leaves open; the job would go to *ret_part. A job that may never
 * start as things are is accepted and waits with a reason (spec_waits_for).
 */
int spec_complete(const struct model *model, const struct caller *caller, struct job_spec *spec,
                  const struct partition **ret_part, struct err *err);

/* Which limit of the partition keeps the job from the planner: enum job_reason, or REASON_NONE. */
uint32_t spec_waits_for(const struct model *model, const struct job_spec *spec,
                        const struct partition *part);

/* Returns whether that limit of the partition is broken, whatever others are. */
bool spec_breaks(const struct model *model, const struct job_spec *spec,
                 const struct partition *part, uint32_t reason);

/* Appends the figures of a reason of spec_waits_for, in words. */
void spec_tell_wait(uint32_t reason, const struct job_spec *spec, const struct partition *part,
                    struct strbuf *text);

/* Checks a spec once more after it was altered. `moves`: *part is chosen anew, else it stays. */
int spec_complete_again(const struct model *model, const struct caller *caller,
                        struct job_spec *spec, bool moves, const struct partition **part,
                        struct err *err);

/* Cpus that the job asks for, and tasks, as clients show them while it waits. */
uint32_t spec_cpus(const struct job_spec *spec);

/* Cpus that the job must have at least on each node: where more are asked for in all than tasks
 * need. */
uint32_t spec_cpus_per_node(const struct job_spec *spec);
