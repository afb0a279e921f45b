#include "noded/cgroup/cpus.h"

#include <errno.h>
#include <stdlib.h>

#include "common/text/numbers.h"
#include "noded/cgroup/files.h"

#define CPUS_MAX 65535

struct cpu {
    uint32_t package, core, number; /* a core is named by its first thread */
};

static int compare(const void *left, const void *right)
{
    const struct cpu *a = left, *b = right;

    if (a->package != b->package)
        return a->package < b->package ? -1 : 1;
    if (a->core != b->core)
        return a->core < b->core ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static struct cpu read_cpu(const char *sys, uint32_t number)
{
    AUTO_FREE char *dir = xasprintf("%s/devices/system/cpu/cpu%u/topology", sys, number);

    return (struct cpu){
        .package = (uint32_t)cgroup_file_number(dir, "physical_package_id", NULL),
        .core = cgroup_file_exists(dir, "thread_siblings_list")
                    ? (uint32_t)cgroup_file_number(dir, "thread_siblings_list", NULL)
                    : number,
        .number = number,
    };
}

static uint32_t count_cores(const struct cpu *cpus, uint32_t n)
{
    uint32_t cores = 0;

    for (uint32_t i = 0; i < n; i++)
        cores += i == 0 || cpus[i].core != cpus[i - 1].core;
    return cores;
}

static int read_online(const char *sys, struct numbers *ret, struct err *err)
{
    AUTO_FREE char *dir = xasprintf("%s/devices/system/cpu", sys);
    AUTO(strbuf) struct strbuf text = { 0 };
    int rc = cgroup_file_read(dir, "online", &text);

    if (rc < 0)
        return err_set(err, -rc, "cannot read %s/online", dir);
    if (text.len && text.data[text.len - 1] == '\n')
        strbuf_truncate(&text, text.len - 1);
    return numbers_parse(strbuf_text(&text), CPUS_MAX, ret, err);
}

int cgroup_cpus_read(const char *sys, uint32_t configured, struct cgroup_cpus *ret, struct err *err)
{
    struct numbers online = { 0 };
    AUTO_FREE struct cpu *cpus = NULL;
    uint32_t cores;
    int rc = read_online(sys, &online, err);

    if (rc < 0)
        return rc;
    cpus = xcalloc((size_t)online.n + 1, sizeof(*cpus));
    for (uint32_t i = 0; i < online.n; i++)
        cpus[i] = read_cpu(sys, online.at[i]);
    qsort(cpus, online.n, sizeof(*cpus), compare);
    cores = count_cores(cpus, online.n);
    if (configured == 0 || (configured != online.n && configured != cores))
        rc = err_set(err, EINVAL, "slurm.conf gives this node %u CPUs, the machine has %u",
                     configured, online.n);
    *ret = (struct cgroup_cpus){ 0 };
    for (uint32_t i = 0; rc == 0 && i < online.n; i++)
        *ARRAY_PUSH(ret->machine, ret->machine_n) = cpus[i].number;
    if (rc == 0)
        ret->each = online.n / configured;
    numbers_clear(&online);
    return rc;
}

void cgroup_cpus_clear(struct cgroup_cpus *cpus)
{
    free(cpus->machine);
    *cpus = (struct cgroup_cpus){ 0 };
}

uint32_t cgroup_cpus_map(const struct cgroup_cpus *cpus, const uint32_t *numbers,
                         uint32_t numbers_n, uint32_t **ret)
{
    uint32_t n = 0;

    *ret = NULL;
    for (uint32_t i = 0; i < numbers_n; i++) {
        for (uint32_t k = 0; k < cpus->each; k++) {
            uint64_t at = (uint64_t)numbers[i] * cpus->each + k;

            if (at < cpus->machine_n)
                *ARRAY_PUSH(*ret, n) = cpus->machine[at];
        }
    }
    return n;
}
