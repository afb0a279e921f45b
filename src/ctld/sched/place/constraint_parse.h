/*
 * constraint_parse.h - from the text of a constraint to its terms; constraint.c makes sense of
 * them.
 */
#pragma once

#include "ctld/sched/place/constraint.h"

enum constraint_op { OP_AND = 254, OP_OR = 255 }; /* numbers of names are below */

/* One of name, (a&b), name*2 and (a|b)*2, or the place of the brackets among them. */
struct constraint_term {
    struct constraint_predicate predicate;
    uint32_t count;        /* 0: none given */
    uint32_t column;       /* of its first byte, from 1 */
    enum constraint_op op; /* that joins it to the term before; the first has OP_AND */
    uint32_t op_column;
    bool brackets; /* what they hold is in constraint_terms.inner */
};

/* Owns its terms. */
struct constraint_terms {
    struct constraint_term *at, *inner;
    uint32_t n, inner_n;
};

/* Reads the terms of the text. Names get their numbers in `constraint`. */
int constraint_terms_parse(const char *text, struct constraint *constraint,
                           struct constraint_terms *ret_terms, struct err *err);
void constraint_terms_clear(struct constraint_terms *terms);

/* Fails as in "Invalid feature specification: 'a&&b', column 3: ...". */
int constraint_refuse(const char *text, uint32_t column, const char *why, struct err *err);

/* Makes `to` into `to op other`; an empty `to` becomes `other`. */
void constraint_join(struct constraint_predicate *to, enum constraint_op op,
                     const struct constraint_predicate *other);
