#include "cli/sluice/advice.h"

#include <inttypes.h>
#include <string.h>

#include "common/text/duration.h"
#include "common/text/timetext.h"

#define SOONER_S    60 /* less is no gain worth a word */
#define MINUTES_MAX (7 * 24 * 60)

/* One question with its answer; owns `nodes` and `spec`. */
struct trial {
    const struct advice_asker *asker;
    int64_t planned; /* start to be beaten; 0: there is none */
    struct job_spec spec;
    int64_t start;
    char *nodes;
};

static bool is_sooner(struct trial *trial)
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

/* ---- amounts, of which less may be enough ---- */

struct knob {
    const char *option;
    bool (*read)(const struct job_spec *spec, uint64_t *ret); /* false: not asked for */
    void (*write)(struct job_spec *spec, uint64_t amount);
    void (*show)(uint64_t amount, struct strbuf *out);
};

static bool read_minutes(const struct job_spec *spec, uint64_t *ret)
{
    *ret = spec->time_limit < 0 ? MINUTES_MAX : (uint64_t)(spec->time_limit + 59) / 60;
    return true;
}

static void write_minutes(struct job_spec *spec, uint64_t amount)
{
    spec->time_limit = (int64_t)amount * 60;
}

static void show_minutes(uint64_t amount, struct strbuf *out)
{
    duration_format(out, (int64_t)amount * 60);
}

/* With more tasks than that, fewer nodes alone would change nothing. */
static bool read_nodes(const struct job_spec *spec, uint64_t *ret)
{
    *ret = spec->min_nodes;
    return spec->min_nodes != COUNT_UNSET && (spec->ntasks == COUNT_UNSET || spec->ntasks <= 1);
}

static void write_nodes(struct job_spec *spec, uint64_t amount)
{
    spec->min_nodes = spec->max_nodes = (uint32_t)amount;
}

static bool read_tasks(const struct job_spec *spec, uint64_t *ret)
{
    *ret = spec->ntasks;
    return spec->ntasks != COUNT_UNSET;
}

static void write_tasks(struct job_spec *spec, uint64_t amount)
{
    spec->ntasks = (uint32_t)amount;
    if (spec->min_nodes != COUNT_UNSET && spec->min_nodes > spec->ntasks)
        spec->min_nodes = spec->ntasks;
}

static bool read_cpus(const struct job_spec *spec, uint64_t *ret)
{
    *ret = spec->cpus_per_task;
    return spec->cpus_per_task != COUNT_UNSET;
}

static void write_cpus(struct job_spec *spec, uint64_t amount)
{
    spec->cpus_per_task = (uint32_t)amount;
}

static bool read_memory(const struct job_spec *spec, uint64_t *ret)
{
    *ret = spec->mem_per_node;
    return spec->mem_per_node != MB_UNSET && spec->mem_per_node > 0;
}

static void write_memory(struct job_spec *spec, uint64_t amount)
{
    spec->mem_per_node = amount;
}

static bool read_cpu_memory(const struct job_spec *spec, uint64_t *ret)
{
    *ret = spec->mem_per_cpu;
    return spec->mem_per_cpu != MB_UNSET;
}

static void write_cpu_memory(struct job_spec *spec, uint64_t amount)
{
    spec->mem_per_cpu = amount;
}

static void show_number(uint64_t amount, struct strbuf *out)
{
    strbuf_addu(out, amount);
}

static void show_mb(uint64_t amount, struct strbuf *out)
{
    strbuf_addf(out, "%" PRIu64 "M", amount);
}

static const struct knob knobs[] = {
    { "--time", read_minutes, write_minutes, show_minutes },
    { "--nodes", read_nodes, write_nodes, show_number },
    { "--ntasks", read_tasks, write_tasks, show_number },
    { "--cpus-per-task", read_cpus, write_cpus, show_number },
    { "--mem", read_memory, write_memory, show_mb },
    { "--mem-per-cpu", read_cpu_memory, write_cpu_memory, show_mb },
};

static void trial_begin(struct trial *trial, const struct job_info *info,
                        const struct advice_asker *asker)
{
    *trial = (struct trial){ .asker = asker, .planned = info->planned_start };
    schema_copy(job_spec_schema(), &trial->spec, info->job->spec);
    free(STEAL(trial->spec.array)); /* one task of it is asked about */
    free(STEAL(trial->spec.token));
    trial->spec.kind = JOB_KIND_ALLOC; /* lists do not tell of scripts */
    trial->spec.immediate = false;
}

