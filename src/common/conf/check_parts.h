/*
 * check_parts.h - the parts of conf_check. Private to this folder.
 */
#pragma once

#include "common/conf/check.h"
#include "common/text/hostlist.h"

/* One look at a whole configuration. */
struct check {
    const struct slurm_conf *conf;
    struct conf_notes *notes;
};

/* Where `key` stands, else the first line of the file. */
struct conf_at check_at(const struct check *check, const char *key);

/* Names for a message, cut where they get long; new memory. */
char *check_names(const struct hostlist *names);

void check_values(const struct check *check);       /* how one writes today what is written here */
void check_plugin_names(const struct check *check); /* values that name none that exists */
void check_nodes(const struct check *check);        /* NodeName lines */
void check_partitions(const struct check *check);   /* PartitionName lines */
void check_together(const struct check *check);     /* keys that contradict one another */
void check_weights(const struct check *check);      /* weights of TRES */
