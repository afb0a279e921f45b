#include "common/json/escape.h"

#include <stdbool.h>

#include "common/base/plain.h"

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* Returns whether a byte stands for itself, as nearly every byte of a document does. */
static bool is_plain(unsigned char byte)
{
    return byte >= ' ' && byte < 0x7F && byte != '"' && byte != '\\';
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

/* Appends what begins at `at`, which is not plain. Returns how many bytes were taken. */
static uint32_t add_special(const unsigned char *at, struct strbuf *out)
{
    uint32_t code = 0, n;

    if (*at < 0x80) {
        add_ascii(*at, out);
        return 1;
    }
    n = plain_character((const char *)at, &code);
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
