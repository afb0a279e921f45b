#include "unit/check_main.h"

#include <string.h>

#include "noded/stdio/recent.h"

struct seen {
    uint32_t n;
    uint64_t bytes;
    uint32_t first_task, last_task;
};

static void see(void *ctx, uint32_t task, uint32_t stream, const void *data, uint32_t n)
{
    struct seen *seen = ctx;

    ck_assert_uint_eq(stream, IO_STDOUT);
    ck_assert_ptr_nonnull(data);
    if (seen->n++ == 0)
        seen->first_task = task;
    seen->last_task = task;
    seen->bytes += n;
}

static struct seen all_of(const struct recent *recent)
{
    struct seen seen = { 0 };

    recent_each(recent, see, &seen);
    return seen;
}

START_TEST(the_last_pieces_are_kept_in_order)
{
    struct recent *recent = recent_new();
    struct seen seen;

    for (uint32_t i = 0; i < RECENT_PIECES + 10; i++)
        recent_add(recent, i, IO_STDOUT, "x", 1);
    recent_add(recent, 1000, IO_STDOUT, "", 0); /* an end of a stream is nothing */
    seen = all_of(recent);

    ck_assert_uint_eq(seen.n, RECENT_PIECES);
    ck_assert_uint_eq(seen.first_task, 10);
    ck_assert_uint_eq(seen.last_task, RECENT_PIECES + 9);
    recent_free(recent);
}
END_TEST

START_TEST(large_pieces_push_out_as_many_as_they_need)
{
    static const char block[RECENT_BYTES];
    struct recent *recent = recent_new();
    struct seen seen;

    for (uint32_t i = 0; i < 10; i++)
        recent_add(recent, i, IO_STDOUT, block, RECENT_BYTES / 4);
    seen = all_of(recent);
    ck_assert_uint_eq(seen.n, 4);
    ck_assert_uint_eq(seen.first_task, 6);
    ck_assert_uint_eq(seen.bytes, RECENT_BYTES);

    recent_add(recent, 77, IO_STDOUT, block, RECENT_BYTES);
    seen = all_of(recent);
    ck_assert_uint_eq(seen.n, 1);
    ck_assert_uint_eq(seen.first_task, 77);
    recent_free(recent);
}
END_TEST

CHECK_MAIN(recent, CASE(the_last_pieces_are_kept_in_order),
           CASE(large_pieces_push_out_as_many_as_they_need))
