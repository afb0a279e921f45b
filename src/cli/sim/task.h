/*
 * task.h - one or two simulations of a trace: read from options, run, kept for the report.
 */
#pragma once

#include "common/base/log.h"
#include "common/text/words.h"
#include "ctld/sim/replay.h"

#define TASK_RUNS_MAX 2

/* The options as given on the command line; NULL: not given. All borrowed. */
struct task_options {
    const char *trace, *policy, *conf, *compare, *estimate, *procs, *queues, *claims, *user_limit;
};

struct task_run {
    const char *title; /* borrowed: the policy, or the slurm.conf */
    struct workload workload;
    struct world *world; /* of a run by slurm.conf, else NULL */
    uint64_t passes_n;
};

struct task {
    const char *trace;
    bool by_conf; /* titles are files; else policies */
    struct task_run runs[TASK_RUNS_MAX];
    uint32_t runs_n;
    enum sim_estimate estimate;
    uint32_t procs;
    struct trace_limits limits;
    struct words queue_words;
    struct replay_queue *queues;
    uint32_t queues_n;
};

/* Reads the options; the error names the option that is wrong, and why. */
int task_read(const struct task_options *options, struct task *ret, struct err *err);

/* Runs all simulations of the task. Jobs that a controller refuses are told to the log. */
int task_run(struct task *task, struct log *log, struct err *err);
void task_auto_(struct task *task);
