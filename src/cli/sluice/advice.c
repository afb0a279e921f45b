#include "cli/sluice/advice.h"

#include <string.h>

#include "cli/sluice/advice_combine.h"
#include "cli/sluice/advice_knobs.h"
#include "common/text/timetext.h"

/*
 * Returns the most that starts sooner: with more of it the start is never earlier, so it can be
 * halved.
 */
static uint64_t most_that_helps(struct trial *trial, const struct job_spec *asked,
                                const struct knob *knob, uint64_t now)
{
    uint64_t good = 1, bad = now;

    knob->write(asked, good, &trial->spec);
    if (now <= 1 || !trial_is_sooner(trial))
        return 0;
    while (bad - good > 1) {
        uint64_t middle = good + (bad - good) / 2;

        knob->write(asked, middle, &trial->spec);
        if (trial_is_sooner(trial))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

static char *amount_text(const struct knob *knob, const struct job_spec *asked, const char *before,
                         uint64_t amount)
{
    struct strbuf text = { 0 };

    strbuf_adds(&text, before);
    knob->show(asked, amount, &text);
    return strbuf_steal(&text);
}

/* Tries a shorter limit that may do more than start the job sooner: the job may start now. */
static void try_at_once(const struct seek *seek, const struct knob *knob, uint64_t now,
                        uint64_t sooner)
{
    const struct job_spec *asked = seek->info->job->spec;
    const int64_t at_once = seek->info->now + SOONER_S + AT_ONCE_S;
    struct trial trial;
    uint64_t enough;

    if (seek->advice->changes[seek->advice->n - 1].start + SOONER_S <= at_once)
        return;
    trial_begin(&trial, seek);
    trial.planned = at_once;
    enough = most_that_helps(&trial, asked, knob, sooner);
    if (enough)
        trial_add_change(seek, &trial, amount_text(knob, asked, "--time=", enough))->before =
            amount_text(knob, asked, "", now);
    trial_end(&trial);
}

static void try_knob(const struct seek *seek, const struct knob *knob)
{
    AUTO_FREE char *option = xasprintf("%s=", knob->option);
    const struct job_spec *asked = seek->info->job->spec;
    struct trial trial;
    uint64_t now, enough;

    if (!knob->read(asked, &now))
        return;
    trial_begin(&trial, seek);
    enough = most_that_helps(&trial, asked, knob, now);
    if (enough)
        trial_add_change(seek, &trial, amount_text(knob, asked, option, enough))->before =
            amount_text(knob, asked, "", now);
    trial_end(&trial);
    if (enough > 1 && knob->is_time)
        try_at_once(seek, knob, now, enough);
}

/* ---- wishes that may be left out ---- */

static void try_without(const struct seek *seek, const char *option, const char *value, size_t at)
{
    struct trial trial;

    if (!value)
        return;
    trial_begin(&trial, seek);
    xstrset((char **)(void *)((char *)&trial.spec + at), NULL);
    if (trial_is_sooner(&trial))
        trial_add_change(seek, &trial, xasprintf("without %s=%s", option, value));
    trial_end(&trial);
}

static void try_shared(const struct seek *seek)
{
    struct trial trial;

    if (seek->info->job->spec->share != SHARE_EXCLUSIVE)
        return;
    trial_begin(&trial, seek);
    trial.spec.share = SHARE_DEFAULT;
    if (trial_is_sooner(&trial))
        trial_add_change(seek, &trial, xstrdup("without --exclusive"));
    trial_end(&trial);
}

static void try_partitions(const struct seek *seek)
{
    for (uint32_t i = 0; i < seek->asker->partitions_n; i++) {
        struct trial trial;

        if (seek->info->job->partition &&
            strcmp(seek->asker->partitions[i], seek->info->job->partition) == 0)
            continue;
        trial_begin(&trial, seek);
        xstrset(&trial.spec.partition, seek->asker->partitions[i]);
        if (trial_is_sooner(&trial))
            trial_add_change(seek, &trial, xasprintf("--partition=%s", seek->asker->partitions[i]));
        trial_end(&trial);
    }
}

/* ---- what keeps it from its turn ---- */

/* Tries one change, after which the job would start sooner, or at all. Takes over `change`. */
static void try_changed(const struct seek *seek, struct trial *trial, char *change)
{
    if (trial_is_sooner(trial))
        trial_add_change(seek, trial, change);
    else
        free(change);
    trial_end(trial);
}

/* Returns the number that scontrol takes for all that the record stands for. */
static uint32_t id_of(const struct job_record *job)
{
    return job->array_job_id && job->array_task == COUNT_UNSET ? job->array_job_id : job->id;
}

static void try_release(const struct seek *seek)
{
    struct trial trial;

    trial_begin(&trial, seek);
    try_changed(seek, &trial, xasprintf("scontrol release %u", id_of(seek->info->job)));
}

static void try_begin(const struct seek *seek)
{
    struct trial trial;

    trial_begin(&trial, seek);
    trial.spec.begin = 0;
    try_changed(seek, &trial, xstrdup("without --begin"));
}

static void try_alone(const struct seek *seek)
{
    struct trial trial;

    trial_begin(&trial, seek);
    try_changed(seek, &trial, xstrdup("without --dependency"));
}

/*
 * Tries to let one more task of the array run. When one ends is not known, so only a start at once
 * is surely sooner.
 */
static void try_more_tasks(const struct seek *seek)
{
    struct trial trial;

    trial_begin(&trial, seek);
    trial.planned = seek->info->now + SOONER_S + AT_ONCE_S;
    try_changed(seek, &trial,
                xasprintf("scontrol update JobId=%u ArrayTaskThrottle=%u", id_of(seek->info->job),
                          seek->info->job->array_limit + 1));
}

static bool is_one_of(const struct job_record *job, const uint32_t *reasons, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (job->reason == reasons[i])
            return true;
    }
    return false;
}

bool job_waits_for_others(const struct job_record *job)
{
    static const uint32_t reasons[] = { REASON_RESOURCES, REASON_PRIORITY, REASON_LICENSES };

    return job->state == JOB_PENDING && is_one_of(job, reasons, ARRAY_N(reasons));
}

/* True if the job asks for what cannot be had, as things are. */
static bool asks_too_much(const struct job_record *job)
{
    static const uint32_t reasons[] = { REASON_NODES_UNAVAILABLE,    REASON_PARTITION_TIME_LIMIT,
                                        REASON_PARTITION_NODE_LIMIT, REASON_PARTITION_CONFIG,
                                        REASON_PARTITION_MEMORY,     REASON_PARTITION_DOWN,
                                        REASON_PARTITION_INACTIVE,   REASON_BAD_CONSTRAINTS };

    return is_one_of(job, reasons, ARRAY_N(reasons));
}

bool job_waits_for_room(const struct job_record *job)
{
    return job_waits_for_others(job) || (job->state == JOB_PENDING && asks_too_much(job));
}

/*
 * Returns the planned start. A plan is made some time after a job came: until then it is the start
 * that a job like it would have.
 */
static int64_t planned_start(const struct seek *seek)
{
    struct trial trial;
    int64_t start = seek->info->planned_start;
    char *nodes = NULL;

    if (start || !job_waits_for_others(seek->info->job))
        return start;
    trial_begin(&trial, seek);
    if (!seek->asker->ask(seek->asker->ctx, &trial.spec, &start, &nodes))
        start = 0;
    free(nodes);
    trial_end(&trial);
    return start;
}

static void find_smaller(const struct seek *seek)
{
    const struct job_spec *spec = seek->info->job->spec;

    for (const struct knob *knob = advice_knobs(); knob->option; knob++)
        try_knob(seek, knob);
    try_without(seek, "--nodelist", spec->req_nodes, offsetof(struct job_spec, req_nodes));
    try_without(seek, "--exclude", spec->exc_nodes, offsetof(struct job_spec, exc_nodes));
    try_without(seek, "--constraint", spec->features, offsetof(struct job_spec, features));
    try_shared(seek);
    try_partitions(seek);
    if (seek->advice->n == 0)
        combine_changes(seek);
}

void advice_find(const struct job_info *info, const struct advice_asker *asker, struct advice *ret)
{
    const struct job_record *job = info->job;
    struct seek seek = { info, asker, info->planned_start, ret };

    *ret = (struct advice){ 0 };
    if (job->state != JOB_PENDING)
        return;
    if (job_waits_for_room(job)) {
        ret->is_sought = true;
        seek.planned = planned_start(&seek);
        find_smaller(&seek);
        return;
    }
    if (job->reason == REASON_DEPENDENCY_NEVER)
        try_alone(&seek);
    else if (job->dependencies_n == 0 && job->priority == 0)
        try_release(&seek);
    else if (job->reason == REASON_BEGIN_TIME)
        try_begin(&seek);
    else if (job->reason == REASON_ARRAY_LIMIT)
        try_more_tasks(&seek);
    ret->is_sought = ret->n > 0;
}

void advice_clear(struct advice *advice)
{
    for (uint32_t i = 0; i < advice->n; i++) {
        free(advice->changes[i].change);
        free(advice->changes[i].before);
        free(advice->changes[i].nodes);
    }
    free(advice->changes);
    *advice = (struct advice){ 0 };
}

void advice_auto_(struct advice *advice)
{
    advice_clear(advice);
}

static void add_line(const struct advice_change *change, struct strbuf *out)
{
    strbuf_addf(out, "    %s", change->change);
    if (change->before)
        strbuf_addf(out, " instead of %s", change->before);
    strbuf_adds(out, ": at ");
    time_format(out, change->start, NULL, 0, "an unknown time");
    if (change->nodes)
        strbuf_addf(out, " on %s", change->nodes);
    strbuf_addc(out, '\n');
}

void advice_format(const struct advice *advice, struct strbuf *out)
{
    if (!advice->is_sought)
        return;
    if (advice->n == 0) {
        strbuf_adds(
            out,
            "  No smaller request was found that would start sooner even behind all that wait.\n");
        return;
    }
    strbuf_adds(out, "  One of these changes would start it sooner, as the scheduler says:\n");
    for (uint32_t i = 0; i < advice->n; i++)
        add_line(&advice->changes[i], out);
}
