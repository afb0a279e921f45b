/*
 * body.h - bodies of jobs back from the blobs: one after the other, for records that are read in
 * turn. Many jobs that follow each other have the same, so the last one is kept.
 */
#pragma once

#include "common/msg/job.h"
#include "ctld/store/sql/sql.h"

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
