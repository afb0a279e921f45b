/* Reads the bracket form. It is a file of its own because nothing else looks inside expressions. */
#include "common/text/hostlist.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/base/strbuf.h"
#include "common/text/words.h"

#define DIGITS_MAX 18 /* in a bracket; keeps numbers far from overflow */

/* One expression between commas, and where its hosts are added. */
struct expansion {
    const char *text;
    int text_n;
    struct hostlist *list;
    struct err *err;
};

struct range {
    uint64_t low;
    uint64_t high;
    int width; /* digits of the low end, which is how far the numbers are padded */
};

/* The ranges that a bracket lists, which it owns. */
struct bracket {
    const char *before; /* the text that leads to it */
    int before_n;
    struct range *ranges;
    uint32_t ranges_n;
};

/* The number that is chosen from a bracket. */
struct choice {
    uint64_t number;
    int width;
};

/* An expression taken apart, and the name that is being made from it. */
struct pattern {
    struct bracket brackets[HOSTLIST_BRACKETS_MAX];
    struct choice chosen[HOSTLIST_BRACKETS_MAX];
    int brackets_n;
    const char *rest; /* behind the last bracket */
    int rest_n;
};

static int refuse(const struct expansion *in, const char *why)
{
    return err_set(in->err, E_SYNTAX, "host list '%.*s': %s", in->text_n < 200 ? in->text_n : 200,
                   in->text, why);
}

static int refuse_range(const struct expansion *in, const char *range, size_t n, const char *why)
{
    return err_set(in->err, E_SYNTAX, "host list '%.*s': range '%.*s' %s",
                   in->text_n < 200 ? in->text_n : 200, in->text, (int)(n < 60 ? n : 60), range,
                   why);
}

static int refuse_count(const struct expansion *in)
{
    return err_set(in->err, E_TOO_BIG, "host list '%.*s': more than %d hosts",
                   in->text_n < 200 ? in->text_n : 200, in->text, HOSTLIST_MAX);
}

/* Reads "7" or "08-12". */
static int parse_range(const struct expansion *in, const char *text, size_t n, struct range *ret)
{
    size_t low_n = text_count_digits(text, n);
    size_t high_n = 0;

    if (low_n < n && text[low_n] == '-') {
        high_n = text_count_digits(text + low_n + 1, n - low_n - 1);
        if (high_n == 0 || low_n + 1 + high_n != n)
            low_n = 0;
    } else if (low_n != n) {
        low_n = 0;
    }
    if (low_n == 0)
        return refuse_range(in, text, n, "is not a number or two with '-' between");
    if (low_n > DIGITS_MAX || high_n > DIGITS_MAX)
        return refuse_range(in, text, n, "has a number of more than 18 digits");
    ret->width = (int)low_n;
    ret->low = strtoull(text, NULL, 10);
    ret->high = high_n ? strtoull(text + low_n + 1, NULL, 10) : ret->low;
    if (ret->high < ret->low)
        return refuse_range(in, text, n, "runs backwards");
    if (ret->high - ret->low >= HOSTLIST_MAX)
        return refuse_count(in);
    return 0;
}

/* Reads a bracket whose ranges begin at `ranges` and which closes at `close`. */
static int parse_bracket(const struct expansion *in, const char *ranges, const char *close,
                         struct bracket *bracket)
{
    for (;;) {
        const char *comma = memchr(ranges, ',', (size_t)(close - ranges));
        const char *end = comma ? comma : close;
        struct range range;
        int rc = parse_range(in, ranges, (size_t)(end - ranges), &range);

        if (rc < 0)
            return rc;
        *ARRAY_PUSH(bracket->ranges, bracket->ranges_n) = range;
        if (!comma)
            return 0;
        ranges = comma + 1;
    }
}

static int parse_pattern(const struct expansion *in, struct pattern *pattern)
{
    const char *at = in->text;
    const char *end = in->text + in->text_n;
    const char *open;

    while ((open = memchr(at, '[', (size_t)(end - at)))) {
        struct bracket *bracket = &pattern->brackets[pattern->brackets_n++];
        const char *close = memchr(open, ']', (size_t)(end - open));
        int rc;

        *bracket = (struct bracket){ .before = at, .before_n = (int)(open - at) };
        rc = parse_bracket(in, open + 1, close, bracket);
        if (rc < 0)
            return rc;
        at = close + 1;
    }
    pattern->rest = at;
    pattern->rest_n = (int)(end - at);
    return 0;
}

static void pattern_clear(struct pattern *pattern)
{
    for (int i = 0; i < pattern->brackets_n; i++)
        free(pattern->brackets[i].ranges);
}

/* Adds the host that has the chosen numbers. */
static int add_chosen(const struct expansion *in, const struct pattern *pattern)
{
    AUTO(strbuf) struct strbuf name = { 0 };

    for (int i = 0; i < pattern->brackets_n; i++) {
        strbuf_add(&name, pattern->brackets[i].before, (size_t)pattern->brackets[i].before_n);
        strbuf_addf(&name, "%0*llu", pattern->chosen[i].width,
                    (unsigned long long)pattern->chosen[i].number);
    }
    strbuf_add(&name, pattern->rest, (size_t)pattern->rest_n);
    if (name.len > HOSTLIST_NAME_MAX)
        return refuse(in, "a name is longer than 255 bytes");
    if (hostlist_count(in->list) == HOSTLIST_MAX)
        return refuse_count(in);
    hostlist_add(in->list, strbuf_text(&name));
    return 0;
}

