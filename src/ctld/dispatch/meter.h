/* meter.h - how many requests came, from whom, and what they cost: the figures of sdiag. */
#pragma once

#include "common/msg/common.h"

struct meter {
    int64_t since;                                        /* wall seconds */
    uint64_t cycle_last_us, cycle_max_us, cycle_total_us; /* scheduling passes */
    struct rpc_count *by_type, *by_user;
    uint32_t by_type_n, by_user_n;
};

void meter_init(struct meter *meter, int64_t now_s);
void meter_clear(struct meter *meter);

/* Begins all counters anew; how long the last pass took stays. */
void meter_reset(struct meter *meter, int64_t now_s);

/* True if midnight (UTC) has passed since the counters began. */
bool meter_is_of_yesterday(const struct meter *meter, int64_t now_s);

/* Begins the counters anew as meter_reset does, but for those of requests. */
void meter_begin_day(struct meter *meter, int64_t now_s);

/* Stands for the message with which a client of slurmdbd takes leave: a connection that ended. */
#define METER_ENDED 1401

void meter_count(struct meter *meter, uint32_t type, uint32_t uid, uint64_t us);

/* Counts one more of this key in a list of counters, which the caller owns. */
void meter_add(struct rpc_count **counts, uint32_t *n, uint32_t key, uint64_t us);

void meter_cycle(struct meter *meter, uint64_t us);

/* Copies the counters into the lists of `diag`. */
void meter_fill(const struct meter *meter, struct diag *diag);
