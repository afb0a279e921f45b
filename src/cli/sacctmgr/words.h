/*
 * words.h - the words of a sacctmgr command line: conditions after `where`, values after `set`.
 */
#pragma once

#include "common/base/alloc.h"
#include "common/text/words.h"

enum acct_operation { ACCT_IS = '=', ACCT_PLUS = '+', ACCT_MINUS = '-' };

struct acct_word {
    char *text;  /* as it was written */
    char *key;   /* NULL: a name alone */
    char *value; /* without quotes */
    enum acct_operation operation;
};

struct acct_words {
    struct acct_word *at;
    uint32_t n;
};

/* `where` and `set` are the words after them; what comes before both is in the one that the verb
 * begins with. */
struct acct_line {
    struct acct_words where, set;
};

/* Reads words, which are copied. */
void acct_line_read(const char *const *words, uint32_t n, bool begins_with_set,
                    struct acct_line *ret);
void acct_line_clear(struct acct_line *line);

/* Returns whether no word has a value: what such conditions mean is nothing, not all. */
bool acct_words_are_blank(const struct acct_words *words);

/* A word that a table knows: its first `least` letters are enough. */
struct acct_key {
    const char *name;
    uint32_t least;
    int id;
};

/* Returns the id of the first key that the word may stand for, or -1. */
int acct_key_find(const struct acct_key *keys, size_t n, const char *word);

/* Adds the names of a list, "a,b[1-3]", in small letters, each once. Returns how many are new. */
uint32_t acct_names_add(struct words *names, const char *list);
