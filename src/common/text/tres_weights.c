#include "common/text/tres_weights.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/words.h"

#define WEIGHT_MAX 1e15

/*
 * Reads digits and a point, without exponent. strtod would take "inf", "0x1" and the locale's
 * comma.
 */
static int parse_number(const char *text, const char **ret_end, double *ret)
{
    const bool negative = *text == '-';
    const char *at = text + negative;
    double number = 0;
    double unit = 1;
    bool any = false;

    for (; isdigit((unsigned char)*at); at++, any = true)
        number = number * 10 + (*at - '0');
    if (*at == '.')
        for (at++; isdigit((unsigned char)*at); at++, any = true) {
            unit /= 10;
            number += (*at - '0') * unit;
        }
    if (!any || number > WEIGHT_MAX)
        return -EINVAL;
    *ret = negative ? -number : number;
    *ret_end = at;
    return 0;
}

/*
 * Gives the power of 1024 that a letter stands for, 0 without one; memory is counted in megabytes.
 */
static int parse_power(const char *text, bool is_memory, int *ret)
{
    static const char letters[] = "KMGTP";
    const char *letter;

    *ret = 0;
    if (!*text)
        return 0;
    letter = strchr(letters, toupper((unsigned char)*text));
    if (!letter || text[1])
        return -EINVAL;
    *ret = (int)(letter - letters) + 1 - (is_memory ? 2 : 0);
    return 0;
}

static int parse_one(char *text, struct tres_weight *ret)
{
    char *equals = strchr(text, '=');
    const char *end;
    int power;

    if (!equals || equals == text)
        return -EINVAL;
    *equals = '\0';
    for (char *c = text; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (parse_number(word_trim(equals + 1), &end, &ret->each) < 0 ||
        parse_power(end, strcmp(word_trim(text), "mem") == 0, &power) < 0)
        return -EINVAL;
    ret->each = ldexp(ret->each, -10 * power);
    ret->name = xstrdup(word_trim(text));
    return 0;
}

int tres_weights_parse(const char *text, struct tres_weights *ret, struct err *err)
{
    AUTO(words) struct words words = words_split(text ? text : "", ",");
    AUTO(tres_weights) struct tres_weights list = { 0 };

    for (uint32_t i = 0; i < words.n; i++) {
        AUTO_FREE char *part = xstrdup(words.at[i]);
        struct tres_weight weight;

        if (parse_one(part, &weight) < 0)
            return err_set(err, EINVAL, "'%.80s' is not NAME=WEIGHT, like cpu=1.5 or mem=0.25G",
                           words.at[i]);
        *ARRAY_PUSH(list.at, list.n) = weight;
    }
    *ret = list;
    list = (struct tres_weights){ 0 };
    return 0;
}

void tres_weights_clear(struct tres_weights *weights)
{
    for (uint32_t i = 0; i < weights->n; i++)
        free(weights->at[i].name);
    free(weights->at);
    *weights = (struct tres_weights){ 0 };
}

void tres_weights_auto_(struct tres_weights *weights)
{
    tres_weights_clear(weights);
}

void tres_weights_copy(struct tres_weights *to, const struct tres_weights *from)
{
    *to = (struct tres_weights){ 0 };
    for (uint32_t i = 0; i < from->n; i++)
        *ARRAY_PUSH(to->at, to->n) =
            (struct tres_weight){ xstrdup(from->at[i].name), from->at[i].each };
}

double tres_weights_of(const struct tres_weights *weights, const char *name)
{
    for (uint32_t i = 0; i < weights->n; i++)
        if (word_is(weights->at[i].name, name))
            return weights->at[i].each;
    return 0;
}
