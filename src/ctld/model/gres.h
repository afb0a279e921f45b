/*
 * gres.h - the generic resources of a node: what is a device, what is only counted, what is used.
 *
 * Devices have identity. They are numbered through all rows of conf->devices that are devices, and
 * for people among those of the same name on the node, as Slurm's IDX. Where no device file, no
 * core and a large count is given, only the amount matters.
 */
#pragma once

#include "ctld/model/model.h"

/* How many sorts of a node may be only counted. */
#define GRES_COUNTED_SORTS_MAX 4

bool gres_is_counted(const struct gres_info *gres);

/* A device of a node, both ways: its row, its number through all rows, and among its name. */
struct gres_device {
    uint32_t row, number, index;
};

/* Finds a device by its number on the node; false: there is none. */
bool gres_find_device(const struct node_info *conf, const char *name, uint32_t index,
                      struct gres_device *ret);
bool gres_device_at(const struct node_info *conf, uint32_t number, struct gres_device *ret);

/* Returns the device's file, or NULL. */
const char *gres_device_file(const struct node_info *conf, const struct gres_device *device);

/* Returns the row of a counted sort; conf->devices_n: none. */
uint32_t gres_find_counted(const struct node_info *conf, const char *name, const char *type);

/* Prepares the node's devices. Fails with E_NODE_CONFIG when too many sorts are only counted. */
int node_init_gres(struct node *node, struct err *err);

/* Marks what a place of a job takes as used, or as free again. */
void node_hold_gres(struct node *node, const struct job_node *place);
void node_release_gres(struct node *node, const struct job_node *place);

/* Takes AutoDetect's word: the node's gpus get the files and cores that it has told in its record's
 * hardware, and keep their numbers. Returns whether that changes anything. (gres_found.c) */
bool node_take_found(struct model *model, struct node *node);

/* Returns how many of its configured gpus the node has not found. */
uint64_t node_missing_gpus(const struct node *node);

/* Returns "gpu:a:1(IDX:0),gpu:b:0(IDX:N/A),ssd:2", as scontrol shows it, or NULL. */
char *node_gres_used(const struct node *node);
