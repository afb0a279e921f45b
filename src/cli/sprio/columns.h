/*
 * columns.h - what sprio can say about a job's priority in a partition. Pure.
 */
#pragma once

#include "common/conf/slurm_conf.h"
#include "common/msg/priority.h"
#include "common/report/column.h"

/* A line; borrowed. */
struct prio_row {
    const struct priority_info *job; /* NULL: the line of the weights */
    const struct slurm_conf *conf;   /* has the weights */
};

/* Small letters are factors before their weights, large ones after. */
extern const struct report_table prio_table;

struct prio_shape {
    bool normal, is_long, with_user;
};

/* The format where none is asked for: factors whose weight is 0 only in the long one. */
void prio_default_format(const struct slurm_conf *conf, const struct prio_shape *shape,
                         struct strbuf *out);
