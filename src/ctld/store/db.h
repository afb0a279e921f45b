/*
 * db.h - the tables: their version, what is written into them and read from them.
 */
#pragma once

#include "ctld/store/sql/sql.h"
#include "ctld/store/store.h"

#define STORE_SCHEMA_VERSION 8

/* What {jobs}.alive is, but 0 and 1, of a job that was loaded into the history without an end: it
 * is in nobody's memory, and reports count it until somebody ends it. */
#define ALIVE_IN_HISTORY 2

/* Returns the key of a row of jobs, made of its id and the round of ids that it is of (see
 * job_round). Steps and runs of it have launch numbers from key_first_run to key_last_run. */
static inline int64_t key_of(uint32_t job_id, uint32_t launch_number)
{
    return ((int64_t)job_id << JOB_ROUND_BITS) | job_round(launch_number);
}

static inline uint32_t key_id(int64_t key)
{
    return (uint32_t)(key >> JOB_ROUND_BITS);
}

static inline int64_t key_first_run(int64_t key)
{
    return (key & (JOB_ROUNDS_N - 1)) << JOB_RUN_BITS;
}

static inline int64_t key_last_run(int64_t key)
{
    return key_first_run(key) | ((1 << JOB_RUN_BITS) - 1);
}

/* Reads the last turn that was applied; 0: none ever was. */
int db_last_turn(struct sql *db, int64_t *ret, struct err *err);

/* Adds the functions of SQL that migrations need of old records (old_records.c). */
int db_add_functions(struct sql *db, struct err *err);

/* Brings the tables to STORE_SCHEMA_VERSION; copies the file first when it holds an older one. */
int db_migrate(struct sql *db, const char *path, struct err *err);

/* Brings the tables of a server to STORE_SCHEMA_VERSION (mariadb_tables.c). */
int mariadb_migrate(struct sql *db, struct err *err);

/* ---- writing (write.c) ---- */

struct writer;
int writer_new(struct sql *db, struct writer **ret, struct err *err);
struct writer *writer_free(struct writer *writer);

/* Writes one turn, within the caller's transaction. */
int writer_apply(struct writer *writer, const struct turn_changes *turn, struct err *err);

/* Writes one change of a turn that is being applied. */
int writer_apply_change(struct writer *writer, const struct change *change, struct err *err);

/* Has jobs that are written counted in the sums, as they are at first, or not: they were before. */
void writer_count(struct writer *writer, bool on);

/* Adds a row to the sums (sums.h). */
struct job_sum;
void writer_add_sum(struct writer *writer, const struct job_sum *sum);

/* Writes sums that were added; within the caller's transaction. */
int writer_finish_sums(struct writer *writer, struct err *err);

/* Writes what belongs to the whole of a transaction, up to this turn, at its end. */
int writer_finish(struct writer *writer, uint64_t turn, struct err *err);

/* Forgets what was to be written by a transaction that is rolled back. */
void writer_forget(struct writer *writer);

/* The number under which store_open finds the turn up to which all was applied. */
#define TURN_NAME "turn"
int writer_note_turn(struct writer *writer, uint64_t turn, struct err *err);

/* Reads that number, by a statement that is kept. */
int writer_last_turn(struct writer *writer, int64_t *ret, struct err *err);

/* Marks blobs that are put as named, while on, and follows the bodies of jobs that are written:
 * noted in the tables named and followed of this connection, which must exist. */
void writer_mark(struct writer *writer, bool on);

/* Marks a blob as used; an empty name is fine. */
int writer_mark_blob(struct writer *writer, const struct blob *sha256, struct err *err);

/* Marks a job's body, and what that names, as used; an empty name is fine. */
int writer_mark_body(struct writer *writer, const struct blob *sha256, struct err *err);

/* ---- reading (read.c) ---- */

int read_alive(struct sql *db, const struct store_loader *loader, void *ctx, struct err *err);
int read_history(struct sql *db, const struct history_list *filter, uint64_t after,
                 struct jobs_page *ret_page, uint64_t *ret_next, struct err *err);

/* Reads the first piece of what a job was submitted with, and the blob's name. */
int read_job_blob(struct sql *db, const struct job_script *ask, uint32_t uid,
                  struct blob_chunk *piece, struct err *err);

/* Adds what the blob of the piece's name has from the piece's offset on, and its total. */
int read_blob(struct sql *db, struct blob_chunk *piece, struct err *err);
