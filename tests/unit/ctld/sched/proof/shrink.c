#include "unit/ctld/sched/proof/shrink.h"

#include <ctype.h>
#include <string.h>

#include "common/base/strbuf.h"

struct shrinking {
    char *text; /* the smallest so far */
    shrink_fails *fails;
    void *arg;
    uint32_t tries;
};

/* Takes the smaller text when it fails too. */
static bool try_text(struct shrinking *shrinking, char *smaller)
{
    if (shrinking->tries > 0 && strcmp(smaller, shrinking->text) != 0 && shrinking->tries-- > 0 &&
        shrinking->fails(smaller, shrinking->arg)) {
        free(shrinking->text);
        shrinking->text = smaller;
        return true;
    }
    free(smaller);
    return false;
}

/* The text without its bytes [from, to), which are replaced by `with`. */
static char *spliced(const char *text, size_t from, size_t to, const char *with)
{
    return xasprintf("%.*s%s%s", (int)from, text, with, text + to);
}

static uint32_t count_lines(const char *text)
{
    uint32_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static size_t line_offset(const char *text, uint32_t number)
{
    const char *at = text;

    while (number-- > 0 && *at)
        at += strcspn(at, "\n") + 1;
    return (size_t)(at - text);
}

/* Leaves out `n` lines at a time, the last ones first: what comes late is most often in vain. */
static bool drop_lines(struct shrinking *shrinking, uint32_t n)
{
    bool better = false;

    for (uint32_t end = count_lines(shrinking->text); end > 0;) {
        const uint32_t first = end > n ? end - n : 0;
        const size_t from = line_offset(shrinking->text, first);

        better |= try_text(shrinking,
                           spliced(shrinking->text, from, line_offset(shrinking->text, end), ""));
        end = first;
    }
    return better;
}

/* The next word that is not the first of its line. */
static size_t next_word(const char *text, size_t at)
{
    while (text[at] && text[at] != ' ')
        at++;
    return text[at] ? at : 0;
}

/* Names and numbers that stand alone are what a line is about. A job without limit is another sort
 * of job: a story that is told with limits may fail for another reason without. */
static bool may_go(const char *word, size_t n)
{
    return n > 0 && word[n - 1] != ':' && !isdigit((unsigned char)word[0]) &&
           strncmp(word, "time=", 5) != 0;
}

static bool drop_words(struct shrinking *shrinking)
{
    bool better = false;
    size_t at = 0;

    while ((at = next_word(shrinking->text, at))) {
        const size_t end = at + 1 + strcspn(shrinking->text + at + 1, " \n");

        if (may_go(shrinking->text + at + 1, end - at - 1) &&
            try_text(shrinking, spliced(shrinking->text, at, end, "")))
            better = true;
        else
            at = end;
    }
    return better;
}

/* The next number that is a value: no part of a name, which begins with a letter. */
static size_t next_number(const char *text, size_t at)
{
    for (; text[at]; at++) {
        if (isdigit((unsigned char)text[at]) &&
            (at == 0 || (!isalnum((unsigned char)text[at - 1]) || text[at - 1] == 'x')))
            return at;
    }
    return 0;
}

/* None of the cluster's numbers may be 0, no limit, and no count of devices or nodes asked for. */
static bool may_be_none(const char *text, size_t at)
{
    return at >= strcspn(text, "\n") && text[at - 1] != ':' && text[at - 1] != '*' &&
           !(at > 5 && memcmp(text + at - 5, "time=", 5) == 0);
}

static bool shrink_number(struct shrinking *shrinking, size_t at)
{
    char *end;
    const long long number = strtoll(shrinking->text + at, &end, 10);
    const long long smaller[] = { 0, 1, number / 2, number - 1 };
    const size_t to = (size_t)(end - shrinking->text);
    const long long least = may_be_none(shrinking->text, at) ? 0 : 1;

    for (uint32_t i = 0; i < ARRAY_N(smaller); i++) {
        AUTO_FREE char *with = xasprintf("%lld", smaller[i]);

        if (smaller[i] < number && smaller[i] >= least &&
            try_text(shrinking, spliced(shrinking->text, at, to, with)))
            return true;
    }
    return false;
}

static bool shrink_numbers(struct shrinking *shrinking)
{
    bool better = false;
    size_t at = 0;

    while ((at = next_number(shrinking->text, at))) {
        better |= shrink_number(shrinking, at);
        while (isdigit((unsigned char)shrinking->text[at]))
            at++;
    }
    return better;
}

char *shrink(const char *text, shrink_fails *fails, void *arg, uint32_t tries)
{
    struct shrinking shrinking = { xstrdup(text), fails, arg, tries };
    bool better = true;

    while (better && shrinking.tries > 0) {
        better = false;
        for (uint32_t n = count_lines(shrinking.text) / 2; n > 0; n /= 2)
            better |= drop_lines(&shrinking, n);
        better |= drop_words(&shrinking);
        better |= shrink_numbers(&shrinking);
    }
    return shrinking.text;
}
