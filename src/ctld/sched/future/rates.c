#include "ctld/sched/future/rates.h"

#include <string.h>

#include "common/base/alloc.h"
#include "common/base/minmax.h"
#include "common/text/words.h"
#include "ctld/sched/place/need.h"
#include "ctld/sched/place/spare.h"
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

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
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

/* Returns the cpus of the cores that so many tasks take together, in cores of so many threads. */
static uint64_t tasks_in_cores(const struct demand *demand, uint64_t tasks, uint32_t threads)
{
    const uint32_t used = demand->threads ? MIN(demand->threads, threads) : threads;

    return need_cores_for(demand, used, tasks) * threads;
}

/* Returns the most cpus that one of many tasks takes, without those of a core that is shared with
 * none; tasks that sockets have only so many of may be alone on a core. */
static uint64_t cpus_each(const struct demand *demand, uint32_t threads)
{
    const uint32_t used = demand->threads ? MIN(demand->threads, threads) : threads;
    const uint32_t on_core = demand->tasks_per_core ? MIN(demand->tasks_per_core, used) : used;
    const uint32_t together = MIN(on_core, used / demand->cpus_per_task);

    if (demand->cpus_per_task > 1 || demand->tasks_per_socket || together == 1)
        return in_cores(demand, demand->cpus_per_task, threads);
    return together < used ? (threads + together - 1) / together : demand->cpus_per_task;
}

/* Returns the cpus of a job whose tasks are counted over all nodes, without those of idle
 * threads. */
static uint64_t task_cpus(const struct demand *demand, uint32_t threads)
{
    const uint64_t each = cpus_each(demand, threads);

    if (takes_all_cpus(demand))
        return 0;
    return each > demand->cpus_per_task ? demand->tasks * each
                                        : in_cores(demand, demand->tasks * each, threads);
}

/* Returns the cpus of a node that a job has as a whole, or sockets of it. */
static uint64_t cpus_of_whole(const struct demand *demand, const struct sched_node *node)
{
    if (node->counts_cpus)
        return node->all.amounts[PLAN_CPUS];
    return demand->unit == UNIT_NODE ? spare_cores_given(demand, node) * node->threads
                                     : node->cpus_n;
}

static uint64_t cpus_on(const struct demand *demand, const struct sched_node *node)
{
    const uint32_t threads = threads_of(node);
    uint64_t cpus = in_cores(demand, demand->cpus_least, threads);

    if (takes_all_cpus(demand))
        return cpus_of_whole(demand, node);
    if (demand->tasks == 0)
        cpus = MAX(cpus, demand->tasks_least * cpus_each(demand, threads));
    else if (demand->cpus_least <= demand->cpus_per_task)
        return threads > 1 ? threads : 0; /* a core that is not used wholly */
    return MIN(round_up(cpus, threads), node->cpus);
}

/* Returns whether devices that the want gets may be of the rate. */
static bool may_be_of(const struct gres_rate *rate, const struct gres_want *want)
{
    return strcmp(want->name, rate->name) == 0 &&
           (!want->type || !rate->type || text_is(want->type, rate->type));
}

/* Returns the devices that the want comes to on each node that has so many tasks. */
static uint64_t on_each_node(const struct gres_want *want, const struct demand *demand,
                             uint64_t tasks)
{
    const uint64_t fixed = MAX(want->per_node, want->per_socket * demand->gres.sockets);
    const uint64_t shared =
        want->tasks_each ? (tasks + want->tasks_each - 1) / want->tasks_each : 0;

    return MAX(fixed, MAX(want->per_task * tasks, shared));
}

/* Returns the devices of the rate on a node, but for those of tasks that are counted over all
 * nodes. A device that several of these share may serve fewer of them on each node. */
static uint64_t gres_on(const struct gres_rate *rate, const struct demand *demand,
                        const struct sched_node *node)
{
    const uint64_t tasks = demand->tasks ? 0 : demand->tasks_least;
    uint64_t n = 0;

    for (uint32_t i = 0; i < node->gres_n && demand->takes_devices; i++)
        n += is_of(rate, node->gres[i].name, node->gres[i].type) ? node->gres[i].count : 0;
    for (uint32_t i = 0; i < demand->gres.n && !demand->takes_devices; i++) {
        const struct gres_want *want = &demand->gres.at[i];

        if (may_be_of(rate, want))
            n += on_each_node(want, demand, tasks) + (demand->tasks && want->tasks_each > 1);
    }
    return n;
}

