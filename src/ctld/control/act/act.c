#include "ctld/control/act/act.h"

bool caller_has_level(const struct caller *caller, enum caller_level level)
{
    return caller->level >= level;
}

int64_t moment_ms_of_wall(struct moment now, int64_t wall_s)
{
    return now.cluster_ms + (wall_s - now.wall_s) * 1000 - now.wall_part_ms;
}

int64_t moment_wall_of_ms(struct moment now, int64_t cluster_ms)
{
    const int64_t ahead_ms = cluster_ms > now.cluster_ms ? cluster_ms - now.cluster_ms : 0;

    return now.wall_s + (ahead_ms + now.wall_part_ms) / 1000;
}
