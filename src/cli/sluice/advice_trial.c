#include "cli/sluice/advice_trial.h"

#include "common/schema/schema.h"

bool trial_is_sooner(struct trial *trial)
{
    int64_t start = 0;
    char *nodes = NULL;

    if (!trial->asker->ask(trial->asker->ctx, &trial->spec, &start, &nodes) || !start ||
        (trial->planned && start + SOONER_S > trial->planned)) {
        free(nodes);
        return false;
    }
    free(trial->nodes);
    trial->nodes = nodes;
    trial->start = start;
    return true;
}

void trial_begin(struct trial *trial, const struct seek *seek)
{
    *trial = (struct trial){ .asker = seek->asker, .planned = seek->planned };
    schema_copy(job_spec_schema(), &trial->spec, seek->info->job->spec);
    free(STEAL(trial->spec.array)); /* one task of it is asked about */
    free(STEAL(trial->spec.token));
    free(STEAL(trial->spec.dependency)); /* what it still waits for is looked at before */
    trial->spec.hold = false;
    trial->spec.kind = JOB_KIND_ALLOC; /* lists do not tell of scripts */
    trial->spec.immediate = false;
}

void trial_end(struct trial *trial)
{
    job_spec_clear(&trial->spec);
    free(trial->nodes);
}

struct advice_change *trial_add_change(const struct seek *seek, struct trial *trial, char *change)
{
    struct advice_change *added = ARRAY_PUSH(seek->advice->changes, seek->advice->n);

    *added = (struct advice_change){ .change = change,
                                     .start = trial->start,
                                     .nodes = STEAL(trial->nodes) };
    return added;
}
