/*
 * A machine with gpus, as NVIDIA's management library tells it: FAKE_NVML_GPUS of them (2), the
 * i-th near the i-th cpu. FAKE_NVML_ERROR=1: the driver is not loaded.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAD_ARGUMENT 2
#define NO_DRIVER    9
#define TOO_SMALL    7

int nvmlInit_v2(void)
{
    return getenv("FAKE_NVML_ERROR") ? NO_DRIVER : 0;
}

int nvmlShutdown(void)
{
    return 0;
}

const char *nvmlErrorString(int code)
{
    return code == NO_DRIVER ? "Driver Not Loaded" : "Unknown Error";
}

int nvmlDeviceGetCount_v2(unsigned *ret)
{
    const char *text = getenv("FAKE_NVML_GPUS");

    *ret = text ? (unsigned)atoi(text) : 2;
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **ret)
{
    unsigned n = 0;

    (void)nvmlDeviceGetCount_v2(&n);
    *ret = (void *)(uintptr_t)(index + 1); /* the library's own business */
    return index < n ? 0 : BAD_ARGUMENT;
}

int nvmlDeviceGetName(void *device, char *ret, unsigned size)
{
    const char *name = (uintptr_t)device == 3 ? "Tesla T4" : "NVIDIA A100-PCIE-40GB";

    if (strlen(name) >= size)
        return TOO_SMALL;
    snprintf(ret, size, "%s", name);
    return 0;
}

int nvmlDeviceGetMinorNumber(void *device, unsigned *ret)
{
    *ret = (unsigned)(uintptr_t)device - 1;
    return 0;
}

int nvmlDeviceGetCpuAffinity(void *device, unsigned words, unsigned long *ret)
{
    memset(ret, 0, words * sizeof(*ret));
    ret[0] = 1ul << ((uintptr_t)device - 1);
    return 0;
}
