/* info.h - what clients are shown of jobs, nodes and partitions. */
#pragma once

#include "common/msg/common.h"
#include "common/msg/job.h"
#include "common/msg/node.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

void control_diag(const struct control *control, struct diag *ret);
void control_count_jobs(const struct control *control, struct diag *ret); /* in their states */

/* Begins the counters anew, but for what was last and what counts since the start. */
void control_diag_reset(struct act *act);

/* What a client is shown of a job, without a copy: valid during the call of `show`. */
typedef void control_show_fn(const struct job_info *info, void *ctx);

void control_show_job(const struct control *control, struct moment now, const struct job *job,
                      control_show_fn *show, void *ctx);

/* Messages for clients, made from the model; the caller clears them. */
void control_job_info(const struct control *control, struct moment now, const struct job *job,
                      struct job_info *ret);
void control_node_info(const struct control *control, struct moment now, const struct node *node,
                       struct node_info *ret);
void control_partition_info(const struct control *control, uint32_t index,
                            struct partition_info *ret);

/* Licenses with what is used of them, and what open reservations have, in the model's order; each
 * is cleared, the list freed. */
struct license_info *control_licenses(const struct control *control, int64_t wall_s,
                                      uint32_t *ret_n);
