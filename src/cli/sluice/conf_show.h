/*
 * conf_show.h - what a slurm.conf and the files beside it come to, line by line, with the place
 * each comes from. Pure but for the callback that reads a file.
 */
#pragma once

#include "common/conf/slurm_conf.h"

/*
 * Appends keys in the order of `scontrol show config`, then nodes and partitions as the file has
 * them.
 */
void conf_show_all(const struct slurm_conf *conf, struct strbuf *out);

/*
 * Appends cgroup.conf, gres.conf, job_container.conf and topology.conf, as far as slurm.conf makes
 * use of them, each under a line with its name. Values that count for all nodes come with their
 * defaults; lines about some nodes or devices are shown as lines, with today's names of their keys.
 * Fails naming file, line and column when a file that exists cannot be read.
 */
int conf_show_beside(const struct slurm_conf *conf, conf_read_fn read, void *ctx,
                     struct strbuf *out, struct err *err) MUST_CHECK;

/* Appends "  # FILE:LINE" or "  # default", and the end of the line. */
void conf_show_place(struct conf_at at, struct strbuf *out);
