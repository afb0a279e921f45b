/* times.h - the columns about when and for how long, and the cpus that times are counted for. */
#pragma once

#include "cli/sacct/columns.h"

/* As in Slurm: None of a job that was over before it began, Unknown of one that may still begin. */
report_make_fn times_make_start;
report_number_fn times_end_time;
report_number_fn times_submit_time;
report_number_fn times_eligible_time;
report_number_fn times_elapsed;
report_number_fn times_cpus;
report_number_fn times_cpu_time;

/* Time from being eligible to the start. */
report_number_fn times_waited;
report_number_fn times_waited_cpus;
report_number_fn times_suspended;

report_make_fn times_make_limit;
report_make_fn times_make_limit_raw;
