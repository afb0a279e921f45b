#include "ctld/dispatch/meter.h"

#define DAY_S 86400

void meter_init(struct meter *meter, int64_t now_s)
{
    *meter = (struct meter){ .since = now_s };
}

bool meter_is_of_yesterday(const struct meter *meter, int64_t now_s)
{
    return now_s / DAY_S > meter->since / DAY_S;
}

void meter_begin_day(struct meter *meter, int64_t now_s)
{
    meter->since = now_s;
    meter->cycle_max_us = meter->cycle_total_us = 0;
}

void meter_reset(struct meter *meter, int64_t now_s)
{
    meter_begin_day(meter, now_s);
    free(STEAL(meter->by_type));
    free(STEAL(meter->by_user));
    meter->by_type_n = meter->by_user_n = 0;
}

void meter_clear(struct meter *meter)
{
    meter_reset(meter, 0);
}

void meter_add(struct rpc_count **counts, uint32_t *n, uint32_t key, uint64_t us)
{
    struct rpc_count *count = NULL;

    for (uint32_t i = 0; i < *n && !count; i++) {
        if ((*counts)[i].type == key)
            count = &(*counts)[i];
    }
    if (!count) {
        count = ARRAY_PUSH(*counts, *n);
        *count = (struct rpc_count){ .type = key };
    }
    count->count++;
    count->total_us += us;
}

void meter_count(struct meter *meter, uint32_t type, uint32_t uid, uint64_t us)
{
    meter_add(&meter->by_type, &meter->by_type_n, type, us);
    meter_add(&meter->by_user, &meter->by_user_n, uid, us);
}

void meter_cycle(struct meter *meter, uint64_t us)
{
    meter->cycle_last_us = us;
    meter->cycle_total_us += us;
    if (us > meter->cycle_max_us)
        meter->cycle_max_us = us;
}

void meter_fill(const struct meter *meter, struct diag *diag)
{
    diag->cycle_last_us = meter->cycle_last_us;
    diag->cycle_max_us = meter->cycle_max_us;
    diag->cycle_total_us = meter->cycle_total_us;
    diag->by_type = xmemdup(meter->by_type, meter->by_type_n * sizeof(struct rpc_count));
    diag->by_type_n = meter->by_type_n;
    diag->by_user = xmemdup(meter->by_user, meter->by_user_n * sizeof(struct rpc_count));
    diag->by_user_n = meter->by_user_n;
}
