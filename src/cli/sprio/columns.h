/*
 * columns.h - what sprio can say about a job's priority in a partition. Pure.
 */
#pragma once

#include "common/conf/slurm_conf.h"
#include "common/msg/priority.h"
#include "common/report/column.h"

/* A line of sprio; borrowed. */
struct prio_row {
    const struct priority_info *job; /* NULL: the line of the weights */
    const struct slurm_conf *conf;   /* has the weights */
};

/* Small letters are factors before their weights, large ones after. */
extern const struct report_table prio_table;

struct prio_shape {
    bool normal, is_long, with_user;
};

/* Appends the usual format; only the long one has factors whose weight is 0. */
void prio_default_format(const struct slurm_conf *conf, const struct prio_shape *shape,
                         struct strbuf *out);
