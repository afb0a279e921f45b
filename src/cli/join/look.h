/*
 * look.h - what would keep a new cluster's daemons on this machine from their work, before anything
 * is written.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/log.h"

/* Directory of a new cluster's controller state, as conf.c writes it. */
#define LOOK_STATE_DIR "/var/lib/slurm/slurmctld"

struct look {
    const char *host;    /* this machine's name */
    const char *address; /* --address, or NULL: then nodes go by the name */
    bool is_node;        /* slurmd is to run here, too */
    uint32_t door_port;  /* --port, or 0: any */
    bool force;
};

/*
 * Logs an error with the way out for each thing in the way, and a note for what works with less;
 * returns true if nothing is in the way. Takes less than a second.
 */
bool look_first(const struct look *look, struct log *log);

/* True where LOOK_STATE_DIR has a cluster's jobs. */
bool look_has_state(void);