/*
 * Returns the bracket that counts on inside of bracket i, or -1. As in Slurm the last one runs
 * fastest, because short lists are written with it; of those before it the first does.
 */
static int inner_bracket(const struct pattern *pattern, int i)
{
    const int last = pattern->brackets_n - 1;

    if (i == last)
        return -1;
    return i > 0 ? i - 1 : last;
}

/* Adds a host for all that bracket i and those inside of it list. */
static int expand(const struct expansion *in, struct pattern *pattern, int i)
{
    if (i < 0)
        return add_chosen(in, pattern);
    for (uint32_t k = 0; k < pattern->brackets[i].ranges_n; k++) {
        const struct range *range = &pattern->brackets[i].ranges[k];

        for (uint64_t number = range->low; number <= range->high; number++) {
            int rc;

            pattern->chosen[i] = (struct choice){ .number = number, .width = range->width };
            rc = expand(in, pattern, inner_bracket(pattern, i));
            if (rc < 0)
                return rc;
        }
    }
    return 0;
}

/* Checks what can be checked of an expression without expanding it. */
static int check_expression(const struct expansion *in)
{
    int brackets = 0;
    bool is_open = false;

    if (in->text[0] == '^')
        return refuse(in, "names from a file are not possible here");
    for (int i = 0; i < in->text_n; i++) {
        unsigned char c = (unsigned char)in->text[i];

        if (iscntrl(c))
            return refuse(in, "a control character is not part of a name");
        if ((c == '[' && is_open) || (c == ']' && !is_open))
            return refuse(in, "brackets do not match");
        if (c == '[' && ++brackets > HOSTLIST_BRACKETS_MAX)
            return refuse(in, "more than 8 brackets");
        if (c == '[' || c == ']')
            is_open = c == '[';
    }
    return is_open ? refuse(in, "a bracket is not closed") : 0;
}

static bool is_divider(char c)
{
    return c == ',' || isspace((unsigned char)c);
}

/* Returns the bytes up to the next divider outside of brackets. */
static size_t expression_length(const char *text)
{
    bool is_open = false;
    size_t n = 0;

    for (; text[n] && (is_open || !is_divider(text[n])); n++) {
        if (text[n] == '[' || text[n] == ']')
            is_open = text[n] == '[';
    }
    return n;
}

static int expand_pattern(const struct expansion *in)
{
    struct pattern pattern = { .brackets_n = 0 };
    int rc = parse_pattern(in, &pattern);

    if (rc == 0)
        rc = expand(in, &pattern,
                    pattern.brackets_n > 1 ? pattern.brackets_n - 2 : pattern.brackets_n - 1);
    pattern_clear(&pattern);
    return rc;
}

static int parse_expression(const char *text, size_t n, struct hostlist *list, struct err *err)
{
    struct expansion in = { .text = text, .list = list, .err = err };
    int rc;

    if (n > HOSTLIST_FILE_MAX)
        return err_set(err, E_TOO_BIG, "host list of more than %d bytes", HOSTLIST_FILE_MAX);
    in.text_n = (int)n;
    rc = check_expression(&in);
    return rc < 0 ? rc : expand_pattern(&in);
}

int hostlist_parse(const char *text, struct hostlist **ret_list, struct err *err)
{
    AUTO(hostlist) struct hostlist *list = hostlist_new();

    while (*text) {
        size_t n = expression_length(text);
        int rc = n ? parse_expression(text, n, list, err) : 0;

        if (rc < 0)
            return rc;
        text += n ? n : 1;
    }
    *ret_list = STEAL(list);
    return 0;
}

static int read_all(const char *path, struct strbuf *out, struct err *err)
{
    FILE *file = fopen(path, "re");
    size_t n;
    int failed;

    if (!file)
        return err_set(err, errno, "cannot open host file '%s': %s", path, strerror(errno));
    do {
        n = fread(strbuf_reserve(out, 4096), 1, 4096, file);
        strbuf_grown(out, n);
    } while (n && out->len <= HOSTLIST_FILE_MAX);
    failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed)
        return err_set(err, failed, "cannot read host file '%s': %s", path, strerror(failed));
    if (out->len > HOSTLIST_FILE_MAX)
        return err_set(err, E_TOO_BIG, "host file '%s': more than %d bytes", path,
                       HOSTLIST_FILE_MAX);
    if (strlen(strbuf_text(out)) != out->len)
        return err_set(err, E_SYNTAX, "host file '%s': contains a zero byte", path);
    return 0;
}

static void blank_comments(char *text)
{
    bool in_comment = false;

    for (; *text; text++) {
        in_comment = *text != '\n' && (in_comment || *text == '#');
        if (in_comment)
            *text = ' ';
    }
}

int hostlist_read_file(const char *path, struct hostlist **ret_list, struct err *err)
{
    AUTO(strbuf) struct strbuf text = { 0 };
    int rc = read_all(path, &text, err);

    if (rc < 0)
        return rc;
    if (text.data)
        blank_comments(text.data);
    rc = hostlist_parse(strbuf_text(&text), ret_list, err);
    return rc < 0 && err ? err_prefix(err, "host file '%s'", path) : rc;
}
