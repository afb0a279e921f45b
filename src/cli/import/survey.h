/*
 * survey.h - what is in a dump of slurmdbd's database, from one look at all of it.
 *
 * Rows of small tables are kept; of jobs, steps, sums, scripts and environments only where they
 * stand, so that memory grows by some 16 bytes for each job. A file that was cut, or is no
 * slurmdbd's, fails here, before anything is done.
 */
#pragma once

#include "cli/import/tables.h"
#include "common/text/period.h"

/* A row of a small table. */
struct kept_row {
    const struct foreign_layout *layout;
    struct dump_place place;
    struct dump_cell *cells; /* owned, one block */
    char *cluster;           /* of tables of clusters */
};

struct kept_rows {
    struct kept_row *at;
    uint32_t n;
};

/* A job's number, and the row that tells of it last. */
struct job_number {
    uint32_t id;
    uint64_t inx; /* job_db_inx */
};

struct suspension {
    uint64_t inx;
    int64_t from, until; /* 0: it was not resumed */
};

/* Where a script or an environment stands. */
struct text_place {
    uint64_t hash; /* hash_inx */
    struct dump_place place;
};

struct text_places {
    struct text_place *at; /* sorted by hash */
    uint32_t n;
};

struct survey {
    struct dump *dump;
    const char *database; /* that is looked at; NULL: the one there is; borrowed */
    const char *cluster;  /* whose history comes; borrowed */
    char *found;          /* the database that was found */
    struct kept_rows tables[FOREIGN_TABLES_N];
    struct dump_place
        first[FOREIGN_TABLES_N]; /* row of jobs and of steps; no layout: there is none */
    uint64_t rows[FOREIGN_TABLES_N];
    struct job_number *numbers; /* sorted by id, each once */
    uint32_t numbers_n;
    struct suspension *suspensions; /* sorted by inx and time */
    uint32_t suspensions_n;
    struct text_places scripts, environments;
    struct foreign_layout **layouts;
    uint32_t layouts_n;
    /* Submission of the first job that comes, and when the first hour, day and month began in which
     * something was held (enum period); INT64_MAX: there is none. */
    int64_t earliest, usage_since[PERIODS_N];
    bool seen[FOREIGN_TABLES_N]; /* the table is there, for the cluster */
};

/* Looks at the whole file. survey_clear is due also after a failure. The dump is borrowed. */
int survey_make(struct survey *survey, struct dump *dump, const char *database, const char *cluster,
                void (*tell)(uint64_t bytes, void *ctx), void *ctx, struct err *err);
void survey_clear(struct survey *survey);

/* Keeps a row of a small table; the cluster's name is copied. */
void survey_keep(struct survey *survey, const struct foreign_layout *layout,
                 const struct dump_row *row, const char *cluster);

/* Returns how rows of the layout are to be read, or NULL: they are not looked at. */
const struct foreign_layout *survey_layout(struct survey *survey, const struct dump_layout *layout,
                                           struct err *err);

/* Begins to look at a row that is kept, or was just read. */
struct foreign_row survey_kept(const struct survey *survey, const struct kept_row *row);
struct foreign_row survey_row(const struct survey *survey, const struct foreign_layout *layout,
                              const struct dump_row *row);

/* Returns the row of the job's number that tells of it last, 0: there is none. */
uint64_t survey_last_inx(const struct survey *survey, uint32_t id);

/* Returns the suspensions of a row of jobs, in order. */
const struct suspension *survey_suspensions(const struct survey *survey, uint64_t inx,
                                            uint32_t *ret_n);
const struct dump_place *text_places_find(const struct text_places *places, uint64_t hash);

/* Returns whether only these rows are of the cluster whose history comes. */
bool survey_is_of_cluster(const struct survey *survey, const char *cluster);
