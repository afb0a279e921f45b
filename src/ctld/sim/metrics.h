/*
 * metrics.h - what a simulation was good for: waits, slowdowns, utilisation, makespan.
 *
 * All jobs that started count, those of warm-up and drain included. Wait is start - submit; bounded
 * slowdown is max(1, (wait + run) / max(run, 10 s)); utilisation is processor time used over
 * processors times makespan, which is from the first submission to the last end. A percentile is
 * the smallest value that so many per cent of the jobs do not exceed. Pure.
 */
#pragma once

#include "ctld/sim/workload.h"

#define METRICS_SLOWDOWN_BOUND_S 10

struct spread {
    double mean, median, p95, p99, max, rms;
};

struct metrics {
    uint32_t jobs_n, unstarted_n; /* started and ended; the rest */
    struct spread wait_s, slowdown;
    double utilisation, makespan_s;
};

/* Returns the metrics of the jobs for which `has` is true, or with NULL of all. */
struct metrics metrics_of(const struct workload *workload,
                          bool (*has)(const void *ctx, const struct sim_job *job), const void *ctx);

/* Returns the class of a size: 1, 2-8, 9-64, and so on by factors of eight. */
uint32_t metrics_size_class(uint32_t procs);
void metrics_size_class_name(uint32_t size_class, struct strbuf *out);
#define METRICS_SIZE_CLASSES 12
