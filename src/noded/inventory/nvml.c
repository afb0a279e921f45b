/*
 * Asks NVIDIA's management library. Its header is not needed, and the library is not ours to ship:
 * it belongs to the driver, so it is opened where it is there. What is called has not changed since
 * the library's second version.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/base/library.h"
#include "noded/inventory/gpus.h"

LIBRARY_NOTE(suggested, nvml, NVML_SONAME, "AutoDetect=nvml");

#define NAME_SIZE 96
#define CPU_WORDS 64 /* of unsigned long: 4096 cpus */
#define WORD_BITS (8 * sizeof(unsigned long))
#define COUNT_MAX 1024u

struct device;

struct nvml {
    void *handle;
    int (*init)(void);
    int (*shutdown)(void);
    const char *(*error)(int code);
    int (*count)(unsigned *ret);
    int (*get)(unsigned index, struct device **ret);
    int (*name)(struct device *device, char *ret, unsigned size);
    int (*minor)(struct device *device, unsigned *ret);
    int (*cpus)(struct device *device, unsigned words, unsigned long *ret);
};

static int find_functions(struct nvml *nvml, struct err *err)
{
    const struct {
        const char *name;
        void *slot;
    } functions[] = {
        { "nvmlInit_v2", &nvml->init },
        { "nvmlShutdown", &nvml->shutdown },
        { "nvmlErrorString", &nvml->error },
        { "nvmlDeviceGetCount_v2", &nvml->count },
        { "nvmlDeviceGetHandleByIndex_v2", &nvml->get },
        { "nvmlDeviceGetName", &nvml->name },
        { "nvmlDeviceGetMinorNumber", &nvml->minor },
        { "nvmlDeviceGetCpuAffinity", &nvml->cpus },
    };

    for (size_t i = 0; i < ARRAY_N(functions); i++) {
        void *found = dlsym(nvml->handle, functions[i].name);

        if (!found)
            return err_set(err, ENOSYS, "it has no %s", functions[i].name);
        memcpy(functions[i].slot, &found, sizeof(found));
    }
    return 0;
}

static int told(const struct nvml *nvml, const char *what, int code, struct err *err)
{
    const char *text = code ? nvml->error(code) : NULL;

    return code ? err_set(err, EIO, "%s: %s", what, text ? text : "it fails") : 0;
}

/* Returns the name as a type: "NVIDIA A100-SXM4-40GB" is nvidia_a100-sxm4-40gb. */
static char *type_of(const char *name)
{
    char *type = xstrdup(name);

    for (char *at = type; *at; at++)
        *at = *at == ' ' ? '_' : (char)tolower((unsigned char)*at);
    return type;
}

static void add_cpus(const unsigned long *words, struct gpu *gpu)
{
    for (uint32_t i = 0; i < CPU_WORDS * WORD_BITS; i++) {
        if (words[i / WORD_BITS] >> i % WORD_BITS & 1)
            *ARRAY_PUSH(gpu->cpus, gpu->cpus_n) = i;
    }
}

/* Reads one gpu. Where all cpus are equally near, some machines do not tell. */
static int read_gpu(const struct nvml *nvml, unsigned index, const char *dev, struct gpus *ret,
                    struct err *err)
{
    unsigned long words[CPU_WORDS] = { 0 };
    char name[NAME_SIZE] = "";
    struct device *device = NULL;
    unsigned minor = 0;
    struct gpu *gpu;
    int rc = told(nvml, "nvmlDeviceGetHandleByIndex_v2", nvml->get(index, &device), err);

    if (rc == 0)
        rc = told(nvml, "nvmlDeviceGetName", nvml->name(device, name, sizeof(name) - 1), err);
    if (rc == 0)
        rc = told(nvml, "nvmlDeviceGetMinorNumber", nvml->minor(device, &minor), err);
    if (rc < 0)
        return rc;
    gpu = ARRAY_PUSH(ret->at, ret->n);
    *gpu = (struct gpu){ .name = type_of(name), .file = xasprintf("%s/nvidia%u", dev, minor) };
    if (nvml->cpus(device, CPU_WORDS, words) == 0)
        add_cpus(words, gpu);
    return 0;
}

static int read_all(const struct nvml *nvml, const char *dev, struct gpus *ret, struct err *err)
{
    unsigned n = 0;
    int rc = told(nvml, "nvmlInit_v2", nvml->init(), err);

    if (rc < 0)
        return rc;
    rc = told(nvml, "nvmlDeviceGetCount_v2", nvml->count(&n), err);
    if (rc == 0 && n > COUNT_MAX)
        rc = err_set(err, E_TOO_BIG, "it tells %u gpus", n);
    for (unsigned i = 0; i < n && rc == 0; i++)
        rc = read_gpu(nvml, i, dev, ret, err);
    (void)nvml->shutdown();
    return rc;
}

int nvml_read(const char *library, const char *dev, struct gpus *ret, struct err *err)
{
    struct nvml nvml = { .handle = dlopen(library, RTLD_NOW | RTLD_LOCAL) };
    int rc;

    if (!nvml.handle)
        return err_set(err, ENOENT, "%s", dlerror());
    rc = find_functions(&nvml, err);
    if (rc == 0)
        rc = read_all(&nvml, dev, ret, err);
    (void)dlclose(nvml.handle);
    return rc < 0 ? err_prefix(err, "%s", library) : 0;
}
