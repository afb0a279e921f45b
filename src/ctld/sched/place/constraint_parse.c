#include "ctld/sched/place/constraint_parse.h"

#include <string.h>

#include "common/base/alloc.h"

#define OPERATORS "&|,()[]*"

/* Blanks, control characters and quotes are in no feature's name. */
#define NOT_IN_NAMES OPERATORS " \t\r\n\v\f\"'\\"

struct reader {
    const char *text;
    uint32_t at;
    struct constraint *constraint;
    struct constraint_terms terms;
    bool had_brackets;
    struct err *err;
};

int constraint_refuse(const char *text, uint32_t column, const char *why, struct err *err)
{
    return err_set(err, E_FEATURE, "'%.200s', column %u: %s", text, column, why);
}

void constraint_join(struct constraint_predicate *to, enum constraint_op op,
                     const struct constraint_predicate *other)
{
    const bool joins = to->ops_n > 0;

    if (other->ops_n == 0)
        return;
    to->ops = xreallocarray(to->ops, to->ops_n + other->ops_n + 1, sizeof(*to->ops));
    memcpy(to->ops + to->ops_n, other->ops, other->ops_n);
    to->ops_n += other->ops_n;
    if (joins)
        to->ops[to->ops_n++] = (uint8_t)op;
}

void constraint_terms_clear(struct constraint_terms *terms)
{
    for (uint32_t i = 0; i < terms->n; i++)
        free(terms->at[i].predicate.ops);
    for (uint32_t i = 0; i < terms->inner_n; i++)
        free(terms->inner[i].predicate.ops);
    free(terms->at);
    free(terms->inner);
    *terms = (struct constraint_terms){ 0 };
}

static int refuse(const struct reader *reader, const char *why)
{
    return constraint_refuse(reader->text, reader->at + 1, why, reader->err);
}

static char peek(const struct reader *reader)
{
    return reader->text[reader->at];
}

static bool takes(struct reader *reader, char wanted)
{
    if (peek(reader) != wanted)
        return false;
    reader->at++;
    return true;
}

static bool takes_op(struct reader *reader, enum constraint_op *ret_op)
{
    if (takes(reader, '&') || takes(reader, ',')) {
        *ret_op = OP_AND;
        return true;
    }
    *ret_op = OP_OR;
    return takes(reader, '|');
}

/* Finds the number of a name, which gets one if it is new. */
static int number_name(struct reader *reader, const char *name, size_t n, uint8_t *ret_number)
{
    struct constraint *constraint = reader->constraint;
    uint32_t i = 0;

    while (i < constraint->names_n &&
           (strlen(constraint->names[i]) != n || memcmp(constraint->names[i], name, n) != 0))
        i++;
    if (i == CONSTRAINT_NAMES_MAX)
        return refuse(reader, "more than 64 different features");
    if (i == constraint->names_n)
        *ARRAY_PUSH(constraint->names, constraint->names_n) = xstrndup(name, n);
    *ret_number = (uint8_t)i;
    return 0;
}

/* Reads one name and joins it to what stands in `to`. */
static int read_name(struct reader *reader, enum constraint_op op, struct constraint_predicate *to)
{
    const char *name = reader->text + reader->at;
    const size_t n = strcspn(name, NOT_IN_NAMES);
    uint8_t number;
    int rc;

    if (n == 0)
        return refuse(reader, "the name of a feature is missing here");
    rc = number_name(reader, name, n, &number);
    if (rc < 0)
        return rc;
    constraint_join(to, op, &(struct constraint_predicate){ .ops = &number, .ops_n = 1 });
    reader->at += (uint32_t)n;
    return 0;
}

static int read_group(struct reader *reader, struct constraint_predicate *to)
{
    enum constraint_op op = OP_AND;
    int rc;

    do {
        if (peek(reader) == '(')
            return refuse(reader, "parentheses do not nest");
        if (peek(reader) == '[')
            return refuse(reader, "brackets do not stand in parentheses");
        rc = read_name(reader, op, to);
    } while (rc == 0 && takes_op(reader, &op));
    if (rc == 0 && peek(reader) == '*')
        return refuse(reader, "counts do not stand in parentheses");
    if (rc == 0 && !takes(reader, ')'))
        return refuse(reader, "')' is missing here");
    return rc;
}

static int read_count(struct reader *reader, uint32_t *ret_count)
{
    uint32_t count = 0;

    if (!takes(reader, '*'))
        return 0;
    while (peek(reader) >= '0' && peek(reader) <= '9' && count <= CONSTRAINT_COUNT_MAX)
        count = count * 10 + (uint32_t)(reader->text[reader->at++] - '0');
    if (count == 0 || count > CONSTRAINT_COUNT_MAX)
        return refuse(reader, "a count is a number from 1 to 1000000");
    *ret_count = count;
    return 0;
}

static int read_terms(struct reader *reader, struct constraint_term **terms, uint32_t *n);

static int read_brackets(struct reader *reader)
{
    int rc;

    if (reader->had_brackets)
        return refuse(reader, "only one pair of brackets is possible");
    reader->had_brackets = true;
    reader->at++;
    rc = read_terms(reader, &reader->terms.inner, &reader->terms.inner_n);
    if (rc == 0 && !takes(reader, ']'))
        return refuse(reader, "']' or an operator is missing here");
    return rc;
}

static int read_term(struct reader *reader, struct constraint_term *term)
{
    int rc;

    term->column = reader->at + 1;
    term->brackets = peek(reader) == '[';
    if (term->brackets)
        return read_brackets(reader);
    if (takes(reader, '('))
        rc = read_group(reader, &term->predicate);
    else
        rc = read_name(reader, OP_AND, &term->predicate);
    return rc < 0 ? rc : read_count(reader, &term->count);
}

/* Reads terms up to where no operator follows. */
static int read_terms(struct reader *reader, struct constraint_term **terms, uint32_t *n)
{
    enum constraint_op op = OP_AND;
    int rc;

    do {
        struct constraint_term term = { .op = op, .op_column = reader->at };

        rc = read_term(reader, &term);
        *ARRAY_PUSH(*terms, *n) = term;
    } while (rc == 0 && takes_op(reader, &op));
    return rc;
}

int constraint_terms_parse(const char *text, struct constraint *constraint,
                           struct constraint_terms *ret_terms, struct err *err)
{
    struct reader reader = { .text = text, .constraint = constraint, .err = err };
    int rc = read_terms(&reader, &reader.terms.at, &reader.terms.n);

    if (rc == 0 && peek(&reader))
        rc = refuse(&reader, "an operator, & or |, is missing here");
    if (rc < 0)
        constraint_terms_clear(&reader.terms);
    else
        *ret_terms = reader.terms;
    return rc;
}
