#include "cli/sstat/columns.h"

#include "cli/sacct/usage.h"
#include "common/text/jobid.h"

static const struct stat_row *stat_of(const void *row)
{
    return row;
}

/* Appends the id by the job's own number, also for a task of an array, as in Slurm. */
static void make_id(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_record *step = acct_step(row);
    const struct job_ref ref = { step->job_id, NO_VAL, step->step_id, false };

    (void)ctx;
    job_ref_format(out, &ref);
}

static void make_nodes(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, stat_of(row)->nodes);
}

static void make_pids(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    const struct step_sight *sight = stat_of(row)->sight;

    (void)ctx;
    for (uint32_t i = 0; sight && i < sight->processes_n; i++)
        strbuf_addf(out, "%s%u", i ? "," : "", sight->processes[i].pid);
}

/* Returns how many tasks have told what they use. */
static bool tasks(const struct report_context *ctx, const void *row, int64_t *ret)
{
    const struct step_usage *usage = acct_step(row)->usage;

    (void)ctx;
    *ret = usage ? usage->tasks : 0;
    return true;
}

/* Appends the frequency asked for: nobody sets any here, and a batch script cannot ask. */
static void make_frequency_asked(const struct report_context *ctx, const void *row,
                                 struct strbuf *out)
{
    (void)ctx;
    strbuf_adds(out, acct_step(row)->step_id == STEP_BATCH ? "0" : "Unknown");
}

static void make_zero(const struct report_context *ctx, const void *row, struct strbuf *out)
{
    (void)ctx;
    (void)row;
    strbuf_adds(out, "0");
}

#define MAKE(column, size, function)                                                               \
    {                                                                                              \
        .name = column, .title = column, .width = size, .make = function, .unset = ""              \
    }
#define USAGE(column, size) MAKE(#column, size, usage_make_##column)

/* clang-format off */
static const struct report_column columns[] = {
    USAGE(AveCPU, 10),
    MAKE("AveCPUFreq", 10, make_zero),
    USAGE(AveDiskRead, 12),
    USAGE(AveDiskWrite, 12),
    USAGE(AvePages, 10),
    USAGE(AveRSS, 10),
    USAGE(AveVMSize, 10),
    MAKE("ConsumedEnergy", 14, make_zero),
    MAKE("ConsumedEnergyRaw", 17, make_zero),
    MAKE("JobID", 12, make_id),
    USAGE(MaxDiskRead, 12),
    USAGE(MaxDiskReadNode, 15),
    USAGE(MaxDiskReadTask, 15),
    USAGE(MaxDiskWrite, 12),
    USAGE(MaxDiskWriteNode, 16),
    USAGE(MaxDiskWriteTask, 16),
    USAGE(MaxPages, 8),
    USAGE(MaxPagesNode, 12),
    USAGE(MaxPagesTask, 14),
    USAGE(MaxRSS, 10),
    USAGE(MaxRSSNode, 10),
    USAGE(MaxRSSTask, 10),
    USAGE(MaxVMSize, 10),
    USAGE(MaxVMSizeNode, 14),
    USAGE(MaxVMSizeTask, 14),
    USAGE(MinCPU, 10),
    USAGE(MinCPUNode, 10),
    USAGE(MinCPUTask, 10),
    MAKE("Nodelist", 20, make_nodes),
    { .name = "NTasks", .title = "NTasks", .width = 8, .number = tasks, .kind = KIND_U32, .unset = "" },
    MAKE("Pids", 20, make_pids),
    MAKE("ReqCPUFreq", 10, make_frequency_asked),
    MAKE("ReqCPUFreqMin", 13, make_frequency_asked),
    MAKE("ReqCPUFreqMax", 13, make_frequency_asked),
    MAKE("ReqCPUFreqGov", 13, make_frequency_asked),
    USAGE(TRESUsageInAve, 14),
    USAGE(TRESUsageInMax, 14),
    USAGE(TRESUsageInMaxNode, 18),
    USAGE(TRESUsageInMaxTask, 18),
    USAGE(TRESUsageInMin, 14),
    USAGE(TRESUsageInMinNode, 18),
    USAGE(TRESUsageInMinTask, 18),
    USAGE(TRESUsageInTot, 14),
    USAGE(TRESUsageOutAve, 15),
    USAGE(TRESUsageOutMax, 15),
    USAGE(TRESUsageOutMaxNode, 19),
    USAGE(TRESUsageOutMaxTask, 19),
    USAGE(TRESUsageOutMin, 15),
    USAGE(TRESUsageOutMinNode, 19),
    USAGE(TRESUsageOutMinTask, 19),
    USAGE(TRESUsageOutTot, 15),
};
/* clang-format on */

const struct report_table stat_table = { NULL, 0, columns, ARRAY_N(columns) };

const struct acct_choice stat_choice = { &stat_table, 0 };
