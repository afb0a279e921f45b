#include "common/base/plain.h"

#include <string.h>

static bool follows(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

uint32_t plain_character(const char *text, uint32_t *ret_code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *at = (const unsigned char *)text;
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

/*
 * Returns whether a character acts: control characters, and those of Unicode that end a line or
 * turn the direction of what follows. Programs split listings at the former, and the latter show a
 * reader another text than there is.
 */
static bool acts(uint32_t code)
{
    return code < 0xA0 || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/* What begins at a byte: its length, and whether it acts, or is no character at all. */
struct piece {
    uint32_t n;
    bool is_control, is_foreign;
};

static struct piece piece_at(const char *at)
{
    const unsigned char byte = (unsigned char)*at;
    struct piece piece = { .n = 1, .is_control = byte < ' ' || byte == 0x7F };
    uint32_t code;

    if (byte < 0x80)
        return piece;
    piece.n = plain_character(at, &code);
    piece.is_control = piece.n && acts(code);
    piece.is_foreign = !piece.n;
    piece.n += piece.is_foreign;
    return piece;
}

static bool is_of_lines(char byte)
{
    return byte == '\t' || byte == '\n' || byte == '\r';
}

static int64_t find_control(const char *text, bool has_lines)
{
    const char *at = text;

    while (*at) {
        const struct piece piece = piece_at(at);

        if (piece.is_control && !(has_lines && is_of_lines(*at)))
            return at - text;
        at += piece.n;
    }
    return -1;
}

int64_t plain_find_control(const char *text)
{
    return find_control(text, false);
}

int64_t plain_find_control_in_lines(const char *text)
{
    return find_control(text, true);
}

/*
 * Returns true if one of the eight bytes is below ' ', or 0x7F or more. In the sums a byte carries
 * into the next only when the answer is true anyway.
 */
static bool word_has_other(uint64_t word)
{
    const uint64_t ones = UINT64_MAX / 0xFF;
    const uint64_t low = (word - ones * ' ') & ~word;
    const uint64_t high = (word + ones * (0x80 - 0x7F)) | word;

    return (low | high) & ones * 0x80;
}

/* Returns true for a text of visible ASCII characters, as nearly all are. */
static bool is_ascii(const char *text, size_t n)
{
    uint64_t word;

    for (; n >= sizeof(word); text += sizeof(word), n -= sizeof(word)) {
        memcpy(&word, text, sizeof(word));
        if (word_has_other(word))
            return false;
    }
    while (n > 0 && *text >= ' ' && *text < 0x7F) {
        text++;
        n--;
    }
    return n == 0;
}

static void add_piece(const char *at, const struct piece *piece, struct strbuf *out)
{
    if (!piece->is_control && !piece->is_foreign) {
        strbuf_add(out, at, piece->n);
        return;
    }
    for (uint32_t i = 0; i < piece->n; i++)
        strbuf_addf(out, "\\x%02x", (unsigned char)at[i]);
}

static void escape(struct strbuf *text, size_t from, bool has_lines)
{
    AUTO(strbuf) struct strbuf copy = { 0 };
    const char *at = strbuf_text(text) + from;

    if (is_ascii(at, text->len - from))
        return;
    strbuf_adds(&copy, at);
    strbuf_truncate(text, from);
    for (at = strbuf_text(&copy); *at;) {
        struct piece piece = piece_at(at);

        piece.is_control = piece.is_control && !(has_lines && (*at == '\n' || *at == '\t'));
        add_piece(at, &piece, text);
        at += piece.n;
    }
}

void plain_escape(struct strbuf *text, size_t from)
{
    escape(text, from, false);
}

void plain_escape_lines(struct strbuf *text, size_t from)
{
    escape(text, from, true);
}

char *plain_copy(const char *text)
{
    struct strbuf copy = { 0 };

    if (!text)
        return NULL;
    strbuf_adds(&copy, text);
    plain_escape(&copy, 0);
    return strbuf_steal(&copy);
}
