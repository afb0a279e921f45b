#include "ctld/sched/place/constraint.h"

#include <string.h>

#include "common/base/alloc.h"
#include "ctld/sched/place/constraint_parse.h"

/* ---- release ---- */

static void clear_alternative(struct constraint_alternative *alternative)
{
    for (uint32_t i = 0; i < alternative->quotas_n; i++)
        free(alternative->quotas[i].predicate.ops);
    free(alternative->quotas);
    free(alternative->filter.ops);
}

void constraint_clear(struct constraint *constraint)
{
    for (uint32_t i = 0; i < constraint->names_n; i++)
        free(constraint->names[i]);
    for (uint32_t i = 0; i < constraint->alternatives_n; i++)
        clear_alternative(&constraint->alternatives[i]);
    free(constraint->names);
    free(constraint->alternatives);
    *constraint = (struct constraint){ 0 };
}

void constraint_auto_(struct constraint *constraint)
{
    constraint_clear(constraint);
}

/* ---- what may stand together ---- */

static int check_outside(const char *text, const struct constraint_terms *terms, struct err *err)
{
    bool special = false;

    for (uint32_t i = 0; i < terms->n; i++)
        special = special || terms->at[i].count || terms->at[i].brackets;
    for (uint32_t i = 1; special && i < terms->n; i++) {
        if (terms->at[i].op == OP_OR)
            return constraint_refuse(text, terms->at[i].op_column,
                                     "beside a count or brackets only & is possible; "
                                     "names joined by | may stand in parentheses",
                                     err);
    }
    return 0;
}

static int check_inside(const char *text, const struct constraint_terms *terms, struct err *err)
{
    const bool counts = terms->inner_n > 0 && terms->inner[0].count > 0;

    for (uint32_t i = 0; i < terms->inner_n; i++) {
        const struct constraint_term *term = &terms->inner[i];

        if ((term->count > 0) != counts || (i > 0 && term->op != (counts ? OP_AND : OP_OR)))
            return constraint_refuse(text, term->column,
                                     "in brackets stand either names joined by | "
                                     "or counts joined by &",
                                     err);
        if (counts && i == CONSTRAINT_COUNTS_MAX)
            return constraint_refuse(text, term->column, "more than 8 counts in brackets", err);
    }
    return 0;
}

/* ---- from terms to alternatives ---- */

static void add_quota(struct constraint_alternative *to,
                      const struct constraint_predicate *predicate, uint32_t nodes)
{
    struct constraint_quota *quota = ARRAY_PUSH(to->quotas, to->quotas_n);

    *quota = (struct constraint_quota){ .nodes = nodes };
    constraint_join(&quota->predicate, OP_AND, predicate);
}

/* Adds what stands outside of brackets, which holds for every alternative. */
static void add_outside(struct constraint_alternative *to, const struct constraint_terms *terms)
{
    struct constraint_predicate all = { 0 };
    uint32_t counts = 0, least = CONSTRAINT_COUNT_MAX, most = 0, sum = 0;

    for (uint32_t i = 0; i < terms->n; i++) {
        const struct constraint_term *term = &terms->at[i];

        if (term->count == 0) {
            constraint_join(&to->filter, term->op, &term->predicate);
            continue;
        }
        add_quota(to, &term->predicate, term->count);
        constraint_join(&all, OP_AND, &term->predicate);
        least = term->count < least ? term->count : least;
        most = term->count > most ? term->count : most;
        sum += term->count;
        counts++;
    }
    if (counts > 1)
        add_quota(to, &all, least);
    to->is_loose = counts > 2 || (counts > 0 && terms->inner_n > 0);
    to->nodes = to->is_loose ? sum : most;
    free(all.ops);
}

/*
 * Adds quotas for counts in brackets. Nodes can be dealt out to the counts, one count each, if and
 * only if every group of counts has as many nodes that meet one of them as the group wants together
 * (Hall's marriage theorem).
 */
static void add_counts(struct constraint_alternative *to, const struct constraint_terms *terms)
{
    struct constraint_predicate any = { 0 };

    for (uint32_t i = 0; i < terms->inner_n; i++)
        to->nodes += terms->inner[i].count;
    for (uint32_t group = 1; group < 1u << terms->inner_n; group++) {
        uint32_t nodes = 0;

        any.ops_n = 0;
        for (uint32_t i = 0; i < terms->inner_n; i++) {
            if (!(group >> i & 1))
                continue;
            constraint_join(&any, OP_OR, &terms->inner[i].predicate);
            nodes += terms->inner[i].count;
        }
        add_quota(to, &any, nodes);
    }
    constraint_join(&to->filter, OP_AND, &any); /* the last group was all of them */
    free(any.ops);
}

