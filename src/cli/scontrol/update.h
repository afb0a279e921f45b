/*
 * update.h - what follows the word update: KEY=VALUE pairs. Pure.
 */
#pragma once

#include "common/msg/node.h"

enum update_entity {
    UPDATE_NONE, /* no key names one */
    UPDATE_NODE,
    UPDATE_JOB,
    UPDATE_PARTITION,
    UPDATE_STEP,
    UPDATE_RESERVATION,
    UPDATE_OTHER, /* not yet */
};

/* Returns what is to be changed; `ret_word` is the key that says so, borrowed. */
enum update_entity update_entity_of(int argc, char *const *argv, const char **ret_word);

/*
 * Reads the pairs of a node update, keys in any order and case. Fails with EINVAL; the text is what
 * Slurm prints then, of several lines.
 */
int update_parse_node(int argc, char *const *argv, struct node_update *ret_update, struct err *err);

/* True if `pair` begins with the key, which may be cut short, and '='. */
bool update_has_key(const char *pair, const char *key);

/* Returns what stands behind '=', without quotes that came through the shell. To be freed. */
char *update_value(const char *pair);
