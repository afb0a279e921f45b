#include "ctld/sched/future/rates.h"

#include <string.h>

#include "common/base/alloc.h"
#include "common/base/minmax.h"
#include "common/text/words.h"
#include "ctld/sched/place/supply.h"

uint64_t rates_sum(uint64_t a, uint64_t b, uint64_t times)
{
    uint64_t product, sum;

    if (__builtin_mul_overflow(b, times, &product) || __builtin_add_overflow(a, product, &sum))
        return UINT64_MAX;
    return sum;
}

/* ---- what is said ---- */

static void add_gres(struct rates *rates, const struct plan_claim *claim)
{
    for (uint32_t i = 0; i < rates->gres_n; i++) {
        struct gres_rate *rate = &rates->gres[i];

        if (!text_is(rate->name, claim->gres_name) || !text_is(rate->type, claim->gres_type))
            continue;
        rate->amount = rates_sum(rate->amount, claim->amount, 1);
        return;
    }
    *ARRAY_PUSH(rates->gres, rates->gres_n) = (struct gres_rate){
        .name = xstrdup(claim->gres_name ? claim->gres_name : ""),
        .type = claim->gres_type ? xstrdup(claim->gres_type) : NULL,
        .amount = claim->amount,
    };
}

void rates_add(struct rates *rates, const struct plan_claim *claim)
{
    uint64_t *const amounts[] = {
        [PLAN_CLAIM_FIXED] = &rates->fixed,
        [PLAN_CLAIM_NODES] = &rates->node,
        [PLAN_CLAIM_CPUS] = &rates->cpu,
        [PLAN_CLAIM_MEMORY] = &rates->mb,
    };

    if (claim->of == PLAN_CLAIM_GRES)
        add_gres(rates, claim);
    else
        *amounts[claim->of] = rates_sum(*amounts[claim->of], claim->amount, 1);
}

void rates_clear(struct rates *rates)
{
    for (uint32_t i = 0; i < rates->gres_n; i++) {
        free(rates->gres[i].name);
        free(rates->gres[i].type);
    }
    free(rates->gres);
    *rates = (struct rates){ 0 };
}

bool rates_equal(const struct rates *a, const struct rates *b)
{
    if (a->fixed != b->fixed || a->node != b->node || a->cpu != b->cpu || a->mb != b->mb ||
        a->gres_n != b->gres_n)
        return false;
    for (uint32_t i = 0; i < a->gres_n; i++) {
        if (!text_is(a->gres[i].name, b->gres[i].name) ||
            !text_is(a->gres[i].type, b->gres[i].type) || a->gres[i].amount != b->gres[i].amount)
            return false;
    }
    return true;
}

static bool is_of(const struct gres_rate *rate, const char *name, const char *type)
{
    return strcmp(rate->name, name) == 0 && (!rate->type || text_is(rate->type, type));
}

/* ---- what a job has ---- */

static uint64_t cpus_of(const struct sched_node *node, const struct sched_place *place)
{
    struct bitset row;

    if (node->counts_cpus)
        return place->supply.amounts[PLAN_CPUS];
    row = supply_row(&place->supply, node, place->row ? place->row - 1 : 0);
    return bitset_count(place->given.size ? &place->given : &row);
}

static uint64_t devices_of(const struct sched_node *node, const struct sched_place *place,
                           const struct sched_gres *gres)
{
    const struct bitset devices = supply_devices(&place->supply, node);
    uint64_t n = 0;

    if (gres->counted)
        return place->supply.amounts[gres->first];
    for (uint64_t i = 0; i < gres->count; i++)
        n += bitset_has(&devices, gres->first + (uint32_t)i);
    return n;
}

static uint64_t of_place(const struct rates *rates, const struct sched_node *node,
                         const struct sched_place *place)
{
    uint64_t sum = rates->node;

    if (rates->cpu)
        sum = rates_sum(sum, rates->cpu, cpus_of(node, place));
    sum = rates_sum(sum, rates->mb, place->supply.amounts[PLAN_MEMORY]);
    for (uint32_t i = 0; i < rates->gres_n; i++) {
        for (uint32_t g = 0; g < node->gres_n; g++) {
            const struct sched_gres *gres = &node->gres[g];

            if (is_of(&rates->gres[i], gres->name, gres->type))
                sum = rates_sum(sum, rates->gres[i].amount, devices_of(node, place, gres));
        }
    }
    return sum;
}

uint64_t rates_of_places(const struct rates *rates, const struct sched_cluster *cluster,
                         const struct sched_place *places, uint32_t n)
{
    uint64_t sum = rates->fixed;

    for (uint32_t i = 0; i < n; i++)
        sum = rates_sum(sum, of_place(rates, &cluster->nodes[places[i].node], &places[i]), 1);
    return sum;
}

/* ---- before it has it ---- */

