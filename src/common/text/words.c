#include "common/text/words.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "common/base/alloc.h"
#include "common/base/minmax.h"

static const char blanks[] = " \t\r\n\v\f";

static bool is_blank(char c)
{
    return c && strchr(blanks, c);
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

struct words words_split(const char *text, const char *dividers)
{
    struct words words = { 0 };

    while (*text) {
        size_t n = strcspn(text, dividers);
        const char *next = text + n + (text[n] != '\0');

        while (n && is_blank(text[n - 1]))
            n--;
        while (n && is_blank(*text)) {
            text++;
            n--;
        }
        if (n)
            *ARRAY_PUSH(words.at, words.n) = xstrndup(text, n);
        text = next;
    }
    return words;
}

void words_add(struct words *words, const char *text, const char *dividers)
{
    struct words more = words_split(text, dividers);

    for (uint32_t i = 0; i < more.n; i++)
        *ARRAY_PUSH(words->at, words->n) = STEAL(more.at[i]);
    words_clear(&more);
}

void words_clear(struct words *words)
{
    for (uint32_t i = 0; i < words->n; i++)
        free(words->at[i]);
    free(words->at);
    *words = (struct words){ 0 };
}

void words_auto_(struct words *words)
{
    words_clear(words);
}

bool words_have(const struct words *words, const char *text)
{
    for (uint32_t i = 0; i < words->n; i++) {
        if (word_is(words->at[i], text))
            return true;
    }
    return false;
}

bool words_have_exactly(const struct words *words, const char *text)
{
    for (uint32_t i = 0; text && i < words->n; i++) {
        if (strcmp(words->at[i], text) == 0)
            return true;
    }
    return false;
}

bool list_has_word(const char *list, const char *word)
{
    AUTO(words) struct words words = words_split(list ? list : "", ",");

    return words_have(&words, word);
}

char *word_trim(char *text)
{
    size_t n;

    text += strspn(text, blanks);
    n = strlen(text);
    while (n && is_blank(text[n - 1]))
        text[--n] = '\0';
    return text;
}

bool word_is(const char *text, const char *other)
{
    const char *rest;

    return text && other && word_starts(text, other, &rest) && !*rest;
}

bool text_is(const char *text, const char *other)
{
    return strcmp(text ? text : "", other ? other : "") == 0;
}

bool text_take_char(const char **at, char wanted)
{
    if (**at != wanted)
        return false;
    *at += 1;
    return true;
}

size_t text_count_digits(const char *text, size_t n)
{
    size_t digits = 0;

    while (digits < n && isdigit((unsigned char)text[digits]))
        digits++;
    return digits;
}

bool word_starts(const char *text, const char *prefix, const char **ret_rest)
{
    while (*prefix && lower(*text) == lower(*prefix)) {
        text++;
        prefix++;
    }
    if (*prefix)
        return false;
    if (ret_rest)
        *ret_rest = text;
    return true;
}

#define COMPARED_MAX 64 /* letters of a word; what follows them is not looked at */

/*
 * Returns how many letters to add, drop or change to make one word of the other, whatever their
 * case.
 */
static size_t distance_of(const char *typed, const char *word)
{
    size_t row[COMPARED_MAX + 1];
    size_t n = strnlen(word, COMPARED_MAX);

    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; i < COMPARED_MAX && typed[i]; i++) {
        size_t diagonal = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t change = diagonal + (lower(typed[i]) != lower(word[j]));

            diagonal = row[j + 1];
            row[j + 1] = MIN(change, MIN(row[j], diagonal) + 1);
        }
    }
    return row[n];
}

struct word_search word_search_begin(const char *typed)
{
    const size_t n = strlen(typed);
    const size_t most = n > COMPARED_MAX ? 0 : n / 3; /* of a word's letters may be wrong */

    return (struct word_search){ .typed = typed, .limit = most + 1 };
}

void word_search_offer(struct word_search *search, const char *word)
{
    const size_t distance = distance_of(search->typed, word);

    if (distance < search->limit) {
        search->limit = distance;
        search->nearest = word;
    }
}

int number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *ret_number,
                 struct err *err)
{
    uint64_t number = 0;
    bool too_big = false;

    if (!*text)
        return err_set(err, EINVAL, "a number is missing");
    for (const char *c = text; *c; c++) {
        if (*c < '0' || *c > '9')
            return err_set(err, EINVAL, "'%.80s' is not a number", text);
        too_big = too_big || __builtin_mul_overflow(number, UINT64_C(10), &number) ||
                  __builtin_add_overflow(number, (uint64_t)(*c - '0'), &number);
    }
    if (too_big || number > max)
        return err_set(err, ERANGE, "'%.80s' is more than %llu", text, (unsigned long long)max);
    if (number < min)
        return err_set(err, ERANGE, "'%.80s' is less than %llu", text, (unsigned long long)min);
    *ret_number = number;
    return 0;
}