static uint64_t gres_beside(const struct gres_rate *rate, const struct demand *demand)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < demand->gres.n && !demand->takes_devices; i++) {
        const struct gres_want *want = &demand->gres.at[i];
        const uint64_t shared = want->tasks_each ? demand->tasks / want->tasks_each : 0;

        if (may_be_of(rate, want))
            n += MAX(want->per_task * demand->tasks, shared) +
                 (want->pooled >= 0 ? want->per_job : 0);
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

/* Each node has a task at least: a job on more nodes than it has tasks has one for each. */
struct rates_bound rates_bound(const struct rates *rates, const struct sched_cluster *cluster,
                               const struct kind *kind)
{
    struct demand demand = kind->demand; /* borrows */
    struct rates_bound bound = { 0 };
    uint32_t threads = 1;

    if (demand.tasks)
        demand.tasks = MAX(demand.tasks, kind->nodes_max);
    for (uint32_t i = 0; i < cluster->models_n; i++) {
        const struct sched_node *node = &cluster->nodes[cluster->models[i]];
        const uint64_t share = rates_share(rates, kind, node);

        if (!kind->needs[i].admitted)
            continue;
        threads = MAX(threads, threads_of(node));
        bound.most = MAX(bound.most, rates_sum(share, gpus_most(rates, &demand, node), 1));
    }
    bound.base = rates_sum(rates->fixed, cpu_rate(rates, &demand),
                           demand.tasks ? base_cpus(&demand, threads) : 0);
    for (uint32_t i = 0; i < rates->gres_n; i++)
        bound.base =
            rates_sum(bound.base, rates->gres[i].amount, gres_beside(&rates->gres[i], &demand));
    return bound;
}

/* ---- at least ---- */

/* Returns how many cpus come together: those of a core, or of a whole socket. Where cores are left
 * to the system sockets may be smaller. */
static uint32_t cpus_at_once(const struct demand *demand, const struct sched_node *node,
                             uint32_t threads)
{
    const bool has_whole_sockets = !node->counts_cpus && node->cpus_n == node->cpus;

    return demand->unit == UNIT_SOCKET && has_whole_sockets ? node->cpus_per_socket : threads;
}

/* Returns the cpus of the fewest cores that hold so many tasks on nodes like this one. A socket
 * that may have only so many of them gives a core at least. */
static uint64_t fewest_for_tasks(const struct demand *demand, const struct sched_node *node,
                                 uint64_t tasks, uint32_t threads)
{
    const uint64_t cpus = tasks_in_cores(demand, tasks, threads);
    const uint64_t on_socket = node->counts_cpus ? 0 : need_per_socket(demand, node);
    const uint64_t sockets = on_socket ? (tasks + on_socket - 1) / on_socket : 0;

    return MAX(cpus, sockets * threads);
}

/* Returns the fewest cpus of a job for its tasks, if they are counted over all nodes: in cores of
 * so many threads, as this node has them. */
static uint64_t fewest_cpus(const struct demand *demand, const struct sched_node *node,
                            uint32_t threads)
{
    if (demand->unit == UNIT_NODE)
        return 0;
    return round_up(fewest_for_tasks(demand, node, demand->tasks, threads),
                    cpus_at_once(demand, node, threads));
}

/* Returns the fewest cpus on a node like this one. */
static uint64_t fewest_cpus_on(const struct demand *demand, const struct sched_node *node,
                               uint32_t threads)
{
    const uint64_t cpus = MAX(in_cores(demand, demand->cpus_least, threads),
                              fewest_for_tasks(demand, node, demand->tasks_least, threads));

    if (demand->unit == UNIT_NODE)
        return cpus_on(demand, node);
    return MIN(round_up(cpus, cpus_at_once(demand, node, threads)), node->cpus);
}

/* Returns the threads of a core for which memory is given out: where cpus are charged as they are
 * used, of single cpus. */
static uint32_t threads_charged(const struct demand *demand, const struct sched_node *node)
{
    return demand->unit == UNIT_CPU ? 1 : threads_of(node);
}

/* Returns for how many of these cpus, in whole cores, memory is given out. */
static uint64_t with_memory(const struct demand *demand, uint64_t cpus, uint32_t threads)
{
    return cpus / threads * (demand->threads ? MIN(demand->threads, threads) : threads);
}

/* A job that has its nodes alone has memory for its tasks. */
static uint64_t fewest_with_memory(const struct demand *demand, const struct sched_node *node)
{
    const uint32_t threads = threads_charged(demand, node);

    if (demand->unit == UNIT_NODE)
        return (uint64_t)demand->tasks * demand->cpus_per_task;
    return with_memory(demand, fewest_cpus(demand, node, threads), threads);
}

static uint64_t fewest_with_memory_on(const struct demand *demand, const struct sched_node *node)
{
    const uint32_t threads = threads_charged(demand, node);

    if (demand->unit == UNIT_NODE)
        return (uint64_t)demand->tasks_least * demand->cpus_per_task;
    return with_memory(demand, fewest_cpus_on(demand, node, threads), threads);
}

/* Returns the fewest devices of the rate that a want for the job as a whole comes to, and those for
 * a node. Where any type will do they may all be of another one. */
static uint64_t fewest_devices(const struct gres_rate *rate, const struct demand *demand,
                               const struct gres_want *want)
{
    const uint64_t each = want->tasks_each;
    const uint64_t shared = each ? (demand->tasks + each - 1) / each : 0;
    const uint64_t of_tasks = MAX(want->per_task * demand->tasks, shared);

    if (demand->takes_devices || !is_of(rate, want->name, want->type))
        return 0;
    return MAX(of_tasks, want->pooled >= 0 ? want->per_job : 0);
}

static uint64_t fewest_devices_on(const struct gres_rate *rate, const struct demand *demand,
                                  const struct gres_want *want)
{
    if (demand->takes_devices || !is_of(rate, want->name, want->type))
        return 0;
    return on_each_node(want, demand, demand->tasks_least);
}

static bool has_cpu_memory(const struct demand *demand)
{
    return demand->counts_memory && !demand->all_memory && demand->cpu_mb;
}

/* Returns the devices of the rate that a job which takes all has on the node. */
static uint64_t devices_taken(const struct gres_rate *rate, const struct demand *demand,
                              const struct sched_node *node)
{
    return demand->takes_devices ? gres_on(rate, demand, node) : 0;
}

/* Returns what a job claims at least for one node like this one, whatever it has beside. */
static uint64_t least_on(const struct rates *rates, const struct demand *demand,
                         const struct sched_node *node)
{
    uint64_t sum =
        rates_sum(rates->node, rates->cpu, fewest_cpus_on(demand, node, threads_of(node)));

    sum = rates_sum(sum, rates->mb, memory_on(demand, node));
    if (has_cpu_memory(demand))
        sum = rates_sum(sum, rates->mb,
                        rates_sum(0, demand->cpu_mb, fewest_with_memory_on(demand, node)));
    for (uint32_t i = 0; i < rates->gres_n; i++) {
        const struct gres_rate *rate = &rates->gres[i];

        sum = rates_sum(sum, rate->amount, devices_taken(rate, demand, node));
        for (uint32_t k = 0; k < demand->gres.n; k++)
            sum =
                rates_sum(sum, rate->amount, fewest_devices_on(rate, demand, &demand->gres.at[k]));
    }
    return sum;
}

/* Returns what a job claims at least on so many nodes like this one. */
static uint64_t least_like(const struct rates *rates, const struct demand *demand,
                           const struct sched_node *node, uint32_t nodes_n)
{
    const uint64_t cpus_on_all =
        rates_sum(0, fewest_cpus_on(demand, node, threads_of(node)), nodes_n);
    uint64_t sum = rates_sum(rates->fixed, rates->node, nodes_n);

    sum = rates_sum(sum, rates->cpu, MAX(fewest_cpus(demand, node, threads_of(node)), cpus_on_all));
    sum = rates_sum(sum, rates->mb, rates_sum(0, memory_on(demand, node), nodes_n));
    if (has_cpu_memory(demand)) {
        const uint64_t on_all = rates_sum(0, fewest_with_memory_on(demand, node), nodes_n);
        const uint64_t cpus = MAX(fewest_with_memory(demand, node), on_all);

        sum = rates_sum(sum, rates->mb, rates_sum(0, demand->cpu_mb, cpus));
    }
    for (uint32_t i = 0; i < rates->gres_n; i++) {
        const struct gres_rate *rate = &rates->gres[i];

        sum =
            rates_sum(sum, rate->amount, rates_sum(0, devices_taken(rate, demand, node), nodes_n));
        for (uint32_t k = 0; k < demand->gres.n; k++) {
            const struct gres_want *want = &demand->gres.at[k];
            const uint64_t on_all = rates_sum(0, fewest_devices_on(rate, demand, want), nodes_n);

            sum = rates_sum(sum, rate->amount, MAX(fewest_devices(rate, demand, want), on_all));
        }
    }
    return sum;
}

/* Nodes of one model, and what a job claims at least for each. */
struct node_share {
    uint64_t least;
    uint32_t nodes_n;
};

/* Returns the sum of the least shares of so many nodes: there are not as many of each model. */
static uint64_t sum_of_least(struct node_share *shares, uint32_t n, uint32_t nodes_n)
{
    uint64_t sum = 0;

    while (nodes_n > 0 && n > 0) {
        uint32_t least = 0, taken;

        for (uint32_t i = 1; i < n; i++)
            least = shares[i].least < shares[least].least ? i : least;
        taken = MIN(shares[least].nodes_n, nodes_n);
        sum = rates_sum(sum, shares[least].least, taken);
        nodes_n -= taken;
        shares[least] = shares[--n];
    }
    return sum;
}

/* Returns the larger of two bounds: for nodes that are all alike, and for those that there are. */
uint64_t rates_least(const struct rates *rates, const struct sched_cluster *cluster,
                     const struct kind *kind, uint32_t nodes_n)
{
    AUTO_FREE struct node_share *shares = xcalloc(cluster->models_n + 1, sizeof(*shares));
    uint64_t alike = UINT64_MAX, of_each;
    uint32_t n = 0;

    for (uint32_t i = 0; i < cluster->models_n; i++) {
        const struct sched_node *node = &cluster->nodes[cluster->models[i]];

        if (!kind->needs[i].able_n)
            continue;
        alike = MIN(alike, least_like(rates, &kind->demand, node, nodes_n));
        shares[n].nodes_n = kind->needs[i].able_n;
        shares[n++].least = least_on(rates, &kind->demand, node);
    }
    if (n == 0)
        return 0;
    of_each = rates_sum(rates->fixed, 1, sum_of_least(shares, n, nodes_n));
    return MAX(alike, of_each);
}
