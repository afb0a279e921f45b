/*
 * findings.h - what a look at a host knows, and what it found. Private to this folder.
 *
 * A finding is a fact with its figure, and the command that mends it. Owns its findings.
 */
#pragma once

#include <stdbool.h>

#include "cli/lib/records.h"

struct finding {
    char *fact, *mend;
};

struct doctor {
    const struct slurm_conf *conf; /* that one, once it could be read */
    const struct conf_node *node;  /* this host's line, or NULL */
    struct cli *cli;
    char host[256];
    bool is_controller;
    bool is_root;    /* else some places cannot be looked at */
    bool auth_works; /* credentials can be made and read */
    uid_t slurm_uid;
    struct finding *findings;
    uint32_t findings_n;
};

/* `mend` is taken over. */
void doctor_find(struct doctor *doctor, char *mend, const char *fmt, ...) PRINTF_LIKE(3, 4);
void doctor_clear(struct doctor *doctor);
void doctor_auto_(struct doctor *doctor);

/* Looks in this order. Each needs what those before it filled in. */
bool look_at_conf(struct doctor *doctor); /* false: no configuration, so no more can be told */
void look_at_auth(struct doctor *doctor);
void look_at_names(struct doctor *doctor);
void look_at_places(struct doctor *doctor);
void look_at_programs(struct doctor *doctor);
void look_at_daemons(struct doctor *doctor);
void look_at_cluster(struct doctor *doctor);

/* Parts of the last: why nobody answers; what the controller says of nodes, and of its slurm.conf.
 */
void look_at_ports(struct doctor *doctor);
void look_at_nodes(struct doctor *doctor, const struct records *nodes);
void look_at_differences(struct doctor *doctor, const struct records *nodes);
void look_at_users(struct doctor *doctor);
