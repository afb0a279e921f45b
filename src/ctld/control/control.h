/*
 * control.h - what the controller does when something happens: the use cases, as pure functions.
 *
 * Owns the model and the planner. Sees no clock, file, socket or randomness: time and messages come
 * in, notes in a turn come out; the same inputs in the same order give the same state. Everything
 * the daemon, the simulator and the scenario tests make happen goes through this folder; each file
 * offers its use cases in its own header (README.md).
 *
 * What changes the model takes an act; an error leaves model and turn as they were.
 * Errors are those that Slurm's clients know (base/err.h), with a text that names the value.
 */
#pragma once

#include "ctld/model/model.h"

struct control;

/*
 * `config` is taken over. Fails as model_new does: a partition names a node that is not there.
 */
int control_new(struct model_config *config, struct control **ret_control, struct err *err);
struct control *control_free(struct control *control);

/*
 * How often a controller has begun to lead this cluster, this time included. control_ready raises
 * it, so it is on disk with the first turn, before anything is said or ordered under it.
 */
uint64_t control_incarnation(const struct control *control);

const struct model *control_model(const struct control *control);
