#include "unit/check_main.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/base/alloc.h"

START_TEST(copies_are_equal_and_apart)
{
    const char original[] = "abc";
    AUTO_FREE char *copy = xstrdup(original);
    AUTO_FREE char *part = xstrndup(original, 2);
    AUTO_FREE char *whole = xstrndup(original, 99);
    AUTO_FREE char *bytes = xmemdup(original, sizeof(original));

    ck_assert_str_eq(copy, "abc");
    ck_assert_str_eq(part, "ab");
    ck_assert_str_eq(whole, "abc");
    ck_assert_str_eq(bytes, "abc");
    ck_assert_ptr_ne(copy, original);
}
END_TEST

START_TEST(nothing_copied_is_null)
{
    ck_assert_ptr_null(xstrdup(NULL));
    ck_assert_ptr_null(xmemdup("x", 0));
}
END_TEST

START_TEST(no_bytes_asked_is_still_a_pointer_to_free)
{
    AUTO_FREE void *none = xmalloc(0);
    AUTO_FREE void *zero = xcalloc(0, 8);

    none = xrealloc(none, 0);
    ck_assert_ptr_nonnull(none);
    ck_assert_ptr_nonnull(zero);
}
END_TEST

START_TEST(zeroed_memory_is_zero)
{
    AUTO_FREE uint64_t *words = xcalloc(100, sizeof(*words));

    for (int i = 0; i < 100; i++)
        ck_assert_uint_eq(words[i], 0);
}
END_TEST

START_TEST(a_string_slot_is_replaced_even_by_itself)
{
    char *slot = NULL;

    xstrset(&slot, "first");
    ck_assert_str_eq(slot, "first");
    xstrset(&slot, slot + 2);
    ck_assert_str_eq(slot, "rst");
    xstrset(&slot, NULL);
    ck_assert_ptr_null(slot);
}
END_TEST

START_TEST(a_growing_array_keeps_its_elements)
{
    AUTO_FREE uint32_t *numbers = NULL;
    uint32_t n = 0;

    for (uint32_t i = 0; i < 1000; i++)
        *ARRAY_PUSH(numbers, n) = i * 3;

    ck_assert_uint_eq(n, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(numbers[i], i * 3);
}
END_TEST

START_TEST(an_array_that_shrank_grows_again)
{
    AUTO_FREE uint64_t *numbers = NULL;
    uint32_t n = 0;

    for (uint32_t i = 0; i < 9; i++)
        *ARRAY_PUSH(numbers, n) = i;
    n = 3;
    for (uint32_t i = 3; i < 100; i++)
        *ARRAY_PUSH(numbers, n) = i;

    for (uint32_t i = 0; i < 100; i++)
        ck_assert_uint_eq(numbers[i], i);
}
END_TEST

static char *given_away(void)
{
    AUTO_FREE char *text = xasprintf("%s-%d", "node", 7);

    return STEAL(text);
}

START_TEST(a_stolen_pointer_outlives_its_block)
{
    AUTO_FREE char *text = given_away();

    ck_assert_str_eq(text, "node-7");
}
END_TEST

START_TEST(a_descriptor_is_closed_with_its_block_unless_stolen)
{
    int closed, kept;

    {
        AUTO_CLOSE int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        AUTO_CLOSE int other = open("/dev/null", O_RDONLY | O_CLOEXEC);

        closed = fd;
        kept = steal_fd(&other);
        ck_assert_int_eq(other, -1);
    }
    ck_assert_int_eq(fcntl(closed, F_GETFD), -1);
    ck_assert_int_ne(fcntl(kept, F_GETFD), -1);
    close(kept);
}
END_TEST

START_TEST(wiped_bytes_are_zero)
{
    char secret[] = "secret";

    wipe(secret, sizeof(secret));

    for (size_t i = 0; i < sizeof(secret); i++)
        ck_assert_int_eq(secret[i], 0);
}
END_TEST

CHECK_MAIN(alloc, CASE(copies_are_equal_and_apart), CASE(nothing_copied_is_null),
           CASE(no_bytes_asked_is_still_a_pointer_to_free), CASE(zeroed_memory_is_zero),
           CASE(a_string_slot_is_replaced_even_by_itself), CASE(a_growing_array_keeps_its_elements),
           CASE(an_array_that_shrank_grows_again), CASE(a_stolen_pointer_outlives_its_block),
           CASE(a_descriptor_is_closed_with_its_block_unless_stolen), CASE(wiped_bytes_are_zero))
