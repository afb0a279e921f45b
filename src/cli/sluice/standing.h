/*
 * standing.h - how the nodes of a waiting job's partition stand to what it asks of each of them,
 * and which jobs come before it. Pure, of what the controller tells.
 *
 * The scheduler alone knows where a job can go: this counts nodes by what anybody can see of them.
 */
#pragma once

#include "cli/lib/records.h"
#include "common/msg/job.h"
#include "common/text/hostlist.h"

enum standing_kind {
    STANDING_MATCHES, /* has what is asked, free */
    STANDING_BUSY,    /* has it, but jobs hold it */
    STANDING_DRAINED,
    STANDING_DOWN,     /* or does not respond */
    STANDING_UNFIT,    /* has not what is asked */
    STANDING_EXCLUDED, /* --exclude */
    STANDING_KINDS_N,
};

/* Nodes that are alike; owns the list. */
struct standing_row {
    uint32_t kind;     /* enum standing_kind */
    int64_t until;     /* STANDING_BUSY: when enough is free at the latest; 0: no end is known */
    bool or_later;     /* rows with later ends were put to this one */
    const char *lacks; /* STANDING_UNFIT: "cpus", "memory", "gres", "features" */
    struct hostlist *nodes;
};

#define STANDING_AHEAD_MAX 5 /* that are named */

struct standing {
    uint32_t nodes_n; /* in the partition; 0: nothing is known */
    uint32_t needs_n; /* that the job asks for at least */
    uint32_t matches_n;
    struct standing_row *rows; /* by kind, then by time */
    uint32_t rows_n;
    uint32_t ahead[STANDING_AHEAD_MAX]; /* job ids of some that wait before it */
    uint32_t ahead_n;                   /* how many do */
};

/* Finds the standing from records of NODE_INFO, and of JOB_INFO for the jobs that run or wait, as
   far as the asker may see them. */
void standing_find(const struct job_info *info, const struct records *nodes,
                   const struct records *jobs, struct standing *ret);
void standing_clear(struct standing *standing);
void standing_auto_(struct standing *standing);

/* True if enough nodes match, so that the job waits for something else than nodes. */
bool standing_has_nodes(const struct standing *standing);
