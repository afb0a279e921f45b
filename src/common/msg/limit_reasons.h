/*
 * limit_reasons.h - the reasons for which jobs wait because of a limit of their association or QOS,
 * in Slurm's words (squeue(1), JOB REASON CODES): the second part of JOB_REASONS.
 *
 * A limit on resources has a reason for each kind of resource, in the order of enum limit_tres from
 * its first number on. Slurm's words are made of a head and a tail, but for cpus, memory and nodes.
 */
#pragma once

/* What words tell apart. */
enum limit_tres {
    LIMIT_TRES_CPU,
    LIMIT_TRES_MEM,
    LIMIT_TRES_NODE,
    LIMIT_TRES_ENERGY,
    LIMIT_TRES_GRES,
    LIMIT_TRES_LICENSE,
    LIMIT_TRES_BB,
    LIMIT_TRES_BILLING,
    LIMIT_TRES_UNKNOWN,
    LIMIT_TRES_N
};

#define LIMIT_REASONS_OF(X, name, first, cpu, mem, node, head, tail)                               \
    X(name##_CPU, first, cpu)                                                                      \
    X(name##_MEM, first + 1, mem)                                                                  \
    X(name##_NODE, first + 2, node)                                                                \
    X(name##_ENERGY, first + 3, head "Energy" tail)                                                \
    X(name##_GRES, first + 4, head "GRES" tail)                                                    \
    X(name##_LICENSE, first + 5, head "License" tail)                                              \
    X(name##_BB, first + 6, head "BB" tail)                                                        \
    X(name##_BILLING, first + 7, head "Billing" tail)                                              \
    X(name##_UNKNOWN, first + 8, head "Unknown" tail)

#define LIMIT_REASONS(X)                                                                           \
    X(INVALID_ACCOUNT, 180, "InvalidAccount")                                                      \
    X(INVALID_QOS, 181, "InvalidQOS")                                                              \
    X(QOS_USAGE_THRESHOLD, 182, "QOSUsageThreshold")                                               \
    X(ASSOC_GRP_JOBS, 190, "AssocGrpJobsLimit")                                                    \
    X(ASSOC_GRP_SUBMIT, 191, "AssocGrpSubmitJobsLimit")                                            \
    X(ASSOC_GRP_WALL, 192, "AssocGrpWallLimit")                                                    \
    X(ASSOC_MAX_JOBS, 193, "AssocMaxJobsLimit")                                                    \
    X(ASSOC_MAX_SUBMIT, 194, "AssocMaxSubmitJobLimit")                                             \
    X(ASSOC_MAX_WALL, 195, "AssocMaxWallDurationPerJobLimit")                                      \
    LIMIT_REASONS_OF(X, ASSOC_GRP, 200, "AssocGrpCpuLimit", "AssocGrpMemLimit",                    \
                     "AssocGrpNodeLimit", "AssocGrp", "")                                          \
    LIMIT_REASONS_OF(X, ASSOC_GRP_MINS, 210, "AssocGrpCPUMinutesLimit", "AssocGrpMemMinutes",      \
                     "AssocGrpNodeMinutes", "AssocGrp", "Minutes")                                 \
    LIMIT_REASONS_OF(X, ASSOC_GRP_RUN_MINS, 220, "AssocGrpCPURunMinutesLimit",                     \
                     "AssocGrpMemRunMinutes", "AssocGrpNodeRunMinutes", "AssocGrp", "RunMinutes")  \
    LIMIT_REASONS_OF(X, ASSOC_MAX_JOB, 230, "AssocMaxCpuPerJobLimit", "AssocMaxMemPerJob",         \
                     "AssocMaxNodePerJobLimit", "AssocMax", "PerJob")                              \
    LIMIT_REASONS_OF(X, ASSOC_MAX_NODE, 240, "AssocMaxCpuPerNode", "AssocMaxMemPerNode",           \
                     "AssocMaxNodePerNode", "AssocMax", "PerNode")                                 \
    LIMIT_REASONS_OF(X, ASSOC_MAX_MINS, 250, "AssocMaxCpuMinutesPerJobLimit",                      \
                     "AssocMaxMemMinutesPerJob", "AssocMaxNodeMinutesPerJob", "AssocMax",          \
                     "MinutesPerJob")                                                              \
    X(QOS_GRP_JOBS, 290, "QOSGrpJobsLimit")                                                        \
    X(QOS_GRP_SUBMIT, 291, "QOSGrpSubmitJobsLimit")                                                \
    X(QOS_GRP_WALL, 292, "QOSGrpWallLimit")                                                        \
    X(QOS_MAX_JOBS_USER, 293, "QOSMaxJobsPerUserLimit")                                            \
    X(QOS_MAX_JOBS_ACCOUNT, 294, "MaxJobsPerAccount")                                              \
    X(QOS_MAX_SUBMIT_USER, 295, "QOSMaxSubmitJobPerUserLimit")                                     \
    X(QOS_MAX_SUBMIT_ACCOUNT, 296, "MaxSubmitJobsPerAccount")                                      \
    X(QOS_MAX_WALL, 297, "QOSMaxWallDurationPerJobLimit")                                          \
    LIMIT_REASONS_OF(X, QOS_GRP, 300, "QOSGrpCpuLimit", "QOSGrpMemLimit", "QOSGrpNodeLimit",       \
                     "QOSGrp", "")                                                                 \
    LIMIT_REASONS_OF(X, QOS_GRP_MINS, 310, "QOSGrpCPUMinutesLimit", "QOSGrpMemoryMinutes",         \
                     "QOSGrpNodeMinutes", "QOSGrp", "Minutes")                                     \
    LIMIT_REASONS_OF(X, QOS_GRP_RUN_MINS, 320, "QOSGrpCPURunMinutesLimit",                         \
                     "QOSGrpMemoryRunMinutes", "QOSGrpNodeRunMinutes", "QOSGrp", "RunMinutes")     \
    LIMIT_REASONS_OF(X, QOS_MAX_JOB, 330, "QOSMaxCpuPerJobLimit", "QOSMaxMemoryPerJob",            \
                     "QOSMaxNodePerJobLimit", "QOSMax", "PerJob")                                  \
    LIMIT_REASONS_OF(X, QOS_MAX_NODE, 340, "QOSMaxCpuPerNode", "QOSMaxMemoryPerNode",              \
                     "QOSMaxNodePerNode", "QOSMax", "PerNode")                                     \
    LIMIT_REASONS_OF(X, QOS_MAX_MINS, 350, "QOSMaxCpuMinutesPerJobLimit",                          \
                     "QOSMaxMemoryMinutesPerJob", "QOSMaxNodeMinutesPerJob", "QOSMax",             \
                     "MinutesPerJob")                                                              \
    LIMIT_REASONS_OF(X, QOS_MAX_USER, 360, "QOSMaxCpuPerUserLimit", "QOSMaxMemoryPerUser",         \
                     "QOSMaxNodePerUserLimit", "QOSMax", "PerUser")                                \
    LIMIT_REASONS_OF(X, QOS_MAX_ACCOUNT, 370, "MaxCpuPerAccount", "MaxMemoryPerAccount",           \
                     "MaxNodePerAccount", "Max", "PerAccount")                                     \
    LIMIT_REASONS_OF(X, QOS_MIN, 380, "QOSMinCpuNotSatisfied", "QOSMinMemory", "QOSMinNode",       \
                     "QOSMin", "")
