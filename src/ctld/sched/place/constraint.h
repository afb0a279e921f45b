/*
 * constraint.h - what --constraint asks of nodes: features joined by & | ( ) [ ] and counts.
 *
 * A constraint comes down to alternatives, in the order of preference in which the user wrote them.
 * An alternative has a filter, which every chosen node meets, and quotas: at least so many of the
 * chosen nodes meet a predicate. So
 *
 *     a|b          one alternative, filter a|b
 *     [a|b]        two alternatives, filters a and b: all nodes have the same one
 *     a*2          one alternative, any node, at least 2 have a
 *     [a*2&b*4]    one alternative, filter a|b; quotas a: 2, b: 4, a|b: 6
 *
 * As in Slurm: & and | bind alike, from left to right; parentheses do not nest; there is one pair
 * of brackets, and in it either names joined by | or counts joined by &. A node counts for one of
 * the counts in brackets only, which the quotas on their unions say. Counts joined by & without
 * brackets want nodes that meet all of them, at least as many as the smallest count. A comma is &.
 * What is preferred (--prefer) is read first: its alternatives stand before those of --constraint,
 * in whose place it is tried.
 * Unlike in Slurm, which guesses, | beside a count or brackets is refused, and in `a*2&b` every
 * node has b.
 *
 * Pure. A node's features become bits once, then a predicate costs a few operations.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

#define CONSTRAINT_TEXT_MAX   4096    /* bytes */
#define CONSTRAINT_NAMES_MAX  64      /* different features in a constraint */
#define CONSTRAINT_COUNTS_MAX 8       /* counts in brackets */
#define CONSTRAINT_COUNT_MAX  1000000 /* nodes of one count */

/* A predicate in postfix: numbers of names and the two operators. An empty one is met by every
 * node. */
struct constraint_predicate {
    uint8_t *ops;
    uint32_t ops_n;
};

struct constraint_quota {
    struct constraint_predicate predicate;
    uint32_t nodes; /* at least so many of the chosen ones meet it */
};

struct constraint_alternative {
    struct constraint_predicate filter;
    struct constraint_quota *quotas;
    uint32_t quotas_n;
    uint32_t nodes; /* that its counts ask for together, 0: it has none */
    bool is_loose;  /* the quotas do not tell how many nodes those still missing take together */
};

/* Owns everything. `{ 0 }` is the constraint that asks for nothing: it has no alternatives. */
struct constraint {
    char **names;
    uint32_t names_n;
    struct constraint_alternative *alternatives;
    uint32_t alternatives_n;
};

/* Reads the text. Fails with E_FEATURE, naming text and column. */
int constraint_parse(const char *text, struct constraint *ret_constraint, struct err *err);

/*
 * Reads both texts, either of which may be NULL or empty. Where only `preferred` says something,
 * any nodes will do after that.
 */
int constraint_parse_both(const char *preferred, const char *text,
                          struct constraint *ret_constraint, struct err *err);
void constraint_clear(struct constraint *constraint);
void constraint_auto_(struct constraint *constraint);

/* Returns which of the constraint's names are among a node's features. Case matters. */
uint64_t constraint_bits(const struct constraint *constraint, char *const *features, uint32_t n);

bool constraint_meets(const struct constraint_predicate *predicate, uint64_t bits);

/* Returns how many nodes are still needed at least when `met[i]` of the chosen ones meet quota
 * i. */
uint32_t constraint_missing(const struct constraint_alternative *alternative, const uint32_t *met);
