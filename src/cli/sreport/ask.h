/*
 * ask.h - the words of a report: which time, whose, which columns.
 */
#pragma once

#include "cli/sreport/sreport.h"

/* Reports that take the same words, as bits. */
enum ask_about {
    ASK_OWNERS = 1,       /* cluster AccountUtilizationByUser, UserUtilizationByAccount */
    ASK_USER_WCKEYS = 2,  /* cluster UserUtilizationByWCKey */
    ASK_WCKEYS = 4,       /* cluster WCKeyUtilizationByUser */
    ASK_UTILIZATION = 8,  /* cluster Utilization */
    ASK_SIZES = 16,       /* job */
    ASK_TOP = 32,         /* user */
    ASK_RESERVATION = 64, /* reservation */
};

/* Lists, in small letters but for fields; empty ones do not filter. */
enum ask_list {
    ASK_ACCOUNTS,
    ASK_CLUSTERS,
    ASK_USERS,
    ASK_WCKEY_NAMES,
    ASK_GIDS,
    ASK_JOBS,
    ASK_NODES,
    ASK_PARTITIONS,
    ASK_NAMES, /* of reservations, their numbers and flags, of which there are none yet */
    ASK_LISTS_N
};

struct ask {
    struct words lists[ASK_LISTS_N];
    bool is_given[ASK_LISTS_N]; /* also without a name: then nothing is meant */
    struct words fields, groups;
    bool has_fields;
    int64_t start, end; /* full hours */
    bool all_clusters, tree, group, flat, counts, parents, individual;
    uint32_t top;
};

#define ASK_TOP_USUAL 10

/* Reads words; what is wrong with some is said, and they are left out. `now` is the moment before
 * which yesterday was. */
void ask_read(struct sreport *sreport, enum ask_about about, const char *const *words, uint32_t n,
              int64_t now, struct ask *ret);
void ask_clear(struct ask *ask);
void ask_auto_(struct ask *ask);

/* Returns whether a list names the text, or is not given. */
bool ask_fits(const struct ask *ask, enum ask_list list, const char *text);
