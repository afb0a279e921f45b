/*
 * body.h - bodies of jobs back from the blobs: one after the other, for records that are read in
 * turn. Many jobs that follow each other have the same, so the last one is kept.
 */
#pragma once

#include "common/base/arena.h"
#include "common/msg/job.h"
#include "ctld/store/sql/sql.h"

/* Bodies that stay as long as an arena's memory, a few of them at hand: users take turns, and the
 * jobs of each have the same one. */
#define BODY_SHELF_SLOTS 256

struct body_shelf {
    struct sql *db;       /* borrowed */
    struct arena *memory; /* borrowed */
    struct sql_stmt *stmt;
    struct job_body *bodies[BODY_SHELF_SLOTS]; /* by the first byte of their names */
    const uint8_t *names[BODY_SHELF_SLOTS];
};

struct body_reader {
    struct sql *db; /* borrowed */
    struct sql_stmt *stmt;
    struct blob name; /* of `body` */
    struct job_body body;
};

void body_reader_init(struct body_reader *reader, struct sql *db);
void body_reader_clear(struct body_reader *reader);

/* Returns the body that the record names, until the next call; an empty one where it names none.
 * Fails where the database does not have it. */
int body_read(struct body_reader *reader, const struct job_record *job, const struct job_body **ret,
              struct err *err);

/* Releases what is not the arena's. */
void body_shelf_clear(struct body_shelf *shelf);

/* Returns the body as body_read does. Jobs share it, and it stays, as the record has to: both are
 * of the arena. */
int body_shelf_read(struct body_shelf *shelf, const struct job_record *job, struct job_body **ret,
                    struct err *err);
