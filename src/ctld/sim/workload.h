/*
 * workload.h - the jobs of a simulation: what each asks for, how long it really runs, and, when the
 * simulation has been there, when it started and ended.
 */
#pragma once

#include "ctld/sim/swf.h"

#define SIM_NEVER INT64_MAX

struct sim_job {
    int64_t number; /* its id in the trace, or its place in the scenario */
    int64_t submit_ms, run_ms;
    int64_t limit_ms; /* that it asked for; it never runs longer */
    uint32_t procs;
    int64_t queue, user; /* of a trace; -1: not told */

    int64_t start_ms, end_ms; /* SIM_NEVER: it did not */
};

/* Jobs of a trace that no machine could have run as recorded, by what is wrong with them. */
struct workload_dropped {
    uint32_t no_submit, no_run, no_request, no_size, too_wide;
};

struct workload {
    struct sim_job *jobs; /* in order of submission, then as in the trace */
    uint32_t jobs_n;
    uint32_t procs; /* of the machine */
    struct workload_dropped dropped;
    bool request_is_run; /* the trace has no requested times: run times were taken */
};

/*
 * Takes the jobs of a trace on a machine of `procs` equal processors (0: as many as its header
 * says). Jobs without submit, run or requested time, or wider than the machine, are dropped and
 * counted; a missing size is taken from the other column; run times are cut to the requested ones.
 * Where no job has a requested time, each asks for what it runs. Fails when the machine's size is
 * not told, for a job number used twice, and when no job is left.
 */
int workload_from_swf(const struct swf *swf, uint32_t procs, struct workload *ret, struct err *err);

void workload_clear(struct workload *workload);
void workload_auto_(struct workload *workload);

uint32_t workload_dropped_n(const struct workload_dropped *dropped);
