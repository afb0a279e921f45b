#include "common/text/hostlist.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "common/text/words.h"

/*
 * The longest run of digits that is a number, so that counting on never overflows; longer runs are
 * text.
 */
#define DIGITS_MAX 18

struct hostlist {
    char **names;
    uint32_t count;
};

struct hostlist *hostlist_new(void)
{
    return xcalloc(1, sizeof(struct hostlist));
}

struct hostlist *hostlist_copy(const struct hostlist *list)
{
    struct hostlist *copy = hostlist_new();

    for (uint32_t i = 0; i < list->count; i++)
        hostlist_add(copy, list->names[i]);
    return copy;
}

struct hostlist *hostlist_free(struct hostlist *list)
{
    if (!list)
        return NULL;
    for (uint32_t i = 0; i < list->count; i++)
        free(list->names[i]);
    free(list->names);
    free(list);
    return NULL;
}

void hostlist_auto_(struct hostlist **list)
{
    hostlist_free(*list);
}

void hostlist_add(struct hostlist *list, const char *name)
{
    *ARRAY_PUSH(list->names, list->count) = xstrdup(name);
}

uint32_t hostlist_count(const struct hostlist *list)
{
    return list->count;
}

uint32_t hostlist_count_names(const char *text, bool once_each)
{
    AUTO(hostlist) struct hostlist *names = NULL;

    if (!text || hostlist_parse(text, &names, NULL) < 0)
        return 0;
    if (once_each)
        hostlist_uniq(names);
    return hostlist_count(names);
}

const char *hostlist_get(const struct hostlist *list, uint32_t i)
{
    assert(i < list->count);
    return list->names[i];
}

int64_t hostlist_find(const struct hostlist *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (strcmp(list->names[i], name) == 0)
            return i;
    }
    return -1;
}

/* A name taken apart into text and the number at its end, which may be missing. */
struct split {
    const char *name;
    size_t prefix_n;
    size_t digits_n;
    uint64_t number;
};

static struct split split_name(const char *name)
{
    struct split split = { .name = name };
    size_t length = strlen(name);

    while (split.digits_n < length && isdigit((unsigned char)name[length - split.digits_n - 1]))
        split.digits_n++;
    if (split.digits_n > DIGITS_MAX)
        split.digits_n = 0;
    split.prefix_n = length - split.digits_n;
    if (split.digits_n)
        split.number = strtoull(name + split.prefix_n, NULL, 10);
    return split;
}

static int compare_digits(const char *a, size_t a_n, const char *b, size_t b_n)
{
    if (a_n != b_n)
        return a_n < b_n ? -1 : 1;
    return memcmp(a, b, a_n);
}

/* Compares byte by byte, but a run of digits as one number. */
static int compare_natural(const char *a, size_t a_n, const char *b, size_t b_n)
{
    while (a_n && b_n) {
        size_t a_run = text_count_digits(a, a_n);
        size_t b_run = text_count_digits(b, b_n);
        int order;

        if (!a_run || !b_run) {
            a_run = b_run = 1;
            order = (unsigned char)*a - (unsigned char)*b;
        } else {
            order = compare_digits(a, a_run, b, b_run);
        }
        if (order)
            return order;
        a += a_run;
        a_n -= a_run;
        b += b_run;
        b_n -= b_run;
    }
    return a_n ? 1 : b_n ? -1 : 0;
}

int hostname_compare(const char *a, const char *b)
{
    struct split one = split_name(a);
    struct split two = split_name(b);
    int order = compare_natural(one.name, one.prefix_n, two.name, two.prefix_n);

    if (order)
        return order;
    return compare_digits(one.name + one.prefix_n, one.digits_n, two.name + two.prefix_n,
                          two.digits_n);
}

static int compare_names(const void *a, const void *b)
{
    return hostname_compare(*(char *const *)a, *(char *const *)b);
}

