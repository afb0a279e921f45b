/*
 * statements.h - jobs and events in a file of SQL, as old versions of Slurm archived them, and as
 * scripts write them for `sacctmgr archive load`.
 *
 * The text is parsed, never executed: INSERT and REPLACE into the tables of jobs and of events of
 * one cluster, by the names that tables and columns have now or had before 2.2. Whatever else
 * stands there is an error that names its line, and then nothing is taken.
 */
#pragma once

#include "cli/import/history.h"

struct statements {
    struct dump *dump; /* owned, as the next three; the descriptor that it reads is not */
    struct survey survey;
    struct foreign foreign;
    struct plan plan; /* what came, once it was sent */
    const struct book *book;
    const char *own;       /* this cluster; borrowed, as the book and the next are */
    const char *cluster;   /* whose history it is; NULL: no row has told yet */
    uint64_t jobs, events; /* that are in it and come */
    uint64_t open;         /* of these jobs, those that have no end here, once they are sent */
    uint64_t alive;        /* jobs in it that were deleted, or have an end and go on: they do not */
};

/* Reads all of it. Numbers of associations, QOS and TRES are those of the book, which is borrowed;
 * `own` is this cluster, whose controller takes what is its. statements_clear is due also after a
 * failure. */
int statements_read(struct statements *statements, int fd, const char *name,
                    const struct book *book, const char *own, struct err *err);
void statements_clear(struct statements *statements);

/* Returns whether it is the history of another cluster than this one. */
bool statements_are_foreign(const struct statements *statements);

/* Sends to the controller, or to the slurmdbd where they are foreign, what it does not have. */
int statements_send(struct statements *statements, struct client *client, struct err *err);