static struct constraint_alternative *add_alternative(struct constraint *constraint,
                                                      const struct constraint_terms *terms)
{
    struct constraint_alternative *alternative =
        ARRAY_PUSH(constraint->alternatives, constraint->alternatives_n);

    *alternative = (struct constraint_alternative){ 0 };
    add_outside(alternative, terms);
    return alternative;
}

static void add_alternatives(struct constraint *constraint, const struct constraint_terms *terms)
{
    if (terms->inner_n == 0 || terms->inner[0].count > 0) {
        struct constraint_alternative *only = add_alternative(constraint, terms);

        if (terms->inner_n > 0)
            add_counts(only, terms);
        return;
    }
    for (uint32_t i = 0; i < terms->inner_n; i++)
        constraint_join(&add_alternative(constraint, terms)->filter, OP_AND,
                        &terms->inner[i].predicate);
}

/* Adds what the text asks for behind what is there. */
static int add_text(struct constraint *constraint, const char *text, struct err *err)
{
    struct constraint_terms terms = { 0 };
    int rc;

    if (strlen(text) > CONSTRAINT_TEXT_MAX)
        return constraint_refuse(text, CONSTRAINT_TEXT_MAX, "longer than 4096 bytes", err);
    rc = constraint_terms_parse(text, constraint, &terms, err);
    if (rc == 0)
        rc = check_outside(text, &terms, err);
    if (rc == 0)
        rc = check_inside(text, &terms, err);
    if (rc == 0)
        add_alternatives(constraint, &terms);
    constraint_terms_clear(&terms);
    return rc;
}

static bool says_something(const char *text)
{
    return text && text[0];
}

int constraint_parse(const char *text, struct constraint *ret_constraint, struct err *err)
{
    AUTO(constraint) struct constraint constraint = { 0 };
    int rc = add_text(&constraint, text, err);

    if (rc == 0) {
        *ret_constraint = constraint;
        constraint = (struct constraint){ 0 };
    }
    return rc;
}

int constraint_parse_both(const char *preferred, const char *text,
                          struct constraint *ret_constraint, struct err *err)
{
    static const struct constraint_terms any = { 0 };
    AUTO(constraint) struct constraint constraint = { 0 };
    int rc = says_something(preferred) ? add_text(&constraint, preferred, err) : 0;

    if (rc == 0 && says_something(text))
        rc = add_text(&constraint, text, err);
    else if (rc == 0 && says_something(preferred))
        add_alternative(&constraint, &any);
    if (rc == 0) {
        *ret_constraint = constraint;
        constraint = (struct constraint){ 0 };
    }
    return rc;
}

/* ---- use ---- */

static bool is_among(const char *name, char *const *features, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(features[i], name) == 0)
            return true;
    }
    return false;
}

uint64_t constraint_bits(const struct constraint *constraint, char *const *features, uint32_t n)
{
    uint64_t bits = 0;

    for (uint32_t i = 0; i < constraint->names_n; i++)
        bits |= (uint64_t)is_among(constraint->names[i], features, n) << i;
    return bits;
}

/* Evaluates with a word of bits as stack: a term in a group in a constraint is never deep. */
bool constraint_meets(const struct constraint_predicate *predicate, uint64_t bits)
{
    uint64_t stack = 0;

    for (uint32_t i = 0; i < predicate->ops_n; i++) {
        const uint8_t op = predicate->ops[i];

        if (op == OP_AND)
            stack = (stack >> 1) & (stack | ~UINT64_C(1));
        else if (op == OP_OR)
            stack = (stack >> 1) | (stack & 1);
        else
            stack = stack << 1 | (bits >> op & 1);
    }
    return predicate->ops_n == 0 || (stack & 1);
}

uint32_t constraint_missing(const struct constraint_alternative *alternative, const uint32_t *met)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < alternative->quotas_n; i++) {
        const uint32_t wanted = alternative->quotas[i].nodes;

        if (wanted > met[i] && wanted - met[i] > most)
            most = wanted - met[i];
    }
    return most;
}
