/*
 * options.h - sinfo's command line.
 */
#pragma once

#include "cli/lib/document.h"
#include "cli/lib/flags.h"

/* Texts are borrowed from argv and the environment; NULL: not given. */
struct sinfo_options {
    bool all, hide, dead, exact, no_header, is_long, by_node, responding, reasons, summarize;
    bool reservations, exact_units, future;
    uint32_t verbose;
    struct document_options document;
    const char *format, *long_format; /* -o, -O */
    const char *usual_format;         /* SINFO_FORMAT */
    const char *time_format;          /* SLURM_TIME_FORMAT */
    const char *nodes, *partitions, *states, *sort, *clusters, *iterate;
    const char *usual_all, *usual_partitions; /* SINFO_ALL, SINFO_PARTITION */
};

extern const struct flag_table sinfo_flags;
