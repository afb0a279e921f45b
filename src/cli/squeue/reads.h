/*
 * reads.h - what squeue has to be told of each job: a list of 10,000 is as long as its records are.
 */
#pragma once

#include "cli/squeue/filter.h"
#include "common/report/format.h"
#include "common/report/sort.h"
#include "common/schema/view.h"

/*
 * Returns the view of JOB_INFO that squeue needs: what the columns and keys read (their paths, and
 * `reads` of report_column), and what rows, tasks and the filter go by. schema_view_free() it.
 */
struct schema_view *queue_reads(const struct report_format *format, const struct report_sort *sort,
                                const struct queue_filter *filter);
