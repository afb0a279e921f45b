/*
 * usage.h - the columns about what a step used: MaxRSS and its like.
 *
 * Only steps have them; of a step that has told nothing yet they are empty. The times of a job are
 * the sums of its steps.
 */
#pragma once

#include "cli/sacct/columns.h"

/* X(column, amount, what of its spread over the tasks). */
#define USAGE_COLUMNS(X)                                                                           \
    X(AveCPU, CPU, AVERAGE)                                                                        \
    X(AveDiskRead, READ, AVERAGE)                                                                  \
    X(AveDiskWrite, WRITTEN, AVERAGE)                                                              \
    X(AvePages, PAGES, AVERAGE)                                                                    \
    X(AveRSS, MEMORY, AVERAGE)                                                                     \
    X(AveVMSize, VIRTUAL, AVERAGE)                                                                 \
    X(MaxDiskRead, READ, MAX)                                                                      \
    X(MaxDiskReadNode, READ, MAX_NODE)                                                             \
    X(MaxDiskReadTask, READ, MAX_TASK)                                                             \
    X(MaxDiskWrite, WRITTEN, MAX)                                                                  \
    X(MaxDiskWriteNode, WRITTEN, MAX_NODE)                                                         \
    X(MaxDiskWriteTask, WRITTEN, MAX_TASK)                                                         \
    X(MaxPages, PAGES, MAX)                                                                        \
    X(MaxPagesNode, PAGES, MAX_NODE)                                                               \
    X(MaxPagesTask, PAGES, MAX_TASK)                                                               \
    X(MaxRSS, MEMORY, MAX)                                                                         \
    X(MaxRSSNode, MEMORY, MAX_NODE)                                                                \
    X(MaxRSSTask, MEMORY, MAX_TASK)                                                                \
    X(MaxVMSize, VIRTUAL, MAX)                                                                     \
    X(MaxVMSizeNode, VIRTUAL, MAX_NODE)                                                            \
    X(MaxVMSizeTask, VIRTUAL, MAX_TASK)                                                            \
    X(MinCPU, CPU, MIN)                                                                            \
    X(MinCPUNode, CPU, MIN_NODE)                                                                   \
    X(MinCPUTask, CPU, MIN_TASK)                                                                   \
    X(TRESUsageInAve, IN, AVERAGE)                                                                 \
    X(TRESUsageInMax, IN, MAX)                                                                     \
    X(TRESUsageInMaxNode, IN, MAX_NODE)                                                            \
    X(TRESUsageInMaxTask, IN, MAX_TASK)                                                            \
    X(TRESUsageInMin, IN, MIN)                                                                     \
    X(TRESUsageInMinNode, IN, MIN_NODE)                                                            \
    X(TRESUsageInMinTask, IN, MIN_TASK)                                                            \
    X(TRESUsageInTot, IN, TOTAL)                                                                   \
    X(TRESUsageOutAve, OUT, AVERAGE)                                                               \
    X(TRESUsageOutMax, OUT, MAX)                                                                   \
    X(TRESUsageOutMaxNode, OUT, MAX_NODE)                                                          \
    X(TRESUsageOutMaxTask, OUT, MAX_TASK)                                                          \
    X(TRESUsageOutMin, OUT, MIN)                                                                   \
    X(TRESUsageOutMinNode, OUT, MIN_NODE)                                                          \
    X(TRESUsageOutMinTask, OUT, MIN_TASK)                                                          \
    X(TRESUsageOutTot, OUT, TOTAL)

#define USAGE_DECLARE(column, what, which) report_make_fn usage_make_##column;
USAGE_COLUMNS(USAGE_DECLARE)
#undef USAGE_DECLARE

report_make_fn usage_make_TotalCPU;
report_make_fn usage_make_UserCPU;
report_make_fn usage_make_SystemCPU;
