/*
 * words.h - what every reader of text needs: words, blanks, bounded numbers.
 *
 * Comparisons ignore the case of ASCII letters, whatever the locale. Pure.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

/* The parts of a divided text. Owns them: `AUTO(words) struct words parts = { 0 };` */
struct words {
    char **at;
    uint32_t n;
};

/* Splits the text at any of the bytes in `dividers`. Parts are trimmed, and empty ones left out. */
struct words words_split(const char *text, const char *dividers);
/* Appends the parts of `text` to those that are there. */
void words_add(struct words *words, const char *text, const char *dividers);
void words_clear(struct words *words);
void words_auto_(struct words *words);

/* Returns true if a part equals `text`, in any case. */
bool words_have(const struct words *words, const char *text);

/* Returns true if a part equals `text`, case counting; with `text` NULL, false. */
bool words_have_exactly(const struct words *words, const char *text);

/* Returns true if a part of `list`, which commas divide, equals `word`, in any case. A list that is
 * NULL has no part. */
bool list_has_word(const char *list, const char *word);

/* Cuts blanks off both ends in place, and returns where the rest begins. */
char *word_trim(char *text);

/* Returns true if the texts are equal but for case; NULL equals nothing. */
bool word_is(const char *text, const char *other);

/* Returns true if the texts are equal, case counting; NULL and "" are equal. */
bool text_is(const char *text, const char *other);

/*
 * Returns true if `text` begins with `prefix`, but for case; *ret_rest (may be NULL) is then what
 * follows.
 */
bool word_starts(const char *text, const char *prefix, const char **ret_rest);

/* Moves *at behind the character if it is the next one, else returns false. */
bool text_take_char(const char **at, char wanted);

/* Returns how many digits the first n characters of `text` begin with. */
size_t text_count_digits(const char *text, size_t n);

/* A search among offered words for the one that was meant; borrows the words. */
struct word_search {
    const char *typed;
    size_t limit;        /* a word this far away is not meant */
    const char *nearest; /* NULL: none is near */
};

struct word_search word_search_begin(const char *typed);
void word_search_offer(struct word_search *search, const char *word);

/*
 * Reads decimal digits, without sign or blanks. Fails with EINVAL or ERANGE, naming text and
 * limits.
 */
int number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *ret_number,
                 struct err *err);
