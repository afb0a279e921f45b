/*
 * kind_ask.h - what a kind asks: of the nodes of each model, of how many, and which they may be.
 */
#pragma once

#include "ctld/sched/pick/kind.h"

/* Fills in what the kind asks, from its partition and shape. */
void kind_ask_find(const struct kinds *kinds, struct kind *kind);
