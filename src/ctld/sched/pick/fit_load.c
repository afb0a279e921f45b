/* Chooses the least loaded nodes. */
#include "ctld/sched/pick/fit_state.h"

/* Returns the positions of the tier's nodes, those with most free cpus first, then by number. */
static uint32_t *by_free_cpus(const struct fit_tier *tier)
{
    uint32_t *order = xcalloc(tier->n, sizeof(*order));
    AUTO_FREE uint32_t *before = NULL;
    uint32_t most = 0;

    for (uint32_t i = 0; i < tier->n; i++)
        most = tier->nodes[i].cpus > most ? tier->nodes[i].cpus : most;
    before = xcalloc((size_t)most + 2, sizeof(*before));
    for (uint32_t i = 0; i < tier->n; i++)
        before[most - tier->nodes[i].cpus + 1]++;
    for (uint32_t i = 0; i <= most; i++)
        before[i + 1] += before[i];
    for (uint32_t i = 0; i < tier->n; i++)
        order[before[most - tier->nodes[i].cpus]++] = i;
    return order;
}

void fit_least_loaded(struct fit_state *state, const struct fit_tier *tier)
{
    AUTO_FREE uint32_t *order = by_free_cpus(tier);

    for (uint32_t i = 0; i < tier->n && !fit_is_done(state); i++)
        fit_take(state, tier, order[i]);
}
