/*
 * options.h - squeue's command line.
 */
#pragma once

#include "cli/lib/document.h"
#include "cli/lib/flags.h"

/* Texts are borrowed from argv and the environment; NULL: not given. */
struct squeue_options {
    bool all, hide, each_partition, no_header, is_long, me, not_me, start, exact_units;
    bool each_task;   /* --array */
    bool only_states; /* --only-job-state */
    uint32_t verbose;
    const char *format, *long_format;         /* -o, -O */
    const char *usual_format, *usual_format2; /* SQUEUE_FORMAT, SQUEUE_FORMAT2 */
    const char *time_format;                  /* SLURM_TIME_FORMAT */
    const char *tasks_length;                 /* SLURM_BITSTR_LEN */
    const char *jobs, *steps;                 /* "" without a list */
    const char *users, *states, *partitions, *names, *nodes, *accounts, *qos, *licenses;
    struct document_options document;
    const char *reservation, *sort, *clusters, *iterate;
};

extern const struct flag_table squeue_flags;
