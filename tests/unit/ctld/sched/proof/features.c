#include "unit/ctld/sched/proof/features.h"

#include <string.h>

#include "common/base/alloc.h"

#define TERMS_MAX 64

/* One of what & and | join; brackets are kept as text. */
struct term {
    const char *text;
    size_t n;
    uint32_t count;  /* 0: none given */
    char op, before; /* & or | before it; '[' '(' or 0: what it begins with */
};

static size_t term_length(const char *text)
{
    char end = *text == '[' ? ']' : *text == '(' ? ')' : '\0';

    return end ? (size_t)(strchr(text, end) + 1 - text) : strcspn(text, "&|,*");
}

/* The terms of the n bytes at `text`. */
static uint32_t split(const char *text, size_t n, struct term *ret)
{
    const char *at = text, *end = text + n;
    uint32_t found = 0;
    char op = '&';

    while (at < end && found < TERMS_MAX) {
        struct term *term = &ret[found++];
        const bool encloses = *at == '[' || *at == '(';
        const size_t length =
            term_length(at) < (size_t)(end - at) ? term_length(at) : (size_t)(end - at);

        *term = (struct term){ at + encloses, length - 2 * encloses, 0, op, encloses ? *at : '\0' };
        at += length;
        if (at < end && *at == '*')
            term->count = (uint32_t)strtoul(at + 1, (char **)&at, 10);
        op = at < end && *at == '|' ? '|' : '&';
        at += at < end;
    }
    return found;
}

static bool has_name(const struct plan_node *node, const char *name, size_t n)
{
    for (uint32_t i = 0; i < node->features_n; i++) {
        if (strlen(node->features[i]) == n && memcmp(node->features[i], name, n) == 0)
            return true;
    }
    return false;
}

/* Names joined by & and |, from left to right. */
static bool has(const struct plan_node *node, const struct term *term)
{
    struct term inner[TERMS_MAX];
    uint32_t n;
    bool met = true;

    if (!term->before)
        return has_name(node, term->text, term->n);
    n = split(term->text, term->n, inner);
    for (uint32_t i = 0; i < n; i++)
        met = inner[i].op == '|' ? met || has(node, &inner[i]) : met && has(node, &inner[i]);
    return met;
}

struct chosen {
    const struct plan_node *nodes;
    const struct plan_place *places;
    uint32_t n;
};

static const struct plan_node *node_of(const struct chosen *chosen, uint32_t i)
{
    return &chosen->nodes[chosen->places[i].node];
}

/* Deals the nodes from number i on to the counts: each node has what it is counted for. */
static bool can_deal(const struct chosen *chosen, uint32_t i, struct term *counts, uint32_t n)
{
    uint32_t missing = 0;

    for (uint32_t k = 0; k < n; k++)
        missing += counts[k].count;
    if (missing == 0 || i == chosen->n)
        return missing == 0;
    for (uint32_t k = 0; k < n; k++) {
        bool done;

        if (counts[k].count == 0 || !has(node_of(chosen, i), &counts[k]))
            continue;
        counts[k].count--;
        done = can_deal(chosen, i + 1, counts, n);
        counts[k].count++;
        if (done)
            return true;
    }
    return can_deal(chosen, i + 1, counts, n);
}

static bool all_have(const struct chosen *chosen, const struct term *term)
{
    for (uint32_t i = 0; i < chosen->n; i++) {
        if (!has(node_of(chosen, i), term))
            return false;
    }
    return true;
}

/* [a|b]: all have the same one. [a*2&b*4]: each has one of them, and all are dealt. */
static bool brackets_met(const struct chosen *chosen, const struct term *brackets)
{
    struct term inner[TERMS_MAX];
    const uint32_t n = split(brackets->text, brackets->n, inner);

    if (n && inner[0].count) {
        for (uint32_t i = 0; i < chosen->n; i++) {
            bool one = false;

            for (uint32_t k = 0; k < n; k++)
                one |= has(node_of(chosen, i), &inner[k]);
            if (!one)
                return false;
        }
        return can_deal(chosen, 0, inner, n);
    }
    for (uint32_t k = 0; k < n; k++) {
        if (all_have(chosen, &inner[k]))
            return true;
    }
    return false;
}

static bool count_is_met(const struct chosen *chosen, const struct term *term)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < chosen->n; i++)
        found += has(node_of(chosen, i), term);
    return found >= term->count;
}

/* Counts without brackets: each is met, and so many as the smallest says have all that is counted.
 */
static bool counts_met(const struct chosen *chosen, const struct term *terms, uint32_t n)
{
    uint32_t least = UINT32_MAX, found = 0;

    for (uint32_t k = 0; k < n; k++) {
        if (terms[k].count && !count_is_met(chosen, &terms[k]))
            return false;
        least = terms[k].count && terms[k].count < least ? terms[k].count : least;
    }
    if (least == UINT32_MAX)
        return true;
    for (uint32_t i = 0; i < chosen->n; i++) {
        bool all = true;

        for (uint32_t k = 0; k < n; k++)
            all &= !terms[k].count || has(node_of(chosen, i), &terms[k]);
        found += all;
    }
    return found >= least;
}

/* What stands outside brackets and has no count is for every node. */
static bool is_filtered(const struct plan_node *node, const struct term *terms, uint32_t n)
{
    bool met = true;

    for (uint32_t k = 0; k < n; k++) {
        if (terms[k].count || terms[k].before == '[')
            continue;
        met = terms[k].op == '|' ? met || has(node, &terms[k]) : met && has(node, &terms[k]);
    }
    return met;
}

bool features_met(const char *text, const struct plan_node *nodes, const struct plan_place *places,
                  uint32_t places_n)
{
    const struct chosen chosen = { nodes, places, places_n };
    struct term terms[TERMS_MAX];
    uint32_t n = text ? split(text, strlen(text), terms) : 0;

    for (uint32_t i = 0; i < places_n; i++) {
        if (!is_filtered(node_of(&chosen, i), terms, n))
            return false;
    }
    for (uint32_t k = 0; k < n; k++) {
        if (terms[k].before == '[' && !brackets_met(&chosen, &terms[k]))
            return false;
    }
    return counts_met(&chosen, terms, n);
}

static uint32_t sum_of_counts(const struct term *terms, uint32_t n)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += terms[i].count;
    return sum;
}

/* One node may be counted for both of two counts; of brackets and of more counts none is. */
uint32_t features_counted(const char *text)
{
    struct term terms[TERMS_MAX], inner[TERMS_MAX];
    const uint32_t n = text ? split(text, strlen(text), terms) : 0;
    uint32_t sum = sum_of_counts(terms, n), counts = 0, most = 0, inner_n = 0;

    for (uint32_t k = 0; k < n; k++) {
        counts += terms[k].count > 0;
        most = terms[k].count > most ? terms[k].count : most;
        if (terms[k].before == '[')
            inner_n = split(terms[k].text, terms[k].n, inner);
    }
    return counts > 2 || inner_n ? sum + sum_of_counts(inner, inner_n) : most;
}
