#include "ctld/policy/priority.h"

#include "common/text/duration.h"

#include <string.h>

static double clamp(double value, double least, double most)
{
    if (value < least)
        return least;
    return value > most ? most : value;
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double age(const struct priority_config *config, const struct priority_inputs *inputs)
{
    const bool always = config->flags & PRIORITY_ACCRUE_ALWAYS;
    const int64_t since = always ? inputs->submit_s : inputs->eligible_s;

    if (since == 0 || inputs->now_s <= since)
        return 0;
    if (config->max_age_s <= 0)
        return 1;
    return clamp((double)(inputs->now_s - since) / (double)config->max_age_s, 0, 1);
}

/* Size as such counts nodes and cpus alike; relative to time, nodes by minute. */
static double job_size(const struct priority_config *config, const struct priority_inputs *inputs)
{
    const double nodes = share_of(inputs->nodes, inputs->cluster_nodes);
    const double cpus = share_of(inputs->cpus, inputs->cluster_cpus);
    double minutes = PRIORITY_MINUTES_INFINITE;
    double size = (nodes + cpus) / 2;

    if (config->flags & PRIORITY_SMALL_RELATIVE_TO_TIME) {
        if (inputs->time_limit_s >= 0)
            minutes = (double)duration_minutes(inputs->time_limit_s);
        size = nodes / (minutes > 1 ? minutes : 1);
    }
    if (config->favor_small)
        size = 1 - size;
    return clamp(size, 0, 1);
}

static double normal(uint32_t value, uint32_t most, bool as_it_is)
{
    return as_it_is ? value : share_of(value, most);
}

struct priority_factor priority_tres_factor(const struct priority_config *config,
                                            const struct priority_inputs *inputs, const char *name)
{
    struct priority_factor factor = { 0 };

    for (uint32_t i = 0; i < inputs->tres_n; i++) {
        const struct priority_tres *tres = &inputs->tres[i];

        if (strcmp(tres->name, name) != 0)
            continue;
        factor.raw = config->flags & PRIORITY_NO_NORMAL_TRES ? tres->asked
                                                             : share_of(tres->asked, tres->total);
        factor.weighted = factor.raw * tres_weights_of(&config->weight_tres, name);
    }
    return factor;
}

static double all_tres(const struct priority_config *config, const struct priority_inputs *inputs)
{
    double sum = 0;

    for (uint32_t i = 0; i < config->weight_tres.n; i++)
        sum += priority_tres_factor(config, inputs, config->weight_tres.at[i].name).weighted;
    return sum;
}

static struct priority_factor weigh(double raw, uint32_t weight)
{
    return (struct priority_factor){ .raw = raw, .weighted = raw * weight };
}

static uint32_t total(const struct priority_factors *factors)
{
    const double sum = factors->age.weighted + factors->assoc.weighted +
                       factors->fair_share.weighted + factors->job_size.weighted +
                       factors->partition.weighted + factors->qos.weighted + factors->tres +
                       factors->site - factors->nice;

    return (uint32_t)clamp(sum, 1, PRIORITY_MAX);
}

void priority_factors(const struct priority_config *config, const struct priority_inputs *inputs,
                      struct priority_factors *ret)
{
    const uint32_t flags = config->flags;

    *ret = (struct priority_factors){
        .age = weigh(age(config, inputs), config->weight_age),
        .assoc = weigh(normal(inputs->assoc_priority, inputs->assoc_priority_max,
                              flags & PRIORITY_NO_NORMAL_ASSOC),
                       config->weight_assoc),
        .fair_share = weigh(clamp(inputs->fair_share, 0, 1), config->weight_fair_share),
        .job_size = weigh(job_size(config, inputs), config->weight_job_size),
        .partition = weigh(normal(inputs->partition_factor, inputs->partition_factor_max,
                                  flags & PRIORITY_NO_NORMAL_PART),
                           config->weight_partition),
        .qos = weigh(
            normal(inputs->qos_priority, inputs->qos_priority_max, flags & PRIORITY_NO_NORMAL_QOS),
            config->weight_qos),
        .tres = all_tres(config, inputs),
        .nice = inputs->nice,
        .site = inputs->site,
    };
    ret->total = total(ret);
}
