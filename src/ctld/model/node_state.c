/*
 * What a node looks like from outside. The words are Slurm's: a node that never registered is
 * UNKNOWN; one that drains keeps the state its jobs give it and adds DRAIN, so that the clients
 * print DRAINING while jobs run and DRAINED after.
 */
#include "ctld/model/model.h"

bool node_is_future(const struct node *node)
{
    return node->rec.future == NODE_FUTURE_SAID ||
           (node->rec.future == NODE_FUTURE_AS_CONFIGURED && node->conf->future);
}

bool node_is_known(const struct node *node)
{
    return node->rec.boot_id != NULL;
}

uint32_t node_cpus_used(const struct node *node)
{
    const uint32_t held = bitset_count(&node->cpus_used);

    /* Where jobs share cpus, those of a job that has ended may be another one's too. */
    return held > node->completing_cpus ? held - node->completing_cpus : 0;
}

uint64_t node_memory_for_jobs(const struct node *node)
{
    const struct node_info *conf = node->conf;

    return conf->memory_mb > conf->mem_spec_limit_mb ? conf->memory_mb - conf->mem_spec_limit_mb
                                                     : 0;
}

static uint32_t base_state(const struct node *node)
{
    uint32_t used = node_cpus_used(node);

    if (node_is_future(node))
        return NODE_FUTURE;
    if (node->rec.down)
        return NODE_DOWN;
    if (!node_is_known(node))
        return NODE_UNKNOWN;
    if (used == 0)
        return NODE_IDLE;
    return used < node->conf->cpus ? NODE_MIXED : NODE_ALLOCATED;
}

void node_display_state(const struct node *node, uint32_t *ret_state, uint32_t *ret_flags)
{
    uint32_t flags = 0;

    if (node->rec.drain)
        flags |= NODE_FLAG_DRAIN;
    if (node->completing_n > 0)
        flags |= NODE_FLAG_COMPLETING;
    if (!node->online)
        flags |= NODE_FLAG_NO_RESPOND;
    if (node->invalid)
        flags |= NODE_FLAG_INVALID;
    if (node->rec.fail)
        flags |= NODE_FLAG_FAIL;
    if (node->rec.reboot == NODE_REBOOT_REQUESTED)
        flags |= NODE_FLAG_REBOOT_REQUESTED;
    if (node->rec.reboot == NODE_REBOOT_ISSUED)
        flags |= NODE_FLAG_REBOOT_ISSUED;
    if (node->resv_name)
        flags |= NODE_FLAG_RESERVED;
    if (node->in_maint)
        flags |= NODE_FLAG_MAINT;
    *ret_state = base_state(node);
    *ret_flags = flags;
}

bool node_takes_work(const struct node *node)
{
    return !node->rec.down && !node->rec.drain && !node->rec.fail && !node_is_future(node) &&
           node_is_known(node);
}

bool node_is_usable(const struct node *node)
{
    return node->online && node_takes_work(node);
}
