#include "cli/import/plan.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/base/plain.h"
#include "common/base/strbuf.h"

const char *plan_words(enum plan_kind kind)
{
#define PLAN_WORDS(name, words) words,
    static const char *const words[] = { PLAN_KINDS(PLAN_WORDS) };
#undef PLAN_WORDS

    return words[kind];
}

void plan_clear(struct plan *plan)
{
    for (uint32_t i = 0; i < plan->notes_n; i++) {
        free(plan->notes[i].text);
        for (int k = 0; k < PLAN_EXAMPLES; k++)
            free(plan->notes[i].examples[k]);
    }
    free(plan->notes);
    free(plan->all_tres);
    *plan = (struct plan){ 0 };
}

void plan_count(struct plan *plan, enum plan_kind kind, enum plan_fate fate)
{
    plan->counts[kind][fate]++;
}

static struct plan_note *find_note(struct plan *plan, const char *text)
{
    struct plan_note *note;

    for (uint32_t i = 0; i < plan->notes_n; i++) {
        if (strcmp(plan->notes[i].text, text) == 0)
            return &plan->notes[i];
    }
    note = ARRAY_PUSH(plan->notes, plan->notes_n);
    *note = (struct plan_note){ .text = xstrdup(text) };
    return note;
}

void plan_note(struct plan *plan, const char *text, const char *format, ...)
{
    struct plan_note *note = find_note(plan, text);
    AUTO(strbuf) struct strbuf example = { 0 };
    va_list args;

    va_start(args, format);
    if (note->n < PLAN_EXAMPLES) {
        strbuf_vaddf(&example, format, args);
        plain_escape(&example, 0);
        note->examples[note->n] = strbuf_steal(&example);
    }
    va_end(args);
    note->n++;
}

static void print_note(const struct plan_note *note)
{
    printf("  %" PRIu64 " %s (", note->n, note->text);
    for (uint64_t i = 0; i < note->n && i < PLAN_EXAMPLES; i++)
        printf("%s%s", i ? ", " : "", note->examples[i]);
    puts(note->n > PLAN_EXAMPLES ? ", ...)" : ")");
}

static bool has_periods(const struct plan *plan)
{
    return plan->periods[PERIOD_HOUR] || plan->periods[PERIOD_DAY] || plan->periods[PERIOD_MONTH];
}

static void print_periods(const struct plan *plan, bool is_done)
{
    printf("  %" PRIu64 " months, %" PRIu64 " days and %" PRIu64
           " hours of sums %s, of the time before these jobs\n",
           plan->periods[PERIOD_MONTH], plan->periods[PERIOD_DAY], plan->periods[PERIOD_HOUR],
           is_done ? "are here" : "would come");
}

static void print_notes(const struct plan *plan, bool is_done)
{
    const uint64_t transactions = plan->counts[PLAN_TRANSACTIONS][FATE_LEFT];

    if (plan->notes_n || has_periods(plan) || transactions)
        puts("Of these, or beside them:");
    if (has_periods(plan))
        print_periods(plan, is_done);
    for (uint32_t i = 0; i < plan->notes_n; i++)
        print_note(&plan->notes[i]);
    if (transactions)
        printf("  %" PRIu64 " transactions do not come: who changed what there, and when\n",
               transactions);
}

void plan_print(const struct plan *plan, bool is_done)
{
    printf("%-14s %12s %12s %12s %12s %12s\n", is_done ? "done" : "would come", "new", "equal",
           "changed", "kept as is", "left out");
    for (int i = 0; i < PLAN_KINDS_N; i++) {
        printf("%-14s", plan_words((enum plan_kind)i));
        for (int k = 0; k < FATES_N; k++)
            printf(" %12" PRIu64, plan->counts[i][k]);
        putchar('\n');
    }
    print_notes(plan, is_done);
    if (plan->all_tres)
        printf("This cluster does not count all TRES that the database has. For all of them set\n"
               "  AccountingStorageTRES=%s\n"
               "in slurm.conf, start slurmctld again, and import then%s.\n",
               plan->all_tres, is_done ? " with --overwrite" : "");
}
