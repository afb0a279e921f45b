#include "common/base/arena.h"

#include <stdint.h>
#include <string.h>

#include "unit/check_main.h"

START_TEST(what_it_gives_is_zero_aligned_and_apart)
{
    struct arena arena = { 0 };
    unsigned char *pieces[500];

    for (size_t i = 1; i < 500; i++) {
        pieces[i] = arena_alloc(&arena, i);
        ck_assert_uint_eq((uintptr_t)pieces[i] % 16, 0);
        for (size_t k = 0; k < i; k++)
            ck_assert_uint_eq(pieces[i][k], 0);
        memset(pieces[i], (int)(i % 250 + 1), i);
    }
    for (size_t i = 1; i < 500; i++) {
        ck_assert_uint_eq(pieces[i][0], i % 250 + 1);
        ck_assert_uint_eq(pieces[i][i - 1], i % 250 + 1);
    }
    arena_clear(&arena);
    ck_assert_ptr_null(arena.chunks);
}
END_TEST

START_TEST(a_piece_may_be_larger_than_a_chunk)
{
    struct arena arena = { 0 };
    unsigned char *large = arena_alloc(&arena, 3u << 20);

    memset(large, 1, 3u << 20);
    ck_assert_uint_eq(*(unsigned char *)arena_alloc(&arena, 1), 0);
    arena_clear(&arena);
}
END_TEST

START_TEST(an_array_grows_one_by_one)
{
    struct arena arena = { 0 };
    uint32_t *numbers = NULL;

    for (uint32_t i = 0; i < 1000; i++) {
        numbers = arena_grow(&arena, numbers, i, sizeof(*numbers));
        numbers[i] = i;
    }
    for (uint32_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(numbers[i], i);
    arena_clear(&arena);
}
END_TEST

START_TEST(what_was_given_since_a_mark_comes_back)
{
    struct arena arena = { 0 };
    const struct arena_mark empty = arena_mark(&arena);
    char *first, *second;

    arena_return(&arena, empty);
    first = arena_alloc(&arena, 16);
    *first = 'x';
    for (size_t size = 1; size < (3u << 20); size = size * 3 + 1) {
        const struct arena_mark mark = arena_mark(&arena);

        second = arena_alloc(&arena, size);
        ck_assert(second[0] == 0 && memcmp(second, second + 1, size - 1) == 0);
        memset(second, 1, size);
        memset(arena_alloc(&arena, size / 2 + 1), 1, size / 2 + 1);
        arena_return(&arena, mark);
        ck_assert_int_eq(*first, 'x');
    }
    arena_clear(&arena);
}
END_TEST

CHECK_MAIN(arena, CASE(what_was_given_since_a_mark_comes_back),
           CASE(what_it_gives_is_zero_aligned_and_apart), CASE(a_piece_may_be_larger_than_a_chunk),
           CASE(an_array_grows_one_by_one))
