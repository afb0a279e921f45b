#include "common/conf/cursor.h"

#include <string.h>

static bool is_key_char(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

void cursor_skip(struct cursor *cur)
{
    if (cur->text[cur->at++] == '\n') {
        cur->pos.line++;
        cur->pos.column = 1;
    } else {
        cur->pos.column++;
    }
}

/* Returns the length of a joint of two lines (backslash, line end) at the cursor, or 0. */
static size_t joint_len(const struct cursor *cur)
{
    if (cursor_raw(cur, 0) != '\\')
        return 0;
    if (cursor_raw(cur, 1) == '\n')
        return 2;
    return cursor_raw(cur, 1) == '\r' && cursor_raw(cur, 2) == '\n' ? 3 : 0;
}

/* Returns the next character of the logical line. */
int cursor_peek(struct cursor *cur)
{
    for (size_t n = joint_len(cur); n; n = joint_len(cur))
        for (; n; n--)
            cursor_skip(cur);
    return cursor_raw(cur, 0);
}

bool cursor_at_line_end(struct cursor *cur)
{
    int c = cursor_peek(cur);

    return c == CURSOR_END || c == '\n' || c == '#';
}

void cursor_skip_blanks(struct cursor *cur)
{
    while (cursor_is_blank(cursor_peek(cur)))
        cursor_skip(cur);
}

void cursor_skip_line(struct cursor *cur)
{
    while (cursor_raw(cur, 0) != CURSOR_END && cursor_raw(cur, 0) != '\n')
        cursor_skip(cur);
    if (cursor_raw(cur, 0) == '\n')
        cursor_skip(cur);
}

static int read_quoted(struct cursor *cur, struct strbuf *value, struct err *err)
{
    struct conf_at start = cur->pos;
    int c;

    cursor_skip(cur);
    for (c = cursor_peek(cur); c != '"' && c != '\n' && c != CURSOR_END; c = cursor_peek(cur)) {
        strbuf_addc(value, (char)c);
        cursor_skip(cur);
    }
    if (c != '"')
        return conf_err(err, E_SYNTAX, start, "this quote is not closed on its line");
    cursor_skip(cur);
    if (!cursor_is_blank(cursor_peek(cur)) && !cursor_at_line_end(cur))
        return conf_err(err, E_SYNTAX, cur->pos, "text follows a closing quote without a space");
    return 0;
}

static void read_plain(struct cursor *cur, struct strbuf *value)
{
    for (; !cursor_is_blank(cursor_peek(cur)) && !cursor_at_line_end(cur); cursor_skip(cur)) {
        if (cursor_raw(cur, 0) == '\\' && cursor_raw(cur, 1) == '#')
            cursor_skip(cur);
        strbuf_addc(value, (char)cursor_raw(cur, 0));
    }
}

int cursor_read_value(struct cursor *cur, const char *key, char **ret_value, struct err *err)
{
    AUTO(strbuf) struct strbuf value = { 0 };
    struct conf_at start = cur->pos;

    if (cursor_peek(cur) == '"') {
        int rc = read_quoted(cur, &value, err);

        if (rc < 0)
            return rc;
    } else {
        read_plain(cur, &value);
    }
    if (value.len > CONF_VALUE_MAX)
        return conf_err(err, E_TOO_BIG, start, "the value of %s has %zu characters, more than %u",
                        key, value.len, CONF_VALUE_MAX);
    *ret_value = strbuf_steal(&value);
    return 0;
}

/* Returns the word at the cursor, cut to a readable length, for messages. */
static char *word_at(struct cursor cur)
{
    AUTO(strbuf) struct strbuf word = { 0 };

    for (; !cursor_is_blank(cursor_peek(&cur)) && !cursor_at_line_end(&cur) && word.len < 40;
         cursor_skip(&cur)) {
        int c = cursor_raw(&cur, 0);

        strbuf_addc(&word, c < ' ' || c == 127 ? '?' : (char)c);
    }
    return strbuf_steal(&word);
}

int cursor_read_key(struct cursor *cur, char **ret_key, struct err *err)
{
    AUTO(strbuf) struct strbuf key = { 0 };
    AUTO_FREE char *word = NULL;
    const struct cursor start = *cur;

    for (; is_key_char(cursor_peek(cur)) && key.len <= CONF_KEY_MAX; cursor_skip(cur))
        strbuf_addc(&key, (char)cursor_raw(cur, 0));
    if (key.len && key.len <= CONF_KEY_MAX) {
        *ret_key = strbuf_steal(&key);
        return 0;
    }
    word = word_at(start);
    if (key.len)
        return conf_err(err, E_SYNTAX, start.pos, "'%s...' is longer than a key can be (%d)", word,
                        CONF_KEY_MAX);
    return conf_err(err, E_SYNTAX, start.pos, "'%s' where a key is expected", word);
}
