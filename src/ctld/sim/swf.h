/*
 * swf.h - a recorded job stream in the Standard Workload Format, fed piece by piece.
 *
 * The format is that of the Parallel Workloads Archive: comment lines begin with ';' and may hold
 * header fields ("; MaxProcs: 100"); every other line is one job of 18 numbers, where -1 is
 * unknown. A line that is anything else is an error, so that a damaged trace is never half used.
 * Pure: bytes come in, whoever read them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/strbuf.h"

#define SWF_JOBS_MAX 20000000u
#define SWF_LINE_MAX 4096            /* bytes */
#define SWF_TIME_MAX 3000000000      /* seconds: 95 years */
#define SWF_ID_MAX   999999999999999 /* any number of the file */

/* One line of a trace, as recorded. Times are seconds; -1 is unknown. */
struct swf_job {
    int64_t id;
    int64_t submit_s; /* since the trace's beginning */
    int64_t run_s, request_s;
    int64_t procs_used, procs_asked;
    int64_t user, group, queue, partition;
    uint32_t line;
};

struct swf {
    char *name; /* of the file, for messages */
    struct swf_job *jobs;
    uint32_t jobs_n;
    int64_t max_procs, max_nodes; /* of the header, or -1 */

    uint32_t line; /* that is being read */
    struct strbuf rest;
};

void swf_init(struct swf *swf, const char *name);
void swf_clear(struct swf *swf);
void swf_auto_(struct swf *swf);

/* Reads a piece of the trace. Jobs whose lines are complete are there afterwards. Fails with
 * "FILE:LINE:COLUMN: ...". */
int swf_feed(struct swf *swf, const char *bytes, size_t n, struct err *err);

/* Ends the trace after its last piece: the last line may lack its end. */
int swf_end(struct swf *swf, struct err *err);
