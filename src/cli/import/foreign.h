/*
 * foreign.h - names for the numbers of a slurmdbd's database: TRES, QOS, associations,
 * reservations, clusters.
 */
#pragma once

#include "cli/import/survey.h"
#include "cli/lib/people.h"
#include "cli/sacctmgr/book.h"

struct foreign_name {
    uint64_t id;
    const char *name; /* borrowed from the survey, or from `owned` */
};

struct foreign_names {
    struct foreign_name *at; /* sorted by id */
    uint32_t n;
};

/* Who an association is of. */
struct foreign_assoc {
    uint32_t id;
    const char *user, *account, *partition; /* user NULL: the account itself; partition NULL: all */
};

struct foreign {
    const struct survey *survey;
    const char *own_cluster; /* what the cluster whose history comes is called here; borrowed */
    struct foreign_names tres, qos, resvs;
    struct foreign_assoc *assocs; /* of that cluster, also deleted ones; sorted by id */
    uint32_t assocs_n;
    struct people *people; /* owned */
    char **owned;
    uint32_t owned_n;
};

/* Reads what the survey has kept. foreign_clear is due also after a failure. */
int foreign_make(struct foreign *foreign, const struct survey *survey, const char *own_cluster,
                 struct err *err);

/* Makes names for the numbers that are ours, as sacctmgr shows them. Borrows from the book. */
void foreign_make_own(struct foreign *foreign, const struct survey *survey, const struct book *book,
                      const char *own_cluster);
void foreign_clear(struct foreign *foreign);

/* Return a name, or NULL: there is none of that number. TRES as here: "cpu", "gres/gpu:a100". */
const char *foreign_tres(const struct foreign *foreign, uint64_t id);
const char *foreign_qos(const struct foreign *foreign, uint64_t id);
const char *foreign_resv(const struct foreign *foreign, uint64_t id);
const struct foreign_assoc *foreign_assoc(const struct foreign *foreign, uint32_t id);

/* Return names of a job's user and group as this host knows them, or NULL: the database has a
 * user's name only as long as his association stands in it; Slurm's commands ask their host, too.
 */
const char *foreign_user(const struct foreign *foreign, uint32_t uid);
const char *foreign_group(const struct foreign *foreign, uint32_t gid);

/* Returns what a cluster is called here. */
const char *foreign_cluster(const struct foreign *foreign, const char *name);
