/* sim_claims.h - what jobs claim of pools in the lines of sim.h: "claims=0:2,3:1/cpu". */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "ctld/sched/planner.h"

#define SIM_POOLS 8

/* "/cpu" behind an amount: for each cpu. */
static inline const char *sim_claim_of(struct plan_claim *claim, const char *text)
{
    static const char *const words[] = { [PLAN_CLAIM_NODES] = "/node",
                                         [PLAN_CLAIM_CPUS] = "/cpu",
                                         [PLAN_CLAIM_MEMORY] = "/mb",
                                         [PLAN_CLAIM_GRES] = "/gpu" };

    claim->gres_name = "gpu";
    for (uint32_t i = 1; i < ARRAY_N(words); i++) {
        if (strncmp(text, words[i], strlen(words[i])) != 0)
            continue;
        claim->of = (enum plan_claim_of)i;
        return text + strlen(words[i]);
    }
    return text;
}

/* "0:2,3:1/cpu": two of pool 0 and for each cpu one of pool 3; how many. */
static inline uint32_t sim_claims(struct plan_claim *claims, const char *text)
{
    uint32_t n = 0;

    while (text && *text && n < SIM_POOLS) {
        claims[n].pool = (uint32_t)strtoul(text, (char **)&text, 10);
        text += *text == ':';
        claims[n].amount = strtoull(text, (char **)&text, 10);
        text = sim_claim_of(&claims[n++], text);
        text += strspn(text, ",");
    }
    return n;
}
