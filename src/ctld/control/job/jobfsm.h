/*
 * jobfsm.h - the states of a job, and the only way from one to another.
 *
 * The states are Slurm's. What follows from a transition (times, orders, events) is finish.c's and
 * start.c's business; this says only what may follow what.
 */
#pragma once

#include "ctld/model/model.h"

bool jobfsm_may(uint32_t from, uint32_t to);

/* Moves the job to another base state; the move must be allowed. */
void jobfsm_move(struct job *job, uint32_t to);
