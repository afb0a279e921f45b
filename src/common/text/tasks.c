#include "common/text/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "common/text/words.h"

static const char digits[] = "0123456789";

static int refuse(const char *text, size_t n, const char *why, struct err *err)
{
    return err_set(err, E_ARRAY, "%s: '%.*s' %s", err_string(E_ARRAY), (int)n, text, why);
}

/* Takes the number at *at, within limits; *at moves behind it. */
static bool take_number(const char **at, uint64_t min, uint64_t max, uint64_t *ret)
{
    const size_t n = strspn(*at, digits);
    AUTO_FREE char *number = xstrndup(*at, n);

    *at += n;
    return number_parse(number, min, max, ret, NULL) == 0;
}

struct range {
    uint32_t first, last, step;
};

/* A list of ranges, which it owns. */
struct ranges {
    struct range *at;
    uint32_t n;
};

/* Takes "7", "0-9" or "0-9:3"; *at moves behind it. */
static int add_range(const char **at, uint32_t end, struct ranges *all, struct err *err)
{
    const char *begin = *at;
    const size_t length = strcspn(begin, ",%");
    uint64_t first, last, step = 1;
    bool is_good = end > 0 && take_number(at, 0, end - 1, &first);

    if (!is_good)
        return refuse(begin, length, "does not begin with a task number below MaxArraySize", err);
    last = first;
    if (text_take_char(at, '-')) {
        is_good = take_number(at, first, end - 1, &last);
        if (is_good && text_take_char(at, ':'))
            is_good = take_number(at, 1, end, &step);
    }
    if (!is_good || (size_t)(*at - begin) != length)
        return refuse(begin, length,
                      "is no FIRST-LAST or FIRST-LAST:STEP with numbers below MaxArraySize and a "
                      "STEP of 1 or more",
                      err);
    *ARRAY_PUSH(all->at, all->n) =
        (struct range){ (uint32_t)first, (uint32_t)last, (uint32_t)step };
    return 0;
}

static int add_limit(const char *at, uint32_t *ret, struct err *err)
{
    uint64_t limit;

    if (number_parse(at, 0, UINT32_MAX - 2, &limit, NULL) < 0)
        return refuse(at, strlen(at), "is no number of tasks that may run at once", err);
    *ret = (uint32_t)limit;
    return 0;
}

static void fill(const struct ranges *ranges, struct bitset *ret)
{
    uint32_t highest = 0;

    for (uint32_t i = 0; i < ranges->n; i++) {
        const struct range *range = &ranges->at[i];
        const uint32_t last = range->last - (range->last - range->first) % range->step;

        highest = last > highest ? last : highest;
    }
    bitset_init(ret, highest + 1);
    for (uint32_t i = 0; i < ranges->n; i++) {
        const struct range *range = &ranges->at[i];

        for (uint64_t task = range->first; task <= range->last; task += range->step)
            bitset_add(ret, (uint32_t)task);
    }
}

int tasks_parse(const char *text, uint32_t end, struct bitset *ret, uint32_t *ret_limit,
                struct err *err)
{
    struct ranges ranges = { 0 };
    const char *at = text;
    uint32_t limit = 0;
    int rc;

    do
        rc = add_range(&at, end, &ranges, err);
    while (rc == 0 && text_take_char(&at, ','));
    if (rc == 0 && text_take_char(&at, '%'))
        rc = add_limit(at, &limit, err);
    if (rc == 0) {
        fill(&ranges, ret);
        *ret_limit = limit;
    }
    free(ranges.at);
    return rc;
}

void tasks_format(const struct bitset *tasks, struct strbuf *out)
{
    const char *between = "";

    for (int64_t first = bitset_next(tasks, 0), last; first >= 0;
         first = bitset_next(tasks, (uint32_t)last + 1)) {
        for (last = first; bitset_next(tasks, (uint32_t)last + 1) == last + 1; last++)
            ;
        strbuf_addf(out, "%s%u", between, (uint32_t)first);
        if (last > first)
            strbuf_addf(out, "-%u", (uint32_t)last);
        between = ",";
    }
}
