#include "common/json/escape.h"

#include <stdbool.h>

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* Nearly every byte of a document: it stands for itself. */
static bool is_plain(unsigned char byte)
{
    return byte >= ' ' && byte < 0x7F && byte != '"' && byte != '\\';
}

static bool follows(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/*
 * The character that begins here: how many bytes it has and, by `ret_code`, which it is. 0 when it
 * is none: cut short, longer than it need be, a surrogate, or beyond U+10FFFF.
 */
static uint32_t character(const unsigned char *at, uint32_t *ret_code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const uint32_t n = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    uint32_t code = at[0] & (0xFFU >> (n + 1));

    if (at[0] < 0xC0 || at[0] > 0xF7)
        return 0;
    for (uint32_t i = 1; i < n; i++) {
        if (!follows(at[i])) /* the zero byte at the end does not */
            return 0;
        code = code << 6 | (at[i] & 0x3F);
    }
    if (code < least[n] || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF)
        return 0;
    *ret_code = code;
    return n;
}

static bool is_printable(uint32_t code)
{
    return code >= 0xA0 && code != 0xFFFE && code != 0xFFFF;
}

static void add_code(uint32_t code, struct strbuf *out)
{
    static const char digits[] = "0123456789abcdef";
    const char text[] = { '\\',
                          'u',
                          digits[code >> 12 & 15],
                          digits[code >> 8 & 15],
                          digits[code >> 4 & 15],
                          digits[code & 15] };

    strbuf_add(out, text, sizeof(text));
}

static void add_ascii(unsigned char byte, struct strbuf *out)
{
    static const char letters[] = { ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
                                    ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\' };

    if (byte < sizeof(letters) && letters[byte]) {
        strbuf_addc(out, '\\');
        strbuf_addc(out, letters[byte]);
    } else {
        add_code(byte, out);
    }
}

/* What begins here is not plain. Returns how many bytes were taken. */
static uint32_t add_special(const unsigned char *at, struct strbuf *out)
{
    uint32_t code = 0, n;

    if (*at < 0x80) {
        add_ascii(*at, out);
        return 1;
    }
    n = character(at, &code);
    if (n == 0) {
        strbuf_adds(out, REPLACEMENT);
        return 1;
    }
    if (is_printable(code))
        strbuf_add(out, at, n);
    else
        add_code(code, out);
    return n;
}

void json_escape(const char *text, struct strbuf *out)
{
    const unsigned char *at = (const unsigned char *)text;

    strbuf_addc(out, '"');
    while (*at) {
        const unsigned char *from = at;

        while (is_plain(*at))
            at++;
        strbuf_add(out, from, (size_t)(at - from));
        if (*at)
            at += add_special(at, out);
    }
    strbuf_addc(out, '"');
}