/* Returns whether a job has all cpus of its nodes or sockets, so that they do not hang on its
 * tasks. */
static bool takes_all_cpus(const struct demand *demand)
{
    return demand->unit == UNIT_NODE || demand->unit == UNIT_SOCKET;
}

/* Returns the cpus of the cores of so many threads that this many cpus of the job take, where it
 * uses only some of each core. */
static uint64_t in_cores(const struct demand *demand, uint64_t cpus, uint32_t threads)
{
    const uint64_t used = demand->threads ? MIN(demand->threads, threads) : threads;

    return (cpus + used - 1) / used * threads;
}

/* Returns how many cpus a core brings: those of a job come in whole cores where threads are
 * cpus. */
static uint32_t threads_of(const struct sched_node *node)
{
    return node->counts_cpus ? 1 : node->threads;
}

/* Returns the cpus of a job whose tasks are counted over all nodes, without those of idle
 * threads. */
static uint64_t task_cpus(const struct demand *demand, uint32_t threads)
{
    const uint64_t each = demand->tasks_per_core == 1 || demand->cpus_per_task > 1
                              ? in_cores(demand, demand->cpus_per_task, threads)
                              : demand->cpus_per_task;

    if (takes_all_cpus(demand))
        return 0;
    return each > demand->cpus_per_task ? demand->tasks * each
                                        : in_cores(demand, demand->tasks * each, threads);
}

static uint64_t cpus_on(const struct demand *demand, const struct sched_node *node)
{
    const uint32_t threads = threads_of(node);
    uint64_t cpus = demand->cpus_least;

    if (takes_all_cpus(demand))
        return node->counts_cpus ? node->all.amounts[PLAN_CPUS] : node->cpus_n;
    if (demand->tasks == 0)
        cpus = MAX(cpus, (uint64_t)demand->tasks_least * demand->cpus_per_task);
    else if (cpus <= demand->cpus_per_task)
        return threads > 1 ? threads : 0; /* a core that is not used wholly */
    return MIN(in_cores(demand, cpus, threads), node->cpus);
}

static uint64_t gres_on(const struct gres_rate *rate, const struct demand *demand,
                        const struct sched_node *node)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < node->gres_n && demand->takes_devices; i++)
        n += is_of(rate, node->gres[i].name, node->gres[i].type) ? node->gres[i].count : 0;
    for (uint32_t i = 0; i < demand->gres.n && !demand->takes_devices; i++) {
        const struct gres_want *want = &demand->gres.at[i];

        if (strcmp(want->name, rate->name) == 0)
            n += want->per_node + want->per_socket * demand->gres.sockets +
                 (demand->tasks ? 0 : want->per_task * demand->tasks_least);
    }
    return n;
}

static uint64_t gres_beside(const struct gres_rate *rate, const struct demand *demand)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < demand->gres.n && !demand->takes_devices; i++) {
        const struct gres_want *want = &demand->gres.at[i];

        if (strcmp(want->name, rate->name) == 0)
            n += want->per_task * demand->tasks + (want->per_node ? 0 : want->per_job);
    }
    return n;
}

/* Returns the rate of one cpu with the memory that is given out for it, if any is. */
static uint64_t cpu_rate(const struct rates *rates, const struct demand *demand)
{
    const bool brings_memory = demand->counts_memory && !demand->all_memory;

    return rates_sum(rates->cpu, rates->mb, brings_memory ? demand->cpu_mb : 0);
}

static uint64_t memory_on(const struct demand *demand, const struct sched_node *node)
{
    if (!demand->counts_memory)
        return 0;
    return demand->all_memory ? node->all.amounts[PLAN_MEMORY] : demand->node_mb;
}

uint64_t rates_share(const struct rates *rates, const struct kind *kind,
                     const struct sched_node *node)
{
    const struct demand *demand = &kind->demand;
    uint64_t sum = rates_sum(rates->node, cpu_rate(rates, demand), cpus_on(demand, node));

    sum = rates_sum(sum, rates->mb, memory_on(demand, node));
    for (uint32_t i = 0; i < rates->gres_n; i++)
        sum = rates_sum(sum, rates->gres[i].amount, gres_on(&rates->gres[i], demand, node));
    return sum;
}

/* Returns the cpus that a job has beside its share of each node. The first node leaves no more of a
 * core idle than task_cpus was rounded up by, so its share is taken off. */
static uint64_t base_cpus(const struct demand *demand, uint32_t threads)
{
    const uint64_t cpus = task_cpus(demand, threads);
    const bool counts_cores = threads > 1 && demand->cpus_least <= demand->cpus_per_task;

    return counts_cores && cpus > threads ? cpus - threads : counts_cores ? 0 : cpus;
}

