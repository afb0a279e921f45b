/*
 * conf.h - the slurm.conf that a new cluster begins with, and cgroup.conf beside it. Pure.
 */
#pragma once

#include "cli/join/nodes.h"

struct conf_plan {
    const char *cluster, *head;
    const char *address; /* of the head, where its name is not enough; or NULL */
    const struct hostlist *hosts;
};

void conf_write_slurm(const struct conf_plan *plan, struct strbuf *out);
extern const char conf_cgroup[];
