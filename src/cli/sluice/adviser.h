/*
 * adviser.h - asks the scheduler in the place of a job's owner.
 *
 * What may be asked for depends on who asks: partitions are for some groups, or not for root. Root
 * asks as the owner. Who explains another's job and is not root asks in his own name, and then not
 * about partitions.
 */
#pragma once

#include "cli/lib/cli.h"
#include "cli/sluice/advice.h"

struct adviser {
    struct cli cli;
    bool is_open;
    uint32_t uid; /* of the owner that it stands for */
    char **partitions;
    uint32_t partitions_n;
};

/*
 * Makes *ret ask as the job's owner; `adviser` is { 0 } before the first call. Returns false if
 * nobody can be asked for this owner.
 */
bool adviser_stand_for(struct adviser *adviser, const struct job_record *job,
                       struct advice_asker *ret);
void adviser_close(struct adviser *adviser);
