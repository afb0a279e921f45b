#include "cli/sacctmgr/load_line.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define SEPARATOR " - "

static enum load_kind find_kind(const char *word, size_t n)
{
    static const struct {
        const char *name;
        enum load_kind kind;
    } kinds[] = {
        { "Account", LOAD_ACCOUNT }, { "Cluster", LOAD_CLUSTER }, { "Machine", LOAD_CLUSTER },
        { "Parent", LOAD_PARENT },   { "Project", LOAD_ACCOUNT }, { "User", LOAD_USER },
    };

    for (size_t i = 0; i < ARRAY_N(kinds); i++) {
        if (strlen(kinds[i].name) == n && strncmp(kinds[i].name, word, n) == 0)
            return kinds[i].kind;
    }
    return LOAD_UNKNOWN;
}

/* Returns the length of the part before the colon that is in no quotes, or -1: quotes are not
 * closed. */
static int64_t part_length(const char *text)
{
    const char *at = text;
    char quote = 0;

    for (; *at && (quote || *at != ':'); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = quote ? 0 : *at;
    }
    return quote ? -1 : at - text;
}

static void fold(char *text)
{
    for (; *text; text++)
        *text = (char)tolower((unsigned char)*text);
}

/* Takes the quotes off a name. */
static int read_name(struct load_line *line, char *text, struct err *err)
{
    const char *words[] = { text };
    struct acct_line name = { 0 };

    acct_line_read(words, 1, true, &name);
    if (name.set.n && !name.set.at[0].key)
        line->name = xstrdup(word_trim(name.set.at[0].value));
    acct_line_clear(&name);
    if (!line->name || !*line->name)
        return err_set(err, EINVAL, " No name given");
    fold(line->name);
    return 0;
}

static int check_value(char *text, struct err *err)
{
    if (strchr(text, '='))
        return 0;
    fold(text);
    return err_set(err, EINVAL, " Bad format on %s: End your option with an '=' sign", text);
}

/* Reads name and values: parts between colons. */
static int read_parts(struct load_line *line, const char *at, struct err *err)
{
    AUTO(words) struct words values = { 0 };
    int rc = 0;

    for (bool is_first = true; rc == 0 && (is_first || *at); is_first = false) {
        const int64_t n = part_length(at);
        AUTO_FREE char *part = n < 0 ? NULL : xstrndup(at, (size_t)n);

        if (!part)
            return err_set(err, EINVAL, " The quotes are not closed: %s", at);
        rc = is_first ? read_name(line, word_trim(part), err) : check_value(part, err);
        if (!is_first)
            *ARRAY_PUSH(values.at, values.n) = xstrdup(word_trim(part));
        at += n;
        at += *at == ':';
    }
    if (rc == 0)
        acct_line_read((const char *const *)values.at, values.n, true, &line->values);
    return rc;
}

int load_line_read(struct load_line *line, const char *text, struct err *err)
{
    AUTO_FREE char *copy = xstrdup(text);
    const char *begin = word_trim(copy);
    const char *separator = strstr(begin, SEPARATOR);

    line->text = xstrdup(text);
    if (!*begin || *begin == '#')
        return 0;
    if (!separator && strlen(begin) > 1 && strcmp(begin + strlen(begin) - 2, " -") == 0)
        return err_set(err, EINVAL, " No name given");
    line->kind = separator ? find_kind(begin, (size_t)(separator - begin)) : LOAD_UNKNOWN;
    return line->kind == LOAD_UNKNOWN ? 0 : read_parts(line, separator + strlen(SEPARATOR), err);
}

void load_line_clear(struct load_line *line)
{
    free(line->text);
    free(line->name);
    acct_line_clear(&line->values);
    *line = (struct load_line){ 0 };
}
