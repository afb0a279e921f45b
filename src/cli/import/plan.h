/*
 * plan.h - what comes of an import, counted: by kind of record, and why some do not come.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/text/period.h"

/* X(NAME, words) */
#define PLAN_KINDS(X)                                                                              \
    X(CLUSTERS, "clusters")                                                                        \
    X(QOS, "QOS")                                                                                  \
    X(ACCOUNTS, "accounts")                                                                        \
    X(USERS, "users")                                                                              \
    X(ASSOCS, "associations")                                                                      \
    X(WCKEYS, "wckeys")                                                                            \
    X(COORDINATORS, "coordinators")                                                                \
    X(EVENTS, "events")                                                                            \
    X(JOBS, "jobs")                                                                                \
    X(RUNS, "earlier runs")                                                                        \
    X(STEPS, "steps")                                                                              \
    X(TRANSACTIONS, "transactions")

#define PLAN_KIND_ENUM(name, words) PLAN_##name,
enum plan_kind { PLAN_KINDS(PLAN_KIND_ENUM) PLAN_KINDS_N };
#undef PLAN_KIND_ENUM

enum plan_fate {
    FATE_NEW,
    FATE_EQUAL,   /* it is there */
    FATE_CHANGED, /* it is there, and becomes as in the database */
    FATE_KEPT,    /* it is there, is another, and stays */
    FATE_LEFT,    /* it does not come */
    FATES_N,
};

#define PLAN_EXAMPLES 10

/* Why something does not come, or not as it was. */
struct plan_note {
    char *text;
    uint64_t n;
    char *examples[PLAN_EXAMPLES];
};

struct plan {
    uint64_t counts[PLAN_KINDS_N][FATES_N];
    uint64_t periods[PERIODS_N]; /* that have sums, of the time before jobs */
    struct plan_note *notes;
    uint32_t notes_n;
    char *all_tres; /* AccountingStorageTRES that counts all TRES of the database; NULL: it does */
};

/* Returns what the kind is called in plans: "accounts". */
const char *plan_words(enum plan_kind kind);

void plan_clear(struct plan *plan);
void plan_count(struct plan *plan, enum plan_kind kind, enum plan_fate fate);

/* Adds one to a note, which is told with its first examples. */
void plan_note(struct plan *plan, const char *text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints a table and the notes. `is_done`: it has come, else it would. */
void plan_print(const struct plan *plan, bool is_done);
