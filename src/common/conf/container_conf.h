/*
 * container_conf.h - directories that each job has to itself, from job_container.conf beside
 * slurm.conf; read with JobContainerType=job_container/tmpfs.
 */
#pragma once

#include "common/conf/notes.h"

struct conf_container {
    char *base_path;   /* where the files of jobs are, with %h and %n as conf_path_expand has them;
                          NULL: this node's jobs have no such directories */
    char *dirs;        /* comma list of the directories */
    char *init_script; /* a full path; NULL: none */
    char *clone_script, *clone_epilog; /* not supported: loading fails */
    bool auto_base_path;               /* make it where it is not there */
    bool shared;                       /* what is mounted on the node later shows up in jobs */
};

/*
 * Reads job_container.conf for a node. Lines with a NodeName= are for those nodes only, and come
 * after lines without. Fails naming file, line and column, also when there is no file; *ret is set
 * in any case, to be cleared.
 */
int conf_container_load(const char *conf_path, const char *node, conf_read_fn read, void *ctx,
                        struct conf_notes *notes, struct conf_container *ret, struct err *err);
void conf_container_clear(struct conf_container *container);
void conf_container_auto_(struct conf_container *container);
