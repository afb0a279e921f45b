#include "cli/sacctmgr/words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/text/hostlist.h"

/* Returns a copy without the quotes around it; those inside become backticks, as in Slurm. */
static char *without_quotes(const char *text)
{
    const size_t n = strlen(text);
    const bool quoted = n > 1 && (*text == '"' || *text == '\'') && text[n - 1] == *text;
    char *copy = quoted ? xstrndup(text + 1, n - 2) : xstrdup(text);

    for (char *at = copy; *at; at++) {
        if (*at == '"' || *at == '\'')
            *at = '`';
    }
    return copy;
}

static struct acct_word read_word(const char *text)
{
    const char *equals = strchr(text, '=');
    struct acct_word word = { .text = xstrdup(text), .operation = ACCT_IS };
    size_t n;

    if (!equals || equals == text) {
        word.value = without_quotes(text);
        return word;
    }
    n = (size_t)(equals - text);
    if (n > 1 && (text[n - 1] == '+' || text[n - 1] == '-'))
        word.operation = (enum acct_operation)text[--n];
    word.key = xstrndup(text, n);
    word.value = without_quotes(equals + 1);
    return word;
}

void acct_line_read(const char *const *words, uint32_t n, bool begins_with_set,
                    struct acct_line *ret)
{
    struct acct_words *to = begins_with_set ? &ret->set : &ret->where;

    for (uint32_t i = 0; i < n; i++) {
        if (word_is(words[i], "where"))
            to = &ret->where;
        else if (word_is(words[i], "set"))
            to = &ret->set;
        else
            *ARRAY_PUSH(to->at, to->n) = read_word(words[i]);
    }
}

static void clear_words(struct acct_words *words)
{
    for (uint32_t i = 0; i < words->n; i++) {
        free(words->at[i].text);
        free(words->at[i].key);
        free(words->at[i].value);
    }
    free(words->at);
}

void acct_line_clear(struct acct_line *line)
{
    clear_words(&line->where);
    clear_words(&line->set);
    *line = (struct acct_line){ 0 };
}

bool acct_words_are_blank(const struct acct_words *words)
{
    for (uint32_t i = 0; i < words->n; i++) {
        if (words->at[i].value[strspn(words->at[i].value, " ,")])
            return false;
    }
    return true;
}

int acct_key_find(const struct acct_key *keys, size_t n, const char *word)
{
    const size_t length = strlen(word);

    for (size_t i = 0; i < n; i++) {
        if (strncasecmp(word, keys[i].name, length > keys[i].least ? length : keys[i].least) == 0)
            return keys[i].id;
    }
    return -1;
}

static bool add_name(struct words *names, const char *name)
{
    AUTO_FREE char *small = xstrdup(name);

    for (char *at = small; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    if (words_have_exactly(names, small))
        return false;
    *ARRAY_PUSH(names->at, names->n) = STEAL(small);
    return true;
}

/* Returns the length of the part of a list before the comma that is in no brackets. */
static size_t part_length(const char *list)
{
    size_t n = 0;

    for (bool is_inside = false; list[n] && (is_inside || list[n] != ','); n++)
        is_inside = list[n] == '[' || (is_inside && list[n] != ']');
    return n;
}

/* Adds the names that one part of a list stands for: only brackets make more than one. */
static uint32_t add_part(struct words *names, char *part)
{
    AUTO(hostlist) struct hostlist *hosts = NULL;
    uint32_t added = 0;

    part = word_trim(part);
    if (!strchr(part, '[') || hostlist_parse(part, &hosts, NULL) < 0)
        return *part ? add_name(names, part) : 0;
    for (uint32_t i = 0; i < hostlist_count(hosts); i++)
        added += add_name(names, hostlist_get(hosts, i));
    return added;
}

uint32_t acct_names_add(struct words *names, const char *list)
{
    uint32_t added = 0;

    while (*list) {
        const size_t n = part_length(list);
        AUTO_FREE char *part = xstrndup(list, n);

        added += add_part(names, part);
        list += n + (list[n] == ',');
    }
    return added;
}
