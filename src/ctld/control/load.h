/* load.h - starting from what the store kept, and taking a new configuration. */
#pragma once

#include "common/msg/job.h"
#include "common/msg/node.h"
#include "common/msg/step.h"
#include "ctld/control/act/act.h"
#include "ctld/model/model.h"

void control_load_number(struct control *control, const char *name, int64_t number);
void control_load_node(struct control *control, const struct node_record *node);

/* Takes what the record owns; `body` may be NULL where a job in memory has the same. */
void control_load_job(struct control *control, struct job_record *job, const struct job_body *body);
void control_load_step(struct control *control, const struct step_record *step);
/* Pools beside the licences: before control_ready. */
struct feed_beside;
void control_load_pools(struct control *control, const struct feed_beside *beside);
void control_ready(struct act *act);

/* Stands in the place of control_ready where nothing is to happen but to be shown: what `live`, of
 * the same configuration, knows of nodes beside their records is taken from there. */
void control_settle_to_show(struct act *act, const struct control *live);

/* True if a job that is not over is in the partition, or may get there. */
bool control_uses_partition(const struct control *control, const char *name);

/* Goes over to a new configuration, which is taken over; running jobs keep what they have. */
int control_reconfigure(struct act *act, struct model_config *config, struct err *err);
