/* found.h - all notes about a slurm.conf and the files beside it. */
#pragma once

#include "common/conf/slurm_conf.h"

/* The result of conf_find. Owns all: `AUTO(conf_found) struct conf_found found = { 0 };` */
struct conf_found {
    struct slurm_conf *conf; /* NULL: it could not be read as far as that */
    struct conf_notes notes; /* of it and the files beside it, in order */
    bool is_refused;         /* daemons do not start with it, whatever machine they are on */
    struct err refusal;      /* then: why */
};

/*
 * Reads `path` and the files beside it (gres.conf, cgroup.conf, topology.conf, job_container.conf)
 * and notes all that is wrong, old or without effect. It never fails: a file that cannot be read is
 * noted too.
 */
void conf_find(const char *path, struct conf_found *ret);
void conf_found_auto_(struct conf_found *found);

/* The severity of a note. */
enum conf_weight { CONF_WEIGHT_NOTE, CONF_WEIGHT_WARNING, CONF_WEIGHT_ERROR, CONF_WEIGHTS_N };
enum conf_weight conf_note_weight(const struct conf_note *note);

/* Counts the notes of each weight. */
void conf_found_count(const struct conf_found *found, uint32_t ret_counts[CONF_WEIGHTS_N]);

/* Appends a line "FILE:LINE:COLUMN: error: TEXT" for each note whose weight is at least `least`. */
void conf_found_format(const struct conf_found *found, enum conf_weight least, struct strbuf *out);
