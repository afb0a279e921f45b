/*
 * features.h - for the checker: whether chosen nodes are what --constraint asks.
 *
 * Reads the text anew for each answer, from the words of ctld/sched/place/constraint.h.
 */
#pragma once

#include "ctld/sched/planner.h"

/* `text` is one that constraint_parse takes, or NULL. */
bool features_met(const char *text, const struct plan_node *nodes, const struct plan_place *places,
                  uint32_t places_n);

/* Nodes that the counts in the text ask for, beside those that are named; 0: it has none. */
uint32_t features_counted(const char *text);
