#include "common/text/bindlist.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/text/words.h"

static int err_number(struct err *err, const char *item, char odd)
{
    if (!odd)
        return err_set(err, EINVAL, "Failed to validate number: %.100s", item);
    return err_set(err, EINVAL, "Failed to validate number: %.100s, the offending character is %c",
                   item, odd);
}

/* Appends "3", or "0x3" when numbers are hexadecimal, as often as "*4" behind it says. */
static int add_item(const char *item, bool hexadecimal, const char *option, uint32_t *n,
                    struct strbuf *out, struct err *err)
{
    const char *digits = item;
    const char *at;
    uint64_t times = 1;

    if (hexadecimal && word_starts(item, "0x", &digits) && !*digits)
        return err_number(err, item, '\0');
    for (at = digits; hexadecimal ? isxdigit((unsigned char)*at) : isdigit((unsigned char)*at);
         at++)
        ;
    if (at == digits || (*at && *at != '*'))
        return err_number(err, item, *at);
    if (*at == '*' && number_parse(at + 1, 1, BIND_LIST_MAX, &times, NULL) < 0)
        return err_number(err, item, *at);
    if (times > BIND_LIST_MAX - *n)
        return err_set(err, EINVAL, "a list for %s names at most %d tasks", option, BIND_LIST_MAX);
    *n += (uint32_t)times;
    for (uint64_t i = 0; i < times; i++)
        strbuf_addf(out, "%s%.*s", out->len ? "," : "", (int)(at - digits), digits);
    return 0;
}

int bind_list_read(const char *text, bool hexadecimal, const char *option, struct strbuf *out,
                   struct err *err)
{
    AUTO(words) struct words items = words_split(text, ",");
    uint32_t n = 0;
    int rc = 0;

    for (uint32_t i = 0; i < items.n && rc == 0; i++)
        rc = add_item(items.at[i], hexadecimal, option, &n, out, err);
    return rc;
}

const char *bind_list_item(const char *list, uint32_t n, size_t *ret_n)
{
    const char *at = list;

    for (; n > 0; n--) {
        at += strcspn(at, ",");
        at = *at ? at + 1 : list;
    }
    *ret_n = strcspn(at, ",");
    return at;
}
