#include "auth/cred/armor.h"

#include <string.h>

#include "common/authc/wire.h"

static const char PREFIX[] = "MUNGE:";
static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_base64(struct strbuf *out, struct bytes raw)
{
    while (raw.left) {
        size_t n = raw.left < 3 ? raw.left : 3;
        const uint8_t *in = bytes_take(&raw, n);
        uint32_t bits = (uint32_t)in[0] << 16;

        bits |= n > 1 ? (uint32_t)in[1] << 8 : 0;
        bits |= n > 2 ? in[2] : 0;
        strbuf_addc(out, ALPHABET[bits >> 18]);
        strbuf_addc(out, ALPHABET[bits >> 12 & 63]);
        strbuf_addc(out, n > 1 ? ALPHABET[bits >> 6 & 63] : '=');
        strbuf_addc(out, n > 2 ? ALPHABET[bits & 63] : '=');
    }
}

void armor_put(struct strbuf *out, struct bytes raw)
{
    strbuf_adds(out, PREFIX);
    put_base64(out, raw);
    strbuf_addc(out, ':');
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Returns 0..63, or -1. */
static int digit_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Reads whole groups of four, padded with '=' at the very end only. */
static bool parse_base64(const char *text, size_t n, struct strbuf *raw)
{
    uint32_t bits = 0;
    unsigned digits = 0;
    unsigned pads = 0;

    for (size_t i = 0; i < n; i++) {
        int value = digit_value(text[i]);

        if (is_space(text[i]))
            continue;
        if (text[i] == '=')
            pads++;
        else if (value < 0 || pads)
            return false;
        bits = bits << 6 | (value < 0 ? 0 : (uint32_t)value);
        if (++digits % 4 != 0)
            continue;
        if (pads > 2)
            return false;
        strbuf_addc(raw, (char)(bits >> 16));
        if (pads < 2)
            strbuf_addc(raw, (char)(bits >> 8));
        if (pads < 1)
            strbuf_addc(raw, (char)bits);
    }
    return digits % 4 == 0 && pads <= 2;
}

int armor_parse(const char *text, size_t n, struct strbuf *raw, struct err *err)
{
    size_t prefix_n = strlen(PREFIX);

    n = strnlen(text, n);
    for (; n && is_space(*text); n--)
        text++;
    if (n == 0)
        return err_set(err, MUNGE_BAD_ARG, "No credential specified");
    if (n < prefix_n || memcmp(text, PREFIX, prefix_n) != 0)
        return err_set(err, MUNGE_BAD_CRED, "Failed to match armor prefix");
    text += prefix_n;
    n -= prefix_n;

    const char *suffix = n ? memchr(text, ':', n) : NULL;

    if (!suffix)
        return err_set(err, MUNGE_BAD_CRED, "Failed to match armor suffix");
    if (!parse_base64(text, (size_t)(suffix - text), raw))
        return err_set(err, MUNGE_BAD_CRED, "Failed to base64-decode credential");
    return 0;
}
