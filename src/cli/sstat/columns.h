/*
 * columns.h - what sstat can say about a step that runs: sacct's columns about usage, and the
 * processes. Pure.
 */
#pragma once

#include "cli/sacct/layout.h"
#include "common/msg/visit.h"

/* A line of sstat. Everything is borrowed; `acct` is first, since sacct's functions take it for
   their row. */
struct stat_row {
    struct acct_row acct;
    const char *nodes;              /* of this line */
    const struct step_sight *sight; /* of one node, whose processes are listed; NULL: none are */
};

extern const struct report_table stat_table;
extern const struct acct_choice stat_choice;

#define STAT_FIELDS                                                                                \
    "JobID,MaxVMSize,MaxVMSizeNode,MaxVMSizeTask,AveVMSize,MaxRSS,MaxRSSNode,MaxRSSTask,AveRSS,"   \
    "MaxPages,MaxPagesNode,MaxPagesTask,AvePages,MinCPU,MinCPUNode,MinCPUTask,AveCPU,NTasks,"      \
    "AveCPUFreq,ReqCPUFreqMin,ReqCPUFreqMax,ReqCPUFreqGov,ConsumedEnergy,MaxDiskRead,"             \
    "MaxDiskReadNode,MaxDiskReadTask,AveDiskRead,MaxDiskWrite,MaxDiskWriteNode,MaxDiskWriteTask,"  \
    "AveDiskWrite,TRESUsageInAve,TRESUsageInMax,TRESUsageInMaxNode,TRESUsageInMaxTask,"            \
    "TRESUsageInMin,TRESUsageInMinNode,TRESUsageInMinTask,TRESUsageInTot,TRESUsageOutAve,"         \
    "TRESUsageOutMax,TRESUsageOutMaxNode,TRESUsageOutMaxTask,TRESUsageOutMin,TRESUsageOutMinNode," \
    "TRESUsageOutMinTask,TRESUsageOutTot"
#define STAT_PID_FIELDS "JobID,Nodelist,Pids"
