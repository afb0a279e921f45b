/*
 * ledger.h - numbers by which archives and tables agree: which database this is, and how many
 * records of an archive have left it, or have come back.
 *
 * They are written in the transaction that moves the records, so they are right whatever dies.
 */
#pragma once

#include "ctld/store/sql/sql.h"

/* Reads the number of this database, which is drawn when it is asked for first. Writes; within the
 * caller's transaction. */
int ledger_store(struct sql *db, uint64_t *ret, struct err *err);

enum ledger {
    LEDGER_LEFT,  /* so many records of the archive are gone from the tables */
    LEDGER_TAKEN, /* so many have been looked at by who loads it */
};

int ledger_note(struct sql *db, enum ledger ledger, uint64_t archive, uint64_t n, struct err *err);

/* Reads what was noted; 0: nothing was. */
int ledger_read(struct sql *db, enum ledger ledger, uint64_t archive, uint64_t *ret,
                struct err *err);
int ledger_forget(struct sql *db, enum ledger ledger, uint64_t archive, struct err *err);
