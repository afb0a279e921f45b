/*
 * update_values.h - how scontrol update job reads the values of its keys. Private to this folder.
 */
#pragma once

#include "common/msg/alter.h"

/* The update as it was read so far. */
struct reading {
    struct job_update *update;
    int64_t now;
    bool has_no_effect; /* something is asked for that needs no change */
    const char *pair;   /* the one that is read */
    const char *key;    /* its key, written out */
    char *value;        /* its value, without quotes */
};

/* Reads the value into the update, as the field of job_spec or job_body that `tag` names, or where
   else it belongs. Fails with EINVAL; the text is what Slurm prints then. */
typedef int update_read_fn(struct reading *reading, uint32_t tag, struct err *err);

update_read_fn update_read_text, update_read_count, update_read_size, update_read_bool,
    update_read_time, update_read_limit, update_read_delay_boot, update_read_nodes,
    update_read_cpus, update_read_priority, update_read_nice, update_read_site_factor,
    update_read_reset, update_read_requeue, update_read_share, update_read_switches,
    update_read_end, update_read_throttle, update_read_mail_type;

/* Fails with EINVAL and "Update of this parameter is not supported". */
int update_err_not_supported(const struct reading *reading, struct err *err);
