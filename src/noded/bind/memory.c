#include "noded/bind/memory.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/text/bindlist.h"
#include "noded/bind/mask.h"

#define NODES_MAX 1024 /* what Linux can be built for */

static void find_nodes(const struct cpu_tree *tree, struct bitset *ret)
{
    uint32_t end = 1;

    for (uint32_t i = 0; i < tree->cpus_n; i++)
        end = tree->cpus[i].ldom >= end ? tree->cpus[i].ldom + 1 : end;
    bitset_init(ret, end);
    for (uint32_t i = 0; i < tree->cpus_n; i++)
        bitset_add(ret, tree->cpus[i].ldom);
}

int mem_plan_make(const struct bind_conf *conf, const struct launch_body *body,
                  struct mem_plan *ret, struct err *err)
{
    *ret = (struct mem_plan){ 0 };
    if (!conf || !conf->tree || !body->mem_bind || body->service)
        return 0;
    if (mem_bind_add(&ret->bind, body->mem_bind, err) < 0)
        return -EINVAL;
    find_nodes(conf->tree, &ret->nodes);
    return 0;
}

void mem_plan_clear(struct mem_plan *plan)
{
    mem_bind_clear(&plan->bind);
    bitset_clear(&plan->nodes);
}

bool mem_plan_is_told(const struct mem_plan *plan)
{
    return plan->nodes.size && !mem_bind_says_nothing(&plan->bind);
}

static bool names_nodes(const struct mem_plan *plan)
{
    return plan->bind.kind == MEM_BIND_RANK || plan->bind.kind == MEM_BIND_MAP ||
           plan->bind.kind == MEM_BIND_MASK;
}

static bool read_nodes(const struct mem_plan *plan, uint32_t local, struct bitset *ret)
{
    const char *item;
    uint64_t number = local;
    size_t n;

    bitset_init(ret, NODES_MAX);
    if (plan->bind.kind != MEM_BIND_RANK) {
        item = bind_list_item(plan->bind.list, local, &n);
        if (plan->bind.kind == MEM_BIND_MASK)
            return mask_parse(item, n, ret);
        number = strtoull(item, NULL, 10);
    }
    if (number >= NODES_MAX)
        return false;
    bitset_add(ret, (uint32_t)number);
    return true;
}

static int err_node(const struct mem_plan *plan, uint32_t local, int64_t node, struct err *err)
{
    const char *word = mem_bind_word(plan->bind.kind);
    const int word_n = (int)strcspn(word, ":");

    if (node < 0)
        return err_set(err, ENODEV, "--mem-bind=%.*s names no NUMA node for local task %u", word_n,
                       word, local);
    return err_set(err, ENODEV,
                   "NUMA node %u does not exist; cannot bind local task %u to it (--mem-bind=%.*s)",
                   (uint32_t)node, local, word_n, word);
}

int mem_plan_nodes(const struct mem_plan *plan, uint32_t local, struct bitset *ret, struct err *err)
{
    if (!names_nodes(plan)) {
        bitset_copy(ret, &plan->nodes);
        return 0;
    }
    if (!read_nodes(plan, local, ret) || bitset_is_empty(ret))
        return err_node(plan, local, -1, err);
    BITSET_FOREACH (ret, i) {
        if (i >= plan->nodes.size || !bitset_has(&plan->nodes, (uint32_t)i))
            return err_node(plan, local, i, err);
    }
    return 0;
}

int mem_plan_apply(const struct mem_plan *plan, const struct bitset *nodes)
{
    unsigned long mask[NODES_MAX / (8 * sizeof(unsigned long))] = { 0 };
    const size_t bits = 8 * sizeof(mask[0]);
    long rc = 0;

    if (names_nodes(plan)) {
        BITSET_FOREACH (nodes, i)
            mask[(size_t)i / bits] |= 1UL << ((size_t)i % bits);
        /* The kernel counts one bit less than it is told. */
        rc = syscall(SYS_set_mempolicy, plan->bind.prefer ? MPOL_PREFERRED : MPOL_BIND, mask,
                     NODES_MAX + 1);
    } else if (plan->bind.kind == MEM_BIND_LOCAL) {
        rc = syscall(SYS_set_mempolicy, MPOL_LOCAL, NULL, 0);
    }
    return rc < 0 ? -errno : 0;
}

void mem_plan_describe(const struct mem_plan *plan, const struct bound_task *task,
                       const struct bitset *nodes, struct strbuf *out)
{
    static const char *const labels[] = {
        [MEM_BIND_UNSAID] = "NULL", [MEM_BIND_NONE] = "NONE", [MEM_BIND_RANK] = "RANK",
        [MEM_BIND_LOCAL] = "LOC",   [MEM_BIND_MAP] = "MAP",   [MEM_BIND_MASK] = "MASK",
    };
    const bool bound = names_nodes(plan) || plan->bind.kind == MEM_BIND_LOCAL;
    AUTO(strbuf) struct strbuf mask = { 0 };

    mask_format(nodes, &mask);
    strbuf_addf(out, "mem-bind%s%s - %s, task %2u %2u [%d]: mask 0x%s%s\n",
                plan->bind.prefer ? " PREFER " : "=", labels[plan->bind.kind], task->node,
                task->task, task->local, (int)task->pid, strbuf_text(&mask), bound ? " set" : "");
}
