/*
 * table.h - the limits of associations and QOS, a row each, in the order in which Slurm checks
 * them: names, units and what each counts are those of sacctmgr(1).
 */
#pragma once

#include "common/msg/acct.h"

/* Of which jobs a limit speaks. */
enum limit_scope {
    LIMIT_GROUP,    /* all of the association or QOS together */
    LIMIT_USER,     /* those of one user in it */
    LIMIT_ACCOUNT,  /* those of one account in it */
    LIMIT_LEAF,     /* those of one user in one account in it */
    LIMIT_JOB,      /* each by itself */
    LIMIT_JOB_NODE, /* each on each of its nodes */
};

enum limit_what {
    LIMIT_SUBMITTED, /* jobs that wait or run */
    LIMIT_JOBS,      /* jobs that run */
    LIMIT_ACCRUING,  /* jobs that wait and whose age counts: who is beyond it is no older */
    LIMIT_PRIORITY,  /* the job's priority: with less it gets no place in the future */
    LIMIT_SHARE,     /* the fair-share factor of the association, in millionths */
    LIMIT_HELD,      /* resources that running jobs hold; of a job: that it asks for */
    LIMIT_LEFT,      /* the same times the minutes that are left of their time limits */
    LIMIT_USED,      /* the same times the minutes that they have run so far, decaying; of a job:
                        times its time limit */
    LIMIT_WALL,      /* minutes that jobs have run so far, decaying; of a job: its time limit */
};

#define LIMIT_NOWHERE UINT16_MAX

/* Where records have the limit: a COUNT, or a list of amounts of TRES with its length. */
struct limit_place {
    uint16_t at, n_at; /* n_at LIMIT_NOWHERE: at is a COUNT; both: there is no such limit */
};

struct limit_row {
    const char *name; /* "GrpTRES" */
    enum limit_what what;
    enum limit_scope scope;
    bool is_least; /* jobs that ask for less wait */
    struct limit_place in_assoc, in_qos;
    uint32_t assoc_reason, qos_reason; /* enum job_reason; of amounts the first of several */
};

extern const struct limit_row limit_rows[];
extern const uint32_t limit_rows_n;

/* Returns the reason for which jobs wait: the row's, or that of the TRES. */
uint32_t limit_row_reason(const struct limit_row *row, bool is_qos, const char *tres);
