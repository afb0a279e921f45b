#include "unit/check_main.h"

#include "common/base/bitset.h"
#include "common/base/strbuf.h"

/* Sizes around the edges of a 64-bit word. */
static const uint32_t sizes[] = { 0, 1, 63, 64, 65, 127, 128, 129, 1000 };

static struct bitset set_of(uint32_t size, const char *members)
{
    struct bitset set;

    bitset_init(&set, size);
    while (*members) {
        bitset_add(&set, (uint32_t)strtoul(members, (char **)&members, 10));
    }
    return set;
}

static void assert_members(const struct bitset *set, const char *expected)
{
    AUTO(strbuf) struct strbuf out = { 0 };

    BITSET_FOREACH (set, i)
        strbuf_addf(&out, "%s%lld", out.len ? " " : "", (long long)i);
    ck_assert_str_eq(strbuf_text(&out), expected);
}

START_TEST(a_new_set_is_empty_and_a_filled_one_is_full)
{
    AUTO(bitset) struct bitset set = { 0 };

    bitset_init(&set, sizes[_i]);
    ck_assert(bitset_is_empty(&set));
    ck_assert_uint_eq(bitset_count(&set), 0);
    ck_assert_int_eq(bitset_next(&set, 0), -1);

    bitset_fill(&set);
    ck_assert_uint_eq(bitset_count(&set), sizes[_i]);
    ck_assert_int_eq(bitset_next(&set, 0), sizes[_i] ? 0 : -1);
    ck_assert_int_eq(bitset_next(&set, sizes[_i]), -1);

    bitset_empty(&set);
    ck_assert(bitset_is_empty(&set));
    ck_assert_uint_eq(set.size, sizes[_i]);
}
END_TEST

START_TEST(each_member_is_added_and_deleted_alone)
{
    AUTO(bitset) struct bitset set = { 0 };
    const uint32_t size = sizes[_i];

    bitset_init(&set, size);
    for (uint32_t i = 0; i < size; i++) {
        bitset_add(&set, i);
        ck_assert_uint_eq(bitset_count(&set), 1);
        ck_assert(bitset_has(&set, i));
        ck_assert_int_eq(bitset_next(&set, 0), i);
        bitset_del(&set, i);
        ck_assert(bitset_is_empty(&set));
    }
    ck_assert(!bitset_has(&set, size));
}
END_TEST

START_TEST(walking_gives_members_in_rising_order)
{
    AUTO(bitset) struct bitset set = set_of(200, "199 0 64 63 128 5");

    assert_members(&set, "0 5 63 64 128 199");
    ck_assert_int_eq(bitset_next(&set, 6), 63);
    ck_assert_int_eq(bitset_next(&set, 129), 199);
    ck_assert_int_eq(bitset_next(&set, 200), -1);
}
END_TEST

START_TEST(and_or_minus_are_those_of_sets)
{
    AUTO(bitset) struct bitset a = set_of(130, "1 64 129");
    AUTO(bitset) struct bitset b = set_of(130, "1 65 129");
    AUTO(bitset) struct bitset both = { 0 }, any = { 0 }, rest = { 0 };

    bitset_copy(&both, &a);
    bitset_copy(&any, &a);
    bitset_copy(&rest, &a);
    bitset_and(&both, &b);
    bitset_or(&any, &b);
    bitset_minus(&rest, &b);

    assert_members(&both, "1 129");
    assert_members(&any, "1 64 65 129");
    assert_members(&rest, "64");
    assert_members(&a, "1 64 129");
}
END_TEST

START_TEST(sets_are_compared_by_their_members)
{
    AUTO(bitset) struct bitset a = set_of(100, "1 99");
    AUTO(bitset) struct bitset part = set_of(100, "99");
    AUTO(bitset) struct bitset other = set_of(100, "2");
    AUTO(bitset) struct bitset wider = set_of(101, "1 99");
    AUTO(bitset) struct bitset none = set_of(100, "");

    ck_assert(bitset_equal(&a, &a) && !bitset_equal(&a, &part) && !bitset_equal(&a, &wider));
    ck_assert(bitset_contains(&a, &part) && !bitset_contains(&part, &a));
    ck_assert(bitset_contains(&a, &none) && !bitset_contains(&a, &other));
    ck_assert(bitset_meets(&a, &part) && !bitset_meets(&a, &other) && !bitset_meets(&a, &none));
}
END_TEST

START_TEST(a_copy_takes_the_place_of_what_was_there)
{
    AUTO(bitset) struct bitset from = set_of(70, "69");
    AUTO(bitset) struct bitset to = set_of(5, "1");

    bitset_copy(&to, &from);
    bitset_clear(&from);

    ck_assert_uint_eq(to.size, 70);
    assert_members(&to, "69");
    ck_assert_uint_eq(from.size, 0);
}
END_TEST

CHECK_MAIN(bitset, LOOP_CASE(a_new_set_is_empty_and_a_filled_one_is_full, ARRAY_N(sizes)),
           LOOP_CASE(each_member_is_added_and_deleted_alone, ARRAY_N(sizes)),
           CASE(walking_gives_members_in_rising_order), CASE(and_or_minus_are_those_of_sets),
           CASE(sets_are_compared_by_their_members), CASE(a_copy_takes_the_place_of_what_was_there))
