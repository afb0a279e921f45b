/*
 * state.h - states of nodes as sinfo names them, and as -t asks for them. Pure.
 */
#pragma once

#include "common/msg/node.h"
#include "common/text/words.h"

/* Appends "idle" or "drng*"; with `is_long` "idle" or "draining*". */
void node_state_short(const struct node_info *node, bool is_long, struct strbuf *out);

/* Appends state and flags in full, as "idle" or "down+not_responding". */
void node_state_complete(const struct node_info *node, struct strbuf *out);

/* Returns the number that orders states as Slurm does: base states below flags. */
int64_t node_state_rank(const struct node_info *node);

enum node_use { NODE_USE_ALLOCATED, NODE_USE_IDLE, NODE_USE_OTHER, NODE_USES_N };

/* Returns where a node counts in allocated/idle/other. */
enum node_use node_use(const struct node_info *node);

/* The states of -t, divided by ',' (one of them) or '&' (all of them). */
struct node_states {
    struct words words;
    bool all_of_them;
};

/* Reads states; fails with E_SYNTAX for a word that is no state of a Slurm node. */
int node_states_parse(const char *text, struct node_states *ret_states, struct err *err);
bool node_states_have(const struct node_states *states, const struct node_info *node);
