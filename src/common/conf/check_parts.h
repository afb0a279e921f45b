/*
 * check_parts.h - the parts of conf_check. Private to this folder.
 */
#pragma once

#include "common/conf/check.h"
#include "common/text/hostlist.h"

/* One check of a whole configuration. */
struct check {
    const struct slurm_conf *conf;
    struct conf_notes *notes;
};

/* Returns where `key` stands, or the first line of the file when it is not given. */
struct conf_at check_at(const struct check *check, const char *key);

/* Returns names for a message, cut when there are many, in new memory. */
char *check_names(const struct hostlist *names);

void check_values(const struct check *check);       /* how one writes today what is written here */
void check_plugin_names(const struct check *check); /* values that name none that exists */
void check_nodes(const struct check *check);        /* NodeName lines */
void check_partitions(const struct check *check);   /* PartitionName lines */
void check_together(const struct check *check);     /* keys that contradict one another */
void check_weights(const struct check *check);      /* weights of TRES */