void hostlist_sort(struct hostlist *list)
{
    if (list->count)
        qsort(list->names, list->count, sizeof(list->names[0]), compare_names);
}

/* Orders places by the name there, and equal names by place. */
static int compare_places(const void *a, const void *b, void *names)
{
    uint32_t one = *(const uint32_t *)a;
    uint32_t two = *(const uint32_t *)b;
    int order = strcmp(((char **)names)[one], ((char **)names)[two]);

    return order ? order : one < two ? -1 : one > two;
}

void hostlist_uniq(struct hostlist *list)
{
    AUTO_FREE uint32_t *places = xcalloc(list->count, sizeof(*places));
    AUTO_FREE bool *repeats = xcalloc(list->count, sizeof(*repeats));
    uint32_t kept = 0;

    for (uint32_t i = 0; i < list->count; i++)
        places[i] = i;
    qsort_r(places, list->count, sizeof(*places), compare_places, list->names);
    for (uint32_t i = 1; i < list->count; i++)
        repeats[places[i]] = strcmp(list->names[places[i]], list->names[places[i - 1]]) == 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (repeats[i])
            free(list->names[i]);
        else
            list->names[kept++] = list->names[i];
    }
    list->count = kept;
}

static void add_number(struct strbuf *out, uint64_t number, size_t width)
{
    strbuf_addf(out, "%0*llu", (int)width, (unsigned long long)number);
}

/* Returns whether `next` is what counting on from `number` in this width would print. */
static bool is_counted_on(const struct split *next, uint64_t number, size_t width)
{
    char text[32];
    int length = snprintf(text, sizeof(text), "%0*llu", (int)width, (unsigned long long)number);

    return next->digits_n == (size_t)length &&
           memcmp(next->name + next->prefix_n, text, next->digits_n) == 0;
}

static bool is_same_prefix(const struct split *a, const struct split *b)
{
    return a->digits_n && b->digits_n && a->prefix_n == b->prefix_n &&
           memcmp(a->name, b->name, a->prefix_n) == 0;
}

/* Returns how many names from place i on differ in their last number only. */
static uint32_t group_size(const struct hostlist *list, uint32_t i)
{
    struct split first = split_name(list->names[i]);
    uint32_t n = 1;

    while (i + n < list->count) {
        struct split next = split_name(list->names[i + n]);

        if (!is_same_prefix(&first, &next))
            break;
        n++;
    }
    return n;
}

/* Adds the range that starts at place i and may not reach `end`; returns the place after it. */
static uint32_t add_range(struct strbuf *out, const struct hostlist *list, uint32_t i, uint32_t end)
{
    const struct split low = split_name(list->names[i]);
    uint64_t high = low.number;

    for (i++; i < end; i++) {
        struct split next = split_name(list->names[i]);

        if (!is_counted_on(&next, high + 1, low.digits_n))
            break;
        high++;
    }
    add_number(out, low.number, low.digits_n);
    if (high != low.number) {
        strbuf_addc(out, '-');
        add_number(out, high, low.digits_n);
    }
    return i;
}

static void add_group(struct strbuf *out, const struct hostlist *list, uint32_t i, uint32_t n)
{
    const struct split first = split_name(list->names[i]);
    const uint32_t end = i + n;

    if (n == 1) {
        strbuf_adds(out, first.name);
        return;
    }
    strbuf_add(out, first.name, first.prefix_n);
    strbuf_addc(out, '[');
    i = add_range(out, list, i, end);
    while (i < end) {
        strbuf_addc(out, ',');
        i = add_range(out, list, i, end);
    }
    strbuf_addc(out, ']');
}

char *hostlist_format(const struct hostlist *list)
{
    struct strbuf out = { 0 };
    uint32_t n;

    for (uint32_t i = 0; i < list->count; i += n) {
        n = group_size(list, i);
        if (i)
            strbuf_addc(&out, ',');
        add_group(&out, list, i, n);
    }
    return strbuf_steal(&out);
}
