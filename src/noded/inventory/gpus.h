/*
 * gpus.h - the NVIDIA gpus of this machine, in the order of their numbers.
 *
 * The vendor's library (NVML) tells model and near cpus; it comes with the driver and is opened
 * when it is there. Device files tell only how many there are.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

struct gpu {
    char *name;     /* model as Slurm writes it, nvidia_a100-sxm4-40gb; "gpu": not known */
    char *file;     /* "/dev/nvidia0" */
    uint32_t *cpus; /* the machine's numbers of cpus that are near; none: not known */
    uint32_t cpus_n;
};

struct gpus {
    struct gpu *at;
    uint32_t n;
};

#define NVML_SONAME "libnvidia-ml.so.1"

/* Where to look; other places than the machine's are for tests. */
struct gpus_where {
    const char *library; /* as the loader looks it up; NULL: none is asked */
    const char *dev;
};
#define GPUS_WHERE                                                                                 \
    (struct gpus_where)                                                                            \
    {                                                                                              \
        NVML_SONAME, "/dev"                                                                        \
    }

/*
 * Fills ret, which is to be cleared in any case. Returns -ENOENT where the library is not there:
 * the gpus are those with device files. Another failure, in which the library is there and does not
 * work, leaves it empty; `err` tells either.
 */
int gpus_find(const struct gpus_where *where, struct gpus *ret, struct err *err);
void gpus_clear(struct gpus *gpus);
void gpus_auto_(struct gpus *gpus);

/* Reads what the library tells (nvml.c). Returns -ENOENT when it is not there. */
int nvml_read(const char *library, const char *dev, struct gpus *ret, struct err *err);