static void trial_end(struct trial *trial)
{
    job_spec_clear(&trial->spec);
    free(trial->nodes);
}

/* What was tried last helps; takes over `change`. */
static struct advice_change *add_change(struct advice *advice, struct trial *trial, char *change)
{
    struct advice_change *added = ARRAY_PUSH(advice->changes, advice->n);

    *added = (struct advice_change){ .change = change,
                                     .start = trial->start,
                                     .nodes = STEAL(trial->nodes) };
    return added;
}

/* The most that starts sooner: with more of it the start is never earlier, so it can be halved. */
static uint64_t most_that_helps(struct trial *trial, const struct knob *knob, uint64_t now)
{
    uint64_t good = 1, bad = now;

    knob->write(&trial->spec, good);
    if (now <= 1 || !is_sooner(trial))
        return 0;
    while (bad - good > 1) {
        uint64_t middle = good + (bad - good) / 2;

        knob->write(&trial->spec, middle);
        if (is_sooner(trial))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

static char *amount_text(const struct knob *knob, const char *before, uint64_t amount)
{
    struct strbuf text = { 0 };

    strbuf_adds(&text, before);
    knob->show(amount, &text);
    return strbuf_steal(&text);
}

static void try_knob(const struct job_info *info, const struct advice_asker *asker,
                     const struct knob *knob, struct advice *advice)
{
    AUTO_FREE char *option = xasprintf("%s=", knob->option);
    struct trial trial;
    uint64_t now, enough;

    if (!knob->read(info->job->spec, &now))
        return;
    trial_begin(&trial, info, asker);
    enough = most_that_helps(&trial, knob, now);
    if (enough)
        add_change(advice, &trial, amount_text(knob, option, enough))->before =
            amount_text(knob, "", now);
    trial_end(&trial);
}

/* ---- wishes that may be left out ---- */

static void try_without(const struct job_info *info, const struct advice_asker *asker,
                        const char *option, const char *value, size_t at, struct advice *advice)
{
    struct trial trial;

    if (!value)
        return;
    trial_begin(&trial, info, asker);
    xstrset((char **)(void *)((char *)&trial.spec + at), NULL);
    if (is_sooner(&trial))
        add_change(advice, &trial, xasprintf("without %s=%s", option, value));
    trial_end(&trial);
}

static void try_shared(const struct job_info *info, const struct advice_asker *asker,
                       struct advice *advice)
{
    struct trial trial;

    if (info->job->spec->share != SHARE_EXCLUSIVE)
        return;
    trial_begin(&trial, info, asker);
    trial.spec.share = SHARE_DEFAULT;
    if (is_sooner(&trial))
        add_change(advice, &trial, xstrdup("without --exclusive"));
    trial_end(&trial);
}

static void try_partitions(const struct job_info *info, const struct advice_asker *asker,
                           struct advice *advice)
{
    for (uint32_t i = 0; i < asker->partitions_n; i++) {
        struct trial trial;

        if (info->job->partition && strcmp(asker->partitions[i], info->job->partition) == 0)
            continue;
        trial_begin(&trial, info, asker);
        xstrset(&trial.spec.partition, asker->partitions[i]);
        if (is_sooner(&trial))
            add_change(advice, &trial, xasprintf("--partition=%s", asker->partitions[i]));
        trial_end(&trial);
    }
}

/* Not held, nor waiting for a time, another job or a limit: then only others are in the way. */
static bool waits_for_nodes(const struct job_record *job)
{
    return job->state == JOB_PENDING &&
           (job->reason == REASON_RESOURCES || job->reason == REASON_PRIORITY);
}

void advice_find(const struct job_info *info, const struct advice_asker *asker, struct advice *ret)
{
    const struct job_spec *spec = info->job->spec;

    *ret = (struct advice){ .is_sought = waits_for_nodes(info->job) };
    if (!ret->is_sought)
        return;
    for (size_t i = 0; i < ARRAY_N(knobs); i++)
        try_knob(info, asker, &knobs[i], ret);
    try_without(info, asker, "--nodelist", spec->req_nodes, offsetof(struct job_spec, req_nodes),
                ret);
    try_without(info, asker, "--constraint", spec->features, offsetof(struct job_spec, features),
                ret);
    try_shared(info, asker, ret);
    try_partitions(info, asker, ret);
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
