/*
 * check.h - what a slurm.conf says that loads, but cannot be meant: keys that contradict one
 * another, lines that lead nowhere, values that are written otherwise today.
 *
 * Pure; only what the file itself says counts. Whether it fits the machine, and what other files
 * beside it say, others look at.
 */
#pragma once

#include "common/conf/slurm_conf.h"

/* Adds notes of kinds CONF_NOTE_WRONG, CONF_NOTE_VALUE and CONF_NOTE_HINT. */
void conf_check(const struct slurm_conf *conf, struct conf_notes *notes);

/* Where `key` is given, and what it says there; the file is NULL where it is not given. */
struct conf_at conf_given_at(const struct slurm_conf *conf, const char *key, const char **ret_text);
