/*
 * purge_conf.h - how long the history is kept, from slurmdbd.conf beside slurm.conf.
 *
 * No slurmdbd runs here; of its file only the keys about purging and archives are read. All that
 * stands there for its database is left alone.
 */
#pragma once

#include "common/conf/notes.h"

enum conf_age_unit { CONF_AGE_MONTHS, CONF_AGE_DAYS, CONF_AGE_HOURS };

struct conf_age {
    uint32_t count; /* 0: for ever */
    enum conf_age_unit unit;
};

struct conf_purge {
    struct conf_age jobs, steps, events;
    bool archive_jobs, archive_steps;
    char *archive_dir;    /* owned; NULL: ArchiveDir's default */
    char *archive_script; /* owned; run instead of writing archives; NULL: none */
};

#define CONF_ARCHIVE_DIR "/tmp" /* ArchiveDir's default */

/*
 * Reads slurmdbd.conf beside slurm.conf, whose path is `conf_path`. Without the file everything is
 * kept. Fails naming file, line and column; *ret is set in any case, to be cleared, and keeps
 * everything after a failure. Keys that no slurmdbd has are noted; `notes` may be NULL.
 */
int conf_purge_load(const char *conf_path, conf_read_fn read, void *ctx, struct conf_notes *notes,
                    struct conf_purge *ret, struct err *err);
void conf_purge_clear(struct conf_purge *purge);
void conf_purge_auto_(struct conf_purge *purge);

/* Reads an age: "12", "12month", "30days", "48hours". */
int conf_age_parse(const char *text, struct conf_age *ret, struct err *err);

/*
 * Returns the moment before which records are removed: the beginning of the local month, day or
 * hour of `now`, less the age. 0 means that nothing is removed.
 */
int64_t conf_age_before(const struct conf_age *age, int64_t now);
