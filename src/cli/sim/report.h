/*
 * report.h - what simulations were good for, as a table for people or as JSON for programs.
 */
#pragma once

#include "common/base/strbuf.h"
#include "ctld/sim/metrics.h"

/* One simulation; everything is borrowed. */
struct report_run {
    const char *title;    /* of the policy, or the configuration */
    const char *estimate; /* "request" or "runtime" */
    const struct workload *workload;
    uint64_t passes_n;
};

/*
 * Reports runs of one trace side by side: all jobs, then by size, then by queue where there are
 * several.
 */
void report_table(const char *trace, const struct report_run *runs, uint32_t runs_n,
                  struct strbuf *out);

/* Reports the runs as JSON, with every digit. */
void report_json(const char *trace, const struct report_run *runs, uint32_t runs_n,
                 struct strbuf *out);

/* Appends lines "id start" with the trace's own numbers, in the order of the ids. */
void report_starts(const struct workload *workload, struct strbuf *out);
