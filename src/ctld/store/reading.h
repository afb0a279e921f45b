/*
 * reading.h - what the files that read tables have in common.
 */
#pragma once

#include "ctld/store/db.h"

/* Appends " AND column IN (?,?)" with `n` parameters; nothing when there are none. */
void read_add_in(struct strbuf *sql, const char *column, uint32_t n);

/* Bind from parameter *at on, which moves behind them. Texts are borrowed. */
void read_bind_numbers(struct sql_stmt *stmt, int *at, const uint32_t *numbers, uint32_t n);
void read_bind_texts(struct sql_stmt *stmt, int *at, char **texts, uint32_t n);

int read_column(struct sql_stmt *stmt, int column, const struct schema *schema, void *ret,
                struct err *err);

/* Reads into the arena's memory: the record is not cleared by itself. */
int read_column_in(struct arena *arena, struct sql_stmt *stmt, int column,
                   const struct schema *schema, void *ret, struct err *err);

/* Calls for each job that is recorded and runs or is suspended, in no order. The record is
 * borrowed.
 */
typedef void read_job_fn(const struct job_record *job, void *ctx);
int read_active(struct sql *db, read_job_fn *on_job, void *ctx, struct err *err);

/* Calls for each job that is recorded and waits. */
int read_waiting(struct sql *db, read_job_fn *on_job, void *ctx, struct err *err);
