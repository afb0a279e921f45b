#include "cli/sluice/advice_combine.h"

#include <string.h>

#include "cli/sluice/advice_knobs.h"

#define TOGETHER_MAX 16

/* All that the job asks for, with how much of each is tried. */
struct combination {
    const struct knob *knobs[TOGETHER_MAX];
    uint64_t asked[TOGETHER_MAX], tried[TOGETHER_MAX];
    uint32_t n;
};

static bool helps(const struct combination *combination, const struct job_spec *asked,
                  struct trial *trial)
{
    for (uint32_t i = 0; i < combination->n; i++)
        combination->knobs[i]->write(asked, combination->tried[i], &trial->spec);
    return trial_is_sooner(trial);
}

/*
 * Gives back as much of one knob as helps while the others stay as they are; that it helps now is
 * known.
 */
static void give_back(struct combination *combination, uint32_t i, const struct job_spec *asked,
                      struct trial *trial)
{
    uint64_t good = combination->tried[i], bad = combination->asked[i];

    combination->tried[i] = combination->asked[i]; /* most often all of it */
    if (helps(combination, asked, trial))
        return;
    while (bad - good > 1) {
        combination->tried[i] = good + (bad - good) / 2;
        if (helps(combination, asked, trial))
            good = combination->tried[i];
        else
            bad = combination->tried[i];
    }
    combination->tried[i] = good;
}

static void give_back_all(struct combination *combination, bool is_time_first,
                          const struct job_spec *asked, struct trial *trial)
{
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < combination->n; i++) {
            if (combination->knobs[i]->is_time == (is_time_first == (pass == 0)))
                give_back(combination, i, asked, trial);
        }
    }
}

static char *describe(const struct combination *combination, const struct job_spec *asked,
                      const uint64_t *amounts)
{
    struct strbuf text = { 0 };

    for (uint32_t i = 0; i < combination->n; i++) {
        const struct knob *knob = combination->knobs[i];

        if (combination->tried[i] == combination->asked[i])
            continue;
        strbuf_addf(&text, "%s%s=", text.len ? " " : "", knob->option);
        knob->show(asked, amounts[i], &text);
    }
    return strbuf_steal(&text);
}

static bool is_told(const struct advice *advice, const char *change)
{
    for (uint32_t i = 0; i < advice->n; i++) {
        if (strcmp(advice->changes[i].change, change) == 0)
            return true;
    }
    return false;
}

static void combine(const struct seek *seek, bool is_time_first)
{
    const struct job_spec *asked = seek->info->job->spec;
    struct combination combination = { 0 };
    struct trial trial;
    char *change;

    for (const struct knob *const *knob = advice_knobs_together(); *knob; knob++) {
        if (combination.n < TOGETHER_MAX &&
            (*knob)->read(asked, &combination.asked[combination.n])) {
            combination.tried[combination.n] = 1;
            combination.knobs[combination.n++] = *knob;
        }
    }
    trial_begin(&trial, seek);
    if (helps(&combination, asked, &trial)) {
        give_back_all(&combination, is_time_first, asked, &trial);
        change = describe(&combination, asked, combination.tried);
        if (is_told(seek->advice, change))
            free(change);
        else
            trial_add_change(seek, &trial, change)->before =
                describe(&combination, asked, combination.asked);
    }
    trial_end(&trial);
}

void combine_changes(const struct seek *seek)
{
    combine(seek, false);
    if (seek->advice->n > 0)
        combine(seek, true);
}
