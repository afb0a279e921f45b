/*
 * tres_weights.h - "CPU=1.0,Mem=0.25G,GRES/gpu=2": a weight for each kind of resource.
 *
 * Used by PriorityWeightTRES and TRESBillingWeights. Memory is counted in megabytes; a letter
 * behind a weight (K, M, G, T, P, 1024 each) makes it the weight of so many units, so that 0.25G
 * is a quarter for each gigabyte. Names are kept in lower case: "cpu", "mem", "gres/gpu:tesla".
 */
#pragma once

#include <stdint.h>

#include "common/base/err.h"

struct tres_weight {
    char *name;
    double each; /* for one unit: a cpu, a megabyte, a device */
};

/* A list of weights. Owns its members; all zero is empty. */
struct tres_weights {
    struct tres_weight *at;
    uint32_t n;
};

/* Reads a list; `text` may be NULL. Fails with EINVAL, naming the part that is no NAME=WEIGHT. */
int tres_weights_parse(const char *text, struct tres_weights *ret, struct err *err);
void tres_weights_clear(struct tres_weights *weights);
void tres_weights_auto_(struct tres_weights *weights);
void tres_weights_copy(struct tres_weights *to, const struct tres_weights *from);

/* Returns the weight of one unit of `name`; 0 when it is not in the list. */
double tres_weights_of(const struct tres_weights *weights, const char *name);
