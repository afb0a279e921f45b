#include "noded/bind/mask.h"

#include <stdlib.h>

static unsigned digit_at(const struct bitset *mask, uint32_t position)
{
    unsigned digit = 0;

    for (uint32_t bit = 0; bit < 4; bit++) {
        const uint32_t member = position * 4 + bit;

        if (member < mask->size && bitset_has(mask, member))
            digit |= 1u << bit;
    }
    return digit;
}

static uint32_t digits_of(const struct bitset *mask)
{
    return (mask->size + 3) / 4;
}

void mask_format_wide(const struct bitset *mask, struct strbuf *out)
{
    strbuf_adds(out, "0x");
    for (uint32_t i = digits_of(mask); i > 0; i--)
        strbuf_addf(out, "%X", digit_at(mask, i - 1));
}

void mask_format(const struct bitset *mask, struct strbuf *out)
{
    uint32_t n = digits_of(mask);

    while (n > 1 && digit_at(mask, n - 1) == 0)
        n--;
    for (uint32_t i = n; i > 0; i--)
        strbuf_addf(out, "%x", digit_at(mask, i - 1));
}

bool mask_parse(const char *digits, size_t n, struct bitset *ret)
{
    for (size_t i = 0; i < n; i++) {
        const char text[2] = { digits[n - 1 - i], '\0' };
        const unsigned long digit = strtoul(text, NULL, 16);

        for (uint32_t bit = 0; bit < 4; bit++) {
            const uint64_t member = (uint64_t)i * 4 + bit;

            if (!(digit & (1u << bit)))
                continue;
            if (member >= ret->size)
                return false;
            bitset_add(ret, (uint32_t)member);
        }
    }
    return true;
}
