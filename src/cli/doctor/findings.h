/*
 * findings.h - what a look at a host and its cluster knows, and what it found. Private to this
 * folder.
 *
 * A finding is a fact with its figure, and the command that mends it. Owns all but what the comment
 * says.
 */
#pragma once

#include <stdbool.h>

#include "cli/lib/records.h"
#include "cli/lib/sight.h"
#include "cli/sluice/cluster.h"
#include "common/msg/visit.h"

struct finding {
    char *fact, *mend;
};

/* A user whose numbers all hosts must agree about. */
struct job_user {
    uint32_t uid, gid;
    char *name, *group_name; /* the second NULL: the controller's host has none for it */
    char *home;              /* NULL: not told */
    const char *what;        /* "has jobs", literal */
    bool has_jobs;
};

#define DOCTOR_RETURN_S 5   /* a slurmd that begins anew is back within that, */
#define DOCTOR_LOOK_MS  200 /* and looked for so often */

struct doctor {
    const struct slurm_conf *conf; /* NULL: there is none that can be read. Borrowed. */
    struct slurm_conf *damaged;    /* what can be read of one that has errors, or NULL */
    const struct conf_node *node;  /* this host's line, or NULL; the first of several */
    struct cli *cli;               /* borrowed */
    struct cluster cluster;        /* of `sluice up`, when is_up */
    bool is_up;                    /* slurm.conf is that of a cluster of `sluice up` */
    bool has_systemd;
    bool all; /* looks at all nodes, not this host's alone */
    char host[256];
    bool is_controller;
    bool is_root;          /* else some places cannot be looked at */
    bool knows_slurm_user; /* slurm_uid is true */
    uid_t slurm_uid;

    bool controller_answers;
    struct records nodes; /* as the controller sees them */
    struct job_user *users;
    uint32_t users_n;
    struct sight *sights; /* what the nodes themselves told */
    uint32_t sights_n;
    struct user_map *asked; /* of them */
    uint32_t asked_n;

    struct finding *findings;
    uint32_t findings_n;
    char *skipped; /* why the check that runs could not be made, or NULL */
};

/* Notes a finding and what mends it; `mend` is taken over. */
void doctor_find(struct doctor *doctor, char *mend, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Notes that the running check is left out, or made only in part, and why. */
void doctor_skip(struct doctor *doctor, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Returns true, and leaves the check out, if `why` comes of this host having no munged: that has
 * been told, and nobody else is to be blamed for it.
 */
bool doctor_blames_munge(struct doctor *doctor, const struct err *why);

void doctor_init(struct doctor *doctor, struct cli *cli);
void doctor_clear(struct doctor *doctor);
void doctor_auto_(struct doctor *doctor);

/* ---- checks, in the order of the table in doctor.c; each needs what those before it filled in */

void look_at_conf(struct doctor *doctor);
void look_at_role(struct doctor *doctor);
void look_at_auth(struct doctor *doctor);
void look_at_names(struct doctor *doctor);
void look_at_addresses(struct doctor *doctor);
void look_at_places(struct doctor *doctor);
void look_at_programs(struct doctor *doctor);
void look_at_daemons(struct doctor *doctor);
void look_at_ports(struct doctor *doctor);
void look_at_controller(struct doctor *doctor);
void look_at_store(struct doctor *doctor);
void look_at_clock(struct doctor *doctor);
void look_at_differences(struct doctor *doctor);
void look_at_partitions(struct doctor *doctor);
void look_at_nodes(struct doctor *doctor);
void look_at_answers(struct doctor *doctor);
void look_at_node_confs(struct doctor *doctor);
void look_at_node_clocks(struct doctor *doctor);
void look_at_node_versions(struct doctor *doctor);
void look_at_node_hosts(struct doctor *doctor);
void look_at_users(struct doctor *doctor);
void look_at_homes(struct doctor *doctor);

/* Fills doctor->users with the users that have jobs, and SlurmUser. */
void load_users(struct doctor *doctor);

/*
 * Tells of a cluster of `sluice up` that runs here while this shell's commands look elsewhere, and
 * returns true with its slurm.conf in *ret_path, to be freed. Tells nothing where SLURM_CONF was
 * set on purpose.
 */
bool find_forgotten_cluster(struct doctor *doctor, char **ret_path);
