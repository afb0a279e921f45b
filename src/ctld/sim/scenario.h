/*
 * scenario.h - a story about a cluster, with what is expected of it, as a text that people read.
 *
 *     NodeName=n[1-2] CPUs=4 Gres=gpu:2         lines of slurm.conf, anywhere
 *     PartitionName=main Nodes=ALL
 *     gres.conf Name=gpu Count=2                and of the files beside it
 *     topology.conf SwitchName=s1 Nodes=n[1-2]
 *
 *     at 0    submit wide -N2 --exclusive -t 10 run=300     options as sbatch takes them
 *     at 10   submit thin -n1 -t 5 run=1:00 user=bob
 *     at 20   node n1 drain                                  down, drain, up
 *     at 25   expect thin planned 300 on n1
 *     at 30   cancel thin
 *     at 35   reservation create reservationname=r start=now+60 duration=5 nodes=n1 users=bob
 *
 *     pool limit sum 8 private                               what is counted over time, beside
 * licences at 40   submit more -n4 -t 5 run=60 claims=limit:1/cpu at 50   pool limit 16 another
 * total from then on
 *
 *     expect wide start 0 on n[1-2]
 *     expect thin waits Resources                            when nothing more happens
 *
 * Times are seconds, or written with colons as time limits are. Lines that begin with `at` come in
 * order of time. docs/SCHEDULING.md tells all forms. Pure: the text comes in as a whole.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/strbuf.h"
#include "common/msg/reservation.h"
#include "common/text/words.h"
#include "ctld/sched/planner.h"

#define SCENARIO_LINES_MAX 10000
#define SCENARIO_END       INT64_MAX /* when nothing more happens */

enum scenario_kind {
    SCENARIO_SUBMIT,
    SCENARIO_CANCEL,
    SCENARIO_NODE,
    SCENARIO_POOL,
    SCENARIO_RESERVATION,
    EXPECT_START,   /* at time_ms, on the nodes in `text` */
    EXPECT_BY,      /* at time_ms or earlier */
    EXPECT_END,     /* at time_ms; in the state that `text` names */
    EXPECT_WAITS,   /* for the reason in `text` */
    EXPECT_PLANNED, /* to start at time_ms, on the nodes in `text` */
    EXPECT_REFUSED, /* `text` is part of the message */
};

enum scenario_node { SCENARIO_UP, SCENARIO_DRAIN, SCENARIO_DOWN };

struct scenario_line {
    enum scenario_kind kind;
    uint32_t line;
    int64_t at_ms;             /* when it happens, or is looked at */
    uint32_t job;              /* index in the names */
    int64_t time_ms;           /* of SUBMIT: how long it runs, INT64_MAX: until it is ended */
    uint32_t user;             /* of SUBMIT: index in the users */
    struct words options;      /* of SUBMIT, and what is said of a RESERVATION */
    struct plan_claim *claims; /* of SUBMIT; their texts are owned, too */
    uint32_t claims_n;
    uint32_t pool; /* of POOL: index in the pools, and its new total or moment: */
    uint64_t amount;
    char *text; /* nodes, reason, message; NULL: not said */
    enum scenario_node node;
    enum reservation_verb verb; /* of RESERVATION */
};

enum scenario_conf { SCENARIO_SLURM, SCENARIO_GRES, SCENARIO_TOPOLOGY, SCENARIO_CONFS };

#define SCENARIO_POOLS_MAX 1000

struct scenario {
    char *name; /* of the file, for messages */
    /* The lines of each file, at their own line numbers. */
    struct strbuf conf[SCENARIO_CONFS];
    struct scenario_line *lines;
    uint32_t lines_n;
    char **jobs; /* names, in the order of submission */
    uint32_t jobs_n;
    char **users; /* names, in the order in which they come up; the first one is "user" */
    uint32_t users_n;
    struct plan_pool *pools; /* names owned; moments are the story's */
    uint32_t pools_n;
};

/* Reads a scenario. Fails with "FILE:LINE:COLUMN: ..."; `ret` is then empty. */
int scenario_parse(const char *name, const char *text, size_t n, struct scenario *ret,
                   struct err *err);
void scenario_clear(struct scenario *scenario);
void scenario_auto_(struct scenario *scenario);

/* True if the line expects something. */
bool scenario_expects(const struct scenario_line *line);
