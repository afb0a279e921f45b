/*
 * check.h - finds what a slurm.conf says that loads, but cannot be meant: keys that contradict one
 * another, lines that lead nowhere, values that are written otherwise today.
 *
 * Pure: only what the file itself says counts. Others check whether it fits the machine and the
 * files beside it.
 */
#pragma once

#include "common/conf/slurm_conf.h"

/* Adds notes of kinds CONF_NOTE_WRONG, CONF_NOTE_VALUE and CONF_NOTE_HINT. */
void conf_check(const struct slurm_conf *conf, struct conf_notes *notes);

/*
 * Returns where `key` is given, and its value by ret_text. The file is NULL when it is not given.
 */
struct conf_at conf_given_at(const struct slurm_conf *conf, const char *key, const char **ret_text);
