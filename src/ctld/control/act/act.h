/*
 * act.h - one thing that happens to the cluster: when it happens, who asked for it, and where it is
 * noted down what follows from it.
 *
 * A request, a node's report and a timer each make one and hand it down to all that they call; a
 * function that takes one may change the model. Everything in it is borrowed.
 */
#pragma once

#include "ctld/control/act/turn.h"

struct control;

/* Wall time is for display and --begin; limits and timeouts count cluster time. */
struct moment {
    int64_t wall_s;
    int64_t cluster_ms;
    int64_t wall_part_ms; /* how much of the second after wall_s has passed: 0 to 999 */
};

/* What a caller may do beside what is anybody's right with what is his. Each level may what those
 * before it may. */
enum caller_level {
    LEVEL_USER,
    LEVEL_OPERATOR,      /* AdminLevel=Operator: other users' jobs, accounts, what is private */
    LEVEL_ADMINISTRATOR, /* AdminLevel=Administrator: nodes, partitions, the controller itself */
    LEVEL_ROOT,          /* root or SlurmUser: also what acts as another user */
};

/* Who asks, as the dispatcher resolved it before calling. */
struct caller {
    uint32_t uid, gid;
    enum caller_level level; /* when the request came: that of a user is changed by others */
    const char *user_name, *group_name, *home, *shell;
    const uint32_t *groups; /* supplementary */
    uint32_t groups_n;
    char *const *group_names; /* of those that have one */
    uint32_t group_names_n;
    const char *host; /* address of its connection; NULL for this machine */
};

struct act {
    struct control *control;
    struct moment now;
    struct turn *turn;
    const struct caller *caller; /* NULL: nobody asks; a node reports, or a timer is due */
};

/* Returns whether the caller may what this level may. Nothing else asks for the level. */
bool caller_has_level(const struct caller *caller, enum caller_level level);

int64_t moment_ms_of_wall(struct moment now, int64_t wall_s);
int64_t moment_wall_of_ms(struct moment now, int64_t cluster_ms); /* not before now */
