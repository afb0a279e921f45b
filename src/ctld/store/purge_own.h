/* purge_own.h - a purge as its files see it; for them alone. */
#pragma once

#include "ctld/store/archive.h"
#include "ctld/store/body.h"
#include "ctld/store/db.h"

enum purge_phase {
    PHASE_BEGIN,
    PHASE_EVENTS,
    PHASE_LOG,
    PHASE_TRANSACTIONS,
    PHASE_STEPS,
    PHASE_JOBS,
    PHASE_USAGE,
    PHASE_BEGIN_MARK,
    PHASE_MARK,
    PHASE_MARK_STEPS,
    PHASE_SWEEP,
    PHASE_END,
    PHASE_OVER,
};

struct purge {
    struct sql *db;
    struct writer *writer;
    struct purge_record what;
    int64_t steps_since;
    char *cluster;
    uint64_t store; /* ledger_store */
    struct archive *archives[ARCHIVE_KINDS_N];
    uint64_t noted[ARCHIVE_KINDS_N]; /* lines of files at hand that the ledger has */
    enum purge_phase phase;
    int64_t last_end, last_key; /* how far a phase has come */
    struct body_reader bodies;
    struct store_purged done;
};

void purge_next_phase(struct purge *purge);

/* Runs `sql` with up to three numbers, `on_row` (which may be NULL) on each row. */
typedef int purge_row_fn(struct purge *purge, struct sql_stmt *stmt, struct err *err);
int purge_run(struct purge *purge, const char *sql, const int64_t numbers[3], purge_row_fn *on_row,
              struct err *err);

/* Writes a line into the archive of the kind, which there is. */
int purge_archive(struct purge *purge, enum archive_kind kind, const struct strbuf *line,
                  struct err *err);

/* ---- purge_others.c: a bite of what is neither jobs nor steps ---- */

/* Leaves of old events the time alone, which sums of the cluster's time are made of; that goes with
 * the sums. */
int purge_events(struct purge *purge, struct err *err);

/* Of the log, what is of this kind. */
int purge_log(struct purge *purge, enum archive_kind kind, int64_t before, struct err *err);

int purge_usage(struct purge *purge, struct err *err);
