/*
 * aging.h - every hour, takes what is too old out of a history, as slurmdbd.conf says, and once a
 * day looks for scripts and environments that no job names any more. Administrators may do the same
 * in between, with other ages.
 *
 * A controller has one of these, a slurmdbd one for itself and one for each cluster.
 */
#pragma once

#include "common/conf/dbd_conf.h"
#include "ctld/store/store.h"

struct ctld;
struct aging;

#define AGING_ALL      ((1u << ARCHIVE_KINDS_N) - 1)
#define AGING_CLUSTER  (AGING_ALL & ~AGING_ACCOUNTS)
#define AGING_ACCOUNTS (1u << ARCHIVE_TRANSACTIONS | 1u << ARCHIVE_LOG)

/* What ages. Texts are copied. */
struct aging_of {
    struct ctld *ctld;
    const char *conf_path;             /* of slurm.conf, beside which is slurmdbd.conf */
    const char *cluster;               /* as archives and ArchiveScript are told */
    uint32_t kinds;                    /* of records that the history has: 1 << enum archive_kind */
    struct store *(*store)(void *ctx); /* returns where it is kept, or NULL: nowhere for now */
    void *ctx;
};

/* Starts purging: the first purge is a minute away, or SLUICE_PURGE_AFTER_S for tests.
 * slurmdbd.conf is read anew each time. */
struct aging *aging_new(const struct aging_of *of);
struct aging *aging_free(struct aging *aging); /* NULL is fine */

/* Tells of misspelt keys of slurmdbd.conf, not only at the first purge. */
void aging_tell_notes(struct ctld *ctld, const char *conf_path);

/* Return the first of a daemon, and the one after; NULL: there are no more. */
struct aging *aging_first(const struct ctld *ctld);
struct aging *aging_next(const struct aging *aging);

const char *aging_cluster(const struct aging *aging);
struct store *aging_store(const struct aging *aging); /* or NULL */

/* Reads slurmdbd.conf as it is now; *ret is to be cleared in any case. */
int aging_load_conf(const struct aging *aging, struct conf_dbd *ret, struct err *err);

/* Purges now, as this configuration says. `on_done` is called from the loop, never from here, and
 * not when the daemon ends before. Fails with EBUSY while another purge goes on. */
int aging_run(struct aging *aging, const struct conf_dbd *conf, store_purged_fn *on_done, void *ctx,
              struct err *err);

/* Says that steps may be there which are older than those that were removed. */
void aging_note_load(struct aging *aging);

/* Appends "12 jobs, 30 steps": what has left; nothing where nothing has. */
void aging_format(const struct store_purged *done, struct strbuf *out);

/* What one purge is to do, with the texts that it borrows. */
struct aging_plan {
    struct store_purge how;
    char *paths[ARCHIVE_KINDS_N];
};

/* Fills in the plan of a purge of these kinds. `done_before` is the moment up to which steps were
 * removed by an earlier one, or 0. Pure. */
void aging_plan_init(struct aging_plan *ret, const struct conf_dbd *conf, const char *cluster,
                     uint32_t kinds, int64_t now, int64_t done_before);
void aging_plan_clear(struct aging_plan *plan);

/*
 * Returns the environment of ArchiveScript, as slurmdbd makes it: "SLURM_ARCHIVE_JOBS=1", up to
 * when in seconds since 1970, and both for all other kinds; what is not kept here is not archived.
 * Ended by NULL; the texts and the list are to be freed. Pure.
 */
char **aging_script_environment(const struct conf_dbd *conf, const struct purge_record *what,
                                const char *cluster);
