/*
 * aging.h - every hour, takes what is too old out of the history, as slurmdbd.conf says, and once a
 * day looks for scripts and environments that no job names any more.
 */
#pragma once

#include "common/conf/dbd_conf.h"
#include "ctld/store/store.h"

struct ctld;
struct aging;

/* Starts purging: the first purge is a minute away, or SLUICE_PURGE_AFTER_S for tests.
 * slurmdbd.conf is read anew each time. */
struct aging *aging_new(struct ctld *ctld);
struct aging *aging_free(struct aging *aging);

/* What one purge is to do, with the texts that it borrows. */
struct aging_plan {
    struct store_purge how;
    char *jobs_path, *steps_path;
};

/* Fills in the plan of a purge. `done_before` is the moment up to which steps were removed by an
 * earlier one, or 0. Pure. */
void aging_plan_init(struct aging_plan *ret, const struct conf_dbd *conf, const char *cluster,
                     int64_t now, int64_t done_before);
void aging_plan_clear(struct aging_plan *plan);

/*
 * Returns the environment of ArchiveScript, as slurmdbd makes it: "SLURM_ARCHIVE_JOBS=1", up to
 * when in seconds since 1970, and both for steps; what is not kept here is not archived. Ended by
 * NULL; the texts and the list are to be freed. Pure.
 */
char **aging_script_environment(const struct conf_dbd *conf, const struct purge_record *what,
                                const char *cluster);
