/* sim_words.h - words of the lines of sim.h: "key=2", "key" and sets of numbers. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/bitset.h"
#include "common/base/strbuf.h"

/* The text behind "key=" in the line, or NULL; "" for a key alone. Valid until the next call. */
static inline const char *sim_word(const char *line, const char *key)
{
    static char word[128];
    const size_t n = strlen(key);

    for (const char *at = line; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");

        if (length >= n && strncmp(at, key, n) == 0 && (length == n || at[n] == '=')) {
            snprintf(word, sizeof(word), "%.*s", length == n ? 0 : (int)(length - n - 1),
                     length == n ? "" : at + n + 1);
            return word;
        }
        at += length;
    }
    return NULL;
}

static inline int64_t sim_number(const char *line, const char *key, int64_t otherwise)
{
    const char *word = sim_word(line, key);

    return word ? strtoll(word, NULL, 10) : otherwise;
}

/* "0-2,5" */
static inline void sim_set(struct bitset *set, uint32_t size, const char *text)
{
    bitset_init(set, size);
    while (*text) {
        uint32_t first = (uint32_t)strtoul(text, (char **)&text, 10), last = first;

        if (*text == '-')
            last = (uint32_t)strtoul(text + 1, (char **)&text, 10);
        for (; first <= last && first < size; first++)
            bitset_add(set, first);
        text += *text == ',';
    }
}

static inline void sim_print_set(struct strbuf *out, const struct bitset *set)
{
    const char *between = "";

    BITSET_FOREACH (set, first) {
        int64_t last = first;

        while (bitset_has(set, (uint32_t)last + 1))
            last++;
        if (last > first)
            strbuf_addf(out, "%s%lld-%lld", between, (long long)first, (long long)last);
        else
            strbuf_addf(out, "%s%lld", between, (long long)first);
        between = ",";
        first = last;
    }
}
