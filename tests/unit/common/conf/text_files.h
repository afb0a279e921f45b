/*
 * text_files.h - configuration files that are only texts: a list of names and contents.
 */
#pragma once

#include <errno.h>
#include <string.h>

#include "common/conf/slurm_conf.h"

struct text_file {
    const char *path;
    const char *text;
};

/* A conf_read_fn; ctx is an array of text_file that ends with a NULL path. */
static inline int read_text_file(void *ctx, const char *path, struct strbuf *text, struct err *err)
{
    for (const struct text_file *file = ctx; file->path; file++) {
        if (strcmp(file->path, path) == 0) {
            strbuf_adds(text, file->text);
            return 0;
        }
    }
    return err_set(err, ENOENT, "no such text");
}

/* What every configuration of these tests begins with: line 1 and 2. */
#define HEAD "ClusterName=c\nSlurmctldHost=head\n"

static inline int load_text(const char *text, struct slurm_conf **ret_conf,
                            struct conf_notes *notes, struct err *err)
{
    struct text_file files[] = { { "slurm.conf", text }, { NULL, NULL } };

    return slurm_conf_load_from("slurm.conf", read_text_file, files, ret_conf, notes, err);
}

/* The configuration, which must load. */
static inline struct slurm_conf *must_load(const char *text, struct conf_notes *notes)
{
    struct slurm_conf *conf = NULL;
    struct err err = { 0 };

    ck_assert_msg(load_text(text, &conf, notes, &err) == 0, "%s", err.text);
    return conf;
}

/* Whether a note, in its printed form, holds `part`. */
static inline bool has_note(const struct conf_notes *notes, const char *part)
{
    for (uint32_t i = 0; i < notes->notes_n; i++) {
        AUTO_FREE char *text = conf_note_format(&notes->notes[i]);

        if (strstr(text, part))
            return true;
    }
    return false;
}
