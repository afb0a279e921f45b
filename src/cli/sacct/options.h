/*
 * options.h - sacct's command line.
 */
#pragma once

#include "cli/lib/document.h"
#include "cli/lib/flags.h"
#include "common/text/words.h"

/* Texts are borrowed from argv and the environment; NULL: not given. Words are owned. */
struct sacct_options {
    bool all_users, brief, completion, expand_patterns, help_format, is_long, no_header;
    bool all_clusters, duplicates, script, environment;
    bool exact_units, parsable, parsable2, truncate, allocations;
    struct document_options document;
    uint32_t verbose;
    const char *start, *end, *nodes, *nnodes, *ncpus, *limit_min, *limit_max;
    const char *delimiter, *clusters, *units, *time_format, *usual_format;
    struct words jobs, users, groups, states, names, partitions, accounts, qos, wckeys, fields;
    const char *whole_hetjob, *file;
    struct words constraints, flags, reasons, associations;
};

extern const struct flag_table sacct_flags;

void sacct_options_clear(struct sacct_options *options);
