#include "common/base/clock.h"

#include <stdlib.h>
#include <time.h>

struct clock clock_from_env(void)
{
    const char *skew = getenv("SLUICE_CLOCK_SKEW");

    return (struct clock){ .skew_s = skew ? strtoll(skew, NULL, 10) : 0 };
}

static int64_t read_ms(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t clock_wall_ms(const struct clock *clock)
{
    return read_ms(CLOCK_REALTIME) + clock->skew_s * 1000;
}

int64_t clock_wall_s(const struct clock *clock)
{
    return clock_wall_ms(clock) / 1000;
}

int64_t clock_mono_ms(void)
{
    return read_ms(CLOCK_BOOTTIME);
}

uint64_t clock_mono_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}
