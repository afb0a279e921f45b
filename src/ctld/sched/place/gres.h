/*
 * gres.h - the generic resources that a job asks for, counted on one node and taken there.
 *
 * What is said about one resource in several ways (--gpus-per-node, --gpus-per-task ...) is one
 * want. On a node it comes to a number of devices that follows from the tasks there; only what is
 * asked for the job as a whole is dealt over the nodes by who chooses them: it is pooled.
 *
 * Of the free devices those next to the chosen cpus are taken first, then the lowest. That order
 * does not depend on what stays free (demand.h).
 */
#pragma once

#include "ctld/sched/place/cores.h"

/* Resources asked for the job as a whole, each at least one on every node. */
#define GRES_POOLED_MAX 4

struct gres_want {
    const char *name, *type; /* borrowed; type NULL: any */
    uint64_t per_node, per_task, per_socket;
    uint32_t tasks_each; /* a device for so many tasks; 0: not said */
    uint64_t per_job;    /* 0: not said; dealt over the nodes if nothing else is said: */
    int32_t pooled;      /* number among the pooled ones, or -1 */
};

/* Owns its wants; those with a type come first, so that any-type ones take what is left. */
struct gres_wants {
    struct gres_want *at;
    uint32_t n;
    uint64_t pooled[GRES_POOLED_MAX]; /* for the whole job */
    uint32_t pooled_n;
    uint32_t sockets; /* of each node, for what is asked per socket */
};

/* What falls to one node of the pooled resources. */
struct gres_share {
    uint64_t pooled[GRES_POOLED_MAX];
};

/* Steps through all shares from one of each up to `most`; `share` comes with none for the first.
 * Returns false when there is no next one. */
bool gres_share_next(struct gres_share *share, const struct gres_share *most, uint32_t pooled_n);

void gres_wants_init(struct gres_wants *wants, const struct plan_shape *shape);
void gres_wants_clear(struct gres_wants *wants);

/* Returns how many devices one want comes to on a node with this many tasks. */
uint64_t gres_devices(const struct gres_wants *wants, const struct gres_want *want, uint32_t tasks,
                      const struct gres_share *share);

/* Returns how many of them are gpus, which cpus and memory may be counted by. */
uint64_t gres_gpus(const struct gres_wants *wants, uint32_t tasks, const struct gres_share *share);

/* Returns how many gpus the node has. */
uint64_t gres_gpus_of(const struct sched_node *node);

/* Returns how many tasks, at most `most`, the free devices are enough for, and how much of what is
 * pooled; 0: not for one task, or nothing of something. */
uint32_t gres_tasks(const struct gres_wants *wants, const struct sched_node *node,
                    const struct supply *free, uint32_t most, struct gres_share *ret_most);

/* Returns whether there are enough devices for this many tasks with this share. */
bool gres_is_enough(const struct gres_wants *wants, const struct sched_node *node,
                    const struct supply *free, uint32_t tasks, const struct gres_share *share);

/* Returns how many tasks the free devices serve where tasks have devices of their own, not counting
 * more than the job asks for; UINT64_MAX: they have none, or it is no limit. */
uint64_t gres_tasks_served(const struct gres_wants *wants, const struct sched_node *node,
                           const struct supply *free);

/* Adds the least amounts of what is counted, and the least number of devices, that this many tasks
 * need. */
void gres_add_least(const struct gres_wants *wants, const struct sched_node *node, uint32_t tasks,
                    uint64_t *amounts, uint32_t *devices);

/* Returns the most that can be given of what is pooled, each resource looked at alone. */
struct gres_share gres_share_most(const struct gres_wants *wants, const struct sched_node *node,
                                  const struct supply *free);

bool gres_is_wanted(const struct gres_want *want, const struct sched_gres *gres);
/* Returns whether the node has devices that the want accepts and that are near some of its cpus. */
bool gres_has_near(const struct gres_want *want, const struct sched_node *node);
uint64_t gres_free_of(const struct sched_gres *gres, const struct sched_node *node,
                      const struct supply *free);

/* Takes the devices to `place`, of the sorts that are chosen, next to the cpus where there are
 * such. */
struct gres_choice;
void gres_take(const struct gres_wants *wants, const struct sched_node *node,
               const struct supply *free, uint32_t tasks, const struct gres_share *share,
               const struct gres_choice *choice, const struct bitset *cpus,
               struct sched_place *place);
