#include "common/base/bitset.h"

#include <assert.h>
#include <string.h>

static uint32_t words_of(uint32_t size)
{
    return (size + 63) / 64;
}

void bitset_init(struct bitset *set, uint32_t size)
{
    set->size = size;
    set->words = xcalloc(words_of(size), sizeof(uint64_t));
}

void bitset_clear(struct bitset *set)
{
    free(set->words);
    *set = (struct bitset){ 0 };
}

void bitset_auto_(struct bitset *set)
{
    bitset_clear(set);
}

void bitset_copy(struct bitset *to, const struct bitset *from)
{
    uint64_t *words = xmemdup(from->words, words_of(from->size) * sizeof(uint64_t));

    bitset_clear(to);
    to->size = from->size;
    to->words = words;
}

void bitset_add(struct bitset *set, uint32_t member)
{
    assert(member < set->size);
    set->words[member / 64] |= UINT64_C(1) << (member % 64);
}

void bitset_del(struct bitset *set, uint32_t member)
{
    assert(member < set->size);
    set->words[member / 64] &= ~(UINT64_C(1) << (member % 64));
}

bool bitset_has(const struct bitset *set, uint32_t member)
{
    return member < set->size && (set->words[member / 64] >> (member % 64) & 1);
}

void bitset_fill(struct bitset *set)
{
    uint32_t rest = set->size % 64;

    if (set->size == 0)
        return;
    memset(set->words, 0xff, words_of(set->size) * sizeof(uint64_t));
    if (rest) /* bits past the size stay zero, so that counting needs no mask */
        set->words[words_of(set->size) - 1] = (UINT64_C(1) << rest) - 1;
}

void bitset_empty(struct bitset *set)
{
    if (set->size)
        memset(set->words, 0, words_of(set->size) * sizeof(uint64_t));
}

uint32_t bitset_count(const struct bitset *set)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < words_of(set->size); i++)
        count += (uint32_t)__builtin_popcountll(set->words[i]);
    return count;
}

bool bitset_is_empty(const struct bitset *set)
{
    for (uint32_t i = 0; i < words_of(set->size); i++) {
        if (set->words[i])
            return false;
    }
    return true;
}

bool bitset_equal(const struct bitset *a, const struct bitset *b)
{
    return a->size == b->size &&
           (a->size == 0 || memcmp(a->words, b->words, words_of(a->size) * sizeof(uint64_t)) == 0);
}

bool bitset_meets(const struct bitset *a, const struct bitset *b)
{
    assert(a->size == b->size);
    for (uint32_t i = 0; i < words_of(a->size); i++) {
        if (a->words[i] & b->words[i])
            return true;
    }
    return false;
}

bool bitset_contains(const struct bitset *a, const struct bitset *b)
{
    assert(a->size == b->size);
    for (uint32_t i = 0; i < words_of(a->size); i++) {
        if (b->words[i] & ~a->words[i])
            return false;
    }
    return true;
}

void bitset_and(struct bitset *set, const struct bitset *other)
{
    assert(set->size == other->size);
    for (uint32_t i = 0; i < words_of(set->size); i++)
        set->words[i] &= other->words[i];
}

void bitset_or(struct bitset *set, const struct bitset *other)
{
    assert(set->size == other->size);
    for (uint32_t i = 0; i < words_of(set->size); i++)
        set->words[i] |= other->words[i];
}

void bitset_minus(struct bitset *set, const struct bitset *other)
{
    assert(set->size == other->size);
    for (uint32_t i = 0; i < words_of(set->size); i++)
        set->words[i] &= ~other->words[i];
}

int64_t bitset_next(const struct bitset *set, uint32_t from)
{
    uint32_t i = from / 64;
    uint64_t word;

    if (from >= set->size)
        return -1;
    word = set->words[i] & (~UINT64_C(0) << (from % 64));
    while (!word) {
        if (++i == words_of(set->size))
            return -1;
        word = set->words[i];
    }
    return (int64_t)i * 64 + __builtin_ctzll(word);
}
