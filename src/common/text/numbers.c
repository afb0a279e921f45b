#include "common/text/numbers.h"

#include <string.h>

#include "common/base/alloc.h"
#include "common/text/words.h"

/* Adds "7" or "0-3". */
static int add_range(struct numbers *list, const char *text, uint32_t max, struct err *err)
{
    const char *dash = strchr(text, '-');
    AUTO_FREE char *low = xstrndup(text, dash ? (size_t)(dash - text) : strlen(text));
    uint64_t first;
    uint64_t last;
    int rc = number_parse(low, 0, max, &first, err);

    if (rc < 0)
        return rc;
    last = first;
    if (dash)
        rc = number_parse(dash + 1, first, max, &last, err);
    for (uint64_t number = first; rc == 0 && number <= last; number++) {
        if (list->n == NUMBERS_MAX)
            return err_set(err, E_TOO_BIG, "more than %d numbers", NUMBERS_MAX);
        *ARRAY_PUSH(list->at, list->n) = (uint32_t)number;
    }
    return rc;
}

int numbers_parse(const char *text, uint32_t max, struct numbers *ret, struct err *err)
{
    AUTO(words) struct words parts = words_split(text ? text : "", ",");
    AUTO(numbers) struct numbers list = { 0 };

    for (uint32_t i = 0; i < parts.n; i++) {
        int rc = add_range(&list, parts.at[i], max, err);

        if (rc < 0)
            return rc;
    }
    *ret = list;
    list = (struct numbers){ 0 };
    return 0;
}

void numbers_clear(struct numbers *numbers)
{
    free(numbers->at);
    *numbers = (struct numbers){ 0 };
}

void numbers_auto_(struct numbers *numbers)
{
    numbers_clear(numbers);
}

void numbers_format(const uint32_t *numbers, uint32_t n, struct strbuf *out)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t first = i;

        while (i + 1 < n && numbers[i + 1] == numbers[i] + 1)
            i++;
        strbuf_addf(out, "%s%u", first ? "," : "", numbers[first]);
        if (i > first)
            strbuf_addf(out, "-%u", numbers[i]);
    }
}
