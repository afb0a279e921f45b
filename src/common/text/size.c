#include "common/text/size.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/text/words.h"

static const struct {
    const char *name;
    uint64_t kilobytes;
} units[] = {
    { "", 1 << 10 },  { "K", 1 },        { "KB", 1 },      { "M", 1 << 10 },  { "MB", 1 << 10 },
    { "G", 1 << 20 }, { "GB", 1 << 20 }, { "T", 1 << 30 }, { "TB", 1 << 30 },
};

static uint64_t unit_of(const char *name)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (word_is(name, units[i].name))
            return units[i].kilobytes;
    }
    return 0;
}

int size_parse_mb(const char *text, uint64_t *ret_mb, struct err *err)
{
    size_t digits = strspn(text, "0123456789");
    uint64_t unit = unit_of(text + digits);
    uint64_t kilobytes;

    if (digits == 0 || unit == 0)
        return err_set(err, EINVAL,
                       "size '%.80s' is not a number of megabytes, or one with K, M, G or T", text);
    errno = 0;
    kilobytes = strtoull(text, NULL, 10);
    if (errno || __builtin_mul_overflow(kilobytes, unit, &kilobytes) ||
        kilobytes > SIZE_MB_MAX << 10)
        return err_set(err, ERANGE, "size '%.80s' is more than %lluM", text,
                       (unsigned long long)SIZE_MB_MAX);
    *ret_mb = (kilobytes + 1023) >> 10;
    return 0;
}

void size_format_mb(struct strbuf *out, uint64_t mb)
{
    static const char letters[] = "MGTPE";
    size_t unit = 0;

    if (mb == 0) {
        strbuf_addc(out, '0');
        return;
    }
    while (mb % 1024 == 0 && letters[unit + 1]) {
        mb /= 1024;
        unit++;
    }
    strbuf_addf(out, "%llu%c", (unsigned long long)mb, letters[unit]);
}