/* Returns what gpus may bring on one node beside the rest: cpus, or memory. */
static uint64_t gpus_most(const struct rates *rates, const struct demand *demand,
                          const struct sched_node *node)
{
    const struct gres_rate any = { .name = (char *)"gpu", .amount = 1 };
    uint64_t gpus = gres_on(&any, demand, node) + gres_beside(&any, demand);
    uint64_t cpus;

    if (!demand->cpus_per_gpu && !demand->gpu_mb)
        return 0;
    gpus = MIN(gpus, gres_gpus_of(node));
    cpus = MIN(in_cores(demand, gpus * demand->cpus_per_gpu, threads_of(node)), node->cpus);
    return rates_sum(rates_sum(0, cpu_rate(rates, demand), cpus), rates->mb,
                     demand->counts_memory ? gpus * demand->gpu_mb : 0);
}

struct rates_bound rates_bound(const struct rates *rates, const struct sched_cluster *cluster,
                               const struct kind *kind)
{
    struct rates_bound bound = { 0 };
    uint32_t threads = 1;

    for (uint32_t i = 0; i < cluster->models_n; i++) {
        const struct sched_node *node = &cluster->nodes[cluster->models[i]];
        const uint64_t share = rates_share(rates, kind, node);

        if (!kind->needs[i].admitted)
            continue;
        threads = MAX(threads, threads_of(node));
        bound.most = MAX(bound.most, rates_sum(share, gpus_most(rates, &kind->demand, node), 1));
    }
    bound.base = rates_sum(rates->fixed, cpu_rate(rates, &kind->demand),
                           kind->demand.tasks ? base_cpus(&kind->demand, threads) : 0);
    for (uint32_t i = 0; i < rates->gres_n; i++)
        bound.base = rates_sum(bound.base, rates->gres[i].amount,
                               gres_beside(&rates->gres[i], &kind->demand));
    return bound;
}

/* ---- at least ---- */

/* Returns the fewest cpus of a job on so many nodes like this one, in cores of so many threads. */
static uint64_t fewest_cpus(const struct demand *demand, const struct sched_node *node,
                            uint32_t threads, uint32_t nodes_n)
{
    const uint64_t tasks = demand->tasks ? 1 : demand->tasks_least;
    const uint64_t each = demand->tasks_per_core == 1
                              ? in_cores(demand, demand->cpus_per_task, threads)
                              : demand->cpus_per_task;
    const uint64_t on_node = MAX(demand->cpus_least, tasks * demand->cpus_per_task);

    if (demand->unit == UNIT_NODE)
        return rates_sum(0, cpus_on(demand, node), nodes_n);
    return MAX(in_cores(demand, demand->tasks * each, threads),
               rates_sum(0, MIN(in_cores(demand, on_node, threads), node->cpus), nodes_n));
}

/* Returns the cpus for which memory is given out, at least. A job that has its nodes alone has it
 * for its tasks, one that is charged cpus for those that it uses. */
static uint64_t fewest_with_memory(const struct demand *demand, const struct sched_node *node,
                                   uint32_t nodes_n)
{
    const uint64_t tasks = MAX(demand->tasks, (uint64_t)demand->tasks_least * nodes_n);
    const uint32_t threads = demand->unit == UNIT_CPU ? 1 : threads_of(node);

    return demand->unit == UNIT_NODE ? tasks * demand->cpus_per_task
                                     : fewest_cpus(demand, node, threads, nodes_n);
}

/* Returns what a job claims at least on so many nodes like this one. */
static uint64_t least_like(const struct rates *rates, const struct demand *demand,
                           const struct sched_node *node, uint32_t nodes_n)
{
    const bool has_cpu_mb = demand->counts_memory && !demand->all_memory && demand->cpu_mb;
    uint64_t sum = rates_sum(rates->fixed, rates->node, nodes_n);

    sum = rates_sum(sum, rates->cpu, fewest_cpus(demand, node, threads_of(node), nodes_n));
    sum = rates_sum(sum, rates->mb, rates_sum(0, memory_on(demand, node), nodes_n));
    if (has_cpu_mb)
        sum = rates_sum(sum, rates->mb,
                        rates_sum(0, demand->cpu_mb, fewest_with_memory(demand, node, nodes_n)));
    for (uint32_t i = 0; i < rates->gres_n; i++) {
        const struct gres_rate *rate = &rates->gres[i];
        const uint64_t on_nodes = rates_sum(0, gres_on(rate, demand, node), nodes_n);

        sum = rates_sum(sum, rate->amount, rates_sum(gres_beside(rate, demand), on_nodes, 1));
    }
    return sum;
}

uint64_t rates_least(const struct rates *rates, const struct sched_cluster *cluster,
                     const struct kind *kind, uint32_t nodes_n)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < cluster->models_n; i++) {
        if (kind->needs[i].admitted)
            least = MIN(least, least_like(rates, &kind->demand, &cluster->nodes[cluster->models[i]],
                                          nodes_n));
    }
    return least == UINT64_MAX ? 0 : least;
}
